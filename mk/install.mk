# make install [PREFIX=/usr/local] [LIBDIR=$(PREFIX)/lib] [DESTDIR=]
# make uninstall, with the same variables
LIBDIR ?= $(PREFIX)/lib
D := $(DESTDIR)$(PREFIX)
L := $(DESTDIR)$(LIBDIR)
MAN3 := $(wildcard doc/man/*.3)
MAN5 := $(wildcard doc/man/*.5)
HEADERS := include/troupe.h include/troupe_short.h include/troupe_unit.h
DOCS := README.md CHANGELOG.md LICENSE doc/tutorial.md doc/stability.md doc/page.png
MAN7 := $(wildcard doc/man/*.7)

PC_test_libs := -Wl,--push-state,--whole-archive -ltroupe-test \
	-Wl,--pop-state
SUBST := sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(VERSION),'

.PHONY: install uninstall
install: all
	install -d $(D)/include $(L)/pkgconfig $(L)/cmake/troupe \
		$(D)/bin $(D)/share/man/man1 $(D)/share/man/man3 \
		$(D)/share/man/man5 $(D)/share/man/man7 \
		$(D)/share/bash-completion/completions \
		$(D)/share/zsh/vendor-completions $(D)/share/fish/vendor_completions.d \
		$(D)/share/doc/troupe/examples/bank $(D)/share/doc/troupe/schema
	install -m 644 $(HEADERS) $(D)/include
	install -m 644 $(B)/libtroupe.a $(B)/libtroupe-test.a $(L)
	install -m 755 $(B)/libtroupe.so.$(SOVERSION) $(L)
	ln -sf libtroupe.so.$(SOVERSION) $(L)/libtroupe.so
	install -m 755 $(B)/troupe $(D)/bin/troupe
	$(if $(filter-out no,$(LLVM)),install -D -m 755 $(B)/troupe-llvm \
		$(D)/libexec/troupe/troupe-llvm)
	$(if $(PARTS_WQ),install -D -m 755 $(B)/troupe-wq \
		$(D)/libexec/troupe/troupe-wq)
	$(SUBST) mk/troupe.pc.in > $(L)/pkgconfig/troupe.pc
	$(SUBST) mk/troupe-test.pc.in > $(L)/pkgconfig/troupe-test.pc
	{ echo '-z now'; tools/wrapped | sed 's/^/--wrap=/'; } \
		> $(L)/troupe-test.ld-args
	$(SUBST) mk/troupeConfig.cmake > $(L)/cmake/troupe/troupeConfig.cmake
	$(SUBST) mk/troupeConfigVersion.cmake.in \
		> $(L)/cmake/troupe/troupeConfigVersion.cmake
	$(B)/troupe --man > $(D)/share/man/man1/troupe.1
	for c in $$($(B)/troupe --commands); do \
		tools/man $(B)/troupe $$c > $(D)/share/man/man1/troupe-$$c.1; \
	done
	$(if $(MAN3),install -m 644 $(MAN3) $(D)/share/man/man3)
	for page in $(notdir $(MAN3)); do \
		sed -n '/^.SH NAME/{n;s/ *\\-.*//;s/,//g;p;}' doc/man/$$page | \
		tr ' ' '\n' | while read -r name; do \
			case $$name.3 in $$page) ;; tr_* | TR_*) \
				ln -sf $$page $(D)/share/man/man3/$$name.3 ;; \
			esac; \
		done; \
	done
	$(if $(MAN5),install -m 644 $(MAN5) $(D)/share/man/man5)
	$(if $(MAN7),install -m 644 $(MAN7) $(D)/share/man/man7)
	$(B)/troupe --completion bash \
		> $(D)/share/bash-completion/completions/troupe
	$(B)/troupe --completion zsh > $(D)/share/zsh/vendor-completions/_troupe
	$(B)/troupe --completion fish \
		> $(D)/share/fish/vendor_completions.d/troupe.fish
	install -m 644 $(DOCS) $(D)/share/doc/troupe
	install -m 644 examples/bank/* $(D)/share/doc/troupe/examples/bank
	install -m 644 doc/schema/* $(D)/share/doc/troupe/schema

# Only what install puts there.
uninstall:
	rm -f $(addprefix $(D)/include/,$(notdir $(HEADERS))) \
		$(L)/libtroupe.a $(L)/libtroupe-test.a $(L)/libtroupe.so \
		$(L)/libtroupe.so.$(SOVERSION) $(L)/troupe-test.ld-args \
		$(L)/pkgconfig/troupe.pc $(L)/pkgconfig/troupe-test.pc \
		$(D)/bin/troupe $(D)/share/man/man1/troupe.1 \
		$(D)/share/man/man1/troupe-*.1 \
		$(addprefix $(D)/share/man/man5/,$(notdir $(MAN5))) \
		$(addprefix $(D)/share/man/man7/,$(notdir $(MAN7))) \
		$(D)/share/bash-completion/completions/troupe \
		$(D)/share/zsh/vendor-completions/_troupe \
		$(D)/share/fish/vendor_completions.d/troupe.fish
	for page in $(notdir $(MAN3)); do \
		find $(D)/share/man/man3 -lname $$page -delete; \
		rm -f $(D)/share/man/man3/$$page; \
	done
	rm -rf $(D)/libexec/troupe $(L)/cmake/troupe $(D)/share/doc/troupe

# A release: what git has, in one archive.
.PHONY: dist
dist:
	@mkdir -p build
	git archive --prefix=troupe-$(VERSION)/ HEAD | gzip -n9 \
		> build/troupe-$(VERSION).tar.gz
	@echo build/troupe-$(VERSION).tar.gz

# The documents as a small site.
.PHONY: doc
doc: tool
	@tools/site $(B) build/site

.PHONY: deb
deb:
	@tools/deb $(VERSION)

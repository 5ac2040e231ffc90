# make install [PREFIX=/usr/local] [DESTDIR=]
D := $(DESTDIR)$(PREFIX)
MAN3 := $(wildcard doc/man/*.3)
MAN1 := $(wildcard doc/man/*.1)
MAN5 := $(wildcard doc/man/*.5)

PC_test_libs := -Wl,--push-state,--whole-archive -ltroupe-test \
	-Wl,--pop-state

.PHONY: install
install: all
	install -d $(D)/include $(D)/lib/pkgconfig $(D)/lib/cmake/troupe \
		$(D)/bin $(D)/share/man/man1 $(D)/share/man/man3 \
		$(D)/share/man/man5 $(D)/share/bash-completion/completions
	install -m 644 include/troupe.h include/troupe_short.h include/troupe_unit.h $(D)/include
	install -m 644 $(B)/libtroupe.a $(B)/libtroupe-test.a $(D)/lib
	install -m 755 $(B)/libtroupe.so.$(SOVERSION) $(D)/lib
	ln -sf libtroupe.so.$(SOVERSION) $(D)/lib/libtroupe.so
	install -m 755 $(B)/troupe $(D)/bin/troupe
	install -D -m 755 $(B)/troupe-llvm $(D)/libexec/troupe/troupe-llvm
	sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' mk/troupe.pc.in \
		> $(D)/lib/pkgconfig/troupe.pc
	sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' \
		mk/troupe-test.pc.in > $(D)/lib/pkgconfig/troupe-test.pc
	{ echo '-z now'; tools/wrapped | sed 's/^/--wrap=/'; } \
		> $(D)/lib/troupe-test.ld-args
	install -m 644 mk/troupeConfig.cmake $(D)/lib/cmake/troupe
	sed 's,@VERSION@,$(VERSION),' mk/troupeConfigVersion.cmake.in \
		> $(D)/lib/cmake/troupe/troupeConfigVersion.cmake
	$(B)/troupe --man > $(D)/share/man/man1/troupe.1
	$(if $(MAN1),install -m 644 $(MAN1) $(D)/share/man/man1)
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
	$(B)/troupe --completion bash \
		> $(D)/share/bash-completion/completions/troupe

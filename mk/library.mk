# libtroupe (ship it) and libtroupe-test (link it into test binaries).
LIBTROUPE := $(B)/libtroupe.a $(B)/libtroupe.so
LIBTEST_PARTS := $(call below,testlib)

$(B)/libtroupe.a: $(OBJ_runtime)
	@rm -f $@
	$(SAY) AR $@; ar rcs $@ $^
$(B)/libtroupe.so.$(SOVERSION): $(OBJ_runtime)
	$(SAY) LINK $@; $(CC) -shared -Wl,-soname,libtroupe.so.$(SOVERSION) -Wl,--no-undefined \
		$^ $(LDFLAGS) $(LIBS_runtime) -o $@
$(B)/libtroupe.so: $(B)/libtroupe.so.$(SOVERSION)
	@ln -sf $(<F) $@
# One object with the runtime in it, so that nothing but the public names can
# meet the user's, and main by itself, so that the user's own wins.  The test
# program is linked with --wrap for what the stage answers (src/base/libc.h): what the
# library itself calls is the real one.  Its code and its
# variables are in sections of their own, so that the stage can tell them from
# the program's.
LIBTEST_MAIN := $(B)/obj/testlib/entry.c.o
$(B)/obj/troupe-test.o: $(filter-out $(LIBTEST_MAIN),$(foreach p,$(LIBTEST_PARTS),$(OBJ_$(p)))) \
		src/base/libc.h tools/wrapped
	$(SAY) LD $@; $(LD) -r $(filter %.o,$^) -o $@
	@tools/wrapped | sed 's/.*/& __real_&/' > $(@:.o=.syms)
	@objcopy --localize-hidden --redefine-syms=$(@:.o=.syms) \
		$(foreach s,.text .text.unlikely .text.startup .text.hot .text.exit,\
		--rename-section $(s)=tr_library) \
		--rename-section .bss=tr_variables $@
$(B)/libtroupe-test.a: $(B)/obj/troupe-test.o $(LIBTEST_MAIN)
	@rm -f $@
	$(SAY) AR $@; ar rcs $@ $^

.PHONY: libs
libs: $(LIBTROUPE) $(B)/libtroupe-test.a
all: libs

# libtroupe (ship it) and libtroupe-test (link it into test binaries).
LIBTROUPE := $(B)/libtroupe.a $(B)/libtroupe.so
LIBTEST_PARTS := testlib cases explore stage base runtime

$(B)/libtroupe.a: $(OBJ_runtime)
	@rm -f $@
	ar rcs $@ $^
$(B)/libtroupe.so.$(SOVERSION): $(OBJ_runtime)
	$(CC) -shared -Wl,-soname,libtroupe.so.$(SOVERSION) -Wl,--no-undefined \
		$^ $(LDFLAGS) $(LIBS_runtime) -o $@
$(B)/libtroupe.so: $(B)/libtroupe.so.$(SOVERSION)
	ln -sf $(<F) $@
# All but the runtime, which comes from libtroupe.
$(B)/libtroupe-test.a: $(foreach p,$(filter-out runtime,$(LIBTEST_PARTS)),$(OBJ_$(p)))
	@rm -f $@
	ar rcs $@ $^

.PHONY: libs
libs: $(LIBTROUPE) $(B)/libtroupe-test.a
all: libs

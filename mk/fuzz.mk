# make MODE=fuzz fuzzers: a libFuzzer target for each reader of bytes, linked
# with a build that counts what it covers.  FUZZ_name is the part it reads for.
FUZZ_case := play
FUZZ_work := explore
FUZZ_words := crew
FUZZ_trace := cases
FUZZ_coverage := cover
FUZZ_ini := cli
FUZZ_bitcode := ir
FUZZ_commands := ir
FUZZ_call := cases
FUZZ_kept := crew
FUZZ_known := cli
FUZZ_fields := program
FUZZ_said := program
FUZZ_inputs := unit
FUZZERS := $(patsubst test/fuzz/%.c,%,$(wildcard test/fuzz/*.c))

define fuzz_rules
$$(B)/fuzz/$(1): test/fuzz/$(1).c $$(HELPERS_$$(FUZZ_$(1))) $$(ALLLIBS_$$(FUZZ_$(1))) $$(FLAGS)
	@mkdir -p $$(@D)
	$$(SAY) FUZZ $$<; $$(CC) $$(CPPFLAGS) $$(CPPFLAGS_$$(FUZZ_$(1))) -Itest $$(CFLAGS) $$< \
		$$(HELPERS_$$(FUZZ_$(1))) -rdynamic -Wl,--start-group \
		$$(ALLLIBS_$$(FUZZ_$(1))) -Wl,--end-group -fsanitize=fuzzer \
		$$(LDFLAGS) $$(ALLLD_$$(FUZZ_$(1))) -o $$@
endef
$(foreach f,$(FUZZERS),$(eval $(call fuzz_rules,$(f))))

.PHONY: fuzzers
fuzzers: $(FUZZERS:%=$(B)/fuzz/%)

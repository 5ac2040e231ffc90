# V=1 shows whole commands.
SAY := $(if $(V),@:; set -x; :,@printf '  %s %s\n')

# Parts, lowest first, and what each may use (transitively closed by hand).
# Extra flags per part: CPPFLAGS_part, LIBS_part.
PARTS := base runtime stage explore cases report cover ir flow testlib cli

USES_base :=
USES_runtime :=
USES_stage := runtime base
USES_explore := stage runtime base
USES_cases := explore stage runtime base
USES_report := cases explore stage runtime base
USES_cover := cases explore stage runtime base
USES_ir := base
USES_flow := ir base
USES_testlib := cases explore stage runtime base
USES_cli := testlib cover flow ir report cases explore stage runtime base

LIBS_base := -lm
LIBS_runtime := -pthread
LIBS_stage := -ldl -ldw -lelf -lxxhash
LIBS_explore := -lm
LIBS_cases :=
LIBS_report := -lsqlite3 -ljansson -lm
LIBS_cover := -lm
LIBS_cli := -linih
CPPFLAGS_ir = -isystem $(shell llvm-config-19 --includedir)
LIBS_ir = $(shell llvm-config-19 --ldflags --libs --link-shared) -ljansson -lm

# Helpers of a part's tests that live elsewhere.
HELPERS_cover := $(wildcard test/explore/toy*.c)

define part_rules
SRC_$(1) := $$(wildcard src/$(1)/*.c src/$(1)/*.S)
OBJ_$(1) := $$(patsubst src/%,$$(B)/obj/%.o,$$(SRC_$(1)))
LIB_$(1) := $$(B)/lib/$(1).a
ALLLIBS_$(1) = $$(LIB_$(1)) $$(foreach u,$$(USES_$(1)),$$(LIB_$$(u)))
ALLLD_$(1) = $$(LIBS_$(1)) $$(foreach u,$$(USES_$(1)),$$(LIBS_$$(u)))
$$(B)/lib/$(1).a: $$(OBJ_$(1))
	@mkdir -p $$(@D) && rm -f $$@
	$$(SAY) AR $$@; ar rcs $$@ $$^
$$(B)/obj/$(1)/%.c.o: src/$(1)/%.c
	@mkdir -p $$(@D)
	$$(SAY) CC $$<; $$(CC) $$(CPPFLAGS) $$(CPPFLAGS_$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@
$$(B)/obj/$(1)/%.S.o: src/$(1)/%.S
	@mkdir -p $$(@D)
	$$(SAY) AS $$<; $$(CC) $$(CPPFLAGS) -MMD -MP -c $$< -o $$@
HELP_$(1) := $$(wildcard test/$(1)/toy*.c) $$(HELPERS_$(1))
$$(B)/test/$(1)/%: test/$(1)/%.c $$(HELP_$(1)) $$(ALLLIBS_$(1))
	@mkdir -p $$(@D)
	$$(SAY) TEST $$<; $$(CC) $$(CPPFLAGS) $$(CPPFLAGS_$(1)) -Itest $$(CFLAGS) -MMD -MP $$< \
		$$(HELP_$(1)) -rdynamic $$(ALLLIBS_$(1)) $$(LDFLAGS) \
		$$(ALLLD_$(1)) -o $$@
TESTS_$(1) := $$(patsubst test/%.c,$$(B)/test/%,\
	$$(filter-out $$(HELP_$(1)),$$(wildcard test/$(1)/*.c)))
.PHONY: check-$(1)
check-$(1): $$(TESTS_$(1))
	@for t in $$^; do echo "$$$$t"; $$$$t || exit 1; done
-include $$(OBJ_$(1):.o=.d) $$(TESTS_$(1):=.d)
endef
$(foreach p,$(PARTS),$(eval $(call part_rules,$(p))))

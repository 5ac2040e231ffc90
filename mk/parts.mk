# V=1 shows whole commands.
SAY := $(if $(V),@:; set -x; :,@printf '  %s %s\n')

# Parts, lowest first, and whose headers each may include.  A part is a folder
# of src/ with its subfolders, and a static library.  tools/includes checks the
# rows against the #include lines, both ways.
# WQ=no builds without Work Queue, and so does a system that lacks it: then there
# is no troupe-wq, and explore --listen says so.
ifndef WQ
WQ := $(shell $(CC) -E -include cctools/work_queue.h -x c /dev/null \
	>/dev/null 2>&1 && echo yes || echo no)
endif
PARTS_WQ := $(if $(filter yes,$(WQ)),wq)

PARTS := base runtime play program stage explore crew cases cover report ir \
	flow solver symex unit testlib reach cli $(PARTS_WQ)

USES_base :=
USES_runtime := base
USES_play := base
USES_program := runtime base
USES_stage := program play runtime base
USES_explore := play base
USES_crew := explore base
USES_wq := crew base
USES_cases := stage program explore play base
USES_report := cover cases program explore play base
USES_cover := stage explore base
USES_ir := program base
USES_flow := ir base
USES_solver := ir base
USES_symex := solver ir runtime base
USES_unit := symex flow ir cases stage program base
USES_testlib := cases stage program play runtime base
USES_reach := testlib symex solver flow ir cases stage program play runtime base
USES_cli := reach testlib cover unit solver flow ir report cases crew stage program explore \
	play base

# What only the tests of a part need: loading a program binds it to the stage.
TEST_USES_program := stage play

LIBS_base := -lxxhash -lm
LIBS_runtime := -pthread
LIBS_program := -ldl -ldw -lelf
LIBS_report := -lsqlite3
LIBS_cli := -linih
# verdict_pc() walks the frames.
CPPFLAGS_stage := -fno-omit-frame-pointer

# LLVM=no builds without LLVM: then there is no troupe-llvm, and its commands say
# so.  Only the files that read bitcode are left out.  llvm-config is looked for
# and asked when it is needed, and once.
LLVM ?= yes
LLVM_CONFIG ?= $(eval LLVM_CONFIG := $(shell for c in llvm-config-19 llvm-config \
	/usr/lib/llvm19/bin/llvm-config /usr/lib/llvm-19/bin/llvm-config; do \
	$$c --version 2>/dev/null | grep -q '^19[.]' && echo $$c && break; \
	done))$(LLVM_CONFIG)
ifeq ($(LLVM),no)
APART_ir := $(shell grep -lE 'llvm-c/|"ir/(read|lower)\.h"' src/ir/*.c)
LIBS_ir := -ljansson
else
CPPFLAGS_ir = $(eval CPPFLAGS_ir := -isystem $(shell $(LLVM_CONFIG) --includedir))$(CPPFLAGS_ir)
LIBS_ir = $(eval LIBS_ir := $(shell $(LLVM_CONFIG) --ldflags --libs --link-shared) -ljansson)$(LIBS_ir)
endif

LIBS_wq := -lwork_queue -ldttools -lz -lm

# Z3=no builds without Z3: questions that need it stay open.
# Without LLVM nobody asks any.
Z3 ?= $(LLVM)
ifeq ($(Z3),no)
APART_solver := $(wildcard src/solver/z3*.c)
else
APART_solver := src/solver/no_z3.c
LIBS_solver := -lz3
endif

# ONLY="PART..." builds just these parts in this mode; the others' libraries are
# those of the release build, which must be there.  A sanitizer then compiles the
# parts whose tests run, and not all that they stand on.
lib_of = $(if $(ONLY),$(if $(filter $(1),$(ONLY)),$(B),build),$(B))/lib/$(1).a

# Tests are many and each is linked with all that its part stands on: gold takes
# a fifth of the time of the usual linker.
TEST_LD := $(if $(shell command -v ld.gold),-fuse-ld=gold)
# What takes time in them is the library: their own code is not optimised, which
# compiles in a third of the time.
TEST_OPT := $(if $(filter release,$(MODE)),-O0 -g)

# Helpers that tests of several parts share.
TOYS := $(patsubst test/%,$(B)/obj/%.o,$(wildcard test/toy/*.c))
HELPERS_explore := $(TOYS)
HELPERS_crew := $(TOYS)
HELPERS_cases := $(TOYS)
HELPERS_cover := $(TOYS)

# All that a part stands on: its row and the rows of those.
closure = $(sort $(1) $(foreach u,$(USES_$(1)),$(call closure,$(u))))
# The same, highest first, as the linker wants it.
below = $(filter $(call closure,$(1)),$(call reverse,$(PARTS)))
reverse = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))

# stamp FILE,TEXT: a file that changes when the text in it does.  Rules that
# depend on it run again when flags change or a source comes or goes.
define stamp
$(shell mkdir -p $(dir $(1)); printf '%s\n' '$(subst ','\'',$(2))' | \
	cmp -s - $(1) || printf '%s\n' '$(subst ','\'',$(2))' > $(1))
endef
FLAGS := $(B)/flags
$(call stamp,$(FLAGS),$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS))
MAKEFILES_ := Makefile $(wildcard mk/*.mk)

# Before anything is compiled: is all there that it needs?
FOUND := $(B)/found-$(LLVM)-$(Z3)
$(FOUND): tools/needs
	@LLVM_CONFIG='$(LLVM_CONFIG)' tools/needs '$(CC)' $(LLVM) $(Z3)
	@mkdir -p $(@D) && touch $@

$(B)/obj/toy/%.c.o: test/toy/%.c $(FLAGS) $(MAKEFILES_)
	@mkdir -p $(@D)
	$(SAY) CC $<; $(CC) $(CPPFLAGS) -Itest $(CFLAGS) -MMD -MP -c $< -o $@
-include $(TOYS:.o=.d)

define part_rules
SRC_$(1) := $$(filter-out $$(APART_$(1)),$$(wildcard src/$(1)/*.c src/$(1)/*.S src/$(1)/*/*.c src/$(1)/*/*.S))
OBJ_$(1) := $$(patsubst src/%,$$(B)/obj/%.o,$$(SRC_$(1)))
LIB_$(1) := $$(B)/lib/$(1).a
LINKS_$(1) := $$(TEST_USES_$(1)) $$(call below,$(1))
ALLLIBS_$(1) := $$(foreach u,$$(LINKS_$(1)),$$(call lib_of,$$(u)))
ALLLD_$(1) = $$(foreach u,$$(LINKS_$(1)),$$(LIBS_$$(u)))
$$(call stamp,$$(B)/lib/$(1).objects,$$(OBJ_$(1)))
$$(B)/lib/$(1).a: $$(OBJ_$(1)) $$(B)/lib/$(1).objects
	@mkdir -p $$(@D) && rm -f $$@
	$$(SAY) AR $$@; ar rcs $$@ $$(OBJ_$(1))
$$(B)/obj/$(1)/%.c.o: src/$(1)/%.c $$(FLAGS) $$(MAKEFILES_) | $$(FOUND)
	@mkdir -p $$(@D)
	$$(SAY) CC $$<; $$(CC) $$(CPPFLAGS) $$(CPPFLAGS_$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@
$$(B)/obj/$(1)/%.S.o: src/$(1)/%.S $$(FLAGS) $$(MAKEFILES_)
	@mkdir -p $$(@D)
	$$(SAY) AS $$<; $$(CC) $$(CPPFLAGS) -MMD -MP -c $$< -o $$@
$$(B)/test/$(1)/%: test/$(1)/%.c $$(HELPERS_$(1)) $$(ALLLIBS_$(1)) $$(FLAGS)
	@mkdir -p $$(@D)
	$$(SAY) TEST $$<; $$(CC) $$(CPPFLAGS) $$(CPPFLAGS_$(1)) -Itest $$(CFLAGS) $$(TEST_OPT) -MMD -MP $$< \
		$$(HELPERS_$(1)) -rdynamic -Wl,--start-group $$(ALLLIBS_$(1)) \
		-Wl,--end-group $$(TEST_LD) $$(LDFLAGS) $$(ALLLD_$(1)) -o $$@
TESTS_$(1) := $$(patsubst test/%.c,$$(B)/test/%,$$(wildcard test/$(1)/*.c))
.PHONY: check-$(1)
check-$(1): $$(TESTS_$(1))
	@for t in $$^; do echo "$$$$t"; $$$$t || exit 1; done
-include $$(OBJ_$(1):.o=.d) $$(TESTS_$(1):=.d)
endef
# Commands that need LLVM are not in the library of cli: see mk/tool.mk.
APART_cli := $(wildcard src/cli/llvm/*.c)
$(foreach p,$(PARTS),$(eval $(call part_rules,$(p))))

.PHONY: tests
tests: $(foreach p,$(PARTS),$(TESTS_$(p)))

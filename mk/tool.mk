# The tool.  Programs under test are loaded into it and bind to the library's
# functions and to the stage's __wrap_* ones, so these parts are linked whole
# and exported.  It has a fixed address and no lazy binding: return addresses
# in the images of suspended tasks are the same in every process.  Weak symbols
# are looked up at start: a sanitizer's runtime may be there for the program.
TOOL_WHOLE := runtime stage
TOOL_PARTS := $(filter-out $(TOOL_WHOLE),$(call below,cli))
TOOL_LIBS := $(foreach p,$(TOOL_PARTS),$(LIB_$(p)))
TOOL_WHOLE_LIBS := $(foreach p,$(TOOL_WHOLE),$(LIB_$(p)))
TOOL_LINK = $(CC) -no-pie -Wl,-z,now,-z,dynamic-undefined-weak \
	-Wl,--dynamic-list=mk/exports.list \
	$(filter %.o,$^) \
	-Wl,--whole-archive $(TOOL_WHOLE_LIBS) -Wl,--no-whole-archive \
	-Wl,--start-group $(TOOL_LIBS) -Wl,--end-group \
	-Wl,--as-needed $(LDFLAGS) $(ALLLD_cli) -o $@

# Commands that need LLVM, which takes long to load, are only in troupe-llvm:
# `troupe` has weak references to them and hands over (src/cli/shell/command.h).
LLVM_COMMANDS := $(patsubst src/%,$(B)/obj/%.o,$(APART_cli))
TOOL_MAIN := $(B)/obj/cli/shell/main.c.o

$(B)/troupe: $(TOOL_MAIN) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS) mk/exports.list
	$(SAY) LINK $@; $(TOOL_LINK)
$(B)/troupe-llvm: $(TOOL_MAIN) $(LLVM_COMMANDS) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS) \
		mk/exports.list
	$(SAY) LINK $@; $(TOOL_LINK)
-include $(LLVM_COMMANDS:.o=.d)

# CCTools is under the GPL, so it is in an executable of its own.
TOOLS := $(B)/troupe $(if $(filter-out no,$(LLVM)),$(B)/troupe-llvm) \
	$(if $(PARTS_WQ),$(B)/troupe-wq)
$(B)/troupe-wq: $(LIB_wq) $(LIB_base)
	$(SAY) LINK $@; $(CC) $^ $(LDFLAGS) $(LIBS_wq) $(LIBS_base) -o $@

.PHONY: tool
tool: $(TOOLS)
all: tool

# The page that shows results is one text: its parts are put together, with the
# hashes of style and script in its policy.
PAGE_PARTS := $(wildcard src/report/page/*.js src/report/page/*.css src/report/page/*.html)
$(B)/gen/page.html: $(PAGE_PARTS) tools/page
	@mkdir -p $(@D)
	$(SAY) PAGE $@; tools/page src/report/page > $@.new && mv $@.new $@
$(B)/obj/report/page/page.S.o: $(B)/gen/page.html
$(B)/obj/report/page/page.S.o: CPPFLAGS += -Wa,-I$(B)/gen

# What init writes.  A build server clones what was cloned here, if it was got
# from a server.
SOURCE ?= $(shell git config --get remote.origin.url 2>/dev/null | grep '^https://')
COMMIT ?= $(shell git symbolic-ref --short refs/remotes/origin/HEAD 2>/dev/null | sed 's,^origin/,,')
$(call stamp,$(B)/source,$(SOURCE) $(COMMIT))
$(B)/obj/cli/init_files.S.o: $(wildcard examples/first/*)
$(B)/obj/cli/init.c.o: $(B)/source
$(B)/obj/cli/init.c.o: CPPFLAGS += -DTROUPE_SOURCE='"$(SOURCE)"' \
	-DTROUPE_COMMIT='"$(or $(COMMIT),main)"'

# For bench/scale: the tool's parts under another main, and what its tasks run.
$(B)/obj/bench/%.c.o: bench/scale/%.c $(FLAGS) $(MAKEFILES_)
	@mkdir -p $(@D)
	$(SAY) CC $<; $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/bench/scale: $(B)/obj/bench/scale.c.o $(TOOL_WHOLE_LIBS) $(TOOL_LIBS)
	@mkdir -p $(@D)
	$(SAY) LINK $@; $(TOOL_LINK)
$(B)/bench/sleep: $(B)/obj/bench/sleep.c.o $(ALLLIBS_crew)
	@mkdir -p $(@D)
	$(SAY) LINK $@; $(CC) $^ $(LDFLAGS) $(ALLLD_crew) -o $@
-include $(B)/obj/bench/scale.c.d $(B)/obj/bench/sleep.c.d

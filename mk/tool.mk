# The tool.  Programs under test are loaded into it and bind to the library's
# functions and to the stage's __wrap_* ones, so these parts are linked whole
# and exported.  It has a fixed address and no lazy binding: return addresses
# in the images of suspended tasks are the same in every process.  Weak symbols
# are looked up at start: a sanitizer's runtime may be there for the program.
TOOL_WHOLE := runtime stage
TOOL_PARTS := $(filter-out $(TOOL_WHOLE),$(call below,cli))
TOOL_LIBS := $(foreach p,$(TOOL_PARTS),$(LIB_$(p)))
TOOL_WHOLE_LIBS := $(foreach p,$(TOOL_WHOLE),$(LIB_$(p)))
TOOL_LINK = $(CC) -no-pie -Wl,-z,now,-z,dynamic-undefined-weak -rdynamic \
	$(filter %.o,$^) \
	-Wl,--whole-archive $(TOOL_WHOLE_LIBS) -Wl,--no-whole-archive \
	-Wl,--start-group $(TOOL_LIBS) -Wl,--end-group \
	-Wl,--as-needed $(LDFLAGS) $(ALLLD_cli) -o $@

# Commands that need LLVM, which takes long to load, are only in troupe-llvm:
# `troupe` has weak references to them and hands over (src/cli/shell/command.h).
LLVM_COMMANDS := $(patsubst src/%,$(B)/obj/%.o,$(APART_cli))
TOOL_MAIN := $(B)/obj/cli/shell/main.c.o

$(B)/troupe: $(TOOL_MAIN) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS)
	$(SAY) LINK $@; $(TOOL_LINK)
$(B)/troupe-llvm: $(TOOL_MAIN) $(LLVM_COMMANDS) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS)
	$(SAY) LINK $@; $(TOOL_LINK)
-include $(LLVM_COMMANDS:.o=.d)

.PHONY: tool
tool: $(B)/troupe $(B)/troupe-llvm
all: tool

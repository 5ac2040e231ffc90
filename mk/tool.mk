# The tool.  Programs under test are loaded into it and bind to the library's
# functions and to the stage's __wrap_* ones, so these parts are linked whole
# and exported.  It has a fixed address and no lazy binding: return addresses
# in the images of suspended tasks are the same in every process.  Weak symbols
# are looked up at start: a sanitizer's runtime may be there for the program.
TOOL_WHOLE := runtime stage
TOOL_PARTS := cli $(filter-out $(TOOL_WHOLE),$(USES_cli))
TOOL_LIBS := $(foreach p,$(TOOL_PARTS),$(LIB_$(p)))
TOOL_WHOLE_LIBS := $(foreach p,$(TOOL_WHOLE),$(LIB_$(p)))
TOOL_LINK = $(CC) -no-pie -Wl,-z,now,-z,dynamic-undefined-weak -rdynamic \
	$(filter %.o,$^) \
	-Wl,--whole-archive $(TOOL_WHOLE_LIBS) -Wl,--no-whole-archive \
	-Wl,--start-group $(TOOL_LIBS) -Wl,--end-group \
	-Wl,--as-needed $(LDFLAGS) $(ALLLD_cli) -o $@

# Commands that need LLVM, which takes long to load, live in troupe-llvm, and
# the tool hands them on: see src/cli/handon/handon.h.  The hand-ons are named
# first, so the linker leaves the real ones in their archive.
HANDED := $(strip $(foreach f,$(wildcard src/cli/handon/*.c),\
	$(wildcard src/cli/$(notdir $(f)))))
HANDON := $(patsubst src/cli/%,src/cli/handon/%,$(HANDED)) \
	$(if $(HANDED),src/cli/handon/handon.c)
HANDON_OBJ := $(patsubst src/%,$(B)/obj/%.o,$(HANDON))
TOOL_MAIN := $(B)/obj/cli/main.c.o

$(B)/troupe: $(TOOL_MAIN) $(HANDON_OBJ) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS)
	$(SAY) LINK $@; $(TOOL_LINK)
$(B)/troupe-llvm: $(TOOL_MAIN) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS)
	$(SAY) LINK $@; $(TOOL_LINK)
-include $(HANDON_OBJ:.o=.d)

.PHONY: tool
tool: $(B)/troupe $(if $(HANDED),$(B)/troupe-llvm)
all: tool

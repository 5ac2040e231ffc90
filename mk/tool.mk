# The tool.  Programs under test are loaded into it and bind to the library's
# functions and to the stage's __wrap_* ones, so these parts are linked whole
# and exported.  It has a fixed address and no lazy binding: return addresses
# in the images of suspended tasks are the same in every process.  Weak symbols
# are looked up at start: a sanitizer's runtime may be there for the program.
TOOL_WHOLE := runtime stage
TOOL_PARTS := $(filter-out $(TOOL_WHOLE),$(USES_cli))
TOOL_LIBS := $(foreach p,$(TOOL_PARTS),$(LIB_$(p)))
TOOL_WHOLE_LIBS := $(foreach p,$(TOOL_WHOLE),$(LIB_$(p)))

$(B)/troupe: $(OBJ_cli) $(TOOL_WHOLE_LIBS) $(TOOL_LIBS)
	$(CC) -no-pie -Wl,-z,now,-z,dynamic-undefined-weak -rdynamic $(OBJ_cli) \
		-Wl,--whole-archive $(TOOL_WHOLE_LIBS) -Wl,--no-whole-archive \
		-Wl,--start-group $(TOOL_LIBS) -Wl,--end-group \
		$(LDFLAGS) $(ALLLD_cli) -o $@

.PHONY: tool
tool: $(B)/troupe
all: tool

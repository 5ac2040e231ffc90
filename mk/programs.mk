# make programs: all programs compile without a warning under both compilers,
# as they stand and repaired, and Savina's drivers are linked.
PROGRAMS := $(wildcard programs/bugs/*.c programs/rare/*.c programs/orders/*.c \
	programs/eta/*.c $(filter-out %/driver.c,$(wildcard programs/savina/*.c)))
SAVINA := $(patsubst programs/savina/%.c,%,$(filter programs/savina/%,$(PROGRAMS)))
PROGRAM_OBJ := $(PROGRAMS:%.c=$(B)/%.o)
SAVINA_DRIVERS := $(SAVINA:%=$(B)/programs/savina/%) \
	$(SAVINA:%=$(B)/programs/savina/%.repaired)

$(B)/programs/%.o: programs/%.c
	@mkdir -p $(@D)
	$(SAY) CC $<; $(CC) $(CPPFLAGS) $(CFLAGS) -DREPAIRED -fsyntax-only $< && \
		$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -c $< -o $@
SAVINA_LINK = $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -MT $@ -DPROGRAM='"$*.c"' \
	programs/savina/driver.c $(B)/libtroupe.a $(LDFLAGS) -lm -o $@
$(B)/programs/savina/%.repaired: programs/savina/%.c programs/savina/driver.c $(B)/libtroupe.a
	@mkdir -p $(@D)
	$(SAY) DRIVER $@; $(SAVINA_LINK) -DREPAIRED
$(B)/programs/savina/%: programs/savina/%.c programs/savina/driver.c $(B)/libtroupe.a
	@mkdir -p $(@D)
	$(SAY) DRIVER $@; $(SAVINA_LINK)
-include $(PROGRAM_OBJ:=.d) $(SAVINA_DRIVERS:=.d)

.PHONY: programs program-objects savina
savina: $(SAVINA_DRIVERS)
program-objects: $(PROGRAM_OBJ)
programs: savina program-objects
	@$(MAKE) --no-print-directory CC=clang program-objects

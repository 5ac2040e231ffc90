# make programs: all programs compile without a warning under both compilers,
# as they stand and repaired, and Savina's drivers are linked.
PROGRAMS := $(wildcard programs/bugs/*.c programs/rare/*.c programs/orders/*.c \
	programs/eta/*.c $(filter-out %/driver.c,$(wildcard programs/savina/*.c)))
SAVINA := $(patsubst programs/savina/%.c,%,$(filter programs/savina/%,$(PROGRAMS)))
# Drivers are compiled with all warnings, as they stand and repaired: of these gcc
# has nothing more to say.
PROGRAMS_CHECKED := $(patsubst %.c,$(B)/%.checked,\
	$(if $(filter clang,$(CCNAME)),$(PROGRAMS),$(filter-out programs/savina/%,$(PROGRAMS))))
SAVINA_DRIVERS := $(SAVINA:%=$(B)/programs/savina/%) \
	$(SAVINA:%=$(B)/programs/savina/%.repaired)

# gcc has warnings that only its optimiser gives; clang gives all at once.
PROGRAM_CHECK = $(CC) $(CPPFLAGS) $(filter-out -g% -O%,$(CFLAGS)) \
	$(if $(filter clang,$(CCNAME)),-fsyntax-only,-O1 -S -o /dev/null)
$(B)/programs/%.checked: programs/%.c
	@mkdir -p $(@D)
	$(SAY) CHECK $<; $(PROGRAM_CHECK) -DREPAIRED $< && \
		$(PROGRAM_CHECK) -MMD -MP -MF $@.d -MT $@ $< && touch $@
SAVINA_LINK = $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -MT $@ -DPROGRAM='"$*.c"' \
	programs/savina/driver.c $(B)/libtroupe.a $(LDFLAGS) -lm -o $@
$(B)/programs/savina/%.repaired: programs/savina/%.c programs/savina/driver.c $(B)/libtroupe.a
	@mkdir -p $(@D)
	$(SAY) DRIVER $@; $(SAVINA_LINK) -DREPAIRED
$(B)/programs/savina/%: programs/savina/%.c programs/savina/driver.c $(B)/libtroupe.a
	@mkdir -p $(@D)
	$(SAY) DRIVER $@; $(SAVINA_LINK)
-include $(PROGRAMS_CHECKED:=.d) $(SAVINA_DRIVERS:=.d)

.PHONY: programs programs-checked savina
savina: $(SAVINA_DRIVERS)
programs-checked: $(PROGRAMS_CHECKED)
programs: savina programs-checked
	@$(MAKE) --no-print-directory CC=clang programs-checked

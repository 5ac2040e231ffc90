# Troupe: actors for C, and the tool that tests them.
#
#   make                     library and tool        make check    all tests
#   make demo                see it find a bug       make bench    benchmarks
#   make install PREFIX=...  install                 make lint     analyzers
#   make uninstall           take it away again      make dist     an archive
#   make deb                 Debian packages         make doc      a small site
#   make clean               build/ away             make help     this
#
# MODE=debug|release|asan|tsan|fuzz and CC=gcc|clang choose the build; release gcc
# builds into build/, the others into build/MODE[-clang]/.  Left out are, with
#   LLVM=no   graph, lint, reach and unit
#   Z3=no     conditions that need a solver: they stay open
#   WQ=no     exploring on other machines
# What is missing to build is said first, with the names of apt, dnf, pacman, apk.

MODE ?= release
ifeq ($(origin CC),default)
CC := $(if $(filter fuzz,$(MODE)),clang,gcc)
endif
PREFIX ?= /usr/local
VERSION := 0.1.0
SOVERSION := 0

CCNAME := $(if $(findstring clang,$(notdir $(CC))),clang,gcc)
B := build$(if $(filter release,$(MODE)),$(if $(filter clang,$(CCNAME)),/release-clang),/$(MODE)$(if $(filter clang,$(CCNAME)),-clang))

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion \
	-Wstrict-prototypes -Wvla -Wundef -Wmissing-prototypes -Wcast-qual \
	-Wwrite-strings -Wformat=2 -Werror
OPT_debug := -O0
OPT_release := -O2
# clang's -O0 compiles five times as fast as either's -O1.  It would also object
# to adding 0 to the NULL of an empty list, which C2y allows.
OPT_asan := -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer \
	$(if $(filter clang,$(CCNAME)),-O0 -gline-tables-only \
	-fno-sanitize=pointer-overflow,-O1)
OPT_fuzz := -O0 -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all -fno-sanitize=pointer-overflow
OPT_tsan := -O1 -fsanitize=thread
CPPFLAGS += -Iinclude -Isrc -D_GNU_SOURCE
CPPFLAGS += $(if $(filter debug asan fuzz,$(MODE)),-DTROUPE_DEBUG)
# A release has the lines of a backtrace: all that a debugger wants takes gcc a
# fifth of its time, and is in MODE=debug.
CFLAGS += -std=c17 $(if $(filter release,$(MODE)),-g1,-g) $(OPT_$(MODE)) \
	$(WARN) -fPIC -fvisibility=hidden \
	'-ffile-prefix-map=$(CURDIR)/='
LDFLAGS += $(filter -fsanitize% -fno-sanitize%,$(OPT_$(MODE))) -pthread

.PHONY: all clean help
all:
help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
clean:
	rm -rf build

include mk/parts.mk
include mk/library.mk
include mk/tool.mk
include mk/programs.mk
include mk/install.mk
include mk/fuzz.mk
include mk/check.mk

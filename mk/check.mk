# What `make check` runs.  test/run counts; each group ends on a line
# "N passed, N failed", and so does the whole.
.PHONY: demo check check-full soak bench lint setup-build setup-check

setup-build:
	@tools/setup build
setup-check:
	@tools/setup build check

demo: setup-build
	@$(MAKE) --no-print-directory -j2 all
	@tools/demo $(B)

check: setup-check
	@test/run

check-full: setup-check
	@test/run --full

# Generated programs through all engines until told to stop.
soak: setup-build
	@$(MAKE) --no-print-directory -j2 all
	@test/generated/soak

bench:
	@tools/setup build bench
	@$(MAKE) --no-print-directory -j2 all
	@bench/run

lint: setup-check
	@tools/lint

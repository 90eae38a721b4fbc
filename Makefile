# The two doors: `make demo` runs a simulated game, `make test` runs every check. Both set up first.
.PHONY: setup demo test long check lint bench pictures firmware texts clean

setup:
	@scripts/setup

demo: setup
	@.venv/bin/companion demo

test: setup
	@scripts/check

# Whole campaigns (thousands of simulated games, every breach); `make test` runs a seeded share of each.
long: setup
	@scripts/check --long

lint: setup
	@scripts/check --lint

bench: setup
	@.venv/bin/companion bench

# The pictures in the documentation, taken anew from the pages.
pictures: setup
	@.venv/bin/python -m tests.page.pictures
	@.venv/bin/python -m tests.setup_page.pictures
	@.venv/bin/python -m tests.club.pictures

# The board's program for an Arduino Uno or Nano; docs/firmware.md says how to flash it. Settings: SERIAL=, EDGES=, ...
firmware:
	@$(MAKE) --no-print-directory -C firmware_bridge/firmware

# Catalogues brought up to date with what the source says; docs/translating.md. A new language: make texts LANGUAGE=de
texts: setup
	@.venv/bin/python scripts/texts $(LANGUAGE)

clean:
	@$(MAKE) --no-print-directory -C firmware_bridge/firmware clean
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Every command a person types; .ci/run types the same ones. `make help` lists them.

PREFIX = /usr/local
CONFIGURATION = debug
SCRATCH = .build
STRICT = --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors -Xcc -Werror
BUILD = swift build $(STRICT) --scratch-path $(SCRATCH)
STATIC = -c release --static-swift-stdlib --product
EMBEDDED = -Xswiftc -enable-experimental-feature -Xswiftc Embedded -Xswiftc -wmo
# The pure rooms stand in one place, the table of Package.swift.
PURE = $(shell sed -n '/^let pureRooms/,/^]/s/^  ."\([A-Za-z]*\)".*/\1/p' Package.swift)

.PHONY: help setup build run test embedded lint format tidy sounds sounds-check bench rig crash \
  syncthing trixie install clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1 \2/p' Makefile | \
	  while read -r make name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: ## install what building needs and this machine lacks (Debian 12 and 13)
	@.ci/setup

build: setup ## build everything but the tests
	$(BUILD) -c $(CONFIGURATION)

run: build ## set up, build, and run the box on a simulated board in this terminal
	@$(SCRATCH)/$(CONFIGURATION)/timerbox run --board simulated

test: setup ## set up, build, and run every test
	swift test $(STRICT) --scratch-path $(SCRATCH)

embedded: setup ## build each pure room as Embedded Swift (needs Swift 6.3 or later)
	@.ci/need-swift 6.3 "the Embedded build of the pure rooms"
	@test -n "$(PURE)" || { echo "Package.swift names no pure room" >&2; exit 1; }
	set -e; for room in $(PURE); do $(BUILD)/embedded $(EMBEDDED) --target $$room; done

lint: ## check the format of every Swift file
	@.ci/need-swift 6.3 "the formatter whose rules these are"
	swift format lint --strict --recursive Package.swift Sources Tests

format: ## put every Swift file in its format
	swift format --in-place --recursive Package.swift Sources Tests

tidy: setup ## check the house rules (Tests/TidyTests)
	swift test $(STRICT) --scratch-path $(SCRATCH) --filter TidyTests

sounds: ## make of sounds/*.ini their loudness, the catalogue, the pictures and sounds/README.md
	@.ci/setup ffmpeg sox python3
	# Until no amplitude changes any more: each measurement is of a build of the last one.
	sounds/generate --catalogue
	for round in 1 2 3 4; do $(BUILD) $(STATIC) timerbox || exit 1; \
	  sounds/generate $(SCRATCH)/release/timerbox && exit 0; done; exit 1

sounds-check: ## measure every sound, for both loudspeakers, with ffmpeg, SoX and NumPy
	@.ci/setup ffmpeg sox python3-numpy
	$(BUILD) $(STATIC) timerbox
	@sounds/check $(SCRATCH)/release/timerbox

bench: ## measure the release next to its peers (LONG=1: ten minutes of drift; ONLY=sound)
	@.ci/setup rt-tests python3-venv sqlite3 alsa-utils mpg123 lame
	$(BUILD) $(STATIC) timerbox
	$(BUILD) $(STATIC) timerbox-bench
	strip -o $(SCRATCH)/release/timerbox-stripped $(SCRATCH)/release/timerbox
	# Only the header of the first libgpiod has this macro.
	if grep -q GPIOD_LINE_BULK_MAX_LINES /usr/include/gpiod.h; then v=v1; else v=v2; fi; \
	  cc -shared -fPIC -pthread -I Tests/standins/$$v -o $(SCRATCH)/release/standin.so \
	  Tests/standins/$$v.c Tests/standins/kernel.c
	cc -shared -fPIC -DPIC -o $(SCRATCH)/release/card.so Tests/alsa-card/plugin/card.c -lasound -lm
	@cd $(SCRATCH)/release && ./timerbox-bench ./timerbox-stripped ./timerbox ./standin.so \
	  $(abspath $(SCRATCH))/release/card.so $(if $(LONG),--long) $(if $(ONLY),--only=$(ONLY))

rig: ## turn, press and unplug simulated lines under the installed box, in QEMU (Tests/rig)
	@.ci/setup qemu-system-x86
	@rm -rf $(SCRATCH)/rig
	@$(MAKE) --no-print-directory install DESTDIR=$(SCRATCH)/rig/root PREFIX=/usr/local
	@Tests/rig/run $(SCRATCH)/rig

syncthing: ## let two boxes share their sits by two real Syncthings (Tests/syncthing)
	@.ci/setup syncthing python3
	$(BUILD) $(STATIC) timerbox
	@Tests/syncthing/run $(SCRATCH)/release/timerbox

crash: ## pull the plug at every system call and every write to a disk (Tests/crash; needs root)
	@.ci/setup strace libfuse3-dev fuse3 pkg-config python3 e2fsprogs dosfstools exfatprogs mount
	$(BUILD) $(STATIC) timerbox
	@Tests/crash/run $(SCRATCH)/release/timerbox $(SCRATCH)/crash

trixie: ## run every test in a Debian 13 made by debootstrap (needs root)
	@.ci/setup debootstrap git
	@.ci/trixie

install: setup ## install the stripped release under DESTDIR and PREFIX (/usr/local)
	$(BUILD) $(STATIC) timerbox
	$(BUILD) $(STATIC) timerbox-import
	install -D -s -m 755 -t $(DESTDIR)$(PREFIX)/bin \
	  $(SCRATCH)/release/timerbox $(SCRATCH)/release/timerbox-import
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/timerbox/board board/*.ini
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/share/timerbox/board/syncthing board/syncthing/set-up
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/timerbox/board/syncthing board/syncthing/stignore

clean: ## remove everything that was built
	rm -rf $(SCRATCH)

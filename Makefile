# Kin. `make help` lists the targets; build.mk says how they are built.

BUILD ?= build

.DEFAULT_GOAL := all

# Makes that make starts use all processors, unless the user says how many.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc 2> /dev/null || echo 2))

FIRST_GOALS := $(filter deps clean,$(MAKECMDGOALS))
OTHER_GOALS := $(filter-out deps clean,$(MAKECMDGOALS))

ifeq ($(and $(FIRST_GOALS),$(OTHER_GOALS)),)
include build.mk
else
# While make reads build.mk it generates code: `deps` and `clean` must be finished before.
.PHONY: $(OTHER_GOALS)
$(firstword $(OTHER_GOALS)): $(FIRST_GOALS)
	@$(MAKE) --no-print-directory $(if $(word 2,$(OTHER_GOALS)),,$(JOBS)) $(OTHER_GOALS)
$(wordlist 2,$(words $(OTHER_GOALS)),$(OTHER_GOALS)): $(firstword $(OTHER_GOALS))
	@:
endif

##@ The machine

# The packages that building, running and testing need. CONTRIBUTING.md gives the reason for each.
DEBIAN_PACKAGES := gcc g++ libc6-dev make binutils pkg-config libyaml-dev check libjansson-dev libmicrohttpd-dev \
	libcurl4-openssl-dev curl clang libclang-rt-dev clang-format cppcheck valgrind libncurses-dev cmake meson \
	python3-jsonschema python3-yaml mkdocs-material doxygen gdb zsh fish groff-base libzstd-dev libxxhash-dev libcbor-dev strace \
	libpthreadpool-dev libtbb-dev dpkg-dev debhelper

.PHONY: deps clean
deps: ## Install the Debian packages that building and testing need
	@missing=$$(for package in $(DEBIAN_PACKAGES); do \
		dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	if [ -z "$$missing" ]; then echo "Nothing is missing."; exit 0; fi; \
	if ! command -v apt-get > /dev/null; then \
		echo "There is no apt here. On Debian 12 this would install: "$$missing >&2; exit 1; fi; \
	root=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	$$root apt-get update && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing

clean: ## Remove all that was built
	rm -rf $(BUILD)

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z_.-]+:.*## / { printf "  %-22s %s\n", $$1, $$2 }' Makefile build.mk $(PARTS)

# Match-One and the arena as pages, which alone need emscripten; and their tests, which need chromium.

EMCC ?= emcc
BROWSER := $(BUILD)/browser
BROWSER_GAMES := match_one arena
BROWSER_PAGES := $(foreach game,$(BROWSER_GAMES),$(BROWSER)/$(game).js $(BROWSER)/$(game).html)
BROWSER_PACKAGES := emscripten chromium chromium-driver python3-selenium
# A node that is not Debian's does not look where Debian has the packages of emscripten.
BROWSER_COMPILE = NODE_PATH=$${NODE_PATH:+$$NODE_PATH:}/usr/share/nodejs $(EMCC) -std=c17 -O2 -Wall -Wextra -Werror $(EXAMPLE_FLAGS)

match_one_BROWSER := $(filter-out $(OF_TERMINAL:%=examples/match_one/%.c),$(wildcard examples/match_one/*.c)) \
	examples/match_one/window/tile.c
arena_BROWSER := examples/arena/simulation.c

$(BROWSER)/kin.o: $(BUILD)/amalgamation/kin/kin.c
	@$(call needs,$(EMCC),emscripten)
	@mkdir -p $(@D)
	$(call say,EMCC)
	$(Q)$(BROWSER_COMPILE) -DNDEBUG -c $< -o $@

define browser_rules
$(BROWSER)/$(1).js: examples/$(1)/browser/main.c $($(1)_BROWSER) $(filter %.c,$($(1)_FILES)) $(BROWSER)/kin.o \
		$(wildcard examples/$(1)/*.h examples/$(1)/window/*.h)
	$$(call say,EMCC)
	$$(Q)$$(BROWSER_COMPILE) -sSINGLE_FILE=1 $$(filter %.c %.o,$$^) -o $$@

$(BROWSER)/$(1).html: examples/$(1)/browser/page.html
	@mkdir -p $$(@D)
	@cp $$< $$@
endef
$(foreach game,$(BROWSER_GAMES),$(eval $(call browser_rules,$(game))))

##@ Browser

.PHONY: browser check-browser deps-browser
browser: $(BROWSER_PAGES) ## Build Match-One and the arena as pages, in build/browser, with emscripten
	@echo "Open $(filter %.html,$^)."

check-browser: $(BROWSER_PAGES) $(KIN) ## Play these pages in chromium
	@KIN=$(abspath $(KIN)) EMCC='$(EMCC)' tests/browser/run.sh $(BUILD) $(TESTS)

deps-browser: ## Install the Debian packages that browser and check-browser need
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(BROWSER_PACKAGES)'

# Match-One in a window, which alone needs SDL2. Without SDL2 the rest is built, and the tests of the
# window report that they were skipped.

WINDOW_SOURCES := $(wildcard examples/match_one/window/*.c)
WINDOW_PROGRAM := $(BUILD)/examples/match_one/match_one_window
WINDOW_PACKAGES := libsdl2-dev xvfb xdotool x11-utils

# The files of the game that do not use a terminal.
OF_TERMINAL := main demo keys look play terminal view
WINDOW_GAME := $(filter-out $(OF_TERMINAL:%=examples/match_one/%.c),$(wildcard examples/match_one/*.c))

# The tests read the window with these, which do not use SDL.
$(TEST_PROGRAM) $(SWEEP_PROGRAM): $(patsubst %,$(BUILD)/examples/match_one/window/%.o,font layout png)

ifneq ($(shell pkg-config --exists sdl2 2> /dev/null && echo yes),)
# As system headers, so that compilers do not report warnings in them.
$(WINDOW_SOURCES:%.c=$(BUILD)/%.o): EXAMPLE_FLAGS += $(patsubst -I%,-isystem %,$(shell pkg-config --cflags sdl2))

$(WINDOW_PROGRAM): $(WINDOW_SOURCES:%.c=$(BUILD)/%.o) $(WINDOW_GAME:%.c=$(BUILD)/%.o) $(call objects_of,match_one) \
		$(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ $(shell pkg-config --libs sdl2) -lm -o $@

tests: $(WINDOW_PROGRAM)
else
.PHONY: $(WINDOW_PROGRAM)
$(WINDOW_PROGRAM):
	@$(call needs,pkg-config,pkg-config)
	@$(call lacks,SDL2,libsdl2-dev)
endif

##@ Window

.PHONY: play-window screenshot deps-window
play-window: $(WINDOW_PROGRAM) ## Play Match-One in a window, by SDL2
	@$<

screenshot: $(WINDOW_PROGRAM) ## Take the picture of Match-One that README shows, docs/images/match_one.png
	SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software $< --seed 12 --screenshot docs/images/match_one.png

deps-window: ## Install the Debian packages that the window and its test need
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(WINDOW_PACKAGES)'

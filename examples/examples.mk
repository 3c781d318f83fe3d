# The examples that run in a terminal; window.mk has the one in a window.

# One program on several executors, built where the compiler or the library of each is there.
EXECUTORS := pool $(if $(filter /%,$(shell $(CC) -print-file-name=lib$(if $(filter clang,$(COMPILER_NAME)),omp,gomp).so)),openmp) \
	$(if $(wildcard /usr/include/pthreadpool.h),pthreadpool) $(if $(wildcard /usr/include/tbb/task_arena.h),tbb)
EXECUTOR_PROGRAMS := $(EXECUTORS:%=$(BUILD)/examples/executors/%)

# What libkin-net needs may be missing.
NETWORKED := arena-net regions
EXAMPLES := $(filter-out reload executors $(if $(HAS_ZSTD),,$(NETWORKED)),$(patsubst examples/%/main.c,%,$(wildcard examples/*/main.c)))
RELOAD := $(BUILD)/examples/reload/reload
RELOAD_SYSTEMS := $(BUILD)/examples/reload/systems.so
TOWNS := $(BUILD)/examples/saves/town_v1 $(BUILD)/examples/saves/town_v3
EXAMPLE_PROGRAMS := $(foreach example,$(EXAMPLES),$(BUILD)/examples/$(example)/$(example)) $(RELOAD) $(RELOAD_SYSTEMS) \
	$(TOWNS) $(EXECUTOR_PROGRAMS) $(BUILD)/examples/arena_cpp/arena_cpp
EXAMPLE_FLAGS := -D_XOPEN_SOURCE=700 -Iruntime/include -Isave/include -Inet/include -Ipool/include -I$(GENERATED)

openmp_LIBRARIES := -fopenmp
pthreadpool_LIBRARIES := -lpthreadpool
tbb_LIBRARIES := -ltbb -lstdc++
$(BUILD)/examples/executors/openmp.o: EXAMPLE_FLAGS += -fopenmp

$(BUILD)/examples/%.o: examples/%.cpp
	@mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) -std=c++17 -Wall -Wextra $(CFLAGS) $(EXAMPLE_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/examples/executors/%: $(BUILD)/examples/executors/%.o $(BUILD)/examples/executors/main.o \
		$(call objects_of,swarm) $(BUILD)/lib/libkin.a $(BUILD)/lib/libkin_pool.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pthread $^ $($*_LIBRARIES) -o $@

# Only Match-One needs ncurses.
$(BUILD)/needed/terminal:
	@$(call needs,pkg-config,pkg-config)
	@$(call needs_header,curses.h,libncurses-dev)
	@touch $@

$(patsubst %,$(BUILD)/examples/match_one/%.o,keys terminal view): | $(BUILD)/needed/terminal
match_one_LIBRARIES = $(shell pkg-config --libs ncursesw)

$(BUILD)/examples/%.o: examples/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(EXAMPLE_FLAGS) -c $< -o $@

solar_LIBRARIES = -lm
# The packages of examples whose folder has the name of a package in tests/schemas.
town_PACKAGE := townsfolk
flock_PACKAGE := starlings
arena-net_PACKAGE := plaza

# Those that run on several threads.
THREADED := defense flock storm
# Those that are played in a terminal, without a library for it.
WITH_KEYS := arena-net defense
# Those with content, which is packed beside the program.
WITH_CONTENT := defense
$(BUILD)/examples/defense/%.o: EXAMPLE_FLAGS += -Icontent/include
$(foreach example,$(THREADED),$(eval $(example)_LIBRARIES := -pthread -lm))
$(foreach example,$(WITH_CONTENT),$(eval $(example)_LIBRARIES += -lyaml))

$(foreach example,$(NETWORKED),$(eval $(example)_LIBRARIES := $(if $(NATS_MISSING),,$(NATS_LINKED)) $(if $(ENET_MISSING),,$(ENET_LINKED)) -lzstd -lm))
$(BUILD)/examples/arena-net/broker.o $(BUILD)/examples/regions/main.o: EXAMPLE_FLAGS += $(if $(NATS_MISSING),-DWITHOUT_NATS,-Inats/include) $(if $(ENET_MISSING),-DWITHOUT_ENET,-Ienet/include)

define example_rules
$(BUILD)/examples/$(1)/$(1): $(patsubst %.c,$(BUILD)/%.o,$(wildcard examples/$(1)/*.c)) \
		$(call objects_of,$(or $($(1)_PACKAGE),$(1))) \
		$(if $(filter $(1),$(WITH_CONTENT)),$(BUILD)/lib/libkin-content-edit.a $(BUILD)/lib/libkin-content.a) \
		$(if $(filter $(1),$(WITH_KEYS)),$(BUILD)/examples/terminal/terminal.o) \
		$(if $(filter $(1),$(THREADED)),$(BUILD)/lib/libkin_pool.a) \
		$(if $(filter $(1),$(NETWORKED)),$(if $(NATS_MISSING),,$(BUILD)/lib/libkin-nats.a) $(if $(ENET_MISSING),,$(BUILD)/lib/libkin-enet.a) $(BUILD)/lib/libkin-net.a $(BUILD)/lib/libkin-save.a) $(BUILD)/lib/libkin.a \
		| $(if $(filter $(1),$(WITH_CONTENT)),$(BUILD)/examples/$(1)/content.kinc)
	$$(call say,LINK)
	$$(Q)$(CC) $(CFLAGS) $$^ $$($(1)_LIBRARIES) -o $$@
endef
$(foreach example,$(EXAMPLES),$(eval $(call example_rules,$(example))))

define content_rules
$(BUILD)/examples/$(1)/content.kinc: examples/$(1)/$(1).yaml $(shell find examples/$(1)/content -name '*.yaml') $(KIN)
	@mkdir -p $$(@D)
	$$(call say,KIN)
	$$(Q)$(KIN) pack -o $$@ examples/$(1)/$(1).yaml examples/$(1)/content > $$(@:.kinc=.log)
endef
$(foreach example,$(WITH_CONTENT),$(eval $(call content_rules,$(example))))

# A program with the contexts, and a shared library with the world and the systems. Both use libkin.so. The library
# replaces the former build as a whole, because the program may load it at any time.
RELOAD_WORLD := $(GENERATED)/reload/reload_world.c

$(RELOAD): $(patsubst %.c,$(BUILD)/%.o,$(wildcard examples/reload/*.c)) \
		$(filter-out %_world.o,$(call objects_of,reload)) $(BUILD)/lib/libkin.so
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -rdynamic $^ -Wl,-rpath,'$$ORIGIN/../../lib' -ldl -o $@

$(RELOAD_SYSTEMS): $(wildcard examples/reload/systems/*.[ch]) $(GENERATED)/reload.stamp $(BUILD)/lib/libkin.so
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(COMPILE) $(EXAMPLE_FLAGS) -fPIC -shared $(filter %.c,$^) $(RELOAD_WORLD) -o $@.new && mv $@.new $@

# Two versions of one package, each with its own generated code.
$(BUILD)/examples/saves/%/town.stamp: examples/saves/%/town.yaml examples/saves/%/town.lock $(KIN)
	@mkdir -p $(@D)
	$(call say,KIN)
	$(Q)$(KIN) generate -q -o $(@D) $<
	@touch $@

$(TOWNS): $(BUILD)/examples/saves/town_%: examples/saves/%/main.c $(BUILD)/examples/saves/%/town.stamp \
		$(BUILD)/lib/libkin-save.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(COMPILE) -Iruntime/include -Isave/include -I$(BUILD)/examples/saves/$* $< \
		$(BUILD)/examples/saves/$*/town/*.c $(filter %.a,$^) -lzstd -o $@

# The arena in C++, over C that is generated together with its face.
ARENA_CPP := $(BUILD)/examples/arena_cpp
$(ARENA_CPP)/arena.stamp: schemas/arena.yaml $(KIN)
	@mkdir -p $(@D)
	$(call say,KIN)
	$(Q)$(KIN) generate -q --face cpp -o $(@D) $<
	@touch $@

$(ARENA_CPP)/main.o: runtime/include/kin/kin.hpp $(ARENA_CPP)/arena.stamp
$(ARENA_CPP)/main.o: EXAMPLE_FLAGS += -I$(ARENA_CPP)

$(ARENA_CPP)/arena_cpp: $(ARENA_CPP)/main.o $(ARENA_CPP)/arena.stamp $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(COMPILE) -Iruntime/include -c $(@D)/arena/arena.c -o $(@D)/arena.o
	$(Q)$(CXX) $(CFLAGS) $(@D)/main.o $(@D)/arena.o $(BUILD)/lib/libkin.a -o $@

.PHONY: play demo demo-arena
play: $(BUILD)/examples/match_one/match_one ## Play Match-One in this terminal
	@$<

demo: $(BUILD)/examples/match_one/match_one ## Watch Match-One play itself, the same game for the same seed
	$< --demo

demo-arena: $(BUILD)/examples/arena/arena ## Watch the arena: a thousand units that fight, the same for the same seed
	$<

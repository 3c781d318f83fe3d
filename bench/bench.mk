# How Kin is measured; README.md in this folder describes the method.

##@ Benchmarks

BENCH_PROGRAM := $(BUILD)/bench/bench
BENCH_FLAGS := -D_GNU_SOURCE -Ibench -Iruntime/include -I$(GENERATED)

# Files are compared with those of libcbor, if it and libzstd are installed.
FILES_PROGRAM := $(BUILD)/bench/files/files
HAS_CBOR := $(shell printf '$(hash)include <cbor.h>\n$(hash)include <zstd.h>\n' | $(CC) -E -x c - > /dev/null 2>&1 && echo yes)

# Pieces on threads: a program of its own, as the other one is pinned to a processor.
THREADS_BENCH := $(BUILD)/bench/threads/threads

# What the inspector costs, if its packages are installed.
INSPECT_BENCH := $(if $(INSPECT_MISSING),,$(BUILD)/bench/inspect/inspect)

.PHONY: bench
bench: $(BENCH_PROGRAM) $(THREADS_BENCH) $(if $(HAS_CBOR),$(FILES_PROGRAM)) ## Compare with the same work on hand-written arrays, 1,000 to 10,000,000 entities, and threads with one thread, in two minutes
	$< -o $(BUILD)
	@$(THREADS_BENCH)
	@$(if $(HAS_CBOR),$(FILES_PROGRAM),echo "Files are not measured: libcbor or libzstd is missing. On Debian 12: apt-get install libcbor-dev libzstd-dev")
	@echo "The figures are in $(BUILD)/bench.json, a chart in $(BUILD)/bench.svg."

$(BUILD)/bench/machine.o: BENCH_FLAGS += -DBENCH_FLAGS='"$(CFLAGS)"'

$(BUILD)/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(BENCH_FLAGS) -c $< -o $@

# The measurements, and the work by hand and with Kin. Other programs use the hamlet (files), the rally (threads), the
# throng (the inspector), the drove and the herd (networks), the turrets (content) and the flight (the C++ face).
OTHER_PACKAGES := hamlet rally throng drove herd turrets flight
BENCH_SOURCES := $(wildcard bench/*.c bench/hand/*.c bench/kin/*.c)

$(BENCH_PROGRAM): $(BENCH_SOURCES:%.c=$(BUILD)/%.o) $(call objects_of,$(filter-out $(OTHER_PACKAGES),$(BENCH_PACKAGES))) \
		$(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lm -o $@

$(BUILD)/bench/threads/%.o: BENCH_FLAGS += -Ipool/include

$(THREADS_BENCH): $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/threads/*.c)) $(call objects_of,bench rally) $(BUILD)/lib/libkin_pool.a \
		$(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -pthread $^ -lm -o $@

$(BUILD)/bench/inspect/%.o: BENCH_FLAGS += -Iinspector/include

$(BUILD)/bench/inspect/inspect: $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/inspect/*.c)) $(call objects_of,throng) \
		$(BUILD)/lib/libkin-inspect.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ $(INSPECT_LINKED) -o $@

.PHONY: bench-inspect
bench-inspect: $(INSPECT_BENCH) ## Measure what the inspector costs a game, in a minute
	@$(if $<,$<,echo "The inspector is not measured: $(INSPECT_MISSING) is missing. On Debian 12: apt-get install $(INSPECT_PACKAGES)")

$(BUILD)/bench/network/%.o: BENCH_FLAGS += -D_POSIX_C_SOURCE=200809L -Isave/include -Inet/include -Ienet/include

# Sessions over ENet, if libkin-enet is built.
LIVE_BENCH := $(if $(ENET_MISSING),,$(BUILD)/bench/network/live)

$(BUILD)/bench/network/live: $(BUILD)/bench/network/live.o $(call objects_of,drove) $(BUILD)/lib/libkin-enet.a \
		$(BUILD)/lib/libkin-net.a $(BUILD)/lib/libkin-save.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ $(ENET_LINKED) -lzstd -o $@

$(BUILD)/bench/network/network: $(BUILD)/bench/network/main.o $(call objects_of,drove) $(BUILD)/lib/libkin-net.a \
		$(BUILD)/lib/libkin-save.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lzstd -o $@

$(BUILD)/bench/network/standby: $(BUILD)/bench/network/standby.o $(call objects_of,herd) $(BUILD)/lib/libkin-net.a \
		$(BUILD)/lib/libkin-save.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lzstd -o $@

.PHONY: bench-network
bench-network: $(BUILD)/bench/network/network $(BUILD)/bench/network/standby $(LIVE_BENCH) ## Measure frames beside a loop by hand, standbys, and sessions over ENet, in two minutes
	@$<
	@$(BUILD)/bench/network/standby
	@$(if $(LIVE_BENCH),$(LIVE_BENCH),echo "Sessions over ENet are not measured: $(ENET_MISSING) is missing. On Debian 12: apt-get install libenet-dev")

$(BUILD)/bench/content/%.o: BENCH_FLAGS += -D_POSIX_C_SOURCE=200809L -Icontent/include

$(BUILD)/bench/content/content: $(BUILD)/bench/content/main.o $(call objects_of,turrets) $(BUILD)/lib/libkin-content.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -o $@

$(BUILD)/bench/content/%.kinc: bench/content/content.sh bench/turrets.yaml $(KIN)
	@mkdir -p $(@D)
	@bench/content/content.sh $* > $(@:.kinc=.yaml)
	$(Q)$(KIN) pack -o $@ bench/turrets.yaml $(@:.kinc=.yaml) > /dev/null

.PHONY: bench-content
bench-content: $(BUILD)/bench/content/content $(BUILD)/bench/content/100.kinc $(BUILD)/bench/content/200.kinc ## Measure levels, spawns by name and reloads beside compiled blueprints
	@$^

# The C++ face beside C, with each compiler that is installed. clang does not vectorise a range-for: its bar is wider.
FACE_COMPILERS := $(foreach compiler,g++ clang++,$(if $(shell command -v $(compiler)),$(compiler)))
FACE_BAR_g++ := 1.05
FACE_BAR_clang++ := 5

$(FACE_COMPILERS:%=$(BUILD)/bench/face-%): $(BUILD)/bench/face-%: bench/face.cpp $(call objects_of,flight) $(BUILD)/lib/libkin.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$* -std=c++17 -O3 -Wall -Wextra -Iruntime/include -I$(GENERATED) $^ -o $@

.PHONY: bench-cpp
bench-cpp: $(FACE_COMPILERS:%=$(BUILD)/bench/face-%) ## Measure the C++ face beside C, in some seconds
	@$(foreach compiler,$(FACE_COMPILERS),echo '$(compiler)' && $(BUILD)/bench/face-$(compiler) $(FACE_BAR_$(compiler)) &&) true

.PHONY: bench-lsp
bench-lsp: $(KIN) ## Measure how long `kin lsp` takes to answer, in some seconds
	@bench/lsp.py $(KIN) schemas/match_one.yaml

$(BUILD)/bench/files/%.o: BENCH_FLAGS += -Isave/include

$(FILES_PROGRAM): $(BUILD)/bench/files/main.o $(BUILD)/bench/files/recording.o $(call objects_of,hamlet) $(BUILD)/lib/libkin-save.a $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lcbor -lzstd -lm -o $@

# The cost of operations as worlds grow. Each number of components has a program, generated from a schema of that size.
GROWTH_PROGRAM := $(BUILD)/bench/growth/growth
GROWTH_COMPONENTS := 1 10 100 1000
GROWTH_PROGRAMS := $(GROWTH_COMPONENTS:%=$(BUILD)/bench/growth/components_%)
WORLD_PROGRAMS := $(GROWTH_COMPONENTS:%=$(BUILD)/bench/growth/systems_%)

.PHONY: bench-growth
bench-growth: $(GROWTH_PROGRAM) $(GROWTH_PROGRAMS) $(WORLD_PROGRAMS) ## Measure operations with up to 10^7 entities, 1,000 components, groups and systems
	$(GROWTH_PROGRAM)
	@set -e; for program in $(GROWTH_PROGRAMS) $(WORLD_PROGRAMS); do $$program; done

$(GROWTH_PROGRAM): $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/components.c %/systems.c,$(wildcard bench/growth/*.c)) \
		$(filter-out bench/main.c,$(BENCH_SOURCES))) $(call objects_of,$(filter-out $(OTHER_PACKAGES),$(BENCH_PACKAGES))) $(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lm -o $@

$(GROWTH_PROGRAMS): $(BUILD)/bench/growth/components_%: bench/growth/components.c bench/growth/schema.sh $(KIN) $(BUILD)/lib/libkin.a
	@mkdir -p $(BUILD)/bench/growth/breadth_$*
	$(call say,LINK)
	@bench/growth/schema.sh $* > $(BUILD)/bench/growth/breadth_$*/breadth.yaml
	$(Q)$(KIN) generate -q -o $(BUILD)/bench/growth/breadth_$* $(BUILD)/bench/growth/breadth_$*/breadth.yaml
	$(Q)$(COMPILE) $(BENCH_FLAGS) -DCOMPONENTS=$* -I$(BUILD)/bench/growth/breadth_$* -MF $@.d -MT $@ $< \
		$(BUILD)/bench/growth/breadth_$*/breadth/*.c $(BUILD)/lib/libkin.a -o $@

$(WORLD_PROGRAMS): $(BUILD)/bench/growth/systems_%: bench/growth/systems.c bench/growth/world.sh $(KIN) $(BUILD)/lib/libkin.a
	@mkdir -p $(BUILD)/bench/growth/crowd_$*
	$(call say,LINK)
	@bench/growth/world.sh schema $* > $(BUILD)/bench/growth/crowd_$*/crowd.yaml
	@bench/growth/world.sh functions $* > $(BUILD)/bench/growth/crowd_$*/functions.c
	$(Q)$(KIN) generate -q -o $(BUILD)/bench/growth/crowd_$* $(BUILD)/bench/growth/crowd_$*/crowd.yaml
	$(Q)$(COMPILE) $(BENCH_FLAGS) -DSYSTEMS=$* -I$(BUILD)/bench/growth/crowd_$* -MF $@.d -MT $@ $< \
		$(BUILD)/bench/growth/crowd_$*/functions.c $(BUILD)/bench/growth/crowd_$*/crowd/*.c $(BUILD)/lib/libkin.a -o $@

# The instruction counts of the core operations, from a build with fixed flags.
INSTRUCTION_FLAGS := -O3
INSTRUCTION_PACKAGES := bench trees
INSTRUCTION_BUILD := $(BUILD)/instructions
INSTRUCTION_PROGRAM := $(INSTRUCTION_BUILD)/operations
INSTRUCTION_SOURCES := $(RUNTIME_SOURCES) $(wildcard bench/instructions/*.c)
INSTRUCTION_COMPILE = $(CC) -std=c17 $(INSTRUCTION_FLAGS) -DNDEBUG -fPIC -fvisibility=hidden -MMD -MP -Iruntime/include -Iruntime/src \
	-I$(GENERATED)

$(INSTRUCTION_BUILD)/generated/%.o: $(GENERATED)/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(INSTRUCTION_COMPILE) -c $< -o $@

$(INSTRUCTION_BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(INSTRUCTION_COMPILE) -c $< -o $@

$(INSTRUCTION_PROGRAM): $(INSTRUCTION_SOURCES:%.c=$(INSTRUCTION_BUILD)/%.o) \
		$(patsubst $(BUILD)/%,$(INSTRUCTION_BUILD)/%,$(call objects_of,$(INSTRUCTION_PACKAGES)))
	$(call say,LINK)
	$(Q)$(CC) $^ -o $@

.PHONY: bench-instructions check-instructions
bench-instructions: $(INSTRUCTION_PROGRAM) ## Count the instructions of the core operations, and record them
	@$(call needs,valgrind,valgrind)
	@bench/instructions.sh record $< bench/instructions.txt

check-instructions: $(INSTRUCTION_PROGRAM)
	@bench/instructions.sh compare $< bench/instructions.txt

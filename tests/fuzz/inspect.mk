# How the inspector is fuzzed, without sockets: whole requests, edits, and the parsers of queries, paths and values by themselves,
# which takes less time. Without the packages of the inspector there are no such targets in `fuzz` and `fuzz-short`.
INSPECT_FUZZ := $(BUILD)/fuzz/inspector
INSPECT_FUZZ_TARGETS := request edit query path value
INSPECT_FUZZ_PROGRAMS := $(INSPECT_FUZZ_TARGETS:%=$(INSPECT_FUZZ)/%)
INSPECT_FUZZ_PACKAGES := everything relay satchel town
INSPECT_FUZZ_SOURCES := $(INSPECT_SOURCES) $(RUNTIME_SOURCES) tests/fuzz/inspect/game.c $(addprefix tests/portability/,check.c opaque.c) \
	$(addprefix tests/runtime/support/,guard.c relay_case.c support.c town_case.c)
INSPECT_FUZZ_OBJECTS := $(INSPECT_FUZZ_SOURCES:%.c=$(INSPECT_FUZZ)/%.o) \
	$(patsubst $(GENERATED)/%,$(INSPECT_FUZZ)/generated/%,$(call objects_of,$(INSPECT_FUZZ_PACKAGES)))
# Without a trace of comparisons, runs are twice as many in the same time; the inputs in the corpus have all the words.
INSPECT_FUZZ_COMPILE = $(CLANG) -std=c17 $(WARNINGS) -g -O2 -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=address,undefined -fsanitize-coverage=inline-8bit-counters,pc-table -MMD -MP -D_GNU_SOURCE -DKIN_CHECKED \
	-Iinspector/include -Iinspector/src -Iruntime/include -Iruntime/src -Itests -Itests/fuzz -Itests/portability -I$(GENERATED)

$(INSPECT_FUZZ)/generated/%.o: $(GENERATED)/%.c | $(BUILD)/needed/fuzz
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(INSPECT_FUZZ_COMPILE) -c $< -o $@

$(INSPECT_FUZZ)/%.o: %.c | $(BUILD)/needed/fuzz $(BUILD)/needed/inspect
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(INSPECT_FUZZ_COMPILE) -c $< -o $@

$(INSPECT_FUZZ_PROGRAMS): $(INSPECT_FUZZ)/%: $(INSPECT_FUZZ)/tests/fuzz/inspect/%.o $(INSPECT_FUZZ_OBJECTS) $(BUILD)/inspector-page/files.o
	$(call say,LINK)
	$(Q)$(CLANG) $^ -fsanitize=fuzzer,address,undefined $(INSPECT_LINKED) -o $@

# It has a key function, which only this target defines.
$(INSPECT_FUZZ)/edit: $(patsubst $(GENERATED)/%,$(INSPECT_FUZZ)/generated/%,$(call objects_of,estate))

# FUZZ_RUNS=-1 is without end, until the time is over.
FUZZ_RUNS ?= -1
.PHONY: fuzz-inspect fuzz-short-inspect $(INSPECT_FUZZ_TARGETS:%=fuzz-inspect-%) $(INSPECT_FUZZ_TARGETS:%=fuzz-short-inspect-%)
fuzz-inspect: $(INSPECT_FUZZ_TARGETS:%=fuzz-inspect-%) ## Fuzz requests, edits, queries, paths and values of the inspector, each for FUZZ_SECONDS
$(INSPECT_FUZZ_TARGETS:%=fuzz-inspect-%): fuzz-inspect-%: $(INSPECT_FUZZ)/%
	@mkdir -p $(BUILD)/fuzz/corpus/inspect/$*
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) -runs=$(FUZZ_RUNS) \
		$(BUILD)/fuzz/corpus/inspect/$* tests/fuzz/inspect/corpus/$*

fuzz-short-inspect: $(INSPECT_FUZZ_TARGETS:%=fuzz-short-inspect-%)
$(INSPECT_FUZZ_TARGETS:%=fuzz-short-inspect-%): fuzz-short-inspect-%: $(INSPECT_FUZZ)/%
	$(call say,FUZZ)
	@rm -rf $(BUILD)/fuzz/short/inspect/$* && mkdir -p $(BUILD)/fuzz/short/inspect/$*
	@log=$(BUILD)/fuzz/short/inspect/$*.log; $< $(RUNTIME_FUZZ_RUN) -seed=1 -runs=2000 -max_total_time=20 \
		$(BUILD)/fuzz/short/inspect/$* tests/fuzz/inspect/corpus/$* > $$log 2>&1 || { cat $$log; exit 1; }

ifeq ($(INSPECT_MISSING),)
fuzz: fuzz-inspect
fuzz-short: fuzz-short-inspect
endif

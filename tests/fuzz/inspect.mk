# How the inspector is fuzzed: requests, queries, paths and values, without sockets. Without its packages it is not.
INSPECT_FUZZ := $(BUILD)/fuzz/inspect
INSPECT_FUZZ_SOURCES := $(INSPECT_SOURCES) tests/fuzz/inspect.c $(RUNTIME_SOURCES)
INSPECT_FUZZ_OBJECTS := $(INSPECT_FUZZ_SOURCES:%.c=$(INSPECT_FUZZ)-objects/%.o) $(INSPECT_FUZZ)-objects/opaque.o \
	$(patsubst $(GENERATED)/%,$(INSPECT_FUZZ)-objects/generated/%,$(call objects_of,everything))
INSPECT_FUZZ_COMPILE = $(CLANG) -std=c17 $(WARNINGS) -g $(RUNTIME_FUZZ_checked) -MMD -MP -D_GNU_SOURCE -DKIN_CHECKED \
	-Iinspector/include -Iinspector/src -Iruntime/include -Iruntime/src -Itests -I$(GENERATED)
INSPECT_CORPUS := tests/fuzz/inspect

$(INSPECT_FUZZ)-objects/opaque.o: tests/portability/opaque.c | $(BUILD)/needed/fuzz $(GENERATED)/everything.stamp
	@mkdir -p $(@D)
	$(Q)$(INSPECT_FUZZ_COMPILE) -Itests/portability -c $< -o $@

$(INSPECT_FUZZ)-objects/generated/%.o: $(GENERATED)/%.c | $(BUILD)/needed/fuzz
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(INSPECT_FUZZ_COMPILE) -c $< -o $@

$(INSPECT_FUZZ)-objects/tests/%.o: | $(GENERATED)/everything.stamp
$(INSPECT_FUZZ)-objects/%.o: %.c | $(BUILD)/needed/fuzz $(BUILD)/needed/inspect
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(INSPECT_FUZZ_COMPILE) -c $< -o $@

$(INSPECT_FUZZ): $(INSPECT_FUZZ_OBJECTS) $(BUILD)/inspector-page/files.o
	$(call say,LINK)
	$(Q)$(CLANG) $^ -fsanitize=fuzzer,address,undefined $(INSPECT_LINKED) -o $@

.PHONY: fuzz-inspect fuzz-short-inspect
fuzz-inspect: $(INSPECT_FUZZ) ## Fuzz requests, queries, paths and values of the inspector, each for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/corpus/inspect
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$$((4 * $(FUZZ_SECONDS))) $(BUILD)/fuzz/corpus/inspect $(INSPECT_CORPUS)

fuzz-short-inspect: $(INSPECT_FUZZ)
	$(call say,FUZZ)
	@rm -rf $(BUILD)/fuzz/short/inspect && mkdir -p $(BUILD)/fuzz/short/inspect
	@log=$(BUILD)/fuzz/short-inspect.log; $< $(RUNTIME_FUZZ_RUN) -seed=1 -runs=2000 -max_total_time=20 \
		$(BUILD)/fuzz/short/inspect $(INSPECT_CORPUS) > $$log 2>&1 || { cat $$log; exit 1; }

ifeq ($(INSPECT_MISSING),)
fuzz: fuzz-inspect
fuzz-short: fuzz-short-inspect
endif

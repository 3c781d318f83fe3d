# How kin is fuzzed.

##@ Fuzzing

# A target of the generator is a file of tests/fuzz, which describes its inputs; those of the runtime, `api`,
# `state`, `model` and `relations`, of saves, `file`, `zstd` and `recording`, and of networks, `frame` and `shape`, are in runtime.mk. The folder of the same name has the first inputs. New inputs are kept in
# $(BUILD)/fuzz/corpus, and failing ones in $(BUILD)/fuzz.
CLANG := $(shell command -v clang)
LIBFUZZER := $(if $(CLANG),$(shell $(CLANG) -print-resource-dir)/lib/linux/libclang_rt.fuzzer-$(shell uname -m).a)
FUZZ_SECONDS ?= 600
FUZZ_TARGETS := $(filter-out model relations file zstd recording frame shape,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)
FUZZ_SANITIZERS := address,undefined
FUZZ_COMPILE = $(CLANG) -std=c17 $(WARNINGS) -O1 -g -MMD -MP -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,$(FUZZ_SANITIZERS) -Itests/generator $(TEST_FLAGS)
FUZZ_OBJECTS := $(GENERATOR_OBJECTS:$(BUILD)/%=$(BUILD)/fuzz/objects/%) $(BUILD)/fuzz/objects/tests/generator/trial.o \
	$(SHARED_SOURCES:%.c=$(BUILD)/fuzz/objects/%.o)
FUZZ_FIXTURES_reader := schemas tests/schemas tests/bad
FUZZ_FIXTURES_template := templates
FUZZ_FIXTURES_lsp := schemas tests/schemas
FUZZ_FIXTURES_content := tests/bad/content
FUZZ_FIXTURES_saves := tests/saves/1 tests/fuzz/recording
fuzz_fixtures = $(wildcard tests/fuzz/$(1)) $(FUZZ_FIXTURES_$(1))
FUZZ_FLAGS := -timeout=10 -rss_limit_mb=2048 -artifact_prefix=$(BUILD)/fuzz/

$(BUILD)/needed/fuzz:
	@$(call needs,$(or $(CLANG),clang),clang)
	@test -e '$(LIBFUZZER)' || $(call lacks,clang's libFuzzer,libclang-rt-dev)
	@touch $@

$(BUILD)/fuzz/objects/generator/library_%.o: $(BUILD)/generator/library_%.c | $(BUILD)/needed/fuzz
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_COMPILE) -c $< -o $@

$(BUILD)/fuzz/objects/%.o: %.c | $(BUILD)/needed/fuzz
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_COMPILE) -c $< -o $@

$(FUZZ_PROGRAMS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/objects/tests/fuzz/%.o $(FUZZ_OBJECTS)
	$(call say,LINK)
	$(Q)$(CLANG) -fsanitize=fuzzer,$(FUZZ_SANITIZERS) $^ -lyaml -lzstd -o $@

# Random inputs for FUZZ_SECONDS a target, and then every change of one byte of the valid schemas: twenty minutes.
.PHONY: fuzz fuzz-short $(FUZZ_TARGETS:%=fuzz-%) $(FUZZ_TARGETS:%=fuzz-short-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%) fuzz-api fuzz-api-fast fuzz-api-limits fuzz-state fuzz-state-fast fuzz-model fuzz-relations fuzz-file fuzz-zstd fuzz-recording fuzz-frame fuzz-shape tests ## Fuzz for long (FUZZ_SECONDS=600 each target), try every change of a byte
	KIN_CHANGES=all nice -n 19 $(TEST_PROGRAM) reader_change

$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/%
	@mkdir -p $(BUILD)/fuzz/corpus/$*
	nice -n 19 $< $(FUZZ_FLAGS) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/$* $(call fuzz_fixtures,$*)

# The same inputs in every run, without output unless one fails.
fuzz-short: $(FUZZ_TARGETS:%=fuzz-short-%) fuzz-short-api fuzz-short-state fuzz-short-model fuzz-short-relations \
	fuzz-short-file fuzz-short-zstd fuzz-short-recording fuzz-short-frame fuzz-short-shape
$(FUZZ_TARGETS:%=fuzz-short-%): fuzz-short-%: $(BUILD)/fuzz/%
	$(call say,FUZZ)
	@rm -rf $(BUILD)/fuzz/short/$* && mkdir -p $(BUILD)/fuzz/short/$*
	@$< $(FUZZ_FLAGS) -seed=1 -runs=2000 -max_total_time=20 $(BUILD)/fuzz/short/$* $(call fuzz_fixtures,$*) \
		> $(BUILD)/fuzz/short/$*.log 2>&1 || { cat $(BUILD)/fuzz/short/$*.log; exit 1; }

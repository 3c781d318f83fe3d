# The fuzzer of the generated API: tests/fuzz/api/harness.h says what it does.
#
# Three builds of the same sources and of the runtime with its checks: `checked` with the address and undefined
# behaviour sanitizers, `fast` optimized and without them, `threads` with the thread sanitizer.
API_SOURCES := $(wildcard tests/fuzz/api/*.c) $(RUNTIME_SOURCES)
API_CORPUS := tests/fuzz/api/corpus
API_FLAGS := -D_XOPEN_SOURCE=700 -DKIN_CHECKED -Iruntime/include -Itests -I$(GENERATED)
API_checked := -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=fuzzer-no-link,address,undefined
API_fast := -O3 -fsanitize=fuzzer-no-link
API_threads := -O1 -fno-omit-frame-pointer -fsanitize=thread
API_LINK_checked := -fsanitize=fuzzer,address,undefined
API_LINK_fast := -fsanitize=fuzzer
API_LINK_threads := -fsanitize=thread -pthread
API_BUILDS := checked fast threads
api_objects = $(API_SOURCES:%.c=$(BUILD)/fuzz/$(1)/%.o) $(patsubst $(GENERATED)/%,$(BUILD)/fuzz/$(1)/generated/%,$(call objects_of,$(FUZZ_PACKAGES)))

define api_rules
$(BUILD)/fuzz/$(1)/%.o: %.c | $(BUILD)/needed/fuzz $(FUZZ_PACKAGES:%=$(GENERATED)/%.stamp)
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$(CLANG) -std=c17 $(WARNINGS) -g $(API_$(1)) -MMD -MP $(API_FLAGS) -c $$< -o $$@

$(BUILD)/fuzz/$(1)/generated/%.o: $(GENERATED)/%.c | $(BUILD)/needed/fuzz
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$(CLANG) -std=c17 $(WARNINGS) -g $(API_$(1)) -MMD -MP $(API_FLAGS) -c $$< -o $$@
endef
$(foreach build,$(API_BUILDS),$(eval $(call api_rules,$(build))))

$(BUILD)/fuzz/api: $(call api_objects,checked)
$(BUILD)/fuzz/api-fast: $(call api_objects,fast)
$(BUILD)/fuzz/api $(BUILD)/fuzz/api-fast:
	$(call say,LINK)
	$(Q)$(CLANG) $(API_LINK_$(if $(findstring fast,$@),fast,checked)) $^ -o $@

# The same inputs without libFuzzer: random ones, and those of the corpus in two threads.
$(BUILD)/fuzz/api-stress: $(call api_objects,checked) $(BUILD)/fuzz/checked/tests/fuzz/api/drive/stress.o
	$(call say,LINK)
	$(Q)$(CLANG) -fsanitize=address,undefined $^ -o $@

$(BUILD)/fuzz/api-threads: $(call api_objects,threads) $(BUILD)/fuzz/threads/tests/fuzz/api/drive/threads.o
	$(call say,LINK)
	$(Q)$(CLANG) $(API_LINK_threads) $^ -o $@

API_FUZZ_FLAGS := -timeout=60 -rss_limit_mb=3000 -max_len=16384 -len_control=20 -artifact_prefix=$(BUILD)/fuzz/

.PHONY: fuzz-api fuzz-api-fast fuzz-api-limits fuzz-short-api stress-api
fuzz-api: $(BUILD)/fuzz/api ## Fuzz the generated API with sanitizers for FUZZ_SECONDS; -fast: -O3; -limits: little memory
	@mkdir -p $(BUILD)/fuzz/corpus/api
	nice -n 19 $< $(API_FUZZ_FLAGS) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/api $(API_CORPUS)

fuzz-api-fast: $(BUILD)/fuzz/api-fast
	@mkdir -p $(BUILD)/fuzz/corpus/api
	nice -n 19 $< $(API_FUZZ_FLAGS) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/api $(API_CORPUS)

fuzz-api-limits: $(BUILD)/fuzz/api
	@mkdir -p $(BUILD)/fuzz/corpus/api-limits
	KIN_FUZZ_LIMITS=1 nice -n 19 $< $(API_FUZZ_FLAGS) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/api-limits \
		$(API_CORPUS)

# Random inputs that are longer than what the fuzzer makes: STRESS_FIRST is the number of the first.
STRESS_FIRST ?= 1
STRESS_COUNT ?= 1000
stress-api: $(BUILD)/fuzz/api-stress ## Play STRESS_COUNT=1000 long random inputs against the generated API
	nice -n 19 $< $(STRESS_FIRST) $(STRESS_COUNT) $(BUILD)/fuzz/stress.last

# The corpus, with and without limits of memory, and in two threads.
fuzz-short-api: $(BUILD)/fuzz/api $(BUILD)/fuzz/api-threads
	$(call say,FUZZ)
	@$< $(API_FUZZ_FLAGS) -runs=0 $(API_CORPUS) > $(BUILD)/fuzz/short-api.log 2>&1 || \
		{ cat $(BUILD)/fuzz/short-api.log; exit 1; }
	@KIN_FUZZ_LIMITS=1 $< $(API_FUZZ_FLAGS) -runs=0 $(API_CORPUS) > $(BUILD)/fuzz/short-api.log 2>&1 || \
		{ cat $(BUILD)/fuzz/short-api.log; exit 1; }
	@$(BUILD)/fuzz/api-threads $(API_CORPUS)/* > $(BUILD)/fuzz/short-api.log 2>&1 || \
		{ cat $(BUILD)/fuzz/short-api.log; exit 1; }

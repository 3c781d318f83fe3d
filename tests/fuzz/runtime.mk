# How the runtime and generated code are fuzzed.
#
#   api        operations on a package of its own, tests/fuzz/api: harness.h there describes it
#   state      a world whose states are compared after restores, in files, recordings and twice; state.h describes it
#   model      the games of tests/model, drawn from bytes; with the check.h of tests/portability, because Check runs
#              each test in a process of its own
#   relations  the same for the games of tests/runtime/relation
#   file       saves, with the sums of their blocks made right, and what becomes of them in a context
#   zstd       compressed saves, within limits of memory
#   recording  recordings of a town, played and sought in a world of its own
#   frame      frames of a market, with their sums made right, applied by a replica
#   shape      what other versions of a schema send, with frames and messages of them
#
# Each build has its objects in a folder, with a checked runtime: `checked` has the address and undefined behaviour
# sanitizers, `fast` is optimized and has none, `plain` also has no coverage, `threads` has the thread sanitizer; `gnu`
# and `gnu-fast` are those of gcc, which has no libFuzzer.
RUNTIME_FUZZ_FLAGS := -D_XOPEN_SOURCE=700 -DKIN_CHECKED -Itests/portability -Iruntime/include -Iruntime/src \
	-Isave/include -Isave/src -Inet/include -Inet/src -Itests -I$(GENERATED)
RUNTIME_FUZZ_checked := -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,address,undefined
RUNTIME_FUZZ_fast := -O3 -fsanitize=fuzzer-no-link
RUNTIME_FUZZ_plain := -O3
RUNTIME_FUZZ_gnu := -O1 -Wno-format-truncation -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined
RUNTIME_FUZZ_gnu-fast := -O3 -Wno-format-truncation
RUNTIME_FUZZ_COMPILER_gnu := gcc
RUNTIME_FUZZ_COMPILER_gnu-fast := gcc
RUNTIME_FUZZ_threads := -O1 -fno-omit-frame-pointer -fsanitize=thread

MODEL_PACKAGES := $(filter model%,$(TEST_PACKAGES))
SAVE_PACKAGES := almanac archive ferry1 ferry2 ferry3 past relay square town

define runtime_fuzz_rules
$(BUILD)/fuzz/$(1)/%.o: %.c | $(BUILD)/needed/fuzz
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$(or $(RUNTIME_FUZZ_COMPILER_$(1)),$(CLANG)) -std=c17 $(WARNINGS) -g $(RUNTIME_FUZZ_$(1)) -MMD -MP $(RUNTIME_FUZZ_FLAGS) -c $$< -o $$@

$(BUILD)/fuzz/$(1)/generated/%.o: $(GENERATED)/%.c | $(BUILD)/needed/fuzz
	@mkdir -p $$(@D)
	$$(call say,CC)
	$$(Q)$(or $(RUNTIME_FUZZ_COMPILER_$(1)),$(CLANG)) -std=c17 $(WARNINGS) -g $(RUNTIME_FUZZ_$(1)) -MMD -MP $(RUNTIME_FUZZ_FLAGS) -c $$< -o $$@

$(BUILD)/fuzz/$(1)/tests/fuzz/%.o: | $(FUZZ_PACKAGES:%=$(GENERATED)/%.stamp)
$(BUILD)/fuzz/$(1)/tests/runtime/lookup/%.o: | $(GENERATED)/kinship.stamp
$(BUILD)/fuzz/$(1)/tests/fuzz/%.o $(BUILD)/fuzz/$(1)/tests/save/%.o: | $(SAVE_PACKAGES:%=$(GENERATED)/%.stamp) $(BUILD)/needed/save
$(BUILD)/fuzz/$(1)/save/%.o $(BUILD)/fuzz/$(1)/net/%.o: | $(BUILD)/needed/save
$(BUILD)/fuzz/$(1)/tests/model/%.o: | $(MODEL_PACKAGES:%=$(GENERATED)/%.stamp)
endef


$(foreach build,checked fast plain gnu gnu-fast threads,$(eval $(call runtime_fuzz_rules,$(build))))

# The objects of sources and packages in a build.
fuzz_objects = $(patsubst %.c,$(BUILD)/fuzz/$(1)/%.o,$(2) $(RUNTIME_SOURCES)) \
	$(patsubst $(GENERATED)/%,$(BUILD)/fuzz/$(1)/generated/%,$(call objects_of,$(3)))
STRESS := tests/fuzz/api/drive/stress.c
STATE_SOURCES := $(wildcard tests/fuzz/state/*.c) tests/save/buffer.c $(SAVE_SOURCES)
API_SOURCES := $(wildcard tests/fuzz/api/*.c tests/fuzz/api/operations/*.c)
MODEL_SOURCES := tests/fuzz/model.c tests/runtime/support/guard.c tests/portability/check.c \
	$(filter-out %/test_model.c %/shrink.c,$(wildcard tests/model/*.c tests/model/*/*.c))
RELATIONS_SOURCES := tests/fuzz/relations.c tests/portability/check.c $(wildcard tests/runtime/lookup/family*.c)
SAVE_FUZZ_SOURCES := $(SAVE_SOURCES) $(addprefix tests/save/,buffer.c past_case.c) \
	$(addprefix tests/portability/,check.c opaque.c)
FILE_SOURCES := tests/fuzz/file.c $(SAVE_FUZZ_SOURCES) $(addprefix tests/save/,save_almanac.c save_archive.c)
RECORDING_SOURCES := tests/fuzz/recording.c $(SAVE_SOURCES) $(addprefix tests/save/,buffer.c record/record_case.c) \
	tests/portability/check.c $(addprefix tests/runtime/support/,guard.c relay_case.c support.c town_case.c town_random.c twice_case.c)
SHAPE_SOURCES := tests/fuzz/shape.c tests/net/ferry_case.c tests/portability/check.c \
	$(addprefix tests/runtime/support/,guard.c support.c) $(SAVE_SOURCES) $(NET_SOURCES)
FRAME_SOURCES := tests/fuzz/frame.c tests/save/buffer.c $(SAVE_SOURCES) $(NET_SOURCES)

$(BUILD)/fuzz/api: $(call fuzz_objects,checked,$(API_SOURCES),ordeal)
$(BUILD)/fuzz/api-fast: $(call fuzz_objects,fast,$(API_SOURCES),ordeal)
$(BUILD)/fuzz/state: $(call fuzz_objects,checked,$(STATE_SOURCES),realm)
$(BUILD)/fuzz/state-fast: $(call fuzz_objects,fast,$(STATE_SOURCES),realm)
# The same with long random inputs: STRESS_BUILD_x is the build of what ends with x.
STRESS_BUILD_ := checked
STRESS_BUILD_-fast := plain
STRESS_BUILD_-gnu := gnu
STRESS_BUILD_-gnu-fast := gnu-fast
define stress_rules
$(BUILD)/fuzz/stress-api$(1): $(call fuzz_objects,$(STRESS_BUILD_$(1)),$(API_SOURCES) $(STRESS),ordeal)
$(BUILD)/fuzz/stress-state$(1): $(call fuzz_objects,$(STRESS_BUILD_$(1)),$(STATE_SOURCES) $(STRESS),realm)
endef
STRESS_SUFFIXES := -fast -gnu -gnu-fast
$(eval $(call stress_rules,))
$(foreach suffix,$(STRESS_SUFFIXES),$(eval $(call stress_rules,$(suffix))))
STRESS_TARGETS := $(foreach program,stress-api stress-state,$(program) $(addprefix $(program),$(STRESS_SUFFIXES)))
$(BUILD)/fuzz/api-threads: $(call fuzz_objects,threads,$(API_SOURCES) tests/fuzz/api/drive/threads.c,ordeal)
$(BUILD)/fuzz/model: $(call fuzz_objects,checked,$(MODEL_SOURCES),$(MODEL_PACKAGES))
$(BUILD)/fuzz/relations: $(call fuzz_objects,checked,$(RELATIONS_SOURCES),kinship)
$(BUILD)/fuzz/file: $(call fuzz_objects,checked,$(FILE_SOURCES),almanac archive past)
$(BUILD)/fuzz/recording: $(call fuzz_objects,checked,$(RECORDING_SOURCES),relay town)
$(BUILD)/fuzz/shape: $(call fuzz_objects,checked,$(SHAPE_SOURCES),ferry1 ferry2 ferry3)
$(BUILD)/fuzz/frame: $(call fuzz_objects,checked,$(FRAME_SOURCES),square)
$(BUILD)/fuzz/zstd: $(call fuzz_objects,checked,tests/fuzz/zstd.c $(SAVE_FUZZ_SOURCES),past)

FUZZ_LINK_api := -fsanitize=fuzzer,address,undefined
FUZZ_LINK_api-fast := -fsanitize=fuzzer
FUZZ_LINK_state := -fsanitize=fuzzer,address,undefined -lzstd
FUZZ_LINK_state-fast := -fsanitize=fuzzer -lzstd
FUZZ_LINK_stress-api := -fsanitize=address,undefined
FUZZ_LINK_stress-api-gnu := -fsanitize=address,undefined
FUZZ_LINK_stress-state := -fsanitize=address,undefined -lzstd
FUZZ_LINK_stress-state-fast := -lzstd
FUZZ_LINK_stress-state-gnu := -fsanitize=address,undefined -lzstd
FUZZ_LINK_stress-state-gnu-fast := -lzstd
FUZZ_LINK_api-threads := -fsanitize=thread -pthread
FUZZ_LINK_model := -fsanitize=fuzzer,address,undefined
FUZZ_LINK_relations := -fsanitize=fuzzer,address,undefined
FUZZ_LINK_file := -fsanitize=fuzzer,address,undefined -lzstd
FUZZ_LINK_recording := -fsanitize=fuzzer,address,undefined -lzstd
FUZZ_LINK_shape := -fsanitize=fuzzer,address,undefined -lzstd
FUZZ_LINK_frame := -fsanitize=fuzzer,address,undefined -lzstd
FUZZ_LINK_zstd := -fsanitize=fuzzer,address,undefined -lzstd
RUNTIME_FUZZ_PROGRAMS := $(patsubst %,$(BUILD)/fuzz/%,api api-fast api-threads state state-fast $(STRESS_TARGETS) model relations file zstd recording frame shape)

$(RUNTIME_FUZZ_PROGRAMS):
	$(call say,LINK)
	$(Q)$(if $(findstring -gnu,$(@F)),gcc,$(CLANG)) $^ $(FUZZ_LINK_$(@F)) -o $@

# ---- Running. api and api-fast share their new inputs; api-limits has its own, as limits of memory reach other code.
# The committed inputs are in folders named by the first digit of their hashes; libFuzzer also reads these.

RUNTIME_FUZZ_RUN := -timeout=60 -rss_limit_mb=3000 -max_len=16384 -len_control=1 -artifact_prefix=$(BUILD)/fuzz/
API_CORPUS := tests/fuzz/api/corpus
STATE_CORPUS := tests/fuzz/state/corpus
MODEL_CORPUS := tests/fuzz/model

# Recordings of the town with and without states and keys, whole and cut off, and of an earlier version of the town,
# with smaller and larger numbers, shorter strings and fewer components; and edits of recordings.
RECORDING_CORPUS := tests/fuzz/recording

.PHONY: fuzz-api fuzz-api-fast fuzz-api-limits fuzz-state fuzz-state-fast fuzz-model fuzz-relations $(STRESS_TARGETS)
fuzz-api: $(BUILD)/fuzz/api ## Fuzz the generated API for FUZZ_SECONDS; -fast: without sanitizers; -limits: with little memory
	@mkdir -p $(BUILD)/fuzz/corpus/api
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/api $(API_CORPUS)

fuzz-api-fast: $(BUILD)/fuzz/api-fast
	@mkdir -p $(BUILD)/fuzz/corpus/api
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/api $(API_CORPUS)

fuzz-api-limits: $(BUILD)/fuzz/api
	@mkdir -p $(BUILD)/fuzz/corpus/api-limits
	KIN_FUZZ_LIMITS=1 nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) \
		$(BUILD)/fuzz/corpus/api-limits $(API_CORPUS)

fuzz-state-fast fuzz-state: fuzz-%: $(BUILD)/fuzz/% ## Fuzz restores, files, recordings, commands and executors for FUZZ_SECONDS; -fast: without sanitizers
	@mkdir -p $(BUILD)/fuzz/corpus/state
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/state $(STATE_CORPUS)

fuzz-model: $(BUILD)/fuzz/model ## Fuzz the runtime against the model of the rules for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/corpus/model
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/model $(MODEL_CORPUS)

fuzz-relations: $(BUILD)/fuzz/relations ## Fuzz relations against their second implementation for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/corpus/relations
	nice -n 19 $< $(RUNTIME_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/relations

# Inputs begin with the saves of tests/saves. One block and what zstd looks back at fit into the limit of one request.
SAVE_FUZZ_RUN := $(RUNTIME_FUZZ_RUN) -malloc_limit_mb=160
SAVE_CORPUS := tests/saves/1

.PHONY: fuzz-file fuzz-zstd fuzz-recording fuzz-frame fuzz-shape
fuzz-file fuzz-zstd: fuzz-%: $(BUILD)/fuzz/% ## Fuzz saves, or compressed ones, for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/corpus/$*
	nice -n 19 $< $(SAVE_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/$* $(SAVE_CORPUS)

fuzz-recording: $(BUILD)/fuzz/recording ## Fuzz recordings for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/corpus/recording
	nice -n 19 $< $(SAVE_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/recording $(RECORDING_CORPUS)

fuzz-frame fuzz-shape: fuzz-%: $(BUILD)/fuzz/% ## Fuzz frames, or what other versions send, for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/corpus/$*
	nice -n 19 $< $(SAVE_FUZZ_RUN) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/$*

# Random inputs, longer than those of libFuzzer. An input that fails is $(BUILD)/fuzz/stress*.last.
STRESS_FIRST ?= 1
STRESS_COUNT ?= 1000
stress-state-fast stress-state-gnu-fast stress-state-gnu stress-state \
stress-api-fast stress-api-gnu-fast stress-api-gnu stress-api: stress-%: $(BUILD)/fuzz/stress-% ## Play STRESS_COUNT=1000 long random inputs from number STRESS_FIRST=1 on
	nice -n 19 $< $(STRESS_FIRST) $(STRESS_COUNT) $<.last

# ---- The committed inputs alone: api also with little memory, and in two threads

# The thread sanitizer does not start if addresses are too random.
FIXED_ADDRESSES = $(shell setarch -R true 2> /dev/null && echo setarch -R)

.PHONY: fuzz-short-api fuzz-short-state fuzz-short-model fuzz-short-relations
fuzz-short-api: $(BUILD)/fuzz/api $(BUILD)/fuzz/api-threads
	$(call say,FUZZ)
	@log=$(BUILD)/fuzz/short-api.log; { $< $(RUNTIME_FUZZ_RUN) -runs=0 $(API_CORPUS) && \
		KIN_FUZZ_LIMITS=1 $< $(RUNTIME_FUZZ_RUN) -runs=0 $(API_CORPUS) && \
		$(FIXED_ADDRESSES) $(BUILD)/fuzz/api-threads $(API_CORPUS)/*/*; } > $$log 2>&1 || { cat $$log; exit 1; }

fuzz-short-state: $(BUILD)/fuzz/state
	$(call say,FUZZ)
	@log=$(BUILD)/fuzz/short-state.log; $< $(RUNTIME_FUZZ_RUN) -runs=0 $(STATE_CORPUS) > $$log 2>&1 || { cat $$log; exit 1; }

fuzz-short-model: $(BUILD)/fuzz/model
	$(call say,FUZZ)
	@log=$(BUILD)/fuzz/short-model.log; $< $(RUNTIME_FUZZ_RUN) -runs=0 $(MODEL_CORPUS) > $$log 2>&1 || { cat $$log; exit 1; }

# Has no committed inputs: the random test of the suite plays longer games.
fuzz-short-relations: $(BUILD)/fuzz/relations
	$(call say,FUZZ)
	@log=$(BUILD)/fuzz/short-relations.log; $< $(RUNTIME_FUZZ_RUN) -seed=1 -runs=5000 -max_total_time=20 > $$log 2>&1 || \
		{ cat $$log; exit 1; }

.PHONY: fuzz-short-file fuzz-short-zstd fuzz-short-recording fuzz-short-frame fuzz-short-shape
# Has no committed inputs: it edits frames of its own.
fuzz-short-frame fuzz-short-shape: fuzz-short-%: $(BUILD)/fuzz/%
	$(call say,FUZZ)
	@log=$(BUILD)/fuzz/short-$*.log; $< $(SAVE_FUZZ_RUN) -seed=1 -runs=2000 -max_total_time=20 > $$log 2>&1 || \
		{ cat $$log; exit 1; }

fuzz-short-recording: $(BUILD)/fuzz/recording
	$(call say,FUZZ)
	@rm -rf $(BUILD)/fuzz/short/recording && mkdir -p $(BUILD)/fuzz/short/recording
	@log=$(BUILD)/fuzz/short-recording.log; $< $(SAVE_FUZZ_RUN) -seed=1 -runs=500 -max_total_time=20 \
		$(BUILD)/fuzz/short/recording $(RECORDING_CORPUS) > $$log 2>&1 || { cat $$log; exit 1; }

fuzz-short-file fuzz-short-zstd: fuzz-short-%: $(BUILD)/fuzz/%
	$(call say,FUZZ)
	@rm -rf $(BUILD)/fuzz/short/$* && mkdir -p $(BUILD)/fuzz/short/$*
	@log=$(BUILD)/fuzz/short/$*.log; $< $(SAVE_FUZZ_RUN) -seed=1 -runs=2000 -max_total_time=20 \
		$(BUILD)/fuzz/short/$* $(SAVE_CORPUS) > $$log 2>&1 || { cat $$log; exit 1; }

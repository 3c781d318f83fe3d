# How Kin is tested; the rest is in fuzz/fuzz.mk and tools/lint.mk.

##@ Testing

TEST_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/*.c tests/generator/*.c tests/generator/*/*.c \
	tests/runtime/*/*.c tests/save/*.c tests/save/*/*.c tests/net/*.c tests/pool/*.c tests/content/*.c tests/model/*.c tests/model/*/*.c \
	tests/threads/hostile.c) \
	$(if $(INSPECT_MISSING),,$(wildcard tests/inspector/*.c)) $(if $(NATS_MISSING),,$(wildcard tests/nats/*.c)) \
	$(if $(ENET_MISSING),,$(wildcard tests/enet/*.c)))
TEST_FLAGS := -D_XOPEN_SOURCE=700 -DKIN_CHECKED -I. -Iruntime/include -Iruntime/src -Isave/include -Isave/src -Inet/include -Inats/include -Inats/src -Ienet/include -Ienet/src -Ipool/include -Icontent/include -Icontent/src -Iinspector/include -Iinspector/src \
	-Inet/src -Itests -I$(GENERATED) $(if $(INSPECT_MISSING),-DTESTS_WITHOUT_INSPECTOR) $(if $(NATS_MISSING),-DTESTS_WITHOUT_NATS) $(if $(ENET_MISSING),-DTESTS_WITHOUT_ENET)
TEST_PROGRAM := $(BUILD)/tests/check

$(BUILD)/needed/tests:
	@$(call needs,pkg-config,pkg-config)
	@$(call needs_header,check.h,check)
	@$(call needs_header,jansson.h,libjansson-dev)
	@$(call needs_header,xxhash.h,libxxhash-dev)
	@touch $@

# Tests run for moments, and compile in half the time without optimization. But the games of the model run long, and
# check that what generated headers inline is still right with $(CFLAGS).
UNOPTIMIZED := $(if $(filter -O2 -O3,$(CFLAGS)),-O0)

$(BUILD)/tests/%.o: tests/%.c | $(BUILD)/needed/tests
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(if $(filter tests/model/%,$<),,$(UNOPTIMIZED)) $(TEST_FLAGS) -c $< -o $@

# Calls that tests can make fail: tests/generator/faults.h. The clock, which they can set. And what is slow in Check.
WRAPPED := calloc open read write fsync close rename unlink mkdir opendir flock lstat _mark_point exit
WRAPPED += $(if $(INSPECT_MISSING),,clock_gettime nanosleep)
# Functions of libraries are found once, not in each process of a test.
WRAP_FLAGS := $(WRAPPED:%=-Wl,--wrap=%) -Wl,-z,now

# The pages of the reference, which are not part of kin.
REFERENCE_PAGES := $(BUILD)/generator/tools/reference.o

$(TEST_PROGRAM): $(TEST_OBJECTS) $(GENERATOR_OBJECTS) $(REFERENCE_PAGES) $(CHECKED_NET_OBJECTS) $(CHECKED_SAVE_OBJECTS) \
		$(CHECKED_OBJECTS) $(CHECKED_POOL_OBJECTS) $(CHECKED_CONTENT_OBJECTS) $(CHECKED_CONTENT_EDIT) $(CHECKED_INSPECT_OBJECTS) $(CHECKED_NATS_OBJECTS) $(CHECKED_ENET_OBJECTS) $(call objects_of,$(TEST_PACKAGES))
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(WRAP_FLAGS) -pthread $^ -lyaml -lzstd $(INSPECT_LINKED) $(if $(NATS_MISSING),,$(NATS_LINKED)) $(if $(ENET_MISSING),,$(ENET_LINKED)) $(shell pkg-config --libs check) -o $@

# The same tests again, with the calls of Kin from tests and generated code redirected through tests/sweep.
SWEEP_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/sweep/*.c))
SWEEP_PROGRAM := $(BUILD)/tests/sweep/check
SWEEP_EYES := $(BUILD)/tests/runtime/support/visible.o
SWEPT_OBJECTS = $(patsubst $(BUILD)/%,$(BUILD)/swept/%,$(filter-out $(SWEEP_EYES),$(TEST_OBJECTS)) \
	$(call objects_of,$(TEST_PACKAGES)))

$(BUILD)/tests/sweep/names: $(SWEEP_OBJECTS)
	@nm $(SWEEP_OBJECTS) | awk '$$2 == "T" && $$3 ~ /^sweep_kin/ { print substr($$3, 7), $$3 }' > $@

$(BUILD)/swept/%.o: $(BUILD)/%.o $(BUILD)/tests/sweep/names
	@mkdir -p $(@D)
	$(Q)objcopy --redefine-syms=$(BUILD)/tests/sweep/names $< $@

$(SWEEP_PROGRAM): $(SWEPT_OBJECTS) $(SWEEP_OBJECTS) $(SWEEP_EYES) $(GENERATOR_OBJECTS) $(REFERENCE_PAGES) \
		$(CHECKED_NET_OBJECTS) $(CHECKED_SAVE_OBJECTS) $(CHECKED_OBJECTS) $(CHECKED_POOL_OBJECTS) $(CHECKED_CONTENT_OBJECTS) $(CHECKED_CONTENT_EDIT) $(CHECKED_INSPECT_OBJECTS) $(CHECKED_NATS_OBJECTS) $(CHECKED_ENET_OBJECTS)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(WRAP_FLAGS) -pthread $^ -lyaml -lzstd $(INSPECT_LINKED) $(if $(NATS_MISSING),,$(NATS_LINKED)) $(if $(ENET_MISSING),,$(ENET_LINKED)) $(shell pkg-config --libs check) -o $@

# A program of its own, as the thread sanitizer excludes the others. gcc's, as it is installed with the compiler.
THREADS_PROGRAM := $(BUILD)/tests/threads/threads
THREADS_BUILD := $(BUILD)/thread-sanitizer
THREADS_SOURCES := $(wildcard tests/threads/*.c) tests/runtime/support/play.c tests/runtime/context/refusals.c \
	tests/save/buffer.c $(RUNTIME_SOURCES) $(SAVE_SOURCES) $(POOL_SOURCES)
THREADS_COMPILE := $(if $(filter ccache,$(firstword $(CC))),ccache) gcc -std=c17 $(WARNINGS) -D_XOPEN_SOURCE=700 \
	-O1 -g -fsanitize=thread -pthread -MMD -MP \
	-Iruntime/include -Iruntime/src -Isave/include -Isave/src -Ipool/include -Ipool/src -Iinspector/include \
	-Iinspector/src -I. -Itests -Itests/threads \
	-I$(GENERATED)

$(THREADS_BUILD)/generated/%.o: $(GENERATED)/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(THREADS_COMPILE) -c $< -o $@

$(THREADS_BUILD)/%.o: %.c | $(BUILD)/needed/save
	@$(call needs,gcc,gcc)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(THREADS_COMPILE) -c $< -o $@

$(THREADS_PROGRAM): $(THREADS_SOURCES:%.c=$(THREADS_BUILD)/%.o) \
		$(patsubst $(BUILD)/%,$(THREADS_BUILD)/%,$(call objects_of,cellar commons army))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)gcc -fsanitize=thread -pthread $^ -lzstd -o $@

# The suites of the pool and of shared contexts, and an example, with the sanitizer in everything.
THREADS_SUITES := $(BUILD)/tests/threads/suites
THREADS_SUITE_SOURCES := tests/threads/suites/main.c tests/pool/test_pool.c tests/runtime/lookup/test_piece.c \
	tests/runtime/context/test_share.c tests/runtime/context/test_share_refusals.c tests/runtime/lookup/test_index_copy.c \
	tests/runtime/support/support.c tests/runtime/support/guard.c tests/runtime/context/refusals.c tests/threads/hostile.c \
	$(addprefix tests/runtime/support/,commands_case.c hive_case.c tumult_case.c) \
	$(addprefix tests/runtime/world/,test_access.c test_branches.c test_commands.c test_commands_memory.c \
	test_commands_random.c test_jobs.c test_jobs_memory.c test_parallel.c test_same.c test_serial.c) \
	$(RUNTIME_SOURCES) $(POOL_SOURCES)
THREADS_EXAMPLE := $(BUILD)/tests/threads/swarm
THREADS_EXAMPLE_SOURCES := examples/executors/main.c examples/executors/pool.c $(RUNTIME_SOURCES) $(POOL_SOURCES)

$(THREADS_SUITES): $(THREADS_SUITE_SOURCES:%.c=$(THREADS_BUILD)/%.o) \
		$(patsubst $(BUILD)/%,$(THREADS_BUILD)/%,$(call objects_of,commons army grove hive ranch tumult))
	$(call say,LINK)
	$(Q)gcc -fsanitize=thread -pthread $^ $(shell pkg-config --libs check) -o $@

$(THREADS_EXAMPLE): $(THREADS_EXAMPLE_SOURCES:%.c=$(THREADS_BUILD)/%.o) \
		$(patsubst $(BUILD)/%,$(THREADS_BUILD)/%,$(call objects_of,swarm))
	$(call say,LINK)
	$(Q)gcc -fsanitize=thread -pthread $^ -o $@

# The suites of the inspector with a real server; libmicrohttpd itself is not instrumented.
THREADS_INSPECT := $(BUILD)/tests/threads/inspect
THREADS_INSPECT_SOURCES := tests/threads/inspect/main.c $(addprefix tests/inspector/,http_case.c inspect_case.c \
	test_inspect_http.c test_inspect_stream.c test_inspect_threads.c) \
	$(addprefix tests/runtime/support/,drops.c guard.c hive_case.c relay_case.c support.c town_case.c) \
	tests/shell.c \
	$(addprefix generator/base/,arena.c text.c) $(INSPECT_SOURCES) $(RUNTIME_SOURCES) $(POOL_SOURCES)

$(THREADS_BUILD)/inspector/%.o: inspector/%.c | $(BUILD)/needed/inspect
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(THREADS_COMPILE) $(INSPECT_FLAGS) -c $< -o $@

$(THREADS_INSPECT): $(THREADS_INSPECT_SOURCES:%.c=$(THREADS_BUILD)/%.o) $(BUILD)/inspector-page/files.o \
		$(patsubst $(BUILD)/%,$(THREADS_BUILD)/%,$(call objects_of,attic everything hive relay town))
	$(call say,LINK)
	$(Q)gcc -fsanitize=thread -pthread -Wl,--wrap=clock_gettime -Wl,--wrap=nanosleep $^ $(INSPECT_LINKED) $(shell pkg-config --libs check) -o $@

CHECK_THREADS_INSPECT := $(if $(INSPECT_MISSING),,$(THREADS_INSPECT))

.PHONY: check-threads
check-threads: $(THREADS_PROGRAM) $(THREADS_SUITES) $(THREADS_EXAMPLE) $(CHECK_THREADS_INSPECT) $(TEST_PROGRAM) ## Run all that shares a context under the thread sanitizer
	@KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' FLAGS='$(CFLAGS)' $(TEST_PROGRAM) threads
	@tests/tools/threads.sh $(THREADS_EXAMPLE) $(THREADS_SUITES) $(CHECK_THREADS_INSPECT)

# Has a sanitizer of its own; other builds that run the tests set it to nothing, and leave out the suite.
CHECK_THREADS ?= $(THREADS_PROGRAM)

.PHONY: tests check check-all check-sanitize check-generated
tests: check-program $(SWEEP_PROGRAM) $(CHECK_THREADS) $(BENCH_PROGRAM)

# What the suites of `make check` run.
.PHONY: check-program
check-program: all $(BUILD)/lib/libkin-save.a $(REFERENCE) $(TEST_PROGRAM) $(EXAMPLE_PROGRAMS)

# If clang with libFuzzer is installed, check-all also runs the fuzzers for a short time.
CHECK_FUZZ ?= $(if $(wildcard $(LIBFUZZER)),fuzz-short)
# Counts instructions in a build of its own.
CHECK_INSTRUCTIONS ?= check-instructions
# Runs gcc and clang itself, whatever compiler builds the rest.
CHECK_VECTORS ?= check-vectors

# The number of random operations that each game of the model of the rules plays: fewer if each takes longer.
MODEL_OPERATIONS ?= 500000

RUN_TESTS = KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' FLAGS='$(CFLAGS)' tests/tools/check.sh $(TEST_PROGRAM)

# Suites that check leaves to check-all: they need programs of their own, build projects with several compilers and
# build systems, or compare how two sizes grow.
LONG_SUITES := cpp generated install makefile random_names reader_cost readme recompile rooms runtime_jobs_compile \
	scale stamp strangers sweep threads

# Suites of which check runs a part, and check-long all: shell_runs_all of tests/shell.h.
LONGER_SUITES := command content_equal docs habits init lsp_broken lsp_rename output_kill reader_change save_dump_world yaml_suite

# Begins first, so that no processor waits for it at the end.
LONGEST_SUITES := docs

CHECK_NOTE := make check-all adds other compilers and build systems, memory that fails, threads under the thread sanitizer, \
	fuzzers for a short time, instruction counts and longer random games.

# Suites whose tests cannot share a process: they end it, run threads or programs that look for games, or count what it
# does. The tests of all others share one, as a process for each often takes longer than its test, and much longer if a
# sanitizer looks for leaks at its end.
FORKED_SUITES := arena nats nats_standby output save_dump save_write \
	$(if $(INSPECT_MISSING),,inspect_command inspect_content inspect_report inspect_terminal)
NOT_FORKED := $(FORKED_SUITES:%=-%)

check: check-program ## Run the tests of behaviour; the last line is the totals
	@NOTE='$(CHECK_NOTE)' KIN_MODEL_OPERATIONS=$(or $(KIN_MODEL_OPERATIONS),20000) $(RUN_TESTS) \
		$(LONGEST_SUITES) 'each $(FORKED_SUITES)' 'each CK_FORK=no $(LONG_SUITES:%=-%) $(LONGEST_SUITES:%=-%) $(NOT_FORKED)'

# These run one after the other, as they run make in this folder.
MAKING_SUITES := install makefile readme recompile
LONG_GROUPS := '$(MAKING_SUITES)' 'each $(filter-out $(MAKING_SUITES),$(LONG_SUITES)) $(LONGER_SUITES)'
CHECK_GROUPS ?= $(LONG_GROUPS) 'each $(LONG_SUITES:%=-%) $(LONGER_SUITES:%=-%)'

RUN_GROUPS = KIN_MODEL_OPERATIONS=$(or $(KIN_MODEL_OPERATIONS),$(MODEL_OPERATIONS)) $(RUN_TESTS) $(CHECK_GROUPS)

check-all: tests $(CHECK_FUZZ) $(CHECK_INSTRUCTIONS) $(CHECK_VECTORS) ## Run all tests, the fuzzers for a short time, and count instructions
	@KIN_CHECK_ALL=yes $(RUN_GROUPS)

.PHONY: check-long
check-long: ## Run what check-all runs in addition to check, but not its longer games
	+@$(MAKE) --no-print-directory CHECK_GROUPS="$(LONG_GROUPS)" check-all

.PHONY: check-groups
check-groups: check-program
	@$(RUN_GROUPS)

.PHONY: check-places
check-places: tests ## Build projects in folders with odd names, and for another machine, if its compiler is installed
	@CK_RUN_CASE=places KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' FLAGS='$(CFLAGS)' tests/tools/check.sh $(TEST_PROGRAM) install

.PHONY: check-vectors
check-vectors: $(GENERATED)/flock.stamp
	@tests/tools/vectors.sh $(GENERATED)

# The suites that play KIN_STEPS random steps against a second implementation.
STEP_SUITES := runtime_relation_random runtime_ordered_random runtime_grid_random runtime_tree_random runtime_list_random runtime_shared_random \
	runtime_commands_random content_reload_random

.PHONY: check-models
check-models: $(TEST_PROGRAM) ## Play ten million steps of each suite that has a second implementation, and of the models of the rules
	@KIN_STEPS=10000000 KIN_MODEL_OPERATIONS=10000000 CK_TIMEOUT_MULTIPLIER=30 $(TEST_PROGRAM) $(STEP_SUITES) runtime_model \
		runtime_snapshot_model

.PHONY: check-kills
check-kills: $(KIN) $(BUILD)/examples/saves/town_v1 ## Kill kin lock and a save at each of their system calls
	@$(call needs,strace,strace)
	@tests/tools/kills.sh $^

.PHONY: soak
soak: $(TEST_PROGRAM) ## Play new games against the model of the rules until interrupted, or for SOAK_SECONDS
	@tests/model/soak.sh $(TEST_PROGRAM) "$(SOAK_SECONDS)" $(STEP_SUITES)

# In a folder that build.mk skips when it searches for .d files.
.PHONY: newcomer
newcomer: ## Follow README and the manual in a clean Debian 12; needs root and debootstrap, takes ten minutes
	@$(call needs,debootstrap,debootstrap)
	@mkdir -p $(BUILD)
	@tests/tools/newcomer.sh $(abspath $(BUILD))/kin-test-newcomer

.PHONY: rules
rules: tests ## Run all tests and list the tests that show each rule of docs/rules.md
	@CK_TAP_LOG_FILE_NAME=$(BUILD)/tests/rules.tap CK_VERBOSITY=silent KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' \
		FLAGS='$(CFLAGS)' $(TEST_PROGRAM) || true
	@tests/tools/rules.sh $(BUILD)/tests/rules.tap

check-generated: $(PACKAGES:%=$(GENERATED)/%.stamp) $(REFERENCE) ## Fail when what `make generated` writes is out of date
	@for package in $(PACKAGES); do $(KIN) generate --check -o generated schemas/$$package.yaml || \
		{ echo "generated/$$package is out of date: run make generated and commit what it wrote" >&2; exit 1; }; done
	@for folder in generated/*/; do case " $(PACKAGES) " in *" $$(basename $$folder) "*) ;; \
		*) echo "$$folder belongs to no schema: remove it" >&2; exit 1;; esac; done
	@$(KIN) schema | cmp - schemas/kin.schema.json || \
		{ echo "schemas/kin.schema.json is out of date: run make generated and commit what it wrote" >&2; exit 1; }
	@for page in $(PAGES); do $(REFERENCE) $$page | cmp - docs/$$page || \
		{ echo "docs/$$page is out of date: run make generated and commit what it wrote" >&2; exit 1; }; done

.PHONY: golden
golden: $(KIN) $(EXAMPLE_PROGRAMS) ## Write the golden files of tests/ again; review the difference
	tests/tools/golden.sh $(KIN) $(BUILD)/examples

SANITIZE = $(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize CHECK_THREADS= \
	CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' \
	MODEL_OPERATIONS=$(or $(KIN_MODEL_OPERATIONS),100000)

# Suites that read pages and build projects, which sanitizers do not check, or that measure time: the others run the same
# code of Kin.
NOT_SANITIZED := -threads -generated -cpp -random_names -content_equal -runtime_jobs_compile -stamp -init -strangers -makefile -recompile -habits -rooms -subjects -install -window -readme -docs -rules -reader_cost -scale

# Of these check-sanitize runs a part, or nothing, and check-sanitize-sweep all.
LONG_SANITIZED := cpp random_names content_equal $(filter-out content_equal docs habits init,$(LONGER_SUITES))

# The allocators of the tests of the runtime and the inspector detect leaks themselves.
OWN_LEAKS := runtime_ $(if $(INSPECT_MISSING),,inspect_)
ONE_PROCESS := -sweep $(NOT_SANITIZED) $(NOT_FORKED)

.PHONY: check-sanitize-sweep
check-sanitize: ## Run the tests, but not the sweep, with the address and undefined behaviour sanitizers
	+@$(SANITIZE) CHECK_GROUPS="'each CK_FORK=no $(OWN_LEAKS:%=-%) $(ONE_PROCESS)' \
		'each ASAN_OPTIONS=detect_leaks=0 CK_FORK=no $(OWN_LEAKS) $(ONE_PROCESS)' \
		'each $(FORKED_SUITES)'" check-groups

check-sanitize-sweep: ## The same for the sweep, in which each request for memory fails once, and for suites that take long
	+@KIN_CHECK_ALL=yes $(SANITIZE) CHECK_GROUPS="sweep 'each $(LONG_SANITIZED)'" tests check-groups

# Without the suites that mostly run compilers and other programs, which valgrind does not check, or thousands of
# inputs, which the sanitizers check. Nor with those that abort or are killed while they hold memory, that of the pool,
# which stops a thread while all others of valgrind wait for it, and those of the inspector, as valgrind is too slow for its
# limits of time: the thread sanitizer runs these.
VALGRIND := valgrind -q --fair-sched=try --leak-check=full --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99 \
	--suppressions=tests/tools/valgrind.supp
NOT_VALGRIND := -generated -nats -enet -strangers -makefile -recompile -install -examples -play -window -readme -reference -docs -completion -habits -rooms \
	-subjects -gdb -inspect_ -runtime_canary -sweep -threads -output_kill -pool -save_kill -reader_change -reader_cost -yaml_suite -scale

.PHONY: check-valgrind check-valgrind-tests
check-valgrind: ## Run the tests of the generator and the runtime under valgrind
	@$(call needs,$(VALGRIND),valgrind)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind CFLAGS='-O1 -g' check-valgrind-tests

check-valgrind-tests: $(KIN) $(TEST_PROGRAM)
	@KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' FLAGS='$(CFLAGS)' CK_TIMEOUT_MULTIPLIER=50 KIN_MODEL_OPERATIONS=20000 \
		$(VALGRIND) $(TEST_PROGRAM) $(NOT_VALGRIND)

.PHONY: mutants
mutants: ## Add small faults to the runtime, one by one; fails if the tests do not detect them
	@COMPILER='$(CC)' tests/tools/mutants.sh $(BUILD)/mutants

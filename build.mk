# How everything is built, tested and installed; the Makefile includes it.
#
# Everything is built out of tree, below $(BUILD). The generator comes first; it makes the C of every schema into
# $(BUILD)/generated, from which all else compiles. Only `make generated` writes the committed copy in generated/.
#
# A schema's outputs have one stamp: kin touches only what changed, so that an edit recompiles what depends on it and
# nothing else. An output that somebody deleted comes back.

CFLAGS ?= -O3 -g
CLANG_FORMAT ?= clang-format
CPPCHECK ?= cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr

VERSION := $(shell sed -n 's/^\#define KIN_VERSION "\(.*\)"/\1/p' runtime/include/kin/platform.h)
SONAME := libkin.so.$(shell sed -n 's/^\#define KIN_INTERFACE_VERSION //p' runtime/include/kin/platform.h)
KIN := $(BUILD)/bin/kin

# gcc's -Wshadow minds a variable that is named like a type; clang's does not.
SHADOW := $(if $(findstring clang,$(shell $(CC) --version)),-Wshadow,-Wshadow=local)
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
COMPILE = $(CC) -std=c17 $(WARNINGS) $(SHADOW) $(CFLAGS) -MMD -MP
# What users are promised of generated code (docs: contract of the generated files).
STRICT = $(CC) -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Werror $(CFLAGS) -MMD -MP

# `make V=1` shows whole commands, otherwise a line for each file.
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)	$@')

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: FORCE

##@ Building

.PHONY: all
all: $(KIN) $(BUILD)/lib/libkin.a $(BUILD)/lib/libkin.so $(BUILD)/include/kin.mk ## Build kin, libkin.a and libkin.so

# ---- The generator

# Six libraries: the templates of generated code, the files of a new project, the file of a system, the page about a
# package, the scripts for shells, and what the codes of diagnostics mean.
TEMPLATES_templates_builtin := $(sort $(wildcard templates/*.mustache))
TEMPLATES_templates_init := $(sort $(wildcard templates/init/*.mustache))
TEMPLATES_templates_scaffold := $(sort $(wildcard templates/scaffold/*.mustache))
TEMPLATES_templates_doc := $(sort $(wildcard templates/doc/*.mustache))
TEMPLATES_templates_completion := $(sort $(wildcard templates/completion/*.mustache))
TEMPLATES_explanations := $(sort $(wildcard explanations/*.txt))
TEMPLATE_LIBRARIES := templates_builtin templates_init templates_scaffold templates_doc templates_completion \
	explanations
REFERENCE_SOURCES := $(wildcard generator/reference*.c)
GENERATOR_SOURCES := $(filter-out generator/embed.c generator/main.c $(REFERENCE_SOURCES),$(wildcard generator/*.c))
TEMPLATE_OBJECTS := $(TEMPLATE_LIBRARIES:%=$(BUILD)/generator/library_%.o)
GENERATOR_OBJECTS := $(GENERATOR_SOURCES:%.c=$(BUILD)/%.o) $(TEMPLATE_OBJECTS)
GENERATOR_FLAGS := -D_POSIX_C_SOURCE=200809L -Igenerator -Iruntime/include

$(BUILD)/generator/%.o: generator/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(GENERATOR_FLAGS) -c $< -o $@

$(BUILD)/generator/library_%.o: $(BUILD)/generator/library_%.c
	$(call say,CC)
	$(Q)$(COMPILE) $(GENERATOR_FLAGS) -c $< -o $@

$(BUILD)/bin/embed: generator/embed.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(GENERATOR_FLAGS) $< -o $@

define template_rules
$(BUILD)/generator/library_$(1).c: $(BUILD)/bin/embed $(TEMPLATES_$(1)) $(BUILD)/generator/library_$(1).list
	$$(call say,EMBED)
	$$(Q)$(BUILD)/bin/embed $$@ $(1) $(TEMPLATES_$(1))

# Changes when a template comes or goes, which the templates' own times do not show.
$(BUILD)/generator/library_$(1).list: FORCE
	@mkdir -p $$(@D)
	@echo '$(TEMPLATES_$(1))' | cmp -s - $$@ || echo '$(TEMPLATES_$(1))' > $$@
endef
$(foreach library,$(TEMPLATE_LIBRARIES),$(eval $(call template_rules,$(library))))

$(KIN): $(BUILD)/generator/main.o $(GENERATOR_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lyaml -o $@

# What writes the pages that are made from the language and from the usage of kin.
REFERENCE := $(BUILD)/bin/reference

$(REFERENCE): $(REFERENCE_SOURCES:%.c=$(BUILD)/%.o) $(GENERATOR_OBJECTS)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lyaml -o $@

# ---- The runtime: released without checks, tested with all of them

RUNTIME_SOURCES := $(wildcard runtime/src/*.c)
RUNTIME_OBJECTS := $(RUNTIME_SOURCES:%.c=$(BUILD)/%.o)
CHECKED_OBJECTS := $(RUNTIME_SOURCES:%.c=$(BUILD)/checked/%.o)
RUNTIME_FLAGS := -Iruntime/include -fPIC -fvisibility=hidden

$(BUILD)/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(RUNTIME_FLAGS) -DNDEBUG -c $< -o $@

$(BUILD)/checked/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(RUNTIME_FLAGS) -DKIN_CHECKED -c $< -o $@

$(BUILD)/lib/libkin.a: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/lib/libkin.so: $(RUNTIME_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) $^ -o $(BUILD)/lib/$(SONAME)
	@ln -sf $(SONAME) $@

# ---- Generated code

PACKAGES := $(patsubst schemas/%.yaml,%,$(wildcard schemas/*.yaml))
TEST_PACKAGES := $(patsubst tests/schemas/%.yaml,%,$(wildcard tests/schemas/*.yaml))
BENCH_PACKAGES := $(patsubst bench/%.yaml,%,$(wildcard bench/*.yaml))
EXAMPLE_PACKAGES := $(patsubst %.yaml,%,$(notdir $(wildcard examples/*/*.yaml)))
ALL_PACKAGES := $(PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES) $(EXAMPLE_PACKAGES)
GENERATED := $(BUILD)/generated

schema_of = $(firstword $(wildcard schemas/$(1).yaml tests/schemas/$(1).yaml bench/$(1).yaml examples/$(1)/$(1).yaml))
objects_of = $(foreach package,$(1),$(patsubst %.c,%.o,$(filter %.c,$($(package)_FILES))))

# Which files a package has, and from which schemas it was made, is known once it is generated: kin writes them, then
# this list, which make reads anew.
ifneq ($(filter-out help clean deps lint format mutants,$(or $(MAKECMDGOALS),all)),)
-include $(ALL_PACKAGES:%=$(GENERATED)/%.mk)
endif

# The first line of a depfile names the files on the left.
$(GENERATED)/%.mk: $(GENERATED)/%.stamp
	@sed -n '1s|: .*||p' $(GENERATED)/$*.depfile | sed 's|^|$*_FILES := |' > $@
	@sed 's|^.*: |$<: |' $(GENERATED)/$*.depfile >> $@

# The schemas of tests do on purpose what kin advises against.
advice_of = $(if $(filter $(1),$(PACKAGES) $(EXAMPLE_PACKAGES)),,2> $(GENERATED)/$(1).log || { cat $(GENERATED)/$(1).log >&2; exit 1; })

# Without a manifest kin could not tell whose the files are. In here they are nobody's but its own.
define package_rules
$(GENERATED)/$(1).stamp: $(call schema_of,$(1)) $(KIN) $$(if $$(filter-out $$(wildcard $$($(1)_FILES)),$$($(1)_FILES)),FORCE)
	@mkdir -p $$(@D)
	$$(call say,KIN)
	@test -e $(GENERATED)/$(1)/.kin-manifest || rm -rf $(GENERATED)/$(1)
	$$(Q)$(KIN) generate -q -o $(GENERATED) --depfile $$(@:.stamp=.depfile) $$< $(call advice_of,$(1))
	@touch $$@
endef
$(foreach package,$(ALL_PACKAGES),$(eval $(call package_rules,$(package))))

# The headers of opaque types are with the tests.
$(GENERATED)/%.o: $(GENERATED)/%.c
	$(call say,CC)
	$(Q)$(STRICT) -Iruntime/include -Itests -c $< -o $@

# Pages of docs/ that are made from the language itself.
PAGES := schema.md kin.1 kin-schema.5

.PHONY: generated
generated: $(PACKAGES:%=$(GENERATED)/%.stamp) $(REFERENCE) ## Write generated/ from schemas/, and the reference
	@for package in $(PACKAGES); do $(KIN) generate -o generated schemas/$$package.yaml || exit; done
	@$(KIN) schema > schemas/kin.schema.json
	@for page in $(PAGES); do $(REFERENCE) $$page > docs/$$page; done

# ---- Examples

EXAMPLES := $(patsubst examples/%/main.c,%,$(wildcard examples/*/main.c))
EXAMPLE_PROGRAMS := $(foreach example,$(EXAMPLES),$(BUILD)/examples/$(example)/$(example))
EXAMPLE_FLAGS := -D_XOPEN_SOURCE=700 -Iruntime/include -I$(GENERATED)

# What only one of them needs: a terminal.
match_one_LIBRARIES = $(shell pkg-config --libs ncursesw)

$(BUILD)/examples/%.o: examples/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(EXAMPLE_FLAGS) -c $< -o $@

define example_rules
$(BUILD)/examples/$(1)/$(1): $(patsubst %.c,$(BUILD)/%.o,$(wildcard examples/$(1)/*.c)) $(call objects_of,$(1)) \
		$(BUILD)/lib/libkin.a
	$$(call say,LINK)
	$$(Q)$(CC) $(CFLAGS) $$^ $$($(1)_LIBRARIES) -o $$@
endef
$(foreach example,$(EXAMPLES),$(eval $(call example_rules,$(example))))

.PHONY: play demo demo-arena
play: $(BUILD)/examples/match_one/match_one ## Play Match-One in this terminal
	@$<

demo: $(BUILD)/examples/match_one/match_one ## Watch Match-One being played, the same game for the same seed
	$< --demo

demo-arena: $(BUILD)/examples/arena/arena ## Watch the arena: a thousand units that fight, the same for the same seed
	$<

##@ Fuzzing

# A target is a file of tests/fuzz, which says what its inputs are; inputs to begin with are in the folder of its name
# beside it. What it learns is kept in $(BUILD)/fuzz/corpus, and an input that broke something in $(BUILD)/fuzz.
CLANG := $(shell command -v clang)
LIBFUZZER := $(if $(CLANG),$(shell $(CLANG) -print-resource-dir)/lib/linux/libclang_rt.fuzzer-$(shell uname -m).a)
FUZZ_SECONDS ?= 600
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)
FUZZ_SANITIZERS := address,undefined
FUZZ_COMPILE = $(CLANG) -std=c17 $(WARNINGS) -O1 -g -MMD -MP -fno-omit-frame-pointer -fno-sanitize-recover=all \
	-fsanitize=fuzzer-no-link,$(FUZZ_SANITIZERS) -Itests/generator $(TEST_FLAGS)
FUZZ_OBJECTS := $(GENERATOR_OBJECTS:$(BUILD)/%=$(BUILD)/fuzz/objects/%) $(BUILD)/fuzz/objects/tests/generator/trial.o
FUZZ_FIXTURES_reader := schemas tests/schemas tests/bad
FUZZ_FIXTURES_template := templates
fuzz_fixtures = $(wildcard tests/fuzz/$(1)) $(FUZZ_FIXTURES_$(1))
FUZZ_FLAGS := -timeout=10 -rss_limit_mb=2048 -artifact_prefix=$(BUILD)/fuzz/

$(BUILD)/fuzz/objects/generator/library_%.o: $(BUILD)/generator/library_%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_COMPILE) -c $< -o $@

$(BUILD)/fuzz/objects/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_COMPILE) -c $< -o $@

$(FUZZ_PROGRAMS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/objects/tests/fuzz/%.o $(FUZZ_OBJECTS)
	$(call say,LINK)
	$(Q)$(CLANG) -fsanitize=fuzzer,$(FUZZ_SANITIZERS) $^ -lyaml -o $@

# Broken inputs for FUZZ_SECONDS a target, and then every change of one byte of the good schemas: twenty minutes.
.PHONY: fuzz fuzz-short $(FUZZ_TARGETS:%=fuzz-%) $(FUZZ_TARGETS:%=fuzz-short-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%) tests ## Fuzz for long (FUZZ_SECONDS=600 each target), try every change of a byte
	KIN_CHANGES=all CK_RUN_SUITE=reader_change nice -n 19 $(TEST_PROGRAM)

$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(BUILD)/fuzz/%
	@mkdir -p $(BUILD)/fuzz/corpus/$*
	nice -n 19 $< $(FUZZ_FLAGS) -max_total_time=$(FUZZ_SECONDS) $(BUILD)/fuzz/corpus/$* $(call fuzz_fixtures,$*)

# The same inputs in every run, silent unless one of them breaks something.
fuzz-short: $(FUZZ_TARGETS:%=fuzz-short-%)
$(FUZZ_TARGETS:%=fuzz-short-%): fuzz-short-%: $(BUILD)/fuzz/%
	$(call say,FUZZ)
	@rm -rf $(BUILD)/fuzz/short/$* && mkdir -p $(BUILD)/fuzz/short/$*
	@$< $(FUZZ_FLAGS) -seed=1 -runs=2000 -max_total_time=20 $(BUILD)/fuzz/short/$* $(call fuzz_fixtures,$*) \
		> $(BUILD)/fuzz/short/$*.log 2>&1 || { cat $(BUILD)/fuzz/short/$*.log; exit 1; }

##@ Testing

TEST_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/*.c tests/generator/*.c tests/runtime/*.c tests/model/*.c))
TEST_FLAGS := -D_XOPEN_SOURCE=700 -DKIN_CHECKED -Igenerator -Iruntime/include -Iruntime/src -Itests -I$(GENERATED)
TEST_PROGRAM := $(BUILD)/tests/check

$(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(TEST_FLAGS) -c $< -o $@

# These calls can be made to fail: tests/generator/faults.h.
WRAPPED := open read write fsync close rename unlink mkdir opendir flock lstat
WRAP_FLAGS := $(WRAPPED:%=-Wl,--wrap=%)

$(TEST_PROGRAM): $(TEST_OBJECTS) $(GENERATOR_OBJECTS) $(CHECKED_OBJECTS) $(call objects_of,$(TEST_PACKAGES))
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(WRAP_FLAGS) $^ -lyaml -ljansson $(shell pkg-config --libs check) -o $@

# The same again, with what tests and generated code call of Kin led through tests/sweep, which looks by itself.
SWEEP_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/sweep/*.c))
SWEEP_PROGRAM := $(BUILD)/tests/sweep/check
SWEEP_EYES := $(BUILD)/tests/runtime/visible.o
SWEPT_OBJECTS = $(patsubst $(BUILD)/%,$(BUILD)/swept/%,$(filter-out $(SWEEP_EYES),$(TEST_OBJECTS)) \
	$(call objects_of,$(TEST_PACKAGES)))

$(BUILD)/tests/sweep/names: $(SWEEP_OBJECTS)
	@nm $(SWEEP_OBJECTS) | awk '$$2 == "T" && $$3 ~ /^sweep_kin/ { print substr($$3, 7), $$3 }' > $@

$(BUILD)/swept/%.o: $(BUILD)/%.o $(BUILD)/tests/sweep/names
	@mkdir -p $(@D)
	$(Q)objcopy --redefine-syms=$(BUILD)/tests/sweep/names $< $@

$(SWEEP_PROGRAM): $(SWEPT_OBJECTS) $(SWEEP_OBJECTS) $(SWEEP_EYES) $(GENERATOR_OBJECTS) $(CHECKED_OBJECTS)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(WRAP_FLAGS) $^ -lyaml -ljansson $(shell pkg-config --libs check) -o $@

# Apart, as the thread sanitizer bears no other beside it; gcc's, as it comes with the compiler.
THREADS_PROGRAM := $(BUILD)/tests/threads/threads

$(THREADS_PROGRAM): tests/threads/main.c tests/runtime/play.c tests/runtime/play.h $(RUNTIME_SOURCES) \
		$(wildcard runtime/src/*.h runtime/include/kin/*.h) $(GENERATED)/cellar.stamp
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)gcc -std=c17 $(WARNINGS) -O1 -g -fsanitize=thread -pthread -Iruntime/include -Itests -Itests/runtime \
		-I$(GENERATED) $(filter %.c,$^) $(GENERATED)/cellar/*.c -o $@

.PHONY: tests check check-sanitize check-generated
tests: all $(REFERENCE) $(TEST_PROGRAM) $(SWEEP_PROGRAM) $(THREADS_PROGRAM) $(EXAMPLE_PROGRAMS) $(BENCH_PROGRAM)

# Where clang is and brings libFuzzer, also a short fuzzing.
CHECK_FUZZ ?= $(if $(wildcard $(LIBFUZZER)),fuzz-short)
# How many random operations the model of the rules plays: fewer where each takes longer.
MODEL_OPERATIONS ?= $(if $(KIN_MODEL_OPERATIONS),$(KIN_MODEL_OPERATIONS),2000000)

# The instructions that operations take are those of a build of its own: not for other builds that are made to check.
CHECK_INSTRUCTIONS ?= check-instructions

# Asks gcc and clang themselves, whatever builds the rest.
CHECK_VECTORS ?= check-vectors

check: tests $(CHECK_FUZZ) $(CHECK_INSTRUCTIONS) $(CHECK_VECTORS) ## Run all tests; the last line is the totals
	@KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' FLAGS='$(CFLAGS)' KIN_MODEL_OPERATIONS=$(MODEL_OPERATIONS) $(TEST_PROGRAM)

.PHONY: check-vectors
check-vectors: $(GENERATED)/flock.stamp
	@tests/vectors.sh $(GENERATED)

.PHONY: soak
soak: $(TEST_PROGRAM) ## Play new games against the model of the rules until told to stop, or for SOAK_SECONDS
	@tests/model/soak.sh $(TEST_PROGRAM) $(SOAK_SECONDS)

.PHONY: rules
rules: tests ## Run all tests and list for every rule of meaning those that show it
	@CK_TAP_LOG_FILE_NAME=$(BUILD)/tests/rules.tap CK_VERBOSITY=silent KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' \
		FLAGS='$(CFLAGS)' $(TEST_PROGRAM) || true
	@tests/rules.sh $(BUILD)/tests/rules.tap ../shared/behaviours.md

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
golden: $(KIN) $(EXAMPLE_PROGRAMS) ## Write the golden files of tests/ anew: look at what has changed
	tests/golden.sh $(KIN) $(BUILD)/examples

check-sanitize: ## Run all tests with the address and undefined behaviour sanitizers
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize CHECK_FUZZ= CHECK_INSTRUCTIONS= CHECK_VECTORS= \
		CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' \
		MODEL_OPERATIONS=$(or $(KIN_MODEL_OPERATIONS),200000) check

# Without the suites that give their time to compilers and other programs, which valgrind would not look into, or to
# thousands of inputs, which the sanitizers see.
VALGRIND := valgrind -q --leak-check=full --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99
NOT_VALGRIND := -generated -makefile -install -examples -play -window -readme -reference -docs -completion -habits -gdb -sweep \
	-threads -output_kill -reader_change -reader_cost -yaml_suite -scale

.PHONY: check-valgrind check-valgrind-tests
check-valgrind: ## Run the tests of the generator and the runtime under valgrind
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind CFLAGS='-O1 -g' check-valgrind-tests

check-valgrind-tests: $(KIN) $(TEST_PROGRAM)
	@KIN=$(KIN) BUILD=$(BUILD) COMPILER='$(CC)' FLAGS='$(CFLAGS)' CK_TIMEOUT_MULTIPLIER=50 KIN_MODEL_OPERATIONS=20000 \
		$(VALGRIND) $(TEST_PROGRAM) $(NOT_VALGRIND)

.PHONY: mutants
mutants: ## Break the runtime in forty small ways, one by one: fails when tests do not notice
	@COMPILER='$(CC)' tests/mutants.sh $(BUILD)/mutants

# ---- How fast it is

BENCH_PROGRAM := $(BUILD)/bench/bench
BENCH_FLAGS := -D_GNU_SOURCE -Ibench -Iruntime/include -I$(GENERATED)

.PHONY: bench
bench: $(BENCH_PROGRAM) ## Compare with the same work on hand-written arrays, 1,000 to 1,000,000 entities, in two minutes
	$< -o $(BUILD)
	@echo "The figures are in $(BUILD)/bench.json, a chart in $(BUILD)/bench.svg."

$(BUILD)/bench/machine.o: BENCH_FLAGS += -DBENCH_FLAGS='"$(CFLAGS)"'

$(BUILD)/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(BENCH_FLAGS) -c $< -o $@

$(BENCH_PROGRAM): $(patsubst %.c,$(BUILD)/%.o,$(wildcard bench/*.c)) $(call objects_of,$(BENCH_PACKAGES)) \
		$(BUILD)/lib/libkin.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lm -o $@

# What operations cost as worlds grow. By components there is a program for each number, from a schema made for it.
GROWTH_PROGRAM := $(BUILD)/bench/growth/growth
GROWTH_COMPONENTS := 1 10 100 1000
GROWTH_PROGRAMS := $(GROWTH_COMPONENTS:%=$(BUILD)/bench/growth/components_%)
WORLD_PROGRAMS := $(GROWTH_COMPONENTS:%=$(BUILD)/bench/growth/systems_%)

.PHONY: bench-growth
bench-growth: $(GROWTH_PROGRAM) $(GROWTH_PROGRAMS) $(WORLD_PROGRAMS) ## What operations cost with up to 10^7 entities, 1,000 components, groups and systems
	$(GROWTH_PROGRAM)
	@set -e; for program in $(GROWTH_PROGRAMS) $(WORLD_PROGRAMS); do $$program; done

$(GROWTH_PROGRAM): $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/components.c %/systems.c,$(wildcard bench/growth/*.c)) \
		$(filter-out bench/main.c,$(wildcard bench/*.c))) $(call objects_of,$(BENCH_PACKAGES)) $(BUILD)/lib/libkin.a
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

# The instructions of the core operations, from a build whose flags are always these.
INSTRUCTION_FLAGS := -O3
INSTRUCTION_BUILD := $(BUILD)/instructions
INSTRUCTION_PROGRAM := $(INSTRUCTION_BUILD)/operations
INSTRUCTION_SOURCES := $(RUNTIME_SOURCES) $(wildcard bench/instructions/*.c)
INSTRUCTION_COMPILE = $(CC) -std=c17 $(INSTRUCTION_FLAGS) -DNDEBUG -fPIC -fvisibility=hidden -MMD -MP -Iruntime/include \
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
		$(patsubst $(BUILD)/%,$(INSTRUCTION_BUILD)/%,$(call objects_of,bench))
	$(call say,LINK)
	$(Q)$(CC) $^ -o $@

.PHONY: bench-instructions check-instructions
bench-instructions: $(INSTRUCTION_PROGRAM) ## Count the instructions of the core operations and keep them
	@bench/instructions.sh record $< bench/instructions.txt

check-instructions: $(INSTRUCTION_PROGRAM)
	@bench/instructions.sh compare $< bench/instructions.txt

##@ Reading

PANDOC ?= pandoc
DOXYGEN ?= doxygen
DOCS ?= $(BUILD)/docs
DOCS_PAGES := $(patsubst docs/%.md,%,$(filter-out docs/README.md,$(wildcard docs/*.md)))
to_html = $(PANDOC) -f gfm -t html5 -s --lua-filter docs/links.lua --metadata pagetitle='Kin: $(1)' -c style.css \
	$(2) -o $(DOCS)/$(1).html

# What is to be installed when a program is not there.
needs = command -v $(1) > /dev/null || { echo "$(1) is not there. On Debian 12: apt-get install $(2)" >&2; exit 1; }

.PHONY: docs docs-api
docs: ## Make HTML of the manual, in build/docs, with pandoc
	@$(call needs,$(PANDOC),pandoc)
	@mkdir -p $(DOCS)
	@cp docs/style.css $(DOCS)
	@$(foreach page,$(DOCS_PAGES),$(call to_html,$(page),docs/$(page).md) &&) \
		$(call to_html,index,docs/README.md) && $(call to_html,readme,README.md)
	@echo "The manual is in $(DOCS)/index.html."

docs-api: ## Make the API reference, in build/docs/api, with doxygen: what is not described is an error
	@$(call needs,$(DOXYGEN),doxygen)
	@mkdir -p $(DOCS)/api
	@(cat docs/Doxyfile; echo 'OUTPUT_DIRECTORY = $(DOCS)/api') | $(DOXYGEN) -
	@echo "The API reference is in $(DOCS)/api/index.html."

##@ Keeping it in shape

FORMATTED := $(wildcard generator/*.[ch] runtime/include/kin/*.h runtime/src/*.[ch] tests/*.[ch] tests/*/*.[ch] \
	examples/*/*.[ch] examples/*/*/*.[ch] bench/*.[ch] bench/*/*.[ch])

.PHONY: lint format
lint: $(BUILD)/lib/libkin.so ## Check the format, look for bugs, compare exported symbols with the headers
	$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)
	$(CPPCHECK) -Igenerator -Iruntime/include generator runtime/src examples
	tests/lint_symbols.sh $(BUILD)/lib/libkin.so
	tests/lint_sizes.sh

format: ## Bring all C files into the format
	$(CLANG_FORMAT) -i $(FORMATTED)

.PHONY: compile_commands.json
compile_commands.json: ## What editors and clang-tidy need to know
	$(file > $@,[)
	$(foreach source,$(GENERATOR_SOURCES) generator/main.c,$(call compile_command,$(GENERATOR_FLAGS)))
	$(foreach source,$(RUNTIME_SOURCES),$(call compile_command,$(RUNTIME_FLAGS) -DKIN_CHECKED))
	$(foreach source,$(wildcard tests/*.c tests/*/*.c),$(call compile_command,$(TEST_FLAGS)))
	$(foreach source,$(wildcard examples/*/*.c examples/*/*/*.c),$(call compile_command,$(EXAMPLE_FLAGS)))
	$(file >> $@,{"directory": "$(CURDIR)"$(comma) "file": "generator/embed.c"$(comma) "command": "$(CC) -c generator/embed.c"}])
	@echo 'wrote $@'

comma := ,
compile_command = $(file >> $@,{"directory": "$(CURDIR)"$(comma) "file": "$(source)"$(comma) \
	"command": "$(CC) -std=c17 $(WARNINGS) $(1) -c $(source)"}$(comma))

include packaging/install.mk

include window.mk

-include $(shell find $(BUILD) -type f -name '*.d' 2> /dev/null)

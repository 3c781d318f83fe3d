# How kin, libkin and generated code are built; includes the other makefiles. The Makefile includes this one.
#
# Everything is built below $(BUILD). The generator is built first; it writes the C of every schema into
# $(BUILD)/generated, which everything else compiles. Only `make generated` writes the committed copy in generated/.
#
# A schema's outputs share one stamp. kin writes only the files that changed, so that an edit recompiles only files that
# depend on it. A deleted output is written again.

CFLAGS ?= -O3
CLANG_FORMAT ?= clang-format
CPPCHECK ?= cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr

VERSION := $(shell sed -n 's/^\#define KIN_VERSION "\(.*\)"/\1/p' runtime/include/kin/platform.h)
SONAME := libkin.so.$(shell sed -n 's/^\#define KIN_INTERFACE_VERSION //p' runtime/include/kin/platform.h)
KIN := $(BUILD)/bin/kin

COMPILER_NAME := $(if $(findstring clang,$(shell $(CC) --version 2> /dev/null)),clang,gcc)
COMPILER_VERSION := $(COMPILER_NAME)-$(firstword $(subst ., ,$(shell $(CC) -dumpversion 2> /dev/null)))
# Only for the tested compilers: the new warnings of another compiler must not stop the build.
WERROR := $(if $(filter gcc-12 clang-14,$(COMPILER_VERSION)),-Werror)
# gcc's -Wshadow reports a variable with the name of a type; clang's does not.
SHADOW := $(if $(filter clang,$(COMPILER_NAME)),-Wshadow,-Wshadow=local)
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
COMPILE = $(CC) -std=c17 $(WARNINGS) $(SHADOW) $(CFLAGS) -MMD -MP
# Half of a build would be the optimization of programs that work for milliseconds: of kin, kin-inspect and tests.
LESS_OPTIMIZED := $(if $(filter -O2 -O3,$(CFLAGS)),-O1)
# The flags under which generated code must compile (docs: contract of the generated files).
STRICT = $(CC) -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes $(WERROR) $(CFLAGS) -MMD -MP

# `make V=1` prints whole commands; otherwise make prints a line for each file.
Q := $(if $(V),,@)
say = $(if $(V),,@echo '  $(1)	$@')

# In a function of make 4.3, \# would keep its backslash.
hash := \#

# A missing program or header is reported with the package to install, before a command fails.
lacks = { echo "$(1) is missing. On Debian 12: apt-get install $(2)" >&2; exit 1; }
needs = command -v $(firstword $(1)) > /dev/null || $(call lacks,$(firstword $(1)),$(2))
needs_header = echo '$(hash)include <$(1)>' | $(CC) -E -x c - > /dev/null 2>&1 || $(call lacks,$(1),$(2))

# The compiler and libyaml, which nearly everything needs, are checked once while make reads this.
WITHOUT_KIN := %/libkin.a %/libkin.so %/libkin_pool.a %/libkin-save.a %/libkin-net.a %/libkin-nats.a %/libkin-enet.a %/libkin-content.a %/libkin-content-edit.a help clean deps% docs docs-api dist uninstall format compile_commands.json mutants newcomer \
	check-sanitize check-sanitize-sweep check-valgrind
NEEDS_KIN := $(filter-out $(WITHOUT_KIN),$(or $(MAKECMDGOALS),all))
ifneq ($(if $(wildcard $(BUILD)/needed/kin),,$(NEEDS_KIN)),)
MISSING := $(shell exec 2>&1; $(call needs,$(CC),gcc); echo 'int main(void) { return 0; }' | \
	$(CC) -std=c17 -fsyntax-only -x c - 2> /dev/null || $(call lacks,A $(firstword $(CC)) that knows C17,gcc); \
	$(call needs_header,yaml.h,libyaml-dev); mkdir -p $(BUILD)/needed && touch $(BUILD)/needed/kin)
$(if $(MISSING),$(error $(MISSING)))
endif

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: FORCE

##@ Building

.PHONY: all
all: $(KIN) $(BUILD)/lib/libkin.a $(BUILD)/lib/libkin.so $(BUILD)/lib/libkin_pool.a $(BUILD)/include/kin.mk ## Build kin, libkin and libkin_pool

# ---- Rooms: the sources of a folder are joined and compiled as one file, in a third of the time

ROOMS := $(wildcard generator/* runtime/src/* save/src/* net/src/* nats/src/* enet/src/* pool/src/* content/src/* inspector/src/*)

# The object of each room that has one of the sources. The second argument is empty, or a folder of $(BUILD) and a slash.
room_objects = $(patsubst %/,$(BUILD)/$(2)%.o,$(sort $(dir $(1))))

# Rules name the file of a room like a source. It is made again when its folder changes, as a source can be removed.
vpath %.c $(BUILD)/rooms
$(ROOMS): ;
define join_rule
$(BUILD)/rooms/$(1).c: $(2) $(3) packaging/names.awk packaging/room.awk
	@mkdir -p $$(@D)
	$$(call say,JOIN)
	$$(Q)awk -f packaging/names.awk -f packaging/room.awk $(2) > $$@
endef
$(foreach room,$(ROOMS),$(eval $(call join_rule,$(room),$(filter-out generator/%/main.c,$(wildcard $(room)/*.c)),$(room))))

# ---- The generator

# Seven libraries: the templates of generated code, those of the C++ face, the files of a new project, the file of a system, the page about a
# package, the scripts for shells, and the explanations of diagnostics.
TEMPLATE_FILES := $(wildcard templates/*.mustache templates/component/*.mustache templates/world/*.mustache)
TEMPLATES_templates_builtin := $(sort $(TEMPLATE_FILES))
TEMPLATES_templates_cpp := $(sort $(wildcard templates/cpp/*.mustache))
TEMPLATES_templates_init := $(sort $(wildcard templates/init/*.mustache))
TEMPLATES_templates_scaffold := $(sort $(wildcard templates/scaffold/*.mustache))
TEMPLATES_templates_doc := $(sort $(wildcard templates/doc/*.mustache))
TEMPLATES_templates_completion := $(sort $(wildcard templates/completion/*.mustache))
TEMPLATES_explanations := $(sort $(wildcard generator/source/explanations/*/*.txt))
TEMPLATE_LIBRARIES := templates_builtin templates_cpp templates_init templates_scaffold templates_doc templates_completion \
	explanations
REFERENCE_SOURCES := $(wildcard generator/tools/reference*.c)
GENERATOR_SOURCES := $(filter-out generator/tools/% generator/verbs/main.c,$(wildcard generator/*/*.c))
TEMPLATE_OBJECTS := $(TEMPLATE_LIBRARIES:%=$(BUILD)/generator/library_%.o)
GENERATOR_OBJECTS := $(call room_objects,$(GENERATOR_SOURCES)) $(TEMPLATE_OBJECTS)
GENERATOR_FLAGS := -D_POSIX_C_SOURCE=200809L -I. -Iruntime/include -Iruntime/src -Isave/include -Isave/src -Icontent/src

# What kin has of the libraries: the blocks of saves, and packs of content. Tests link the libraries themselves.
SHARED_RUNTIME := $(addprefix runtime/src/,base/memory.c base/xxh64.c snapshot/shape.c)
SHARED_SOURCES := $(SHARED_RUNTIME) $(wildcard save/src/file/*.c content/src/pack/*.c)
$(eval $(call join_rule,runtime,$(SHARED_RUNTIME)))
SHARED_OBJECTS := $(addprefix $(BUILD)/shared/,runtime.o save/src/file.o content/src/pack.o)
# Without libzstd, kin refuses compressed saves.
HAS_ZSTD := $(shell echo '$(hash)include <zstd.h>' | $(CC) -E -x c - > /dev/null 2>&1 && echo yes)
SHARED_FLAGS := $(GENERATOR_FLAGS) -DNDEBUG $(if $(HAS_ZSTD),,-DKIN__WITHOUT_ZSTD)
GENERATOR_LIBS := -lyaml $(if $(HAS_ZSTD),-lzstd)

# Changes when libzstd is installed or removed, so that kin is built again.
$(BUILD)/shared/zstd: FORCE
	@mkdir -p $(@D)
	@echo '$(HAS_ZSTD)' | cmp -s - $@ || echo '$(HAS_ZSTD)' > $@

$(BUILD)/shared/%.o: %.c $(BUILD)/shared/zstd
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(LESS_OPTIMIZED) $(SHARED_FLAGS) -c $< -o $@

$(BUILD)/generator/%.o: generator/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(LESS_OPTIMIZED) $(GENERATOR_FLAGS) -c $< -o $@

$(BUILD)/generator/library_%.o: $(BUILD)/generator/library_%.c
	$(call say,CC)
	$(Q)$(COMPILE) $(LESS_OPTIMIZED) $(GENERATOR_FLAGS) -c $< -o $@

$(BUILD)/bin/embed: $(BUILD)/generator/tools/embed.o
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $< -o $@

define template_rules
$(BUILD)/generator/library_$(1).c: $(BUILD)/bin/embed $(TEMPLATES_$(1)) $(BUILD)/generator/library_$(1).list
	$$(call say,EMBED)
	$$(Q)$(BUILD)/bin/embed $$@ $(1) $(TEMPLATES_$(1))

# Changes when a template is added or removed, which the templates' own times do not show.
$(BUILD)/generator/library_$(1).list: FORCE
	@mkdir -p $$(@D)
	@echo '$(TEMPLATES_$(1))' | cmp -s - $$@ || echo '$(TEMPLATES_$(1))' > $$@
endef
$(foreach library,$(TEMPLATE_LIBRARIES),$(eval $(call template_rules,$(library))))

$(KIN): $(BUILD)/generator/verbs/main.o $(GENERATOR_OBJECTS) $(SHARED_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ $(GENERATOR_LIBS) -o $@

# The program that writes the pages generated from the language and from the usage of kin.
REFERENCE := $(BUILD)/bin/reference

$(REFERENCE): $(REFERENCE_SOURCES:%.c=$(BUILD)/%.o) $(GENERATOR_OBJECTS) $(SHARED_OBJECTS)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ $(GENERATOR_LIBS) -o $@

# ---- The runtime: installed without checks, tested with all of them. Its sources are compiled alone, as a program links
# only those that it uses, and as gcc inlines less in larger files.

RUNTIME_SOURCES := $(wildcard runtime/src/*/*.c)
RUNTIME_OBJECTS := $(RUNTIME_SOURCES:%.c=$(BUILD)/%.o)
CHECKED_OBJECTS := $(call room_objects,$(RUNTIME_SOURCES),checked/)
RUNTIME_FLAGS := -Iruntime/include -Iruntime/src -fPIC -fvisibility=hidden

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
TEST_PACKAGES := $(basename $(notdir $(wildcard tests/schemas/*.yaml tests/schemas/saves/*.yaml tests/schemas/threads/*.yaml)))
BENCH_PACKAGES := $(patsubst bench/%.yaml,%,$(wildcard bench/*.yaml))
EXAMPLE_PACKAGES := $(patsubst %.yaml,%,$(notdir $(wildcard examples/*/*.yaml)))
FUZZ_PACKAGES := $(patsubst %.yaml,%,$(notdir $(wildcard tests/fuzz/*/*.yaml)))
ALL_PACKAGES := $(PACKAGES) $(TEST_PACKAGES) $(BENCH_PACKAGES) $(EXAMPLE_PACKAGES) $(FUZZ_PACKAGES)
GENERATED := $(BUILD)/generated

schema_of = $(firstword $(wildcard schemas/$(1).yaml tests/schemas/$(1).yaml tests/schemas/saves/$(1).yaml \
	tests/schemas/threads/$(1).yaml bench/$(1).yaml examples/*/$(1).yaml tests/fuzz/*/$(1).yaml))
objects_of = $(foreach package,$(1),$(patsubst %.c,%.o,$(filter %.c,$($(package)_FILES))))

# The files of a package and the schemas that it includes are known after kin has generated it: kin writes the files,
# then this list, and make reads all makefiles again. Kin itself needs no package, and the games only their own.
PRODUCT_GOALS := all save net content content-edit inspect install deb amalgamation lint room-objects
GAME_GOALS := demo demo-arena play play-window screenshot browser check-browser
PACKAGE_GOALS := $(filter-out $(PRODUCT_GOALS),$(NEEDS_KIN))
NEEDED_PACKAGES := $(if $(filter-out $(GAME_GOALS),$(PACKAGE_GOALS)),$(ALL_PACKAGES),$(if $(PACKAGE_GOALS),match_one arena))
-include $(NEEDED_PACKAGES:%=$(GENERATED)/%.mk)

# The first line of a depfile names the files on the left.
$(GENERATED)/%.mk: $(GENERATED)/%.stamp
	@sed -n '1s|: .*||p' $(GENERATED)/$*.depfile | sed 's|^|$*_FILES := |' > $@
	@sed 's|^.*: |$<: |' $(GENERATED)/$*.depfile >> $@

# The schemas of tests cause warnings on purpose.
advice_of = $(if $(filter $(1),$(PACKAGES) $(EXAMPLE_PACKAGES) $(BENCH_PACKAGES)),,2> $(GENERATED)/$(1).log || { cat $(GENERATED)/$(1).log >&2; exit 1; })

# Without a manifest kin cannot know that it wrote the files. Below $(GENERATED) all files are its own.
define package_rules
$(GENERATED)/$(1).stamp: $(call schema_of,$(1)) $(KIN) $$(if $$(filter-out $$(wildcard $$($(1)_FILES)),$$($(1)_FILES)),FORCE)
	@mkdir -p $$(@D)
	$$(call say,KIN)
	@test -e $(GENERATED)/$(1)/.kin-manifest || rm -rf $(GENERATED)/$(1)
	$$(Q)$(KIN) generate -q -o $(GENERATED) --depfile $$(@:.stamp=.depfile) $$< $(call advice_of,$(1))
	@touch $$@
endef
$(foreach package,$(ALL_PACKAGES),$(eval $(call package_rules,$(package))))

# The headers of opaque types are in tests/.
$(GENERATED)/%.o: $(GENERATED)/%.c
	$(call say,CC)
	$(Q)$(STRICT) -Iruntime/include -Isave/include -Inet/include -Itests -I$(GENERATED) -c $< -o $@

# The pages of docs/ that are generated from the language.
PAGES := schema.md kin.1 kin-schema.5

.PHONY: generated
generated: $(PACKAGES:%=$(GENERATED)/%.stamp) $(REFERENCE) ## Write generated/ from schemas/, and the reference
	@for package in $(PACKAGES); do $(KIN) generate -o generated schemas/$$package.yaml || exit; done
	@$(KIN) schema > schemas/kin.schema.json
	@for page in $(PAGES); do $(REFERENCE) $$page > docs/$$page; done

# The other makefiles are in the folders that they build. The tests follow the programs that they run.
PARTS := save/save.mk net/net.mk nats/nats.mk enet/enet.mk pool/pool.mk content/content.mk inspector/inspector.mk examples/examples.mk bench/bench.mk tests/fuzz/fuzz.mk tests/fuzz/runtime.mk tests/fuzz/inspect.mk tests/tests.mk tests/inspector/browser.mk tests/editors/editors.mk \
	tests/tools/lint.mk tests/portability/portability.mk examples/window.mk examples/browser.mk docs/docs.mk packaging/install.mk
include $(PARTS)

# Without the projects that failed tests left there, and without $(BUILD)/bin, whose programs depend on objects alone.
-include $(shell find $(BUILD) \( -name 'kin-test-*' -o -path '*/bin' \) -prune -o -type f -name '*.d' -print 2> /dev/null)

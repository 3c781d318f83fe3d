# Formatting and checking the sources.

##@ Format and lint

FORMATTED := $(wildcard generator/*/*.[ch] runtime/include/kin/*.h runtime/include/kin/generated/*.h runtime/src/*/*.[ch] save/include/kin/*.h save/include/kin/generated/*.h save/src/*/*.[ch] net/include/kin/*.h net/include/kin/generated/*.h net/src/*/*.[ch] nats/include/kin/*.h nats/src/*/*.[ch] enet/include/kin/*.h enet/src/*/*.[ch] pool/include/kin/*.h pool/src/*/*.[ch] content/include/kin/*.h content/src/*/*.[ch] \
	inspector/include/kin/*.h inspector/src/*/*.[ch] \
	tests/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch] tests/*/*/*/*.[ch] examples/*/*.[ch] examples/*/*/*.[ch] bench/*.[ch] bench/*/*.[ch])

# Each source of a room, compiled alone: it includes what it needs, and calls no room above its own.
ROOM_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard generator/*/*.c) $(RUNTIME_SOURCES) $(SAVE_SOURCES) $(NET_SOURCES) $(if $(NATS_MISSING),,$(NATS_SOURCES) $(NET_COMMAND_SOURCES)) $(if $(ENET_MISSING),,$(ENET_SOURCES)) $(POOL_SOURCES) $(CONTENT_SOURCES) $(wildcard content/src/edit/*.c) $(INSPECT_SOURCES) $(INSPECT_COMMAND_SOURCES))

# As gcc compiles it: cppcheck would take seven times as long for all macros that it finds. It keeps what it knows of
# files that do not change. The JavaScript of emscripten's EM_JS is not C.
cppcheck = $(CPPCHECK) -j $$(nproc) --cppcheck-build-dir=$(BUILD)/cppcheck/$(1) -D__GNUC__=12 '-DEM_JS(...)=' -I. \
	-Iruntime/include -Iruntime/src -Isave/include -Isave/src -Inet/include -Inet/src -Inats/include -Inats/src -Ienet/include -Ienet/src -Ipool/include -Ipool/src -Icontent/include -Icontent/src -Iinspector/include -Iinspector/src \
	runtime/src save/src net/src nats/src enet/src pool/src content/src inspector/src

.PHONY: lint format room-objects
room-objects: $(ROOM_OBJECTS)
lint: $(BUILD)/lib/libkin.so ## Check format, symbols, sizes, rooms and commit subjects; find bugs
	@$(call needs,$(CLANG_FORMAT),clang-format)
	@$(call needs,$(CPPCHECK),cppcheck)
	@echo '  FORMAT	$(words $(FORMATTED)) files'
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)
	@mkdir -p $(BUILD)/cppcheck/fast $(BUILD)/cppcheck/checked
	$(call cppcheck,fast) generator examples
	$(call cppcheck,checked) -DKIN_CHECKED
	tests/tools/lint_symbols.sh $(BUILD)/lib/libkin.so
	tests/tools/lint_sizes.sh
	+$(Q)$(MAKE) --no-print-directory $(JOBS) BUILD=$(BUILD)/alone CFLAGS=-O0 room-objects
	tests/tools/lint_rooms.py $(BUILD)/alone
	tests/tools/lint_subjects.sh

.PHONY: house figures
house: $(RUNTIME_SOURCES:%.c=$(BUILD)/checked/%.o) ## Measure files and functions, and how many files one change reaches
	@tests/tools/house.py $(BUILD)
figures: ## Measure generated code, builds and pages; with BEFORE=FOLDER in turns with an older version in that folder
	@tests/tools/figures.py $(BEFORE)

format: ## Format all C files
	@$(call needs,$(CLANG_FORMAT),clang-format)
	$(Q)$(CLANG_FORMAT) -i $(FORMATTED)

.PHONY: compile_commands.json
compile_commands.json: ## Write the compilation database for editors and clang-tidy
	$(file > $@,[)
	$(foreach source,$(GENERATOR_SOURCES) generator/verbs/main.c,$(call compile_command,$(GENERATOR_FLAGS)))
	$(foreach source,$(RUNTIME_SOURCES),$(call compile_command,$(RUNTIME_FLAGS) -DKIN_CHECKED))
	$(foreach source,$(INSPECT_SOURCES) $(INSPECT_COMMAND_SOURCES),$(call compile_command,$(INSPECT_FLAGS) -DKIN_CHECKED))
	$(foreach source,$(wildcard tests/*.c tests/*/*.c tests/*/*/*.c),$(call compile_command,$(TEST_FLAGS)))
	$(foreach source,$(wildcard examples/*/*.c examples/*/*/*.c),$(call compile_command,$(EXAMPLE_FLAGS)))
	$(file >> $@,{"directory": "$(CURDIR)"$(comma) "file": "generator/tools/embed.c"$(comma) "command": "$(CC) -c generator/tools/embed.c"}])
	@echo 'wrote $@'

comma := ,
compile_command = $(file >> $@,{"directory": "$(CURDIR)"$(comma) "file": "$(source)"$(comma) \
	"command": "$(CC) -std=c17 $(WARNINGS) $(1) -c $(source)"}$(comma))

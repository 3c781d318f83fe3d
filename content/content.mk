# libkin-content, the library of content: it uses libkin alone. Tests use the checked build of both.

CONTENT_SOURCES := $(wildcard content/src/pack/*.c content/src/live/*.c)
CONTENT_OBJECTS := $(call room_objects,$(CONTENT_SOURCES))
CHECKED_CONTENT_OBJECTS := $(call room_objects,$(CONTENT_SOURCES),checked/)
CONTENT_FLAGS := $(RUNTIME_FLAGS) -Icontent/include -Icontent/src

$(BUILD)/content/%.o: content/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(CONTENT_FLAGS) -DNDEBUG -c $< -o $@

$(BUILD)/checked/content/%.o: content/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(CONTENT_FLAGS) -DKIN_CHECKED -c $< -o $@

.PHONY: content
content: $(BUILD)/lib/libkin-content.a ## Build libkin-content.a, which needs libkin alone

$(BUILD)/lib/libkin-content.a: $(CONTENT_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

all: $(BUILD)/lib/libkin-content.a

# libkin-content-edit: the compiler of content that kin has, in the game. It is one object whose internal names are its
# own, as the compiler's have no prefix.

# What it has of the compiler.
CONTENT_COMPILER_SOURCES := $(filter-out generator/content/describe.c,$(wildcard generator/content/*.c)) \
	$(addprefix generator/schema/,scalar.c names.c reserved.c type.c)
$(eval $(call join_rule,compiler,$(CONTENT_COMPILER_SOURCES)))
CONTENT_EDIT_ROOMS := content/src/edit generator/base generator/source compiler
CONTENT_EDIT_OBJECTS := $(CONTENT_EDIT_ROOMS:%=$(BUILD)/content-edit/%.o)
CHECKED_CONTENT_EDIT := $(BUILD)/checked/content-edit.o
CONTENT_EDIT_FLAGS := $(CONTENT_FLAGS) -D_POSIX_C_SOURCE=200809L -I. -Isave/include -Isave/src
HAS_YAML := $(shell echo '$(hash)include <yaml.h>' | $(CC) -E -x c - > /dev/null 2>&1 && echo yes)

$(BUILD)/content-edit/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(LESS_OPTIMIZED) $(CONTENT_EDIT_FLAGS) -DNDEBUG -c $< -o $@

$(BUILD)/checked/content-edit/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(LESS_OPTIMIZED) $(CONTENT_EDIT_FLAGS) -DKIN_CHECKED -c $< -o $@

# Where lint looks for the object of each source.
$(BUILD)/content/src/edit/%.o: content/src/edit/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(CONTENT_EDIT_FLAGS) -c $< -o $@

OBJCOPY ?= objcopy
join_edit = $(CC) $(CFLAGS) -nostdlib -r $(filter %.o,$^) -o $@ && $(OBJCOPY) --localize-hidden $@

$(BUILD)/content-edit.o: $(CONTENT_EDIT_OBJECTS) content/content.mk
	$(call say,JOIN)
	$(Q)$(join_edit)

$(CHECKED_CONTENT_EDIT): $(CONTENT_EDIT_ROOMS:%=$(BUILD)/checked/content-edit/%.o) content/content.mk
	$(call say,JOIN)
	$(Q)$(join_edit)

.PHONY: content-edit
content-edit: $(BUILD)/lib/libkin-content-edit.a ## Build libkin-content-edit.a, which needs libkin-content and libyaml

$(BUILD)/lib/libkin-content-edit.a: $(BUILD)/content-edit.o
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

all: $(if $(HAS_YAML),$(BUILD)/lib/libkin-content-edit.a)

INSTALLED_CONTENT_EDIT = $(BUILD)/lib/libkin-content-edit.a:$(LIBDIR)

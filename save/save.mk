# libkin-save, the library of saves: it uses libkin and libzstd. Tests use the checked build of both.

SAVE_SOURCES := $(wildcard save/src/*/*.c)
SAVE_OBJECTS := $(call room_objects,$(SAVE_SOURCES))
CHECKED_SAVE_OBJECTS := $(call room_objects,$(SAVE_SOURCES),checked/)
SAVE_FLAGS := $(RUNTIME_FLAGS) -Isave/include -Isave/src

$(BUILD)/needed/save:
	@mkdir -p $(@D)
	@$(call needs_header,zstd.h,libzstd-dev)
	@touch $@

$(BUILD)/save/%.o: save/%.c | $(BUILD)/needed/save
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(SAVE_FLAGS) -DNDEBUG -c $< -o $@

$(BUILD)/checked/save/%.o: save/%.c | $(BUILD)/needed/save
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(SAVE_FLAGS) -DKIN_CHECKED -c $< -o $@

.PHONY: save
save: $(BUILD)/lib/libkin-save.a ## Build libkin-save.a, which needs libzstd

$(BUILD)/lib/libkin-save.a: $(SAVE_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

# Without libzstd, `make` builds all else and says so.
all: $(if $(HAS_ZSTD),$(BUILD)/lib/libkin-save.a)

INSTALLED_SAVE = $(BUILD)/lib/libkin-save.a:$(LIBDIR)

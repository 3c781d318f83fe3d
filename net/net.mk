# libkin-net, the library of networks: it uses libkin and libkin-save. Tests use the checked build of all.

NET_SOURCES := $(wildcard net/src/*/*.c)
NET_OBJECTS := $(call room_objects,$(NET_SOURCES))
CHECKED_NET_OBJECTS := $(call room_objects,$(NET_SOURCES),checked/)
NET_FLAGS := $(SAVE_FLAGS) -Inet/include -Inet/src

$(BUILD)/net/%.o: net/%.c | $(BUILD)/needed/save
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(NET_FLAGS) -DNDEBUG -c $< -o $@

$(BUILD)/checked/net/%.o: net/%.c | $(BUILD)/needed/save
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(NET_FLAGS) -DKIN_CHECKED -c $< -o $@

.PHONY: net
net: $(BUILD)/lib/libkin-net.a ## Build libkin-net.a, which needs libkin-save

$(BUILD)/lib/libkin-net.a: $(NET_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

all: $(if $(HAS_ZSTD),$(BUILD)/lib/libkin-net.a)

INSTALLED_NET = $(BUILD)/lib/libkin-net.a:$(LIBDIR)

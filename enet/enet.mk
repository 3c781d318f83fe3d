# libkin-enet, a transport over ENet: it uses libkin-net, libenet and threads. Without their headers, `make` builds all
# else and says so. Tests use the checked build.

HAS_ENET := $(shell echo '$(hash)include <enet/enet.h>' | $(CC) -E -x c - > /dev/null 2>&1 && echo yes)
ENET_MISSING := $(if $(HAS_ENET),$(if $(HAS_ZSTD),,libkin-net),libenet-dev)
ENET_LINKED := -lenet -pthread

ENET_SOURCES := $(wildcard enet/src/*/*.c)
ENET_OBJECTS := $(call room_objects,$(ENET_SOURCES))
CHECKED_ENET_OBJECTS := $(if $(ENET_MISSING),,$(call room_objects,$(ENET_SOURCES),checked/))
ENET_FLAGS := -D_GNU_SOURCE $(RUNTIME_FLAGS) -Isave/include -Inet/include -Ienet/include -Ienet/src -pthread

$(BUILD)/needed/enet: | $(BUILD)/needed/save
	@$(call needs_header,enet/enet.h,libenet-dev)
	@touch $@

$(BUILD)/enet/%.o: enet/%.c | $(BUILD)/needed/enet
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(ENET_FLAGS) -DNDEBUG -c $< -o $@

$(BUILD)/checked/enet/%.o: enet/%.c | $(BUILD)/needed/enet
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(ENET_FLAGS) -DKIN_CHECKED -c $< -o $@

.PHONY: enet
enet: $(BUILD)/lib/libkin-enet.a ## Build libkin-enet.a, which needs libkin-net and libenet

$(BUILD)/lib/libkin-enet.a: $(ENET_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

all: $(if $(ENET_MISSING),,$(BUILD)/lib/libkin-enet.a)

INSTALLED_ENET = $(BUILD)/lib/libkin-enet.a:$(LIBDIR)

# libkin-nats, a transport over NATS: it uses libkin-net, libnats and threads. Without their headers, `make` builds all
# else and says so. Tests use the checked build.

HAS_NATS := $(shell echo '$(hash)include <nats/nats.h>' | $(CC) -E -x c - > /dev/null 2>&1 && echo yes)
NATS_MISSING := $(if $(HAS_NATS),$(if $(HAS_ZSTD),,libkin-net),libnats-dev)
NATS_LINKED := -lnats -pthread

# kin-net, a program that lists worlds and saves recordings.
NET_COMMAND_SOURCES := $(wildcard nats/src/command/*.c)
NET_COMMAND := $(BUILD)/bin/kin-net

NATS_SOURCES := $(filter-out $(NET_COMMAND_SOURCES),$(wildcard nats/src/*/*.c))
NATS_OBJECTS := $(call room_objects,$(NATS_SOURCES))
CHECKED_NATS_OBJECTS := $(if $(NATS_MISSING),,$(call room_objects,$(NATS_SOURCES),checked/))
NATS_FLAGS := -D_GNU_SOURCE $(RUNTIME_FLAGS) -Isave/include -Inet/include -Inats/include -Inats/src -pthread
NET_COMMAND_FLAGS := -Isave/src -Inet/src

$(BUILD)/needed/nats: | $(BUILD)/needed/save
	@$(call needs_header,nats/nats.h,libnats-dev)
	@touch $@

$(BUILD)/nats/%.o: nats/%.c | $(BUILD)/needed/nats
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(if $(findstring nats/src/command,$@),$(LESS_OPTIMIZED) $(NET_COMMAND_FLAGS),-DNDEBUG) $(NATS_FLAGS) -c $< -o $@

$(BUILD)/checked/nats/%.o: nats/%.c | $(BUILD)/needed/nats
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(NATS_FLAGS) -DKIN_CHECKED -c $< -o $@

.PHONY: nats
nats: $(BUILD)/lib/libkin-nats.a $(NET_COMMAND) ## Build libkin-nats.a and kin-net, with libkin-net and libnats

$(BUILD)/lib/libkin-nats.a: $(NATS_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

all: $(if $(NATS_MISSING),,$(BUILD)/lib/libkin-nats.a $(NET_COMMAND))

NET_COMMAND_LIBRARIES := $(addprefix $(BUILD)/lib/,libkin-nats.a libkin-net.a libkin-save.a libkin.a)

$(NET_COMMAND): $(call room_objects,$(NET_COMMAND_SOURCES)) $(NET_COMMAND_LIBRARIES)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ $(NATS_LINKED) -lzstd -lm -o $@

# Those of libkin-enet, too. The tests run a server of their own.
NETWORK_PACKAGES := libnats-dev nats-server openssl libenet-dev

.PHONY: deps-network
deps-network: ## Install the Debian packages that networks and their tests need
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(NETWORK_PACKAGES)'

INSTALLED_NATS = $(BUILD)/lib/libkin-nats.a:$(LIBDIR)

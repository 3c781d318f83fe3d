# libkin_pool, the library of the pool of threads: it needs no other part of Kin. Tests use the checked build.

POOL_SOURCES := $(wildcard pool/src/*/*.c)
POOL_OBJECTS := $(call room_objects,$(POOL_SOURCES))
CHECKED_POOL_OBJECTS := $(call room_objects,$(POOL_SOURCES),checked/)
POOL_FLAGS := -Iruntime/include -Ipool/include -Ipool/src -fPIC -fvisibility=hidden

$(BUILD)/pool/%.o: pool/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(POOL_FLAGS) -DNDEBUG -pthread -c $< -o $@

$(BUILD)/checked/pool/%.o: pool/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(POOL_FLAGS) -pthread -c $< -o $@

.PHONY: pool
pool: $(BUILD)/lib/libkin_pool.a ## Build libkin_pool.a, the pool of threads

$(BUILD)/lib/libkin_pool.a: $(POOL_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

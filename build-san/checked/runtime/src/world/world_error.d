build-san/checked/runtime/src/world/world_error.o: \
 runtime/src/world/world_error.c runtime/src/report/error.h \
 runtime/src/core/core.h runtime/src/base/bits.h \
 runtime/include/kin/platform.h runtime/src/base/matcher.h \
 runtime/src/base/assertion.h runtime/include/kin/generated/storage.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/src/base/memory.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/src/world/world.h \
 runtime/src/systems/systems.h runtime/src/base/fixed_step.h \
 runtime/include/kin/systems.h runtime/src/collect/collector.h \
 runtime/src/collect/buffer.h runtime/src/systems/profile.h \
 runtime/src/systems/tally.h runtime/include/kin/inventory.h \
 runtime/include/kin/memory.h runtime/include/kin/profile.h \
 runtime/src/world/inbox.h runtime/src/base/copy.h \
 runtime/src/notify/dispatch.h runtime/src/core/frame.h \
 runtime/include/kin/generated/world.h runtime/include/kin/world.h
runtime/src/report/error.h:
runtime/src/core/core.h:
runtime/src/base/bits.h:
runtime/include/kin/platform.h:
runtime/src/base/matcher.h:
runtime/src/base/assertion.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/src/base/memory.h:
runtime/include/kin/collector.h:
runtime/include/kin/generated/create.h:
runtime/include/kin/generated/direct.h:
runtime/include/kin/generated/members.h:
runtime/src/world/world.h:
runtime/src/systems/systems.h:
runtime/src/base/fixed_step.h:
runtime/include/kin/systems.h:
runtime/src/collect/collector.h:
runtime/src/collect/buffer.h:
runtime/src/systems/profile.h:
runtime/src/systems/tally.h:
runtime/include/kin/inventory.h:
runtime/include/kin/memory.h:
runtime/include/kin/profile.h:
runtime/src/world/inbox.h:
runtime/src/base/copy.h:
runtime/src/notify/dispatch.h:
runtime/src/core/frame.h:
runtime/include/kin/generated/world.h:
runtime/include/kin/world.h:

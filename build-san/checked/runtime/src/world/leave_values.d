build-san/checked/runtime/src/world/leave_values.o: \
 runtime/src/world/leave_values.c runtime/src/world/leave_values.h \
 runtime/src/collect/collector.h runtime/src/collect/buffer.h \
 runtime/src/base/memory.h runtime/src/base/assertion.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/src/core/core.h \
 runtime/src/base/bits.h runtime/src/base/matcher.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/src/storage/last_value.h \
 runtime/src/storage/value.h runtime/src/storage/owned.h \
 runtime/src/storage/chunk.h runtime/src/world/membership.h \
 runtime/src/context_systems/component_collector.h
runtime/src/world/leave_values.h:
runtime/src/collect/collector.h:
runtime/src/collect/buffer.h:
runtime/src/base/memory.h:
runtime/src/base/assertion.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/src/core/core.h:
runtime/src/base/bits.h:
runtime/src/base/matcher.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/collector.h:
runtime/include/kin/generated/create.h:
runtime/include/kin/generated/direct.h:
runtime/include/kin/generated/members.h:
runtime/src/storage/last_value.h:
runtime/src/storage/value.h:
runtime/src/storage/owned.h:
runtime/src/storage/chunk.h:
runtime/src/world/membership.h:
runtime/src/context_systems/component_collector.h:

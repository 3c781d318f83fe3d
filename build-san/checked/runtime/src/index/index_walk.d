build-san/checked/runtime/src/index/index_walk.o: \
 runtime/src/index/index_walk.c runtime/src/base/assertion.h \
 runtime/src/index/given_keys.h runtime/src/index/index.h \
 runtime/src/index/key.h runtime/src/index/table.h \
 runtime/src/base/memory.h runtime/include/kin/error.h \
 runtime/include/kin/entity.h runtime/include/kin/platform.h \
 runtime/include/kin/generated/index.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/src/storage/value.h \
 runtime/src/storage/owned.h runtime/src/storage/chunk.h \
 runtime/src/core/core.h runtime/src/base/bits.h \
 runtime/src/base/matcher.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/include/kin/inventory.h \
 runtime/include/kin/memory.h runtime/include/kin/systems.h
runtime/src/base/assertion.h:
runtime/src/index/given_keys.h:
runtime/src/index/index.h:
runtime/src/index/key.h:
runtime/src/index/table.h:
runtime/src/base/memory.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/generated/index.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/src/storage/value.h:
runtime/src/storage/owned.h:
runtime/src/storage/chunk.h:
runtime/src/core/core.h:
runtime/src/base/bits.h:
runtime/src/base/matcher.h:
runtime/include/kin/collector.h:
runtime/include/kin/generated/create.h:
runtime/include/kin/generated/direct.h:
runtime/include/kin/generated/members.h:
runtime/include/kin/inventory.h:
runtime/include/kin/memory.h:
runtime/include/kin/systems.h:

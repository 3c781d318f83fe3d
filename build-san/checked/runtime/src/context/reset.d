build-san/checked/runtime/src/context/reset.o: \
 runtime/src/context/reset.c runtime/src/context/reset.h \
 runtime/src/core/core.h runtime/src/base/bits.h \
 runtime/include/kin/platform.h runtime/src/base/matcher.h \
 runtime/src/base/assertion.h runtime/include/kin/generated/storage.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/src/base/memory.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/src/change/fast.h \
 runtime/include/kin/generated/blueprint.h runtime/src/context/holders.h \
 runtime/src/core/ending.h runtime/src/core/frame.h \
 runtime/src/destroy/cascade.h runtime/src/relation/relation.h \
 runtime/src/index/index.h runtime/src/index/key.h \
 runtime/src/index/table.h runtime/include/kin/generated/index.h \
 runtime/src/storage/value.h runtime/src/storage/owned.h \
 runtime/src/storage/chunk.h runtime/include/kin/generated/relation.h \
 runtime/src/destroy/destroy.h runtime/src/hold/hold.h \
 runtime/src/notify/dispatch.h runtime/src/report/error.h \
 runtime/src/storage/pool.h
runtime/src/context/reset.h:
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
runtime/src/change/fast.h:
runtime/include/kin/generated/blueprint.h:
runtime/src/context/holders.h:
runtime/src/core/ending.h:
runtime/src/core/frame.h:
runtime/src/destroy/cascade.h:
runtime/src/relation/relation.h:
runtime/src/index/index.h:
runtime/src/index/key.h:
runtime/src/index/table.h:
runtime/include/kin/generated/index.h:
runtime/src/storage/value.h:
runtime/src/storage/owned.h:
runtime/src/storage/chunk.h:
runtime/include/kin/generated/relation.h:
runtime/src/destroy/destroy.h:
runtime/src/hold/hold.h:
runtime/src/notify/dispatch.h:
runtime/src/report/error.h:
runtime/src/storage/pool.h:

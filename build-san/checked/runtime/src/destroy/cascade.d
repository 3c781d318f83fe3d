build-san/checked/runtime/src/destroy/cascade.o: \
 runtime/src/destroy/cascade.c runtime/src/destroy/cascade.h \
 runtime/src/relation/relation.h runtime/src/base/assertion.h \
 runtime/src/index/index.h runtime/src/index/key.h \
 runtime/src/index/table.h runtime/src/base/memory.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/include/kin/generated/index.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/src/storage/value.h \
 runtime/src/storage/owned.h runtime/src/storage/chunk.h \
 runtime/src/core/core.h runtime/src/base/bits.h \
 runtime/src/base/matcher.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h \
 runtime/include/kin/generated/relation.h runtime/src/change/component.h \
 runtime/src/change/change.h runtime/src/notify/event.h \
 runtime/src/core/ending.h runtime/src/destroy/destroy.h \
 runtime/src/notify/dispatch.h runtime/src/core/frame.h \
 runtime/src/notify/notify.h
runtime/src/destroy/cascade.h:
runtime/src/relation/relation.h:
runtime/src/base/assertion.h:
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
runtime/include/kin/generated/relation.h:
runtime/src/change/component.h:
runtime/src/change/change.h:
runtime/src/notify/event.h:
runtime/src/core/ending.h:
runtime/src/destroy/destroy.h:
runtime/src/notify/dispatch.h:
runtime/src/core/frame.h:
runtime/src/notify/notify.h:

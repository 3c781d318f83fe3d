build-san/checked/runtime/src/context/validate.o: \
 runtime/src/context/validate.c runtime/src/context/validate.h \
 runtime/src/base/assertion.h runtime/src/core/core.h \
 runtime/src/base/bits.h runtime/include/kin/platform.h \
 runtime/src/base/matcher.h runtime/include/kin/generated/storage.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/src/base/memory.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/src/create/blueprint.h \
 runtime/src/create/plan.h runtime/src/change/change.h \
 runtime/src/index/index.h runtime/src/index/key.h \
 runtime/src/index/table.h runtime/include/kin/generated/index.h \
 runtime/src/storage/value.h runtime/src/storage/owned.h \
 runtime/src/storage/chunk.h runtime/src/notify/event.h \
 runtime/src/storage/pool.h runtime/include/kin/generated/blueprint.h \
 runtime/src/create/clone_list.h runtime/src/group/group.h \
 runtime/src/hold/hold.h runtime/src/core/frame.h \
 runtime/src/notify/direct.h runtime/src/notify/dispatch.h \
 runtime/src/notify/journal.h runtime/src/notify/listener.h \
 runtime/src/notify/mask.h runtime/src/notify/watch.h \
 runtime/src/relation/relation.h runtime/include/kin/generated/relation.h \
 runtime/src/storage/last_value.h runtime/src/storage/slot.h
runtime/src/context/validate.h:
runtime/src/base/assertion.h:
runtime/src/core/core.h:
runtime/src/base/bits.h:
runtime/include/kin/platform.h:
runtime/src/base/matcher.h:
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
runtime/src/create/blueprint.h:
runtime/src/create/plan.h:
runtime/src/change/change.h:
runtime/src/index/index.h:
runtime/src/index/key.h:
runtime/src/index/table.h:
runtime/include/kin/generated/index.h:
runtime/src/storage/value.h:
runtime/src/storage/owned.h:
runtime/src/storage/chunk.h:
runtime/src/notify/event.h:
runtime/src/storage/pool.h:
runtime/include/kin/generated/blueprint.h:
runtime/src/create/clone_list.h:
runtime/src/group/group.h:
runtime/src/hold/hold.h:
runtime/src/core/frame.h:
runtime/src/notify/direct.h:
runtime/src/notify/dispatch.h:
runtime/src/notify/journal.h:
runtime/src/notify/listener.h:
runtime/src/notify/mask.h:
runtime/src/notify/watch.h:
runtime/src/relation/relation.h:
runtime/include/kin/generated/relation.h:
runtime/src/storage/last_value.h:
runtime/src/storage/slot.h:

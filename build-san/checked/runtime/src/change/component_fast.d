build-san/checked/runtime/src/change/component_fast.o: \
 runtime/src/change/component_fast.c runtime/src/change/fast.h \
 runtime/src/core/core.h runtime/src/base/bits.h \
 runtime/include/kin/platform.h runtime/src/base/matcher.h \
 runtime/src/base/assertion.h runtime/include/kin/generated/storage.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/src/base/memory.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h \
 runtime/include/kin/generated/blueprint.h runtime/src/change/component.h \
 runtime/src/change/change.h runtime/src/index/index.h \
 runtime/src/index/key.h runtime/src/index/table.h \
 runtime/include/kin/generated/index.h runtime/src/storage/value.h \
 runtime/src/storage/owned.h runtime/src/storage/chunk.h \
 runtime/src/notify/event.h runtime/src/change/component_unlistened.h \
 runtime/src/notify/notify.h runtime/src/notify/notify_component.h \
 runtime/src/notify/dispatch.h runtime/src/core/frame.h \
 runtime/src/notify/mask.h runtime/src/notify/notify_subscribers.h \
 runtime/src/notify/walk.h runtime/src/storage/last_value.h \
 runtime/src/storage/payload.h runtime/src/base/copy.h \
 runtime/src/storage/slot.h
runtime/src/change/fast.h:
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
runtime/include/kin/generated/blueprint.h:
runtime/src/change/component.h:
runtime/src/change/change.h:
runtime/src/index/index.h:
runtime/src/index/key.h:
runtime/src/index/table.h:
runtime/include/kin/generated/index.h:
runtime/src/storage/value.h:
runtime/src/storage/owned.h:
runtime/src/storage/chunk.h:
runtime/src/notify/event.h:
runtime/src/change/component_unlistened.h:
runtime/src/notify/notify.h:
runtime/src/notify/notify_component.h:
runtime/src/notify/dispatch.h:
runtime/src/core/frame.h:
runtime/src/notify/mask.h:
runtime/src/notify/notify_subscribers.h:
runtime/src/notify/walk.h:
runtime/src/storage/last_value.h:
runtime/src/storage/payload.h:
runtime/src/base/copy.h:
runtime/src/storage/slot.h:

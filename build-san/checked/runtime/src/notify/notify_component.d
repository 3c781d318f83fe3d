build-san/checked/runtime/src/notify/notify_component.o: \
 runtime/src/notify/notify_component.c runtime/src/notify/notify.h \
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
 runtime/src/notify/notify_component.h runtime/src/notify/dispatch.h \
 runtime/src/core/frame.h runtime/src/notify/mask.h \
 runtime/src/notify/notify_subscribers.h runtime/src/notify/event.h \
 runtime/src/storage/chunk.h runtime/src/notify/walk.h \
 runtime/include/kin/event.h
runtime/src/notify/notify.h:
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
runtime/src/notify/notify_component.h:
runtime/src/notify/dispatch.h:
runtime/src/core/frame.h:
runtime/src/notify/mask.h:
runtime/src/notify/notify_subscribers.h:
runtime/src/notify/event.h:
runtime/src/storage/chunk.h:
runtime/src/notify/walk.h:
runtime/include/kin/event.h:

build-san/checked/runtime/src/group/group.o: runtime/src/group/group.c \
 runtime/src/group/group.h runtime/src/storage/chunk.h \
 runtime/src/base/assertion.h runtime/src/core/core.h \
 runtime/src/base/bits.h runtime/include/kin/platform.h \
 runtime/src/base/matcher.h runtime/include/kin/generated/storage.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/src/base/memory.h runtime/include/kin/collector.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/src/notify/subscriber.h \
 runtime/src/notify/dispatch.h runtime/src/core/frame.h \
 runtime/src/notify/notify.h runtime/src/notify/watch.h \
 runtime/src/report/describe.h runtime/src/report/error.h \
 runtime/src/storage/canary.h
runtime/src/group/group.h:
runtime/src/storage/chunk.h:
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
runtime/src/notify/subscriber.h:
runtime/src/notify/dispatch.h:
runtime/src/core/frame.h:
runtime/src/notify/notify.h:
runtime/src/notify/watch.h:
runtime/src/report/describe.h:
runtime/src/report/error.h:
runtime/src/storage/canary.h:

build-san/checked/runtime/src/notify/watch.o: runtime/src/notify/watch.c \
 runtime/src/notify/watch.h runtime/src/core/core.h \
 runtime/src/base/bits.h runtime/include/kin/platform.h \
 runtime/src/base/matcher.h runtime/src/base/assertion.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/error.h \
 runtime/include/kin/entity.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/src/base/memory.h \
 runtime/include/kin/collector.h runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/members.h runtime/src/notify/direct.h \
 runtime/src/notify/mask.h runtime/src/notify/spawn_watch.h \
 runtime/include/kin/generated/blueprint.h \
 runtime/src/notify/subscriber.h runtime/src/report/error.h \
 runtime/src/storage/payload.h runtime/src/base/copy.h
runtime/src/notify/watch.h:
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
runtime/src/notify/direct.h:
runtime/src/notify/mask.h:
runtime/src/notify/spawn_watch.h:
runtime/include/kin/generated/blueprint.h:
runtime/src/notify/subscriber.h:
runtime/src/report/error.h:
runtime/src/storage/payload.h:
runtime/src/base/copy.h:

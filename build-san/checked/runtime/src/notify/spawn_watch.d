build-san/checked/runtime/src/notify/spawn_watch.o: \
 runtime/src/notify/spawn_watch.c runtime/src/notify/spawn_watch.h \
 runtime/src/base/assertion.h runtime/include/kin/generated/blueprint.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/error.h \
 runtime/include/kin/entity.h runtime/include/kin/platform.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h
runtime/src/notify/spawn_watch.h:
runtime/src/base/assertion.h:
runtime/include/kin/generated/blueprint.h:
runtime/include/kin/generated/create.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:

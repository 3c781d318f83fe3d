build-san/checked/runtime/src/base/matcher_chunk.o: \
 runtime/src/base/matcher_chunk.c runtime/src/base/matcher.h \
 runtime/src/base/assertion.h runtime/include/kin/generated/storage.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h
runtime/src/base/matcher.h:
runtime/src/base/assertion.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:

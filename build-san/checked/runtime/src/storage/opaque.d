build-san/checked/runtime/src/storage/opaque.o: \
 runtime/src/storage/opaque.c runtime/src/storage/opaque.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/include/kin/entity.h runtime/include/kin/platform.h \
 runtime/src/base/assertion.h
runtime/src/storage/opaque.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/src/base/assertion.h:

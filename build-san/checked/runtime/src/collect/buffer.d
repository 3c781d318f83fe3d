build-san/checked/runtime/src/collect/buffer.o: \
 runtime/src/collect/buffer.c runtime/src/collect/buffer.h \
 runtime/src/base/memory.h runtime/src/base/assertion.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h
runtime/src/collect/buffer.h:
runtime/src/base/memory.h:
runtime/src/base/assertion.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:

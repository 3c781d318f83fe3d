build-san/checked/runtime/src/base/memory.o: runtime/src/base/memory.c \
 runtime/src/base/memory.h runtime/src/base/assertion.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h
runtime/src/base/memory.h:
runtime/src/base/assertion.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:

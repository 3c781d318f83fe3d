build-san/checked/runtime/src/index/table.o: runtime/src/index/table.c \
 runtime/src/index/table.h runtime/src/base/memory.h \
 runtime/src/base/assertion.h runtime/include/kin/error.h \
 runtime/include/kin/entity.h runtime/include/kin/platform.h \
 runtime/include/kin/generated/index.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h
runtime/src/index/table.h:
runtime/src/base/memory.h:
runtime/src/base/assertion.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/generated/index.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:

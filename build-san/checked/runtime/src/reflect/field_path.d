build-san/checked/runtime/src/reflect/field_path.o: \
 runtime/src/reflect/field_path.c runtime/src/reflect/field_path.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/include/kin/entity.h runtime/include/kin/platform.h \
 runtime/src/base/assertion.h runtime/include/kin/generated/list.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/error.h
runtime/src/reflect/field_path.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/src/base/assertion.h:
runtime/include/kin/generated/list.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:

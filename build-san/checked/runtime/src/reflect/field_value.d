build-san/checked/runtime/src/reflect/field_value.o: \
 runtime/src/reflect/field_value.c runtime/src/reflect/field_value.h \
 runtime/src/reflect/field_path.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/include/kin/reflect.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/error.h \
 runtime/include/kin/inventory.h runtime/include/kin/memory.h \
 runtime/include/kin/systems.h runtime/include/kin/collector.h \
 runtime/include/kin/look.h runtime/src/base/number.h \
 runtime/src/base/assertion.h
runtime/src/reflect/field_value.h:
runtime/src/reflect/field_path.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/reflect.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:
runtime/include/kin/inventory.h:
runtime/include/kin/memory.h:
runtime/include/kin/systems.h:
runtime/include/kin/collector.h:
runtime/include/kin/look.h:
runtime/src/base/number.h:
runtime/src/base/assertion.h:

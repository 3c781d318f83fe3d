build-san/checked/runtime/src/report/describe_value.o: \
 runtime/src/report/describe_value.c runtime/src/report/describe_value.h \
 runtime/src/report/writer.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/src/base/assertion.h \
 runtime/src/base/number.h runtime/include/kin/generated/list.h \
 runtime/include/kin/generated/storage.h runtime/include/kin/group.h \
 runtime/include/kin/context.h runtime/include/kin/error.h
runtime/src/report/describe_value.h:
runtime/src/report/writer.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/src/base/assertion.h:
runtime/src/base/number.h:
runtime/include/kin/generated/list.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:

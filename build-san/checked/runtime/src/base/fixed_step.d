build-san/checked/runtime/src/base/fixed_step.o: \
 runtime/src/base/fixed_step.c runtime/src/base/fixed_step.h \
 runtime/include/kin/systems.h runtime/include/kin/collector.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/src/base/assertion.h
runtime/src/base/fixed_step.h:
runtime/include/kin/systems.h:
runtime/include/kin/collector.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/src/base/assertion.h:

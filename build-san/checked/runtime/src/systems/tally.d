build-san/checked/runtime/src/systems/tally.o: \
 runtime/src/systems/tally.c runtime/src/systems/tally.h \
 runtime/src/base/memory.h runtime/src/base/assertion.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/include/kin/inventory.h \
 runtime/include/kin/memory.h runtime/include/kin/context.h \
 runtime/include/kin/info.h runtime/include/kin/matcher.h \
 runtime/include/kin/systems.h runtime/include/kin/collector.h \
 runtime/include/kin/group.h
runtime/src/systems/tally.h:
runtime/src/base/memory.h:
runtime/src/base/assertion.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/inventory.h:
runtime/include/kin/memory.h:
runtime/include/kin/context.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/systems.h:
runtime/include/kin/collector.h:
runtime/include/kin/group.h:

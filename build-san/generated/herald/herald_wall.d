build-san/generated/herald/herald_wall.o: \
 build-san/generated/herald/herald_wall.c \
 build-san/generated/herald/herald_wall.h \
 build-san/generated/herald/herald_wall_types.h \
 build-san/generated/herald/herald_types_shared.h \
 runtime/include/kin/kin.h runtime/include/kin/collector.h \
 runtime/include/kin/group.h runtime/include/kin/context.h \
 runtime/include/kin/error.h runtime/include/kin/entity.h \
 runtime/include/kin/platform.h runtime/include/kin/info.h \
 runtime/include/kin/matcher.h runtime/include/kin/event.h \
 runtime/include/kin/generated/blueprint.h \
 runtime/include/kin/generated/create.h \
 runtime/include/kin/generated/storage.h \
 runtime/include/kin/generated/direct.h \
 runtime/include/kin/generated/event_system.h \
 runtime/include/kin/systems.h runtime/include/kin/generated/index.h \
 runtime/include/kin/generated/iterator.h \
 runtime/include/kin/generated/list.h \
 runtime/include/kin/generated/members.h \
 runtime/include/kin/generated/rule.h \
 runtime/include/kin/generated/world.h runtime/include/kin/world.h \
 runtime/include/kin/inventory.h runtime/include/kin/memory.h \
 runtime/include/kin/profile.h runtime/include/kin/look.h \
 runtime/include/kin/reflect.h
build-san/generated/herald/herald_wall.h:
build-san/generated/herald/herald_wall_types.h:
build-san/generated/herald/herald_types_shared.h:
runtime/include/kin/kin.h:
runtime/include/kin/collector.h:
runtime/include/kin/group.h:
runtime/include/kin/context.h:
runtime/include/kin/error.h:
runtime/include/kin/entity.h:
runtime/include/kin/platform.h:
runtime/include/kin/info.h:
runtime/include/kin/matcher.h:
runtime/include/kin/event.h:
runtime/include/kin/generated/blueprint.h:
runtime/include/kin/generated/create.h:
runtime/include/kin/generated/storage.h:
runtime/include/kin/generated/direct.h:
runtime/include/kin/generated/event_system.h:
runtime/include/kin/systems.h:
runtime/include/kin/generated/index.h:
runtime/include/kin/generated/iterator.h:
runtime/include/kin/generated/list.h:
runtime/include/kin/generated/members.h:
runtime/include/kin/generated/rule.h:
runtime/include/kin/generated/world.h:
runtime/include/kin/world.h:
runtime/include/kin/inventory.h:
runtime/include/kin/memory.h:
runtime/include/kin/profile.h:
runtime/include/kin/look.h:
runtime/include/kin/reflect.h:

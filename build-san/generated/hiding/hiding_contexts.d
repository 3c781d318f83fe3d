build-san/generated/hiding/hiding_contexts.o: \
 build-san/generated/hiding/hiding_contexts.c \
 build-san/generated/hiding/hiding_contexts.h \
 build-san/generated/hiding/hiding_birth.h \
 build-san/generated/hiding/hiding_birth_types.h \
 build-san/generated/hiding/hiding_types_shared.h \
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
 runtime/include/kin/reflect.h \
 build-san/generated/hiding/hiding_context.h \
 build-san/generated/hiding/hiding_context_types.h \
 build-san/generated/hiding/hiding_copy.h \
 build-san/generated/hiding/hiding_copy_types.h \
 build-san/generated/hiding/hiding_entity.h \
 build-san/generated/hiding/hiding_entity_types.h \
 build-san/generated/hiding/hiding_function.h \
 build-san/generated/hiding/hiding_function_types.h \
 build-san/generated/hiding/hiding_it.h \
 build-san/generated/hiding/hiding_it_types.h \
 build-san/generated/hiding/hiding_listener.h \
 build-san/generated/hiding/hiding_listener_types.h \
 build-san/generated/hiding/hiding_memset.h \
 build-san/generated/hiding/hiding_memset_types.h \
 build-san/generated/hiding/hiding_place.h \
 build-san/generated/hiding/hiding_place_types.h \
 build-san/generated/hiding/hiding_ship.h \
 build-san/generated/hiding/hiding_ship_types.h \
 build-san/generated/hiding/hiding_ship_component.h \
 build-san/generated/hiding/hiding_ship_component_types.h \
 build-san/generated/hiding/hiding_ship_context.h \
 build-san/generated/hiding/hiding_ship_context_types.h \
 build-san/generated/hiding/hiding_ship_entity.h \
 build-san/generated/hiding/hiding_ship_entity_types.h \
 build-san/generated/hiding/hiding_ship_info.h \
 build-san/generated/hiding/hiding_ship_info_types.h \
 build-san/generated/hiding/hiding_ship_pilot_listener.h \
 build-san/generated/hiding/hiding_ship_pilot_listener_types.h \
 build-san/generated/hiding/hiding_ship_pilots_iter.h \
 build-san/generated/hiding/hiding_ship_pilots_iter_types.h \
 build-san/generated/hiding/hiding_user.h \
 build-san/generated/hiding/hiding_user_types.h \
 build-san/generated/hiding/hiding_value.h \
 build-san/generated/hiding/hiding_value_types.h
build-san/generated/hiding/hiding_contexts.h:
build-san/generated/hiding/hiding_birth.h:
build-san/generated/hiding/hiding_birth_types.h:
build-san/generated/hiding/hiding_types_shared.h:
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
build-san/generated/hiding/hiding_context.h:
build-san/generated/hiding/hiding_context_types.h:
build-san/generated/hiding/hiding_copy.h:
build-san/generated/hiding/hiding_copy_types.h:
build-san/generated/hiding/hiding_entity.h:
build-san/generated/hiding/hiding_entity_types.h:
build-san/generated/hiding/hiding_function.h:
build-san/generated/hiding/hiding_function_types.h:
build-san/generated/hiding/hiding_it.h:
build-san/generated/hiding/hiding_it_types.h:
build-san/generated/hiding/hiding_listener.h:
build-san/generated/hiding/hiding_listener_types.h:
build-san/generated/hiding/hiding_memset.h:
build-san/generated/hiding/hiding_memset_types.h:
build-san/generated/hiding/hiding_place.h:
build-san/generated/hiding/hiding_place_types.h:
build-san/generated/hiding/hiding_ship.h:
build-san/generated/hiding/hiding_ship_types.h:
build-san/generated/hiding/hiding_ship_component.h:
build-san/generated/hiding/hiding_ship_component_types.h:
build-san/generated/hiding/hiding_ship_context.h:
build-san/generated/hiding/hiding_ship_context_types.h:
build-san/generated/hiding/hiding_ship_entity.h:
build-san/generated/hiding/hiding_ship_entity_types.h:
build-san/generated/hiding/hiding_ship_info.h:
build-san/generated/hiding/hiding_ship_info_types.h:
build-san/generated/hiding/hiding_ship_pilot_listener.h:
build-san/generated/hiding/hiding_ship_pilot_listener_types.h:
build-san/generated/hiding/hiding_ship_pilots_iter.h:
build-san/generated/hiding/hiding_ship_pilots_iter_types.h:
build-san/generated/hiding/hiding_user.h:
build-san/generated/hiding/hiding_user_types.h:
build-san/generated/hiding/hiding_value.h:
build-san/generated/hiding/hiding_value_types.h:

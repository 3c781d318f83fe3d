// The patterns of generated names.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

// clang-format off
const symbol_pattern symbol_patterns[] = {
    {SCOPE_PACKAGE, SYMBOL_FILE, "{package}.h"},
    {SCOPE_PACKAGE, SYMBOL_FILE, "{package}.c"},
    {SCOPE_PACKAGE, SYMBOL_FILE, "{package}_save.h"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "KIN_GENERATED_{Stem}_H"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "KIN_GENERATED_{Stem}_STAMP"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "KIN_GENERATED_{Stem}_SAVE_H"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_write"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_write_path"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_contexts"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_contexts_create"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_contexts_destroy"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_contexts_reset"},
    {SCOPE_PACKAGE, SYMBOL_NAME, "{Prefix}{package}_contexts_merge"},
    {SCOPE_PACKAGE, SYMBOL_PRIVATE, "{Prefix}{package}_contexts_"},

    {SCOPE_CONTEXTS, SYMBOL_FILE, "{package}_types.h"},
    {SCOPE_CONTEXTS, SYMBOL_NAME, "KIN_GENERATED_{Stem}_TYPES_H"},

    {SCOPE_HEADERS, SYMBOL_FILE, "{package}_types_plain.h"},
    {SCOPE_HEADERS, SYMBOL_NAME, "KIN_GENERATED_{Stem}_TYPES_PLAIN_H"},

    {SCOPE_MIGRATIONS, SYMBOL_FILE, "{package}_save.c"},
    {SCOPE_MIGRATIONS, SYMBOL_NAME, "{Prefix}{package}_migrations_"},
    {SCOPE_MIGRATIONS, SYMBOL_PRIVATE, "{Prefix}{package}_save_migrations_"},

    {SCOPE_NET, SYMBOL_FILE, "{package}_net.h"},
    {SCOPE_NET, SYMBOL_FILE, "{package}_net.c"},
    {SCOPE_NET, SYMBOL_NAME, "KIN_GENERATED_{Stem}_NET_H"},
    {SCOPE_NET, SYMBOL_NAME, "{Prefix}{package}_net_"},
    {SCOPE_NET, SYMBOL_PRIVATE, "{Prefix}{package}_net_messages_"},
    {SCOPE_NET, SYMBOL_PRIVATE, "{Prefix}{package}_net_runs_"},
    {SCOPE_NET_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_host"},
    {SCOPE_NET_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_follow"},
    {SCOPE_NET_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_stand_by"},
    {SCOPE_NET_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_net_leaves_in_{Type}_"},
    {SCOPE_NET_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_net_known_of_{Type}_"},
    {SCOPE_NET, SYMBOL_PRIVATE, "{Prefix}{package}_net_contexts_"},
    {SCOPE_NET_COMPONENT, SYMBOL_PRIVATE, "{Prefix}{package}_net_leaves_of_{Component}_"},
    {SCOPE_NET_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_net_{context}_sent_"},
    {SCOPE_NET_BLEND, SYMBOL_NAME, "{Prefix}{context}_blend_{component}"},
    {SCOPE_NET_MESSAGE, SYMBOL_PRIVATE, "{Prefix}{package}_net_leaves_of_{Message}_"},
    {SCOPE_NET_SEND, SYMBOL_NAME, "{Prefix}{package}_send_{message}"},

    {SCOPE_CONTEXT_FILES, SYMBOL_FILE, "{package}_{context}.h"},
    {SCOPE_CONTEXT_FILES, SYMBOL_FILE, "{package}_{context}.c"},
    {SCOPE_CONTEXT_FILES, SYMBOL_NAME, "KIN_GENERATED_{Stem}_{CONTEXT}_H"},
    {SCOPE_CONTEXT, SYMBOL_MEMBER, "{Prefix}{package}_contexts.{context}"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "KIN_GENERATED_{Stem}_{CONTEXT}_STAMP"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{PREFIX}{CONTEXT}_COMPONENT_COUNT"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{PREFIX}{CONTEXT}_NO_ENTITY"},
    {SCOPE_CONTEXT, SYMBOL_MACRO, "{PREFIX}{CONTEXT}_ALL"},
    {SCOPE_CONTEXT, SYMBOL_MACRO, "{PREFIX}{CONTEXT}_ANY"},
    {SCOPE_CONTEXT, SYMBOL_MACRO, "{PREFIX}{CONTEXT}_NONE"},
    {SCOPE_CONTEXT, SYMBOL_MACRO, "{PREFIX}{CONTEXT}_ONLY"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_ids_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_components_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_groups_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_keys_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_key_components_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_key_types_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_indices_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_relations_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_events_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_cleanups_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_parts_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_children_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_below_"},
    {SCOPE_CONTEXT, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_blueprints_"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_component"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_info"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_context"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_context_create"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_context_destroy"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_context_reset"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_context_of"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entity"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entity_is_alive"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entity_count"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entity_equals"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entity_of"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entities"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_entities_of"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_create_entity"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_destroy_entity"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_destroy_all_entities"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_clone_entity"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_copy_components"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_remove_all_components"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_retain_entity"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_release_entity"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_save"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_restore"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_merge"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_group"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_event_systems"},
    {SCOPE_CONTEXT, SYMBOL_NAME, "{Prefix}{context}_cleanup_systems"},

    {SCOPE_CONTENT_FILE, SYMBOL_FILE, "{package}_content.h"},
    {SCOPE_CONTENT_FILE, SYMBOL_NAME, "KIN_GENERATED_{Stem}_CONTENT_H"},
    {SCOPE_CONTENT, SYMBOL_NAME, "{Prefix}{context}_content_open"},
    {SCOPE_CONTENT, SYMBOL_NAME, "{Prefix}{context}_spawn_named"},
    {SCOPE_CONTENT, SYMBOL_NAME, "{Prefix}{context}_place_level"},
    {SCOPE_CONTENT, SYMBOL_NAME, "{Prefix}{context}_remove_level"},
    {SCOPE_CONTENT, SYMBOL_NAME, "{Prefix}{context}_find_placed"},
    {SCOPE_CONTENT, SYMBOL_NAME, "{Prefix}{context}_find_part"},
    {SCOPE_CONTENT_BLUEPRINT, SYMBOL_NAME, "{Prefix}{context}_spawn_named_{blueprint}"},

    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_create"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_destroy"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_play"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_made"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_count"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_dropped"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_clear"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_create_entity"},
    {SCOPE_COMMANDS, SYMBOL_NAME, "{Prefix}{context}_commands_destroy_entity"},
    {SCOPE_COMMANDS, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_play_command_"},
    {SCOPE_COMMANDS_FIELDS, SYMBOL_NAME, "{Prefix}{context}_commands_add_{component}"},
    {SCOPE_COMMANDS_FIELDS, SYMBOL_NAME, "{Prefix}{context}_commands_replace_{component}"},
    {SCOPE_COMMANDS_FIELDS, SYMBOL_NAME, "{Prefix}{context}_commands_remove_{component}"},
    {SCOPE_COMMANDS_FIELDS, SYMBOL_NAME, "{Prefix}{context}_commands_touch_{component}"},
    {SCOPE_COMMANDS_STASH, SYMBOL_NAME, "{Prefix}{context}_commands_stash_{component}"},
    {SCOPE_COMMANDS_STASH, SYMBOL_NAME, "{Prefix}{context}_commands_restore_{component}"},
    {SCOPE_COMMANDS_FLAG, SYMBOL_NAME, "{Prefix}{context}_commands_set_{component}"},
    {SCOPE_COMMANDS_SPAWN, SYMBOL_NAME, "{Prefix}{context}_commands_spawn_{blueprint}"},
    {SCOPE_COMMANDS_VALUES, SYMBOL_NAME, "{Prefix}{context}_commands_spawn_{blueprint}_with"},
    {SCOPE_COMMANDS_CHILDREN, SYMBOL_NAME, "{Prefix}{context}_commands_spawn_{blueprint}_parts"},

    {SCOPE_READER, SYMBOL_NAME, "{Prefix}{context}_read"},
    {SCOPE_READER, SYMBOL_NAME, "{Prefix}{context}_read_path"},

    {SCOPE_TYPE, SYMBOL_NAME, "{Prefix}{Type}"},
    {SCOPE_WORLD_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_world_drop_{Prefix}{Type}_"},
    {SCOPE_WORLD_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_world_fields_of_{Prefix}{Type}_"},
    {SCOPE_WORLD_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_world_load_{Prefix}{Type}_"},
    {SCOPE_WORLD_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_world_save_{Prefix}{Type}_"},
    {SCOPE_WORLD_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_world_type_of_{Prefix}{Type}_"},
    {SCOPE_WORLD_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_world_values_of_{Prefix}{Type}_"},
    {SCOPE_CONTEXT_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_drop_{Prefix}{Type}_"},
    {SCOPE_CONTEXT_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_fields_of_{Prefix}{Type}_"},
    {SCOPE_CONTEXT_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_load_{Prefix}{Type}_"},
    {SCOPE_CONTEXT_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_save_{Prefix}{Type}_"},
    {SCOPE_CONTEXT_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_type_of_{Prefix}{Type}_"},
    {SCOPE_CONTEXT_TYPE, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_values_of_{Prefix}{Type}_"},
    {SCOPE_VALUE, SYMBOL_NAME, "{PREFIX}{TYPE}_{VALUE}"},

    {SCOPE_COMPONENT, SYMBOL_NAME, "{Prefix}{Component}"},
    {SCOPE_COMPONENT, SYMBOL_NAME, "{Prefix}{component}_default"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_fields_of_{Prefix}{Component}_"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_PRIVATE, "{Prefix}{package}_{context}_write_default_of_{Prefix}{Component}_"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "kin__default_of_{Prefix}{context}_{Prefix}{Component}"},
    {SCOPE_MIGRATION, SYMBOL_NAME, "{Prefix}{component}_migrate"},
    {SCOPE_MIGRATION, SYMBOL_PRIVATE, "{Prefix}{package}_save_migrate_{Prefix}{Component}_"},

    {SCOPE_SHARED, SYMBOL_NAME, "KIN__DEFINED_{package}_{Prefix}{Component}"},
    {SCOPE_EDIT_TYPE, SYMBOL_NAME, "{Prefix}{Component}Edit"},
    {SCOPE_SOA, SYMBOL_PRIVATE, "kin__columns_of_{Prefix}{Component}"},
    {SCOPE_CONTEXT_COMPONENT, SYMBOL_NAME, "{PREFIX}{CONTEXT}_{COMPONENT}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_add_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_replace_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_remove_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_has_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_ensure_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_readd_{component}"},
    {SCOPE_CONTEXT_STASH, SYMBOL_NAME, "{Prefix}{context}_stash_{component}"},
    {SCOPE_CONTEXT_STASH, SYMBOL_NAME, "{Prefix}{context}_restore_{component}"},
    {SCOPE_CONTEXT_STASH, SYMBOL_NAME, "{Prefix}{context}_has_stashed_{component}"},
    {SCOPE_CONTEXT_STASH, SYMBOL_NAME, "{Prefix}{context}_restore_or_add_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_get_{component}"},
    {SCOPE_CONTEXT_GET, SYMBOL_NAME, "{Prefix}{context}_get_{component}_unchecked"},
    {SCOPE_CONTEXT_SOA, SYMBOL_NAME, "{Prefix}{context}_read_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_edit_{component}"},
    {SCOPE_CONTEXT_FIELDS, SYMBOL_NAME, "{Prefix}{context}_touch_{component}"},
    {SCOPE_CONTEXT_LIST, SYMBOL_NAME, "{Prefix}{context}_push_{component}_{list}"},
    {SCOPE_CONTEXT_LIST, SYMBOL_NAME, "{Prefix}{context}_insert_{component}_{list}"},
    {SCOPE_CONTEXT_LIST, SYMBOL_NAME, "{Prefix}{context}_erase_{component}_{list}"},
    {SCOPE_CONTEXT_LIST, SYMBOL_NAME, "{Prefix}{context}_resize_{component}_{list}"},
    {SCOPE_CONTEXT_LIST, SYMBOL_NAME, "{Prefix}{context}_edit_{component}_{list}"},
    {SCOPE_CONTEXT_VALUES, SYMBOL_NAME, "{Prefix}{context}_{component}_values"},
    {SCOPE_CONTEXT_VALUES, SYMBOL_NAME, "{Prefix}{context}_{component}_values_iterate"},
    {SCOPE_CONTEXT_VALUES, SYMBOL_NAME, "{Prefix}{context}_{component}_values_next"},
    {SCOPE_CONTEXT_ELEMENT, SYMBOL_NAME, "kin__element_of_{Prefix}{context}_{Prefix}{Component}_{list}"},
    {SCOPE_CONTEXT_FLAG, SYMBOL_NAME, "{Prefix}{context}_{flag_prefix}_{component}"},
    {SCOPE_CONTEXT_FLAG, SYMBOL_NAME, "{Prefix}{context}_set_{component}"},
    {SCOPE_CONTEXT_RELATION, SYMBOL_NAME, "{Prefix}{context}_set_{component}"},
    {SCOPE_FLAG_CHANGES, SYMBOL_NAME, "{Prefix}{context}_add_{component}"},
    {SCOPE_FLAG_CHANGES, SYMBOL_NAME, "{Prefix}{context}_remove_{component}"},
    {SCOPE_FLAG_HAS, SYMBOL_NAME, "{Prefix}{context}_has_{component}"},
    {SCOPE_UNIQUE_FLAG_HAS, SYMBOL_NAME, "{Prefix}{context}_has_unique_{component}"},
    {SCOPE_COMMANDS_FLAG_CHANGES, SYMBOL_NAME, "{Prefix}{context}_commands_add_{component}"},
    {SCOPE_COMMANDS_FLAG_CHANGES, SYMBOL_NAME, "{Prefix}{context}_commands_remove_{component}"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_set_unique_{component}"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_replace_unique_{component}"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_remove_unique_{component}"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_has_unique_{component}"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_get_unique_{component}"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_unique_{component}_entity"},
    {SCOPE_UNIQUE_FIELDS, SYMBOL_NAME, "{Prefix}{context}_edit_unique_{component}"},
    {SCOPE_UNIQUE_FLAG, SYMBOL_NAME, "{Prefix}{context}_{flag_prefix}_unique_{component}"},
    {SCOPE_UNIQUE_FLAG, SYMBOL_NAME, "{Prefix}{context}_set_unique_{component}"},
    {SCOPE_UNIQUE_FLAG, SYMBOL_NAME, "{Prefix}{context}_unique_{component}_entity"},

    {SCOPE_EVENT, SYMBOL_NAME, "{Prefix}{context}_{event}_listener"},
    {SCOPE_EVENT, SYMBOL_NAME, "{Prefix}{context}_add_{event}_listener"},
    {SCOPE_EVENT, SYMBOL_NAME, "{Prefix}{context}_remove_{event}_listener"},
    {SCOPE_EVENT, SYMBOL_PRIVATE, "kin__deliver_{Prefix}{context}_{event}"},

    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_group"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_entities"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_iter"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_iterate"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_piece_count"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_iterate_piece"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_next"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_next_block"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_at"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_view"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_view_of"},
    {SCOPE_GROUP, SYMBOL_NAME, "{Prefix}{context}_{group}_view_at"},
    {SCOPE_GROUP_MATCH, SYMBOL_NAME, "{Prefix}{context}_{group}_match_"},
    {SCOPE_GROUP_MATCH, SYMBOL_NAME, "{Prefix}{context}_{group}_next_of_piece_"},
    {SCOPE_GROUP_MATCH, SYMBOL_NAME, "{Prefix}{context}_{group}_next_block_of_piece_"},
    {SCOPE_GROUP_MEMBER, SYMBOL_MEMBER, "{Prefix}{context}_{group}_iter.{component}"},
    {SCOPE_GROUP_MEMBER, SYMBOL_MEMBER, "{Prefix}{context}_{group}_view.{component}"},

    {SCOPE_INDEX, SYMBOL_NAME, "{Prefix}{context}_entity_with_{index}"},
    {SCOPE_INDEX, SYMBOL_NAME, "{Prefix}{context}_entities_with_{index}"},
    {SCOPE_MULTI_INDEX, SYMBOL_NAME, "{Prefix}{context}_copy_entities_with_{index}"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_iter"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_begin"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_from"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_from_last"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_range"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_next"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_previous"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_first"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_last"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_count_below"},
    {SCOPE_ORDERED_INDEX, SYMBOL_NAME, "{Prefix}{context}_{index}_refresh"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_iter"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_near"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_in_box"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_next"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_nearest"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_pairs"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_pairs_within"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_pairs_next"},
    {SCOPE_GRID, SYMBOL_NAME, "{Prefix}{context}_{index}_refresh"},
    {SCOPE_INDEX_FUNCTION, SYMBOL_PRIVATE, "kin__give_{Prefix}{context}_{index}"},

    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_count"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_first"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_last"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_next"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_previous"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_copy_{reverse}"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_place_before"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_destroy_{reverse}"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_root"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_depth"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_contains"},
    {SCOPE_REVERSE, SYMBOL_NAME, "{Prefix}{context}_clone_with_{reverse}"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{component}_find_above"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_walk"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_walk_from"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_walk_next"},
    {SCOPE_TREE, SYMBOL_NAME, "{Prefix}{context}_{reverse}_walk_skip"},
    {SCOPE_OFF_TREE, SYMBOL_NAME, "{Prefix}{context}_set_{component}_below"},
    {SCOPE_OFF_TREES, SYMBOL_NAME, "{Prefix}{context}_set_{component}_below_{reverse}"},

    {SCOPE_BLUEPRINT, SYMBOL_NAME, "{Prefix}{context}_spawn_{blueprint}"},
    {SCOPE_BLUEPRINT, SYMBOL_NAME, "{Prefix}{context}_spawn_many_{blueprint}"},
    {SCOPE_BLUEPRINT, SYMBOL_NAME, "{Prefix}{context}_apply_{blueprint}"},
    {SCOPE_BLUEPRINT_VALUES, SYMBOL_NAME, "{Prefix}{context}_{blueprint}_value"},
    {SCOPE_BLUEPRINT_VALUES, SYMBOL_NAME, "{Prefix}{context}_spawn_{blueprint}_with"},
    {SCOPE_BLUEPRINT_VALUES, SYMBOL_NAME, "{Prefix}{context}_{blueprint}_values"},
    {SCOPE_BLUEPRINT_VALUES, SYMBOL_NAME, "{Prefix}{context}_spawn_many_{blueprint}_with"},
    {SCOPE_BLUEPRINT_VALUES, SYMBOL_PRIVATE, "write_{Prefix}{context}_spawn_{blueprint}"},
    {SCOPE_BLUEPRINT_VALUES, SYMBOL_PRIVATE, "values_of_{Prefix}{context}_spawn_{blueprint}"},
    {SCOPE_BLUEPRINT_MEMBER, SYMBOL_MEMBER, "{Prefix}{context}_{blueprint}_value.{component}"},
    {SCOPE_BLUEPRINT_MEMBER, SYMBOL_MEMBER, "{Prefix}{context}_{blueprint}_values.{component}"},
    {SCOPE_BLUEPRINT_PARTS, SYMBOL_NAME, "{Prefix}{context}_{blueprint}_parts"},
    {SCOPE_BLUEPRINT_CHILDREN, SYMBOL_NAME, "{Prefix}{context}_spawn_{blueprint}_parts"},

    {SCOPE_WORLD, SYMBOL_FILE, "{package}_world.h"},
    {SCOPE_WORLD, SYMBOL_FILE, "{package}_world.c"},
    {SCOPE_WORLD, SYMBOL_NAME, "KIN_GENERATED_{Stem}_WORLD_H"},
    {SCOPE_WORLD, SYMBOL_NAME, "KIN_GENERATED_{Stem}_WORLD_STAMP"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_create"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_create_on"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_base"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_reset"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_save"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_restore"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_read"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_read_path"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_record"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_stop_recording"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_player_create"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_rehearse"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_update"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_draw"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_destroy"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_systems"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_tick"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_set_time"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_push_time"},
    {SCOPE_WORLD, SYMBOL_NAME, "{Prefix}{package}_world_pop_time"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_base_of_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_context_infos_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_fill_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_info_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_message_infos_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_messages_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_node_infos_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_nodes_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_stamps_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_shown_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_system_infos_"},
    {SCOPE_WORLD, SYMBOL_PRIVATE, "{Prefix}{package}_world_systems_"},

    {SCOPE_WORLD_OF_JOBS, SYMBOL_NAME, "{Prefix}{package}_world_set_executor"},
    {SCOPE_WORLD_OF_JOBS, SYMBOL_NAME, "{Prefix}{package}_world_check_access"},

    {SCOPE_WORLD_OF_RANDOM, SYMBOL_NAME, "{Prefix}{package}_world_set_seed"},
    {SCOPE_WORLD_OF_RANDOM, SYMBOL_NAME, "{Prefix}{package}_world_seed"},

    {SCOPE_MANUAL_NODE, SYMBOL_NAME, "{Prefix}{package}_world_run_{node}"},

    {SCOPE_MESSAGE, SYMBOL_NAME, "{Prefix}{package}_publish_{message}"},
    {SCOPE_MESSAGE_FIELDS, SYMBOL_NAME, "{Prefix}{Message}"},
    {SCOPE_MESSAGE_FIELDS, SYMBOL_NAME, "{Prefix}{message}_default"},
    {SCOPE_MESSAGE_FIELDS, SYMBOL_PRIVATE, "{Prefix}{package}_world_fields_of_{Prefix}{Message}_"},
    {SCOPE_MESSAGE_FIELDS, SYMBOL_NAME, "kin__default_of_{Prefix}{package}_world_{Prefix}{Message}"},

    {SCOPE_SYSTEM, SYMBOL_PRIVATE, "{Prefix}{system}_inboxes_"},
    {SCOPE_SYSTEM, SYMBOL_PRIVATE, "{Prefix}{system}_kept_"},
    {SCOPE_JOB, SYMBOL_NAME, "{Prefix}{system}_job"},
    {SCOPE_JOB, SYMBOL_NAME, "{Prefix}{system}_user"},
    {SCOPE_JOB, SYMBOL_NAME, "{Prefix}{system}_piece"},
    {SCOPE_JOB, SYMBOL_NAME, "{Prefix}{system}_piece_count"},
    {SCOPE_JOB, SYMBOL_PRIVATE, "{Prefix}{system}_call_"},
    {SCOPE_JOB, SYMBOL_PRIVATE, "{Prefix}{system}_job_info_"},
    {SCOPE_JOB, SYMBOL_PRIVATE, "{Prefix}{system}_play_"},
    {SCOPE_SYSTEM_ROLE, SYMBOL_PRIVATE, "{Prefix}{system}_{role}_"},
    {SCOPE_ROLE, SYMBOL_NAME, "{Prefix}{system}_{role}"},
    {SCOPE_ROLE_OF_CONTEXT, SYMBOL_NAME, "{Prefix}{system}_{role}_{context}"},
    {SCOPE_SYSTEM_ITERATOR, SYMBOL_NAME, "{Prefix}{system}_iter"},
    {SCOPE_SYSTEM_ITERATOR, SYMBOL_NAME, "{Prefix}{system}_next"},
    {SCOPE_SYSTEM_ITERATOR, SYMBOL_NAME, "{Prefix}{system}_next_block"},
    {SCOPE_SYSTEM_ITERATOR, SYMBOL_NAME, "{Prefix}{system}_at"},
    {SCOPE_SYSTEM_TREE, SYMBOL_NAME, "{Prefix}{system}_iter"},
    {SCOPE_SYSTEM_TREE, SYMBOL_NAME, "{Prefix}{system}_next"},
    {SCOPE_SYSTEM_TREE, SYMBOL_NAME, "{Prefix}{system}_skip"},
    {SCOPE_SYSTEM_TREE, SYMBOL_MEMBER, "{Prefix}{system}_iter.entity"},
    {SCOPE_SYSTEM_TREE, SYMBOL_MEMBER, "{Prefix}{system}_iter.depth"},
    {SCOPE_SYSTEM_TREE, SYMBOL_PRIVATE, "{Prefix}{system}_columns_"},
    {SCOPE_SYSTEM_TREE, SYMBOL_PRIVATE, "{Prefix}{system}_watched_"},
    {SCOPE_SYSTEM_TREE, SYMBOL_PRIVATE, "{Prefix}{system}_tree_"},
    {SCOPE_SYSTEM_MATCH, SYMBOL_NAME, "{Prefix}{system}_match_"},
    {SCOPE_SYSTEM_MATCH, SYMBOL_NAME, "{Prefix}{system}_next_of_piece_"},
    {SCOPE_SYSTEM_MATCH, SYMBOL_NAME, "{Prefix}{system}_next_block_of_piece_"},
    {SCOPE_SYSTEM_VIEW, SYMBOL_NAME, "{Prefix}{system}_view"},
    {SCOPE_SYSTEM_MEMBER, SYMBOL_MEMBER, "{Prefix}{system}_iter.{component}"},
    {SCOPE_SYSTEM_PARENT, SYMBOL_MEMBER, "{Prefix}{system}_iter.parent_{component}"},
    {SCOPE_SYSTEM_LEFT, SYMBOL_NAME, "{Prefix}{system}_left_{component}"},
    {SCOPE_SYSTEM_INBOX, SYMBOL_NAME, "{Prefix}{system}_on_{message}"},
    {SCOPE_SYSTEM_INBOX, SYMBOL_PRIVATE, "{Prefix}{system}_on_{message}_"},

    {SCOPE_PACKAGE, SYMBOL_NAME, NULL},
};
// clang-format on

// The placeholders and their parts.
static const struct {
    const char *name;
    size_t offset; // of the part in symbol_subject
} parts[] = {
    {"prefix", offsetof(symbol_subject, prefix)},       {"package", offsetof(symbol_subject, package)},
    {"stem", offsetof(symbol_subject, stem)},           {"context", offsetof(symbol_subject, context)},
    {"type", offsetof(symbol_subject, type)},           {"value", offsetof(symbol_subject, value)},
    {"component", offsetof(symbol_subject, component)}, {"flag_prefix", offsetof(symbol_subject, flag_prefix)},
    {"event", offsetof(symbol_subject, event)},         {"group", offsetof(symbol_subject, group)},
    {"index", offsetof(symbol_subject, index)},         {"reverse", offsetof(symbol_subject, reverse)},
    {"list", offsetof(symbol_subject, list)},           {"blueprint", offsetof(symbol_subject, blueprint)},
    {"message", offsetof(symbol_subject, message)},     {"system", offsetof(symbol_subject, system)},
    {"role", offsetof(symbol_subject, role)},           {"node", offsetof(symbol_subject, node)},
};

enum { PART_COUNT = sizeof parts / sizeof *parts };
_Static_assert(sizeof parts / sizeof *parts <= SYMBOL_PART_LIMIT, "symbol_words has room for each part");

symbol_words symbol_words_create(arena *arena, const symbol_subject *subject)
{
    return (symbol_words){.arena = arena, .subject = *subject};
}

static symbol_case case_of(const char *placeholder)
{
    if (byte_is_lower(placeholder[0]))
        return SYMBOL_LOWER;
    return byte_is_lower(placeholder[1]) ? SYMBOL_AS_WRITTEN : SYMBOL_UPPER;
}

static bool names_part(const char *placeholder, size_t size, const char *name)
{
    for (size_t i = 0; i < size; i++) {
        char letter = byte_to_lower(placeholder[i]);
        if (letter != name[i])
            return false;
    }
    return name[size] == '\0';
}

static const char *spell(const symbol_words *words, size_t part, symbol_case letters)
{
    const char *name = *(const char *const *)((const char *)&words->subject + parts[part].offset);
    if (letters == SYMBOL_LOWER)
        return name_to_snake_case(words->arena, name);
    return letters == SYMBOL_UPPER ? name_to_upper_case(words->arena, name) : name;
}

// Returns the replacement for a placeholder, given without its braces.
static const char *replacement(symbol_words *words, const char *placeholder, size_t size)
{
    size_t part = 0;
    while (part < PART_COUNT && !names_part(placeholder, size, parts[part].name))
        part++;
    assert(part < PART_COUNT);
    symbol_case letters = case_of(placeholder);
    if (words->spelled[part][letters] == NULL)
        words->spelled[part][letters] = spell(words, part, letters);
    return words->spelled[part][letters];
}

// An expanded name under construction. Parts have at most SCHEMA_NAME_LIMIT letters, and case conversion at most
// doubles them, so it cannot overflow.
typedef struct expansion {
    char bytes[1024];
    size_t size;
} expansion;

static void append(expansion *expansion, const char *bytes, size_t size)
{
    assert(size < sizeof expansion->bytes - expansion->size);
    memcpy(expansion->bytes + expansion->size, bytes, size);
    expansion->size += size;
}

const char *symbol_expand(symbol_words *words, const char *pattern)
{
    expansion expansion;
    expansion.size = 0;
    while (*pattern != '\0') {
        const char *open = pattern;
        while (*open != '{' && *open != '\0')
            open++;
        append(&expansion, pattern, (size_t)(open - pattern));
        if (*open == '\0')
            break;
        const char *close = strchr(open, '}');
        const char *replaced = replacement(words, open + 1, (size_t)(close - open) - 1);
        append(&expansion, replaced, strlen(replaced));
        pattern = close + 1;
    }
    return arena_copy(words->arena, expansion.bytes, expansion.size);
}

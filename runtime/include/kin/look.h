/// Looking: reading any entity without groups, for tools that must change nothing. No function here makes a group or an
/// array, subscribes, retains or allocates.
///
/// The slots of a context are read 64 at a time, in words: bit n of word w stands for slot 64 * w + n. Queries are bit
/// operations on these words:
///
///     for (uint32_t w = 0; w < kin_look_words(context); w++) {
///         uint64_t match = kin_look_has(context, GAME_POSITION, w) & ~kin_look_has(context, GAME_FROZEN, w);
///         KIN_EACH_BIT(i, match)
///             print(kin_look_entity(context, 64 * w + i));
///     }
///
/// Entities never change their slots. Do not change the context between reading a word and using it.
#ifndef KIN_LOOK_H
#define KIN_LOOK_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

/// Returns the number of words: the slots of the context divided by 64. Grows as the context grows. Cost: one load.
KIN_API uint32_t kin_look_words(const kin_context *context);

/// Returns the slots of a word with living entities; 0 for a word out of range. Cost: a few loads.
KIN_API uint64_t kin_look_alive(const kin_context *context, uint32_t word);

/// Returns the slots of a word whose entities have the component; 0 for an id or a word out of range. Cost: a few
/// loads.
KIN_API uint64_t kin_look_has(const kin_context *context, kin_component_id id, uint32_t word);

/// Returns the living entity of a slot, or 0. Cost: a few loads.
KIN_API kin_entity kin_look_entity(const kin_context *context, uint32_t slot);

/// Returns the components of a living entity as bits: bit n of word w stands for id 64 * w + n. Sets `*words` to their
/// number. NULL and 0 for an entity that is not alive. The context owns the words; they are valid until the entity
/// changes. Cost: a few loads.
KIN_API const uint64_t *kin_look_row(const kin_context *context, kin_entity entity, uint32_t *words);

/// Returns whether the entity is in a group of the schema: it matches the rules, and all questions of the group hold
/// (kin_group_info). `group` is the index in `groups` of kin_context_info; false for one out of range, and for an
/// entity that is not alive. Cost: that of kin_group_contains; with `held_by`, at most visits all that name the entity.
KIN_API bool kin_look_is_member(const kin_context *context, uint32_t group, kin_entity entity);

/// Copies the value of the component to `value`, which has room for kin_component_info.size bytes: of a component of
/// any storage, also with `layout: soa`. Strings in it belong to the context and are valid until the component changes.
/// Returns false, with `value` unchanged, when the entity is not alive or lacks the component, and for an id out of
/// range; true for a flag that is set, which has no bytes. Cost: copies the value.
KIN_API bool kin_look_read(const kin_context *context, kin_entity entity, kin_component_id id, void *value);

KIN_END_DECLARATIONS

#endif

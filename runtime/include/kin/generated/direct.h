/// Direct replaces, for generated code only. Changes with the interface version.
///
/// Most components that are replaced each frame have exactly one subscriber or collector. For these, a kin_change is
/// kept ready next to the component: a replace writes the entity and both values into it and calls the listener. There
/// is one kin_change for each component, so a replace inside a listener goes through kin__component_replace_fast, as do
/// all other cases. A collector calls no code of the user and does not need the kin_change.
///
/// `replace_path` of a component selects how it is replaced:
///
///   0                       no subscriber: write the value
///   KIN__PATH_LIBRARY       call kin__component_replace_fast
///   address of kin__direct  call its listener, for every entity
///   + KIN__PATH_MEMBERS     only for entities that the subscriber's group contains
///   + KIN__PATH_COLLECTOR   the subscriber is a collector: collect the entity
///
/// Invariant: while any listener runs, the ready kin_change stays unchanged. A component that gains or loses its only
/// subscriber meanwhile has the path KIN__PATH_LIBRARY until the outermost listener has returned.
#ifndef KIN_INTERNAL_DIRECT_H
#define KIN_INTERNAL_DIRECT_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

enum {
    KIN__DIRECT_WORDS = 4, // words of the largest value that is notified directly
    KIN__PATH_LIBRARY = 1,
    KIN__PATH_MEMBERS = 2,
    KIN__PATH_COLLECTOR = 4,
};

typedef struct kin__direct {
    kin_change change;
    kin_listener *listener;
    void *user;
    uint64_t previous[KIN__DIRECT_WORDS], value[KIN__DIRECT_WORDS];
    // With KIN__PATH_MEMBERS: the group contains an entity if (row & compared) == expected. Both include
    // the component's bit.
    uint64_t compared, expected;
} kin__direct;

// Does the work that was postponed until the outermost listener returned.
KIN_API void kin__settle(kin_context *context);

// Collects the entity. `source` is the `user` of the collector's subscription.
KIN_API void kin__collect_entity(void *source, kin_entity entity);

static inline kin__direct *kin__direct_of(uintptr_t path)
{
    return (kin__direct *)(path & ~(uintptr_t)(KIN__PATH_MEMBERS | KIN__PATH_COLLECTOR));
}

// Returns whether the subscriber's group contains the entity, which implies that the entity has the component.
static inline bool kin__direct_contains(const kin__direct *direct, const kin_context *context, kin_entity entity)
{
    const kin__chunk *chunk = kin__chunk_at(context, entity);
    return (kin__chunk_row(chunk, 1, kin_entity_slot(entity) % KIN__CHUNK_SLOTS)[0] & direct->compared) ==
           direct->expected;
}

// Writes the entity and the values of `size` bytes into the ready kin_change.
static inline void kin__direct_show(kin__direct *direct, kin_entity entity, const void *previous, const void *value,
                                    size_t size)
{
    memcpy(direct->previous, previous, size);
    memcpy(direct->value, value, size);
    direct->change.entity = entity;
}

// Calls the listener with the ready kin_change. The component already has the new value.
static inline void kin__direct_call(kin_context *context, kin__direct *direct)
{
    context->depth = 1;
    direct->listener(&direct->change, direct->user);
    context->depth = 0;
    if (context->unsettled)
        kin__settle(context);
}

// Replaces the value in `place` if the path leads to a listener that may be called, or to a collector. Returns false,
// with nothing changed, when the caller must call kin__component_replace_fast.
static inline bool kin__replace_directly(kin_context *context, kin_entity entity, uintptr_t path, void *place,
                                         const void *value, size_t size)
{
    kin__direct *direct = kin__direct_of(path);
    if ((path & KIN__PATH_LIBRARY) != 0 ||
        ((path & KIN__PATH_MEMBERS) != 0 && !kin__direct_contains(direct, context, entity)))
        return false;
    if ((path & KIN__PATH_COLLECTOR) != 0) {
        memcpy(place, value, size);
        kin__collect_entity(direct->user, entity);
        return true;
    }
    if (context->depth > 0)
        return false;
    kin__direct_show(direct, entity, place, value, size);
    memcpy(place, value, size);
    kin__direct_call(context, direct);
    return true;
}

// Replaces a component that the entity has, if it has no subscriber or exactly one that can be called directly. `size`
// is the size of the value. Returns false, with nothing changed, when the caller must call kin__component_replace_fast.
// `value` is only copied from, so the caller's value may stay in registers.
static inline bool kin__replace_fast(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                                     const void *value, size_t size)
{
    uintptr_t path = kin__component_of(context, id)->replace_path;
    void *place = kin__get(context, entity, id, size);
    if (place == NULL)
        return false;
    if (path == 0) {
        memcpy(place, value, size);
        return true;
    }
    return row_words == 1 && size <= KIN__DIRECT_WORDS * sizeof(uint64_t) &&
           kin__replace_directly(context, entity, path, place, value, size);
}

KIN_END_DECLARATIONS

#endif

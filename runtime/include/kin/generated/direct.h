/// Solo: replacing a component that one listener or collector minds, and nobody else, which is most of what is replaced
/// in a frame. Not for users; it changes with the interface.
///
/// What the one is shown lies ready with the component: the change, whose values are the two places behind it. Replacing
/// writes the entity and the values there and calls. There is one such place, so it is used for changes that are not
/// made inside others; those, and all else, are for kin__component_replace_fast. A collector calls nobody and needs none.
///
/// The `way` of a component says how a replace goes, with one look:
///
///   0                        nobody minds
///   KIN__PATH_LIBRARY         by kin__component_replace_fast
///   solo                     the one is told of every entity
///   + KIN__PATH_MEMBERS          of those that its group contains
///   + KIN__PATH_COLLECTOR     the one is a collector, who is shown the entity alone
///
/// Invariant: while something is told, what lies ready stays as it is. A component that loses its only one meanwhile,
/// or gets one, goes by the library until everything has been told.
#ifndef KIN_GENERATED_DIRECT_H
#define KIN_GENERATED_DIRECT_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

enum {
    KIN__DIRECT_WORDS = 4, // of the largest value that is told so
    KIN__PATH_LIBRARY = 1,
    KIN__PATH_MEMBERS = 2,
    KIN__PATH_COLLECTOR = 4,
};

typedef struct kin__direct {
    kin_change change;
    kin_listener *listener;
    void *user;
    uint64_t previous[KIN__DIRECT_WORDS], value[KIN__DIRECT_WORDS];
    uint64_t care, want; // KIN__PATH_MEMBERS: an entity for whose row (row & care) == want, and which has the component
} kin__direct;

// Does what had to wait until nothing is told any more.
KIN_API void kin__settle(kin_context *context);

// Collects the entity for a source, the `user` of a collector's subscription.
KIN_API void kin__collect_entity(void *source, kin_entity entity);

static inline kin__direct *kin__direct_of(uintptr_t path)
{
    return (kin__direct *)(path & ~(uintptr_t)(KIN__PATH_MEMBERS | KIN__PATH_COLLECTOR));
}

// Whether the group of the one contains the entity, which then has the component.
static inline bool kin__direct_contains(const kin__direct *direct, const kin_context *context, kin_entity entity)
{
    const kin__chunk *chunk = kin__chunk_at(context, entity);
    return (kin__chunk_row(chunk, 1, kin_entity_slot(entity) % KIN__CHUNK_SLOTS)[0] & direct->care) == direct->want;
}

// Whether a replace of a component that the entity has is for the one, and for nobody else, where its way is not 0.
// Else it is for kin__component_replace_fast.
static inline bool kin__direct_applies(const kin_context *context, kin_entity entity, uintptr_t path)
{
    if ((context->depth > 0 && (path & KIN__PATH_COLLECTOR) == 0) || (path & KIN__PATH_LIBRARY) != 0)
        return false;
    return (path & KIN__PATH_MEMBERS) == 0 || kin__direct_contains(kin__direct_of(path), context, entity);
}

// Has the entity and the values, of `size` bytes, lie ready.
static inline void kin__direct_show(kin__direct *direct, kin_entity entity, const void *previous, const void *value,
                                    size_t size)
{
    memcpy(direct->previous, previous, size);
    memcpy(direct->value, value, size);
    direct->change.entity = entity;
}

// Tells what lies ready, when the value has been written.
static inline void kin__direct_call(kin_context *context, kin__direct *direct)
{
    context->depth = 1;
    direct->listener(&direct->change, direct->user);
    context->depth = 0;
    if (context->unsettled)
        kin__settle(context);
}

// Overwrites a component that the entity has, where no subscriber is to be notified or only one, directly. `size` is that
// of the value. False, with nothing changed: the replace is for kin__component_replace_fast. `value` is only copied from,
// so that the caller's may stay in registers.
static inline bool kin__replace_fast(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                                     const void *value, size_t size)
{
    uintptr_t path = kin__component_of(context, id)->replace_path;
    void *place = kin__get(context, entity, id, row_words, size);
    if (place == NULL)
        return false;
    if (path == 0) {
        memcpy(place, value, size);
        return true;
    }
    if (row_words > 1 || size > KIN__DIRECT_WORDS * sizeof(uint64_t) || !kin__direct_applies(context, entity, path))
        return false;
    kin__direct *direct = kin__direct_of(path);
    if ((path & KIN__PATH_COLLECTOR) != 0) {
        memcpy(place, value, size);
        kin__collect_entity(direct->user, entity);
        return true;
    }
    kin__direct_show(direct, entity, place, value, size);
    memcpy(place, value, size);
    kin__direct_call(context, direct);
    return true;
}

KIN_END_DECLARATIONS

#endif

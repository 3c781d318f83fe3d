/// Solo: replacing a component that one listener or collector minds, and nobody else, which is most of what is replaced
/// in a frame. Not for users; it changes with the interface.
///
/// What the one is shown lies ready with the component: the change, whose values are the two places behind it. Replacing
/// writes the entity and the values there and calls. There is one such place, so it is used for changes that are not
/// made inside others; those, and all else, are for kin__component_replace. A collector calls nobody and needs none.
///
/// The `way` of a component says how a replace goes, with one look:
///
///   0                        nobody minds
///   KIN__WAY_LIBRARY         by kin__component_replace
///   solo                     the one is told of every entity
///   + KIN__WAY_SOME          of those that its group contains
///   + KIN__WAY_COLLECTOR     the one is a collector, who is shown the entity alone
///
/// Invariant: while something is told, what lies ready stays as it is. A component that loses its only one meanwhile,
/// or gets one, goes by the library until everything has been told.
#ifndef KIN_SOLO_H
#define KIN_SOLO_H

#include <kin/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

enum {
    KIN__SOLO_WORDS = 4, // of the largest value that is told so
    KIN__WAY_LIBRARY = 1,
    KIN__WAY_SOME = 2,
    KIN__WAY_COLLECTOR = 4,
};

typedef struct kin__solo {
    kin_change change;
    kin_listener *listener;
    void *user;
    uint64_t previous[KIN__SOLO_WORDS], value[KIN__SOLO_WORDS];
    uint64_t care, want; // KIN__WAY_SOME: an entity for whose row (row & care) == want, and which has the component
} kin__solo;

// Does what had to wait until nothing is told any more.
KIN_API void kin__settle(kin_context *context);

// Collects the entity for a source, the `user` of a collector's subscription.
KIN_API void kin__collect_entity(void *source, kin_entity entity);

static inline kin__solo *kin__solo_of(uintptr_t way)
{
    return (kin__solo *)(way & ~(uintptr_t)(KIN__WAY_SOME | KIN__WAY_COLLECTOR));
}

// Whether the group of the one contains the entity, which then has the component.
static inline bool kin__solo_contains(const kin__solo *solo, const kin_context *context, kin_entity entity)
{
    const kin__chunk *chunk = kin__chunk_at(context, entity);
    return (kin__chunk_row(chunk, 1, kin_entity_slot(entity) % KIN__CHUNK_SLOTS)[0] & solo->care) == solo->want;
}

// Whether a replace of a component that the entity has is for the one, and for nobody else, where its way is not 0.
// Else it is for kin__component_replace.
static inline bool kin__solo_minds(const kin_context *context, kin_entity entity, uintptr_t way)
{
    if ((context->depth > 0 && (way & KIN__WAY_COLLECTOR) == 0) || (way & KIN__WAY_LIBRARY) != 0)
        return false;
    return (way & KIN__WAY_SOME) == 0 || kin__solo_contains(kin__solo_of(way), context, entity);
}

// Has the entity and the values, of `size` bytes, lie ready.
static inline void kin__solo_show(kin__solo *solo, kin_entity entity, const void *previous, const void *value,
                                  size_t size)
{
    memcpy(solo->previous, previous, size);
    memcpy(solo->value, value, size);
    solo->change.entity = entity;
}

// Tells what lies ready, when the value has been written.
static inline kin_status kin__solo_tell(kin_context *context, kin__solo *solo)
{
    context->depth = 1;
    solo->listener(&solo->change, solo->user);
    context->depth = 0;
    if (context->unsettled)
        kin__settle(context);
    return KIN_OK;
}

KIN_END_DECLARATIONS

#endif

// Keepsakes: the values that components had when they were lost, for the event systems that still have to tell of it,
// and for those who stashed them.
//
//   core.keepsakes[component] → shadows, one for each chunk in which the component has a column
//     shadow   kept[8]          a bit a slot: its value is here
//              stashed[8]       likewise: it is stashed (stash.h)
//              waiting[512]     how many entries of collectors wait to tell of the slot's loss
//              parcels[512]     what each value owns
//              values[512]      the values; of a boxed component: the boxes
//
// All who wait want the same: the value that was lost last. It is moved here when a loss begins to be told, since
// nobody knows yet who will wait, and goes once that is over and nobody does. A shadow is made with its column, so that
// to lose a component needs no memory.
//
// Invariants, checked by kin__keepsakes_are_valid():
//   1. while there are users, a chunk that has the component's column has a shadow
//   2. a value is kept where somebody waits, and elsewhere only while its loss is told
#ifndef KIN_SRC_KEEPSAKE_H
#define KIN_SRC_KEEPSAKE_H

#include "storage/value.h"

typedef struct kin__keepsakes {
    kin_component_id id;
    uint32_t users;     // event systems, and the stash
    bool is_stash;      // which is one of them
    kin__array shadows; // of kin__shadow *, by chunk; NULL: none
} kin__keepsakes;

typedef struct kin__shadow {
    uint64_t kept[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    uint32_t waiting[KIN__CHUNK_SLOTS];
    kin__parcel *parcels[KIN__CHUNK_SLOTS];
} kin__shadow;

_Static_assert(sizeof(kin__shadow) % KIN__CACHE_LINE == 0, "values stand behind a shadow, aligned like a column's");

// Bytes of what is kept of a value: its box, or all of it also where fields have columns.
static inline size_t kin__kept_size(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed ? sizeof(void *) : kin__value_size(context, id);
}

// NULL: the chunk has none.
static inline kin__shadow *kin__shadow_of(const kin__keepsakes *keepsakes, uint32_t chunk)
{
    return chunk < keepsakes->shadows.capacity ? ((kin__shadow *const *)keepsakes->shadows.elements)[chunk] : NULL;
}

static inline bool kin__shadow_has(const kin__shadow *shadow, uint32_t place)
{
    return (shadow->kept[place / 64] >> (place % 64) & 1) != 0;
}

static inline bool kin__shadow_stashes(const kin__shadow *shadow, uint32_t place)
{
    return (shadow->stashed[place / 64] >> (place % 64) & 1) != 0;
}

static inline uint32_t kin__shadow_count(const kin__shadow *shadow)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(shadow->kept[word]);
    return count;
}

static inline bool kin__has_column(const kin_context *context, uint32_t chunk, kin_component_id id)
{
    return kin__chunk_columns(context->chunks[chunk], context->row_words)[id] != context->empty;
}

// NULL: no event system waits for losses of the component.
static inline kin__keepsakes *kin__keepsakes_of(const kin_context *context, kin_component_id id)
{
    return context->core->keepsakes == NULL ? NULL : context->core->keepsakes[id];
}

// Those of a component that has values, for one user more. NULL without memory.
kin__keepsakes *kin__keepsakes_use(kin_context *context, kin_component_id id);

// One user less, for whom nothing waits.
void kin__keepsakes_leave(kin_context *context, kin__keepsakes *keepsakes);

// Makes the shadow of a column that is about to be made. False without memory.
bool kin__keepsakes_reserve(kin_context *context, uint32_t chunk, kin_component_id id);

// The loss of a component begins to be told: moves the value, of which the old address can still be read until the
// place is used again. False where the component has no keepsakes: the value is still where it was.
bool kin__keepsake_take(kin_context *context, uint32_t slot, kin_component_id id);

// That loss has been told: gives up the value when nobody waits. False where none was moved.
bool kin__keepsake_settle(kin_context *context, uint32_t slot, kin_component_id id);

// One entry more that waits, and one less.
void kin__keepsake_hold(const kin__keepsakes *keepsakes, uint32_t slot);
void kin__keepsake_let_go(kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot);

// The value that somebody waits for.
kin__room kin__keepsake_room(const kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot);

// Gives back shadows of columns that there are not any more, and for which nobody waits.
void kin__keepsakes_trim(kin_context *context);

// Bytes of what somebody waits for.
size_t kin__keepsakes_used(const kin_context *context);

// Drops and frees everything, at the end of the context.
void kin__keepsakes_release(kin_context *context);

bool kin__keepsakes_are_valid(const kin_context *context);

#endif

// Walks over the entities of an index (kin/inventory.h), in an order that depends on what is in it alone, and not on
// hashes or on earlier changes: of a primary index by slot; of others by key, keys by the lowest slot with them, and
// the entities of a key by slot.

#include "base/base.h"
#include "store/store.h"
#include "index/given_keys.h"
#include "index/index.h"

#include <kin/inventory.h>

enum { KEY_SIZE = 120 };

typedef struct walk {
    const kin_context *context;
    const kin__index *index;
    kin_index_visitor *visit;
    void *user;
} walk;

// `at` is a slot, or the number of a kept key.
static void visit_entry(const walk *walk, uint32_t at, uint32_t place, uint32_t count)
{
    char key[KEY_SIZE];
    const kin__kept_key *kept = walk->index->given != NULL ? kin__index_slot_data(walk->index, at) : NULL;
    uint32_t slot = kept != NULL ? kept->slot : at;
    kin_entity entity = kin__chunk_of_slot(walk->context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    if (kept != NULL)
        kin__kept_key_describe(walk->index, kept, key, sizeof key);
    else
        kin__key_describe(walk->context, slot, walk->index->info, (kin__new_values){0}, key, sizeof key);
    kin_index_entry entry = {.key = key, .entity = entity, .place = place, .count = count};
    walk->visit(&entry, walk->user);
}

// Whether the entity of a slot that has the first component of the key is in the primary index.
static bool is_in(const walk *walk, uint32_t slot)
{
    if (!kin__matcher_holds(&walk->index->matcher, kin__row_of(walk->context, slot), walk->context->row_words))
        return false;
    return !kin__key_read(walk->context, slot, walk->index, (kin__new_values){0}, walk->index->keys[0]).is_null;
}

static void walk_primary(const walk *walk)
{
    kin_component_id first = walk->index->info->key[0].component;
    for (uint32_t slot = 0; slot < walk->context->chunk_count * KIN__CHUNK_SLOTS; slot += 64) {
        const kin__column *column = kin__column_of(walk->context, slot, first);
        for (uint64_t bits = column->has[slot % KIN__CHUNK_SLOTS / 64]; bits != 0; bits &= bits - 1) {
            uint32_t at = slot + kin__lowest_bit(bits);
            if (is_in(walk, at))
                visit_entry(walk, at, 0, 1);
        }
    }
}

// Visits the list that begins with a slot or kept key, if one does.
static void walk_list_from(const walk *walk, uint32_t at)
{
    uint32_t count = kin__list_length_from(walk->index, at);
    for (uint32_t place = 0; place < count; place++, at = kin__list_next(walk->index, at))
        visit_entry(walk, at, place, count);
}

// Walks the lists of a multi index, or of an index whose keys a function gives.
static void walk_lists(const walk *walk)
{
    kin__lists_sort(walk->index);
    for (uint32_t slot = 0; slot < walk->context->chunk_count * KIN__CHUNK_SLOTS; slot++)
        if (walk->index->given != NULL) {
            for (uint32_t at = kin__given_keys_first(walk->index, slot); at != KIN__NO_SLOT;
                 at = kin__given_keys_next(walk->index, at))
                walk_list_from(walk, at);
        } else if (kin__index_has_block(walk->index, slot)) {
            walk_list_from(walk, slot);
        } else {
            slot |= KIN__CHUNK_SLOTS - 1;
        }
}

uint32_t kin_index_count(const kin_context *context, uint32_t index)
{
    if (index >= context->info->index_count)
        return 0;
    const kin__index *found = &context->core->indices->indices[index];
    return found->info->is_primary && found->given == NULL ? kin__index_table(context, found)->count
                                                           : kin__list_count(found);
}

void kin_index_walk(const kin_context *context, uint32_t index, kin_index_visitor *visit, void *user)
{
    if (index >= context->info->index_count || visit == NULL)
        return;
    if (kin__context_is_shared(context)) { // a walk sorts lists, and writes keys
        kin__refuse_shared(context);
        return;
    }
    walk walk = {context, &context->core->indices->indices[index], visit, user};
    if (walk.index->info->is_primary && walk.index->given == NULL)
        walk_primary(&walk);
    else
        walk_lists(&walk);
}

#include "writing/writing.h"

#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A key of one entity, as bytes that are equal if the keys are equal.
typedef struct key {
    const unsigned char *bytes;
    size_t size;
    kin_entity entity;
} key;

// The keys of one index. Their memory is from the heap of the check.
typedef struct keys {
    const kin__context_snapshot *part;
    kin__heap *heap;
    const kin_index_info *index;
    kin_matcher matcher;
    const kin__leaf *leaves;
    uint32_t leaf_count;
    const void **values; // of the components that a function reads
    unsigned char **scratch;
    unsigned char *given; // the keys that the function writes
    key *keys;
    size_t count, capacity;
} keys;

static const kin__image *head_of(const kin__context_snapshot *part, uint32_t chunk)
{
    return kin__part_image(part, chunk, kin__head_number(part->info));
}

// Writes one leaf of a key, or only counts its bytes. Returns SIZE_MAX if its value makes the key invalid.
static size_t write_leaf(const kin__leaf *leaf, const unsigned char *at, unsigned char *to)
{
    size_t size = leaf->size;
    const void *from = at;
    const char *string;
    double broad = 0;
    float narrow = 0;
    if (leaf->kind == KIN__LEAF_STRING) {
        memcpy(&string, at, sizeof string);
        from = string;
        size = SIZE_MAX;
        if (string != NULL)
            size = strlen(string) + 1;
    } else if (leaf->kind == KIN__LEAF_TEXT) {
        size = strlen((const char *)at) + 1;
    } else if (leaf->kind == KIN__LEAF_DOUBLE) {
        memcpy(&broad, at, sizeof broad);
        size = sizeof broad;
        if (broad != broad)
            size = SIZE_MAX;
        if (broad == 0)
            broad = 0; // also if it is -0
        from = &broad;
    } else if (leaf->kind == KIN__LEAF_FLOAT) {
        memcpy(&narrow, at, sizeof narrow);
        size = sizeof narrow;
        if (narrow != narrow)
            size = SIZE_MAX;
        if (narrow == 0)
            narrow = 0;
        from = &narrow;
    }
    if (to != NULL && size != SIZE_MAX)
        memcpy(to, from, size);
    return size;
}

// Returns the size of a key, whose leaves are at the addresses in `at`; SIZE_MAX if it is invalid.
static size_t write_key(const keys *keys, const unsigned char *const *at, unsigned char *to)
{
    size_t size = 0;
    for (uint32_t i = 0; i < keys->leaf_count; i++) {
        size_t more = write_leaf(&keys->leaves[i], at[i] + keys->leaves[i].offset, to);
        if (more == SIZE_MAX)
            return SIZE_MAX;
        size += more;
        if (to != NULL)
            to += more;
    }
    return size;
}

static bool add_key(keys *keys, kin_entity entity, const unsigned char *const *at)
{
    size_t size = write_key(keys, at, NULL);
    if (size == SIZE_MAX)
        return true;
    if (keys->count == keys->capacity) {
        size_t capacity = kin__max_size(2 * keys->capacity, 64);
        key *larger = kin__heap_take(keys->heap, capacity, sizeof *larger);
        if (larger == NULL)
            return false;
        if (keys->count > 0)
            memcpy(larger, keys->keys, keys->count * sizeof *larger);
        keys->keys = larger;
        keys->capacity = capacity;
    }
    unsigned char *bytes = kin__heap_take(keys->heap, size, 1);
    if (bytes == NULL)
        return false;
    size_t written = write_key(keys, at, bytes);
    KIN_ASSERT(written == size);
    (void)written;
    keys->keys[keys->count++] = (key){bytes, size, entity};
    return true;
}

static const unsigned char *value_of(const keys *keys, uint32_t chunk, uint32_t place, kin_component_id id,
                                     unsigned char *scratch)
{
    return kin__image_value(keys->part->info, kin__part_image(keys->part, chunk, id), place, scratch);
}

static bool add_fields(keys *keys, kin_entity entity, uint32_t chunk, uint32_t place, const unsigned char **at)
{
    for (uint32_t i = 0; i < keys->leaf_count; i++)
        at[i] = value_of(keys, chunk, place, keys->leaves[i].component, keys->scratch[i]);
    return add_key(keys, entity, at);
}

static bool add_given(keys *keys, kin_entity entity, uint32_t chunk, uint32_t place, const unsigned char **at)
{
    const kin_index_info *index = keys->index;
    for (uint32_t i = 0; i < index->of_count; i++)
        keys->values[i] = value_of(keys, chunk, place, index->of[i], keys->scratch[i]);
    uint32_t count = index->function(keys->values, keys->given);
    for (uint32_t i = 0; i < count && i < KIN_INDEX_KEYS; i++) {
        for (uint32_t k = 0; k < keys->leaf_count; k++)
            at[k] = keys->given + i * index->key_type->size;
        if (!add_key(keys, entity, at))
            return false;
    }
    return true;
}

static bool add_entities(keys *keys, const unsigned char **at)
{
    const kin__context_snapshot *part = keys->part;
    uint32_t row_words = part->context->row_words;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *head = head_of(part, chunk);
        for (uint32_t place = 0; head != NULL && place < KIN__CHUNK_SLOTS; place++) {
            if (!kin__bits_have(kin__image_alive(head), place) ||
                !kin__matcher_holds(&keys->matcher, kin__image_row(head, row_words, place), row_words))
                continue;
            kin_entity entity = kin__image_ids(head)[place];
            bool is_added;
            if (keys->index->function == NULL)
                is_added = add_fields(keys, entity, chunk, place, at);
            else
                is_added = add_given(keys, entity, chunk, place, at);
            if (!is_added)
                return false;
        }
    }
    return true;
}

static int compare_keys(const void *one, const void *other)
{
    const key *a = one;
    const key *b = other;
    int order = memcmp(a->bytes, b->bytes, kin__min_size(a->size, b->size));
    if (order != 0)
        return order;
    return (a->size > b->size) - (a->size < b->size);
}

// If a function returns a key twice for one entity, it counts once.
static void find_twice(const keys *keys, kin_entity twice[2])
{
    if (keys->count > 0)
        qsort(keys->keys, keys->count, sizeof *keys->keys, compare_keys);
    for (size_t i = 1; i < keys->count && twice[0] == 0; i++)
        if (keys->keys[i].entity != keys->keys[i - 1].entity && compare_keys(&keys->keys[i], &keys->keys[i - 1]) == 0) {
            KIN_ASSERT(keys->keys[i].entity != 0);
            twice[0] = keys->keys[i - 1].entity;
            twice[1] = keys->keys[i].entity;
        }
}

// ---- indices

static bool prepare(keys *keys, const unsigned char ***at)
{
    kin__heap *heap = keys->heap;
    const kin_index_info *index = keys->index;
    keys->leaf_count = kin__key_count_leaves(index);
    uint32_t most = kin__max_32(keys->leaf_count, index->of_count);
    kin__leaf *leaves = kin__heap_take(heap, keys->leaf_count, sizeof *leaves);
    keys->values = kin__heap_take(heap, most, sizeof *keys->values);
    keys->scratch = kin__heap_take(heap, most, sizeof *keys->scratch);
    *at = kin__heap_take(heap, most, sizeof **at);
    size_t key_size = 1;
    if (index->function != NULL)
        key_size = index->key_type->size;
    keys->given = kin__heap_take(heap, KIN_INDEX_KEYS, key_size);
    bool has_keys = leaves != NULL && keys->given != NULL;
    bool has_values = keys->values != NULL && *at != NULL;
    if (!has_keys || !has_values)
        return false;
    if (keys->scratch == NULL)
        return false;
    for (uint32_t i = 0; i < most; i++) {
        keys->scratch[i] = kin__heap_take(heap, 1, keys->part->context->core->store->scratch_size);
        if (keys->scratch[i] == NULL)
            return false;
    }
    kin__key_list_leaves(index, leaves);
    KIN_ASSERT(keys->leaf_count > 0);
    keys->leaves = leaves;
    keys->matcher = kin__matcher_normalise(&index->matcher);
    return true;
}

bool kin__key_find_twice(const kin__context_snapshot *part, const kin_index_info *index, kin__heap *heap,
                         kin_entity twice[2])
{
    keys keys = {.part = part, .heap = heap, .index = index};
    const unsigned char **at;
    KIN_ASSERT(index->is_primary);
    twice[0] = 0;
    twice[1] = 0;
    bool is_done = prepare(&keys, &at) && add_entities(&keys, at);
    if (is_done)
        find_twice(&keys, twice);
    kin__heap_release(heap);
    return is_done;
}

bool kin__written_keys_check(const kin__context_snapshot *part, kin__fault *fault)
{
    kin__memory memory = kin__memory_of((kin_allocator){NULL, NULL, NULL});
    kin__heap heap = {.memory = &memory, .fault = fault};
    kin_entity twice[2] = {0, 0};
    for (uint32_t i = 0; i < part->info->index_count && twice[0] == 0; i++) {
        const kin_index_info *index = &part->info->indices[i];
        if (!index->is_primary || index->function == NULL)
            continue;
        if (!kin__key_find_twice(part, index, &heap, twice))
            return false;
        if (twice[0] != 0)
            kin__fault_note(
                fault, KIN_ERROR_INVALID,
                "entity %" PRIu64 " in slot %" PRIu32 " and entity %" PRIu64 " in slot %" PRIu32
                " of '%.63s' both have %.100s, which only one entity may have; touch a value after an edit, "
                "or replace it",
                kin_entity_creation_index(twice[0]), kin_entity_slot(twice[0]), kin_entity_creation_index(twice[1]),
                kin_entity_slot(twice[1]), part->info->name, index->name);
    }
    return twice[0] == 0;
}

#include "read/keys.h"

#include "base/matcher.h"
#include "index/key.h"
#include "read/migrate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A key of one entity, as bytes that are equal if the keys are equal.
typedef struct key {
    const unsigned char *bytes;
    size_t size;
    kin_entity entity;
} key;

// The keys of one index. Their memory belongs to the reading.
typedef struct keys {
    kin__reading *reading;
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

static bool refuse(kin__reading *reading, const char *what, bool is_decided, kin_entity one, kin_entity other)
{
    const char *advice = is_decided ? "correct the function that migrates it"
                                    : "write 'migrate: true' at the component, and decide in its function";
    return kin__fault_note(reading->fault, KIN_ERROR_SHAPE,
                           "entity %" PRIu64 " in slot %" PRIu32 " and entity %" PRIu64 " in slot %" PRIu32
                           " both have %.100s, which only one entity may have; %s [K1308]",
                           kin_entity_creation_index(one), kin_entity_slot(one), kin_entity_creation_index(other),
                           kin_entity_slot(other), what, advice);
}

// ---- unique components

static bool check_unique(kin__reading *reading, kin_component_id id)
{
    kin_entity carrier = 0;
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(reading->part, chunk, id), *head = kin__reading_head(reading, chunk);
        for (uint32_t place = 0; image != NULL && place < KIN__CHUNK_SLOTS; place++) {
            if (!kin__bits_have(kin__image_has(image), place))
                continue;
            kin_entity entity = kin__image_ids(head)[place];
            if (carrier != 0)
                return !kin__migrating_ask(reading, id) &&
                       refuse(reading, reading->context->info->components[id].name,
                              kin__decided_of(reading, id) != NULL, carrier, entity);
            carrier = entity;
        }
    }
    return true;
}

// ---- keys

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
        size = string == NULL ? SIZE_MAX : strlen(string) + 1;
    } else if (leaf->kind == KIN__LEAF_TEXT) {
        size = strlen((const char *)at) + 1;
    } else if (leaf->kind == KIN__LEAF_DOUBLE) {
        memcpy(&broad, at, sizeof broad);
        size = broad != broad ? SIZE_MAX : sizeof broad;
        broad = broad == 0 ? 0 : broad;
        from = &broad;
    } else if (leaf->kind == KIN__LEAF_FLOAT) {
        memcpy(&narrow, at, sizeof narrow);
        size = narrow != narrow ? SIZE_MAX : sizeof narrow;
        narrow = narrow == 0 ? 0 : narrow;
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
        size_t more = write_leaf(&keys->leaves[i], at[i] + keys->leaves[i].offset, to == NULL ? NULL : to + size);
        if (more == SIZE_MAX)
            return SIZE_MAX;
        size += more;
    }
    return size;
}

static bool add_key(keys *keys, kin_entity entity, const unsigned char *const *at)
{
    size_t size = write_key(keys, at, NULL);
    if (size == SIZE_MAX)
        return true;
    if (keys->count == keys->capacity) {
        size_t capacity = keys->capacity == 0 ? 64 : 2 * keys->capacity;
        key *larger = kin__heap_take(&keys->reading->value_heap, capacity, sizeof *larger);
        if (larger == NULL)
            return false;
        if (keys->count > 0)
            memcpy(larger, keys->keys, keys->count * sizeof *larger);
        keys->keys = larger;
        keys->capacity = capacity;
    }
    unsigned char *bytes = kin__heap_take(&keys->reading->value_heap, size, 1);
    if (bytes == NULL)
        return false;
    write_key(keys, at, bytes);
    keys->keys[keys->count++] = (key){bytes, size, entity};
    return true;
}

static const unsigned char *value_of(const keys *keys, uint32_t chunk, uint32_t place, kin_component_id id,
                                     unsigned char *scratch)
{
    const kin_context_info *info = keys->reading->context->info;
    return kin__image_value(info, kin__part_image(keys->reading->part, chunk, id), place, scratch);
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
    const kin__reading *reading = keys->reading;
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++) {
        const kin__image *head = kin__reading_head(reading, chunk);
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
            if (!kin__bits_have(kin__image_alive(head), place) ||
                !kin__matcher_holds(&keys->matcher, kin__reading_row(reading, head, place),
                                    reading->context->row_words))
                continue;
            kin_entity entity = kin__image_ids(head)[place];
            if (!(keys->index->function == NULL ? add_fields(keys, entity, chunk, place, at)
                                                : add_given(keys, entity, chunk, place, at)))
                return false;
        }
    }
    return true;
}

static int compare_keys(const void *one, const void *other)
{
    const key *a = one, *b = other;
    int order = memcmp(a->bytes, b->bytes, a->size < b->size ? a->size : b->size);
    return order != 0 ? order : a->size < b->size ? -1 : a->size > b->size;
}

// Refuses a key that two entities have, unless the migration of a component of the key is to be asked.
static bool refuse_key(const keys *keys, kin_entity one, kin_entity other)
{
    const kin_index_info *index = keys->index;
    bool is_asked = false, is_decided = false;
    for (uint32_t i = 0; i < index->of_count + index->key_count; i++) {
        kin_component_id id = i < index->of_count ? index->of[i] : index->key[i - index->of_count].component;
        is_asked = kin__migrating_ask(keys->reading, id) || is_asked;
        is_decided = kin__decided_of(keys->reading, id) != NULL || is_decided;
    }
    return !is_asked && refuse(keys->reading, index->name, is_decided, one, other);
}

// If a function returns a key twice for one entity, it counts once.
static bool find_twice(keys *keys)
{
    if (keys->count > 0)
        qsort(keys->keys, keys->count, sizeof *keys->keys, compare_keys);
    for (size_t i = 1; i < keys->count; i++)
        if (keys->keys[i].entity != keys->keys[i - 1].entity && compare_keys(&keys->keys[i], &keys->keys[i - 1]) == 0)
            return refuse_key(keys, keys->keys[i - 1].entity, keys->keys[i].entity);
    return true;
}

// ---- indices

static bool prepare(keys *keys, const unsigned char ***at)
{
    kin__heap *heap = &keys->reading->value_heap;
    const kin_index_info *index = keys->index;
    keys->leaf_count = kin__key_count_leaves(index);
    uint32_t most = keys->leaf_count > index->of_count ? keys->leaf_count : index->of_count;
    kin__leaf *leaves = kin__heap_take(heap, keys->leaf_count, sizeof *leaves);
    keys->values = kin__heap_take(heap, most, sizeof *keys->values);
    keys->scratch = kin__heap_take(heap, most, sizeof *keys->scratch);
    *at = kin__heap_take(heap, most, sizeof **at);
    keys->given = kin__heap_take(heap, KIN_INDEX_KEYS, index->function == NULL ? 1 : keys->index->key_type->size);
    if (leaves == NULL || keys->values == NULL || keys->scratch == NULL || *at == NULL || keys->given == NULL)
        return false;
    for (uint32_t i = 0; i < most; i++) {
        keys->scratch[i] = kin__heap_take(heap, 1, keys->reading->context->core->store->scratch_size);
        if (keys->scratch[i] == NULL)
            return false;
    }
    kin__key_list_leaves(index, leaves);
    keys->leaves = leaves;
    keys->matcher = kin__matcher_normalise(&index->matcher);
    return true;
}

static bool check_index(kin__reading *reading, const kin_index_info *index)
{
    keys keys = {.reading = reading, .index = index};
    const unsigned char **at;
    bool is_right = prepare(&keys, &at) && add_entities(&keys, at) && find_twice(&keys);
    kin__heap_release(&reading->value_heap);
    return is_right;
}

bool kin__keys_check(kin__reading *reading)
{
    const kin_context_info *info = reading->context->info;
    for (uint32_t id = 0; id < info->component_count; id++)
        if (info->components[id].is_unique && !check_unique(reading, (kin_component_id)id))
            return false;
    for (uint32_t i = 0; i < info->index_count; i++)
        if (info->indices[i].is_primary && !check_index(reading, &info->indices[i]))
            return false;
    return true;
}

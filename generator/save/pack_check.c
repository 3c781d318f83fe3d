// What lines must not have together: an entity, a carrier or a primary key twice, a slot that is not there.
#include "generator/save/internal.h"

#include "base/base.h"
#include "file/file.h"

#include <assert.h>
#include <inttypes.h>
#include <kin/entity.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 256 };

// Reports at the beginning of a line that was read before.
DIAGNOSTIC_FORMAT(4, 5)
static bool report(packing *packing, diagnostic_code code, const pack_origin *origin, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    assert(origin->head != NULL);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    packing->line = origin->head;
    packing->line_size = strlen(origin->head);
    packing->line_number = origin->line;
    return pack_error(packing, code, &(json_node){.end = packing->line_size}, "%s", message);
}

static int compare(uint64_t one, uint64_t other)
{
    return (one > other) - (one < other);
}

static int compare_slots(const void *a, const void *b)
{
    const pack_entity *one = a;
    const pack_entity *other = b;
    int order = compare(kin_entity_slot(one->handle), kin_entity_slot(other->handle));
    if (order == 0)
        order = compare(one->origin.line, other->origin.line);
    return order;
}

static int compare_kept(const void *a, const void *b)
{
    const pack_kept *one = a;
    const pack_kept *other = b;
    int order = compare(one->slot / SAVE_CHUNK_SLOTS, other->slot / SAVE_CHUNK_SLOTS);
    if (order == 0)
        order = compare(one->value->component, other->value->component);
    if (order == 0)
        order = compare(one->slot, other->slot);
    return order;
}

static int compare_shared(const void *a, const void *b)
{
    const pack_shared *one = a;
    const pack_shared *other = b;
    int order = compare(one->component, other->component);
    if (order == 0)
        order = compare(one->first, other->first);
    return order;
}

static int compare_links(const void *a, const void *b)
{
    const pack_links *one = a;
    const pack_links *other = b;
    int order = compare(one->component, other->component);
    if (order == 0)
        order = compare(one->leaf, other->leaf);
    if (order == 0)
        order = compare(one->target, other->target);
    return order;
}

static void sort(const pack_list *list, size_t size, int (*order)(const void *, const void *))
{
    if (list->count > 1)
        qsort(list->items, list->count, size, order);
}

static int compare_indices(const void *a, const void *b)
{
    return compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

static bool check_indices(packing *packing, const pack_context *context)
{
    const pack_entity *entities = pack_entities(context);
    size_t count = context->entities.count;
    uint64_t *indices = arena_allocate(packing->arena, count * sizeof *indices + 1);
    for (size_t i = 0; i < count; i++)
        indices[i] = kin_entity_creation_index(entities[i].handle);
    if (count > 1)
        qsort(indices, count, sizeof *indices, compare_indices);
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; indices[i] == indices[i - 1] && k < count; k++)
            if (kin_entity_creation_index(entities[k].handle) == indices[i])
                return report(packing, CODE_LINE_TWICE, &entities[k].origin,
                              "two entities have the creation index %" PRIu64, indices[i]);
    return true;
}

static bool check_entities(packing *packing, const pack_context *context)
{
    const pack_entity *entities = pack_entities(context);
    for (size_t i = 0; i < context->entities.count; i++) {
        const pack_entity *entity = &entities[i];
        uint64_t index = kin_entity_creation_index(entity->handle);
        uint32_t slot = kin_entity_slot(entity->handle);
        if (slot >= (uint32_t)SAVE_CHUNK_LIMIT * SAVE_CHUNK_SLOTS)
            return report(packing, CODE_LINE_VALUE, &entity->origin, "the slot %" PRIu32 " is too high", slot);
        if (i > 0 && kin_entity_slot(entities[i - 1].handle) == slot)
            return report(packing, CODE_LINE_TWICE, &entity->origin, "the slot %" PRIu32 " has an entity in line %zu",
                          slot, entities[i - 1].origin.line);
        bool is_known = slot / SAVE_CHUNK_SLOTS < context->chunk_count && index >= context->first_index;
        if (index >= context->next_index)
            is_known = false;
        if (context->slots.size > 0 && !is_known)
            return report(packing, CODE_LINE_VALUE, &entity->origin,
                          "the entity is not one of the line of slots; leave that line out");
    }
    return check_indices(packing, context);
}

static bool check_carriers(packing *packing, const pack_context *context)
{
    const pack_entity *entities = pack_entities(context);
    size_t *carriers = arena_allocate(packing->arena, context->shape->count * sizeof *carriers + 1);
    for (size_t i = 0; i < context->entities.count; i++)
        for (const pack_value *value = entities[i].first; value != NULL; value = value->next) {
            const kin__component_shape *component = &context->shape->components[value->component];
            size_t *line = &carriers[value->component];
            if (component->info->is_unique && *line != 0)
                return report(packing, CODE_LINE_TWICE, &entities[i].origin, "'%s' is unique, and is in line %zu too",
                              component->identity, *line);
            *line = entities[i].origin.line;
        }
    return true;
}

// Returns the number of a relation's component in the shape, and of its leaf.
static bool find_relation(const pack_context *context, const relation *relation, uint32_t *component, uint32_t *leaf)
{
    for (*component = 0; *component < context->shape->count; ++*component) {
        const kin__component_shape *shape = &context->shape->components[*component];
        if (strcmp(shape->info->name, relation->component->name) != 0)
            continue;
        for (*leaf = 0; *leaf < shape->leaves.count; ++*leaf)
            if (strcmp(shape->leaves.leaves[*leaf].path, relation->field->saved.identity) == 0)
                return true;
    }
    return false;
}

static bool is_alive(const pack_context *context, uint64_t handle)
{
    const pack_entity *entities = pack_entities(context);
    size_t low = 0;
    size_t high = context->entities.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (kin_entity_slot(entities[middle].handle) < kin_entity_slot(handle))
            low = middle + 1;
        else
            high = middle;
    }
    return low < context->entities.count && entities[low].handle == handle;
}

static bool check_relation(packing *packing, const pack_context *context, const relation *relation)
{
    const pack_entity *entities = pack_entities(context);
    uint32_t component;
    uint32_t leaf;
    assert(relation->component != NULL && relation->field != NULL);
    if (!find_relation(context, relation, &component, &leaf))
        return true;
    for (size_t i = 0; i < context->entities.count; i++)
        for (const pack_value *value = entities[i].first; value != NULL; value = value->next) {
            if (value->component != component)
                continue;
            uint64_t target = kin__little_read_64(value->bytes + pack_leaf_start(value, leaf));
            if (target != 0 && !is_alive(context, target))
                return report(packing, CODE_LINE_VALUE, &entities[i].origin, "'%s.%s' names an entity that no line has",
                              relation->component->name, relation->field->name);
        }
    return true;
}

static bool check_relations(packing *packing, const pack_context *context)
{
    for (size_t i = 0; i < packing->package->relation_count; i++) {
        const relation *relation = &packing->package->relations[i];
        if (strcmp(relation->context->name, context->shape->info->name) == 0 &&
            !check_relation(packing, context, relation))
            return false;
    }
    return true;
}

static bool check_kept(packing *packing, const pack_context *context)
{
    const pack_kept *kept = (const pack_kept *)(const void *)context->kept.items;
    for (size_t i = 0; i < context->kept.count; i++) {
        if (kept[i].slot / SAVE_CHUNK_SLOTS >= context->chunk_count)
            return report(packing, CODE_LINE_VALUE, &kept[i].origin, "there is no slot %" PRIu32, kept[i].slot);
        if (i > 0 && compare_kept(&kept[i - 1], &kept[i]) == 0)
            return report(packing, CODE_LINE_TWICE, &kept[i].origin, "the value is in line %zu too",
                          kept[i - 1].origin.line);
    }
    return true;
}

// Each line follows a full one.
static bool check_shared(packing *packing, const pack_context *context)
{
    const pack_shared *shared = (const pack_shared *)(const void *)context->shared.items;
    for (size_t i = 0; i < context->shared.count; i++) {
        uint32_t expected = 0;
        if (i > 0 && shared[i - 1].component == shared[i].component)
            expected = shared[i - 1].first + shared[i - 1].count;
        if (shared[i].first != expected)
            return report(packing, CODE_LINE_VALUE, &shared[i].origin, "the number before %" PRIu32 " has no line",
                          shared[i].first);
    }
    return true;
}

// ---- primary keys: those that a function gives are known to the program alone

typedef struct key {
    const char *bytes;
    size_t size;
    const pack_entity *entity;
} key;

static const pack_value *find_value(const pack_context *context, const pack_entity *entity, const component *component)
{
    for (const pack_value *value = entity->first; value != NULL; value = value->next)
        if (strcmp(context->shape->components[value->component].info->name, component->name) == 0)
            return value;
    return NULL;
}

// ---- which entities are in the index

static bool meets(const pack_context *context, const pack_entity *entity, const rule *rule)
{
    for (size_t i = 0; i < rule->count; i++)
        if ((find_value(context, entity, rule->components[i]) != NULL) != (rule->kind == RULE_ALL))
            return false;
    return true;
}

static bool is_indexed(const pack_context *context, const pack_entity *entity, const entity_index *index)
{
    for (size_t i = 0; i < index->rule_count; i++)
        if (!meets(context, entity, &index->rules[i]))
            return false;
    return true;
}

// ---- keys

static bool is_floating(kin_type type)
{
    return type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE;
}

// NULL and NaN have no key.
static bool is_no_key(const kin__value_leaf *leaf, const unsigned char *bytes)
{
    kin_type type = leaf->field->type;
    if (type == KIN_TYPE_STRING)
        return kin__little_read_32(bytes) == UINT32_MAX;
    return is_floating(type) && isnan(kin__file_number_read(type, bytes).floating);
}

static void append_bytes(text *out, const kin__value_leaf *leaf, const unsigned char *bytes, size_t size)
{
    static const unsigned char zero[8] = {0};
    if (is_floating(leaf->field->type)) {
        bool is_minus_zero = bytes[size - 1] == 0x80 && memcmp(bytes, zero, size - 1) == 0;
        if (is_minus_zero)
            bytes = zero;
    }
    text_append(out, (const char *)bytes, size);
}

static bool is_of_field(const char *path, const char *field)
{
    size_t length = strlen(field);
    if (strncmp(path, field, length) != 0)
        return false;
    return path[length] == '\0' || path[length] == '.';
}

// Appends the bytes of a field, of a struct those of its fields. False if the entity has no key.
static bool append_field(const pack_context *context, const pack_value *value, const field *field, text *out)
{
    const kin__leaves *leaves = &context->shape->components[value->component].leaves;
    assert(value->component < context->shape->count);
    for (uint32_t i = 0; i < leaves->count; i++) {
        const kin__value_leaf *leaf = &leaves->leaves[i];
        uint32_t start = pack_leaf_start(value, i);
        if (!is_of_field(leaf->path, field->saved.identity))
            continue;
        if (is_no_key(leaf, value->bytes + start))
            return false;
        append_bytes(out, leaf, value->bytes + start, value->ends[i] - start);
    }
    return true;
}

// `bytes` is a buffer.
static bool find_key(packing *packing, const pack_context *context, const entity_index *index,
                     const pack_entity *entity, text *bytes, key *key)
{
    text_clear(bytes);
    if (!is_indexed(context, entity, index))
        return false;
    for (size_t i = 0; i < index->key_count; i++) {
        const pack_value *value = find_value(context, entity, index->key[i].component);
        if (value == NULL || !append_field(context, value, index->key[i].field, bytes))
            return false;
    }
    *key = (struct key){arena_copy(packing->arena, bytes->bytes, bytes->size), bytes->size, entity};
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const key *one = a;
    const key *other = b;
    size_t size = one->size;
    if (other->size < size)
        size = other->size;
    int order = memcmp(one->bytes, other->bytes, size);
    if (order == 0)
        order = compare(one->size, other->size);
    if (order == 0)
        order = compare(one->entity->origin.line, other->entity->origin.line);
    return order;
}

static bool check_index(packing *packing, const pack_context *context, const entity_index *index)
{
    const pack_entity *entities = pack_entities(context);
    key *keys = arena_allocate(packing->arena, context->entities.count * sizeof *keys + 1);
    text bytes = text_create(packing->arena);
    size_t count = 0;
    assert(index->key_count > 0);
    for (size_t i = 0; i < context->entities.count; i++)
        count += find_key(packing, context, index, &entities[i], &bytes, &keys[count]);
    if (count > 1)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++)
        if (keys[i].size == keys[i - 1].size && memcmp(keys[i].bytes, keys[i - 1].bytes, keys[i].size) == 0)
            return report(packing, CODE_LINE_TWICE, &keys[i].entity->origin,
                          "the entity has the primary key '%s' of the entity in line %zu", index->name,
                          keys[i - 1].entity->origin.line);
    return true;
}

// Of a field that is not saved all entities have the default: the program knows what that means.
static bool has_saved_key(const entity_index *index)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (index->key[i].field->is_unsaved)
            return false;
    return true;
}

static bool check_keys(packing *packing, const pack_context *context)
{
    for (size_t i = 0; i < packing->package->index_count; i++) {
        const entity_index *index = packing->package->indices[i];
        bool is_known = index->kind == INDEX_PRIMARY && index->function == NULL;
        if (!is_known || strcmp(index->context->name, context->shape->info->name) != 0)
            continue;
        if (has_saved_key(index) && !check_index(packing, context, index))
            return false;
    }
    return true;
}

// ---- all together

// Without a line of slots, the chunks are those up to the last entity.
static void count_chunks(pack_context *context)
{
    const pack_entity *entities = pack_entities(context);
    size_t count = context->entities.count;
    if (context->slots.size > 0)
        return;
    context->first_index = context->next_index = 1;
    for (size_t i = 0; i < count; i++)
        if (kin_entity_creation_index(entities[i].handle) >= context->next_index)
            context->next_index = kin_entity_creation_index(entities[i].handle) + 1;
    if (count > 0)
        context->chunk_count = kin_entity_slot(entities[count - 1].handle) / SAVE_CHUNK_SLOTS + 1;
}

bool pack_check(packing *packing)
{
    for (size_t i = 0; i < packing->context_count; i++) {
        pack_context *context = &packing->contexts[i];
        sort(&context->entities, sizeof(pack_entity), compare_slots);
        sort(&context->kept, sizeof(pack_kept), compare_kept);
        sort(&context->shared, sizeof(pack_shared), compare_shared);
        sort(&context->links, sizeof(pack_links), compare_links);
        count_chunks(context);
        if (!check_entities(packing, context) || !check_carriers(packing, context) || !check_keys(packing, context))
            return false;
        if (!check_relations(packing, context) || !check_kept(packing, context) || !check_shared(packing, context))
            return false;
    }
    return true;
}

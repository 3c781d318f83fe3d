#include "store/internal.h"

#include <string.h>

static bool is_boxed(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed;
}

static bool is_soa(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_soa;
}

static void *place_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    KIN_ASSERT(!is_soa(context, id) && kin__column_of(context, slot, id) != context->empty);
    return kin__column_value(kin__column_of(context, slot, id), slot % KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    KIN_ASSERT(!is_soa(context, id) && id < context->info->component_count);
    if (kin__value_size(context, id) == 0)
        return NULL;
    void *place = place_of(context, slot, id);
    return is_boxed(context, id) ? *(void **)place : place;
}

// ---- soa components

// Copies a value from its columns to a struct, with zeros as padding.
static void gather(const kin_context *context, uint32_t slot, kin_component_id id, char *value)
{
    const kin_component_info *info = &context->info->components[id];
    const char *column = kin__column_value(kin__column_of(context, slot, id), 0, 0);
    KIN_ASSERT(kin__column_of(context, slot, id) != context->empty);
    memset(value, 0, info->size);
    for (const kin_field_info *field = info->fields; field < info->fields + info->field_count; field++) {
        memcpy(value + field->offset, column + slot % KIN__CHUNK_SLOTS * field->size, field->size);
        column += KIN__CHUNK_SLOTS * field->size;
    }
}

static void scatter(const kin_context *context, uint32_t slot, kin_component_id id, const char *value)
{
    const kin_component_info *info = &context->info->components[id];
    char *column = kin__column_value(kin__column_of(context, slot, id), 0, 0);
    KIN_ASSERT(kin__column_of(context, slot, id) != context->empty);
    for (const kin_field_info *field = info->fields; field < info->fields + info->field_count; field++) {
        memcpy(column + slot % KIN__CHUNK_SLOTS * field->size, value + field->offset, field->size);
        column += KIN__CHUNK_SLOTS * field->size;
    }
}

// The fields of a component are in the order of their offsets.
static const char *find_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset)
{
    const kin_field_info *field = context->info->components[id].fields;
    const char *column = kin__column_value(kin__column_of(context, slot, id), 0, 0);
    KIN_ASSERT(offset < kin__value_size(context, id));
    for (; offset >= field->offset + field->size; field++)
        column += KIN__CHUNK_SLOTS * field->size;
    return column + slot % KIN__CHUNK_SLOTS * field->size + (offset - field->offset);
}

// ---- all components

const void *kin__value_part(const kin_context *context, uint32_t slot, kin_component_id id, size_t offset)
{
    return is_soa(context, id) ? find_part(context, slot, id, offset)
                               : (const char *)kin__value_of(context, slot, id) + offset;
}

void kin__value_read(const kin_context *context, uint32_t slot, kin_component_id id, void *value)
{
    size_t size = kin__value_size(context, id);
    if (is_soa(context, id))
        gather(context, slot, id, value);
    else if (size > 0)
        memcpy(value, kin__value_of(context, slot, id), size);
}

const void *kin__value_keep(const kin_context *context, uint32_t slot, kin_component_id id)
{
    size_t size = kin__value_size(context, id);
    if (!is_soa(context, id))
        return kin__payload_keep(context, kin__value_of(context, slot, id), size);
    void *kept = kin__payload_at(context, context->depth, size);
    gather(context, slot, id, kept);
    return kept;
}

// A subscriber that needs the value reserved a payload for it when it subscribed (store.h).
const void *kin__value_lost(const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    size_t size = kin__value_size(context, id);
    if (!is_soa(context, id))
        return kin__value_of(context, slot, id);
    if (dispatch->kept == NULL || dispatch->kept->value_size < size)
        return NULL;
    KIN_ASSERT(context->depth > 0);
    void *kept = kin__payload_at(context, context->depth - 1, size);
    gather(context, slot, id, kept);
    return kept;
}

void kin__value_overwrite(kin_context *context, uint32_t slot, kin_component_id id, const void *value)
{
    KIN_ASSERT(value != NULL && kin__value_size(context, id) > 0 && !kin__is_shared(context, id));
    if (is_soa(context, id))
        scatter(context, slot, id, value);
    else
        memcpy(kin__value_of(context, slot, id), value, kin__value_size(context, id));
}

// ---- storage of values

bool kin__value_storage_make(kin_context *context, kin_component_id id, const void *value, kin__value_storage *storage)
{
    KIN_ASSERT(value != NULL || kin__value_size(context, id) == 0);
    *storage = (kin__value_storage){.value = kin__value_size(context, id) == 0 ? NULL : value};
    if (is_boxed(context, id) && !kin__is_shared(context, id)) {
        storage->box = kin__slab_take(context, id);
        if (storage->box == NULL)
            return false;
    }
    if (kin__owned_block_make(context, id, &storage->value, &storage->owned_block))
        return true;
    kin__slab_put(context, id, storage->box);
    storage->box = NULL;
    return false;
}

void kin__value_storage_release(kin_context *context, kin_component_id id, const kin__value_storage *storage)
{
    kin__slab_put(context, id, storage->box);
    if (kin__is_shared(context, id))
        kin__shared_release(context, storage->owned_block);
    else
        kin__owned_block_release(context, storage->owned_block);
}

// The place of a shared value then counts as its holder.
static void point_at_shared(const kin_context *context, uint32_t slot, kin_component_id id, kin__owned_block *block)
{
    *(void **)place_of(context, slot, id) = kin__shared_value_of(block);
    kin__shared_add_holder(block);
}

void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage)
{
    uint8_t ownership = context->core->watches[id].ownership;
    if (storage->value == NULL)
        return;
    if (ownership == KIN__OWNERSHIP_SHARED) {
        point_at_shared(context, slot, id, storage->owned_block);
        return;
    }
    KIN_ASSERT((storage->box != NULL) == is_boxed(context, id));
    if (storage->box != NULL)
        *(void **)place_of(context, slot, id) = storage->box;
    kin__value_overwrite(context, slot, id, storage->value);
    if (ownership == KIN__OWNERSHIP_OWN)
        kin__owned_put(context, slot, id, storage->owned_block);
}

void kin__value_replace(kin_context *context, uint32_t slot, kin_component_id id, const kin__value_storage *storage)
{
    uint8_t ownership = context->core->watches[id].ownership;
    KIN_ASSERT(storage->box == NULL);
    if (ownership == KIN__OWNERSHIP_SHARED) {
        kin__owned_block *replaced = kin__shared_block_of(kin__value_of(context, slot, id));
        kin__shared_remove_holder(replaced);
        point_at_shared(context, slot, id, storage->owned_block);
        kin__shared_let_go(context, replaced);
        return;
    }
    kin__value_overwrite(context, slot, id, storage->value);
    if (ownership == KIN__OWNERSHIP_OWN)
        kin__owned_replace(context, slot, id, storage->owned_block);
}

kin__value_storage kin__value_storage_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    uint8_t ownership = context->core->watches[id].ownership;
    void *value = is_soa(context, id) ? NULL : kin__value_of(context, slot, id);
    if (ownership == KIN__OWNERSHIP_SHARED)
        return (kin__value_storage){.value = value, .owned_block = kin__shared_block_of(value)};
    kin__value_storage storage = {.value = value};
    if (is_boxed(context, id))
        storage.box = value;
    if (ownership == KIN__OWNERSHIP_OWN)
        storage.owned_block = kin__owned_block_of(context, slot, id);
    return storage;
}

void kin__value_detach(const kin_context *context, uint32_t slot, kin_component_id id)
{
    if (is_boxed(context, id))
        *(void **)place_of(context, slot, id) = kin__slab_spare(context, id);
}

void kin__value_end_sharing(const kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__shared_remove_holder(kin__shared_block_of(kin__value_of(context, slot, id)));
}

void kin__value_storage_retire(kin_context *context, kin_component_id id, const kin__value_storage *storage)
{
    uint8_t ownership = context->core->watches[id].ownership;
    kin__slab_put(context, id, storage->box);
    if (ownership == KIN__OWNERSHIP_SHARED)
        kin__shared_let_go(context, storage->owned_block);
    else if (ownership == KIN__OWNERSHIP_OWN)
        kin__owned_block_retire(context, storage->owned_block);
}

void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__value_storage storage = kin__value_storage_of(context, slot, id);
    kin__value_detach(context, slot, id);
    kin__value_storage_retire(context, id, &storage);
}

_Static_assert(offsetof(kin__owned_block, value) >= offsetof(kin__owned_block, images) + sizeof(uint32_t),
               "the capacity is between the other members and the elements");

kin__list_field kin__list_field_read(const void *value, const kin_field_info *field)
{
    kin__list_field list = {NULL, 0};
    const char *place = (const char *)value + field->offset;
    memcpy(&list.at, place, sizeof list.at);
    memcpy(&list.count, place + offsetof(kin__list_field, count), sizeof list.count);
    return list;
}

// Writes no padding: tests compare values by their bytes.
void kin__list_field_write(void *value, const kin_field_info *field, kin__list_field list)
{
    char *place = (char *)value + field->offset;
    memcpy(place, &list.at, sizeof list.at);
    memcpy(place + offsetof(kin__list_field, count), &list.count, sizeof list.count);
}

// ---- blocks

// Makes a block with room for `capacity` elements, at least one, and returns their address. NULL when out of memory.
static void *list_block_make(kin_context *context, kin_component_id id, uint32_t capacity, size_t element_size)
{
    size_t elements = kin__bytes_of(capacity, element_size);
    size_t header = offsetof(kin__owned_block, value);
    size_t size = elements > SIZE_MAX - header ? SIZE_MAX : header + elements;
    KIN_ASSERT(capacity > 0);
    kin__owned_block *made = kin__allocate(&context->core->string_memory, size);
    if (made == NULL)
        return NULL;
    *made = (kin__owned_block){.id = id, .size = size};
    ((uint32_t *)(void *)made->value)[-1] = capacity;
    return made->value;
}

static void release_block(kin_context *context, kin__owned_block *block)
{
    kin__release(&context->core->string_memory, block, block->size);
}

// Frees the block of a list, and its outgrown blocks.
static void release_blocks(kin_context *context, void *at)
{
    kin__owned_block *next = at == NULL ? NULL : kin__list_block_of(at);
    while (next != NULL) {
        kin__owned_block *block = next;
        next = block->next;
        release_block(context, block);
    }
}

// ---- the lists of a value

kin_status kin__lists_check(const kin_component_info *info, const void *value)
{
    kin_status status = KIN_OK;
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        if (list.count > KIN__LIST_LIMIT)
            status = KIN_ERROR_LIMIT;
        else if (list.count > 0 && list.at == NULL && status == KIN_OK)
            status = KIN_ERROR_INVALID;
    }
    return status;
}

// Leaves the list empty when out of memory.
static bool copy_list(kin_context *context, kin__owned_block *owned_block, const kin_field_info *field)
{
    kin__list_field list = kin__list_field_read(owned_block->value, field);
    kin__list_field copy = {NULL, list.count};
    if (list.count > 0) {
        copy.at = list_block_make(context, owned_block->id, list.count, field->element_size);
        if (copy.at == NULL)
            copy.count = 0;
        else
            memcpy(copy.at, list.at, list.count * field->element_size);
    }
    kin__list_field_write(owned_block->value, field, copy);
    return copy.count == list.count;
}

bool kin__lists_copy(kin_context *context, kin__owned_block *owned_block)
{
    bool copied = true;
    KIN__EACH_LIST(field, &context->info->components[owned_block->id])
    {
        if (copied)
            copied = copy_list(context, owned_block, field);
        else
            kin__list_field_write(owned_block->value, field, (kin__list_field){NULL, 0});
    }
    if (!copied)
        kin__lists_release(context, owned_block);
    return copied;
}

void kin__lists_release(kin_context *context, kin__owned_block *owned_block)
{
    KIN__EACH_LIST(field, &context->info->components[owned_block->id])
    {
        release_blocks(context, kin__list_field_read(owned_block->value, field).at);
        kin__list_field_write(owned_block->value, field, (kin__list_field){NULL, 0});
    }
}

kin__owned_block *kin__lists_take_outgrown(const kin_context *context, kin__owned_block *owned_block)
{
    kin__owned_block *taken = NULL;
    KIN__EACH_LIST(field, &context->info->components[owned_block->id])
    {
        void *at = kin__list_field_read(owned_block->value, field).at;
        kin__owned_block **next = at == NULL ? NULL : &kin__list_block_of(at)->next;
        while (next != NULL && *next != NULL) {
            kin__owned_block *outgrown = *next;
            *next = outgrown->next;
            outgrown->next = taken;
            taken = outgrown;
        }
    }
    return taken;
}

// ---- validation

bool kin__lists_are_valid(const kin_component_info *info, const kin__owned_block *owned_block, const void *value)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        if (list.at != kin__list_field_read(owned_block->value, field).at ||
            list.count > kin__list_field_capacity(list.at))
            return false;
        bool may_be_retired = list.at == NULL || owned_block->pins > 0;
        if (!may_be_retired && kin__list_block_of(list.at)->next != NULL)
            return false;
    }
    return true;
}

// Growing and trimming: moves lists to blocks of another size.

enum { LEAST_CAPACITY = 8 }; // of a list, when it first grows

// Makes the list point to `at`, to which its elements have been copied; NULL: an empty list without a block.
static void move_list(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field, void *at)
{
    void *value = kin__value_of(context, slot, id);
    kin__owned_block *owner = kin__owned_block_of(context, slot, id);
    kin__list_field list = kin__list_field_read(value, field);
    kin__list_field first = kin__list_field_read(owner->value, field);
    void *before = list.at;
    KIN_ASSERT(first.at == before);
    list.at = first.at = at;
    kin__list_field_write(value, field, list);
    kin__list_field_write(owner->value, field, first);
    if (before != NULL && at != NULL && owner->pins > 0)
        kin__list_block_of(at)->next = kin__list_block_of(before);
    else if (before != NULL)
        kin__owned_block_retire(context, kin__list_block_of(before));
    kin__owned_settle(context);
}

// Moves the list to a block with the capacity, which is not 0. False when out of memory.
static bool move_to_capacity(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field,
                             uint32_t capacity)
{
    kin__list_field list = kin__list_field_read(kin__value_of(context, slot, id), field);
    KIN_ASSERT(list.count <= capacity);
    void *at = list_block_make(context, id, capacity, field->element_size);
    if (at == NULL)
        return false;
    if (list.count > 0)
        memcpy(at, list.at, list.count * field->element_size);
    move_list(context, slot, id, field, at);
    return true;
}

bool kin__list_field_reserve(kin_context *context, uint32_t slot, kin_component_id id, const kin_field_info *field,
                             uint32_t least)
{
    uint32_t capacity = kin__list_field_capacity(kin__list_field_read(kin__value_of(context, slot, id), field).at);
    uint32_t larger = 2 * capacity < LEAST_CAPACITY ? LEAST_CAPACITY : 2 * capacity;
    KIN_ASSERT(least <= KIN__LIST_LIMIT && capacity <= KIN__LIST_LIMIT);
    if (larger > KIN__LIST_LIMIT)
        larger = KIN__LIST_LIMIT;
    return least <= capacity || move_to_capacity(context, slot, id, field, least > larger ? least : larger);
}

static void trim_lists(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (kin__owned_block_of(context, slot, id)->pins > 0)
        return;
    KIN__EACH_LIST(field, &context->info->components[id])
    {
        kin__list_field list = kin__list_field_read(kin__value_of(context, slot, id), field);
        if (list.count == kin__list_field_capacity(list.at))
            continue;
        if (list.count == 0)
            move_list(context, slot, id, field, NULL);
        else
            move_to_capacity(context, slot, id, field, list.count);
    }
}

void kin__lists_trim(kin_context *context)
{
    for (uint32_t id = 0; id < context->info->component_count; id++)
        for (uint32_t slot = 0;
             context->info->components[id].has_lists && slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++)
            if (kin__column_has(kin__column_of(context, slot, (kin_component_id)id), slot % KIN__CHUNK_SLOTS))
                trim_lists(context, slot, (kin_component_id)id);
}

typedef struct walk walk;

struct walk {
    void (*visit)(walk *walk, const kin_type_info *type, size_t offset); // called for each opaque value
    uint32_t number;                                                     // of the opaque value that is visited
    kin__opaque values;                                                  // the value that is walked
    const kin_type_info *wanted_type; // of a search: the type and value to find, and whether it was found
    const char *wanted;
    bool is_found;
    const kin__opaque *older; // of a move: the older values
    uint32_t older_count;
    char *cleared; // of a clear: the value to change
};

// Recursive over nested structs, of which the schema allows 32 levels. Elements of lists have no drops.
static void walk_fields(walk *walk, const kin_field_info *fields, uint32_t count, size_t base)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        if (field->is_list || (field->type != KIN_TYPE_OPAQUE && field->type != KIN_TYPE_STRUCT))
            continue;
        uint32_t elements = field->count == 0 ? 1 : field->count;
        for (uint32_t k = 0; k < elements; k++) {
            size_t offset = base + field->offset + k * field->of->size;
            KIN_ASSERT(offset + field->of->size <= walk->values.info->size);
            if (field->of->drop != NULL) {
                walk->visit(walk, field->of, offset);
                walk->number++;
            }
            walk_fields(walk, field->of->fields, field->of->field_count, offset);
        }
    }
}

static void walk_values(walk *walk)
{
    walk_fields(walk, walk->values.info->fields, walk->values.info->field_count, 0);
}

static void visit_nothing(walk *walk, const kin_type_info *type, size_t offset)
{
    (void)walk;
    (void)type;
    (void)offset;
}

size_t kin__opaque_moved_size(const kin_component_info *info)
{
    walk walk = {.visit = visit_nothing, .values = {.info = info}};
    walk_values(&walk);
    return (walk.number + 7) / 8;
}

static bool has_moved(const kin__opaque *values, uint32_t number)
{
    return values->moved != NULL && (values->moved[number / 8] >> (number % 8) & 1) != 0;
}

static void drop_value(walk *walk, const kin_type_info *type, size_t offset)
{
    KIN_ASSERT(type->drop != NULL);
    if (!has_moved(&walk->values, walk->number))
        type->drop(walk->values.value + offset);
}

void kin__opaque_drop(kin__opaque values)
{
    walk walk = {.visit = drop_value, .values = values};
    walk_values(&walk);
}

void kin__opaque_drop_all(const kin_component_info *info, const void *value)
{
    kin__opaque_drop((kin__opaque){info, value, NULL});
}

// ---- moving

// Whether the walk has not found its wanted value before, and this value equals it.
static bool is_wanted(const walk *walk, const kin_type_info *type, size_t offset)
{
    if (walk->is_found || type != walk->wanted_type)
        return false;
    return memcmp(walk->values.value + offset, walk->wanted, type->size) == 0;
}

static void match_value(walk *walk, const kin_type_info *type, size_t offset)
{
    if (has_moved(&walk->values, walk->number) || !is_wanted(walk, type, offset))
        return;
    walk->values.moved[walk->number / 8] |= (unsigned char)(1 << (walk->number % 8));
    walk->is_found = true;
}

static void move_value(walk *walk, const kin_type_info *type, size_t offset)
{
    KIN_ASSERT(walk->older_count > 0);
    struct walk search = {
        .visit = match_value, .wanted_type = type, .wanted = walk->values.value + offset, .is_found = false};
    for (uint32_t i = 0; i < walk->older_count && !search.is_found; i++) {
        KIN_ASSERT(walk->older[i].info == walk->values.info);
        search.values = walk->older[i];
        search.number = walk->number;
        match_value(&search, type, offset);
        search.number = 0;
        if (!search.is_found)
            walk_values(&search);
    }
}

void kin__opaque_move(kin__opaque value, const kin__opaque *older, uint32_t older_count)
{
    walk walk = {.visit = move_value, .values = value, .older = older, .older_count = older_count};
    walk_values(&walk);
}

// ---- handing over

// Takes the wanted value back if this value has it and it had moved.
static void take_value(walk *walk, const kin_type_info *type, size_t offset)
{
    if (!has_moved(&walk->values, walk->number) || !is_wanted(walk, type, offset))
        return;
    walk->values.moved[walk->number / 8] &= (unsigned char)~(1 << (walk->number % 8));
    walk->is_found = true;
}

static void hand_over_value(walk *walk, const kin_type_info *type, size_t offset)
{
    struct walk search = {
        .visit = take_value, .wanted_type = type, .wanted = walk->values.value + offset, .values = *walk->older};
    if (has_moved(&walk->values, walk->number))
        return;
    walk_values(&search);
    if (search.is_found)
        walk->values.moved[walk->number / 8] |= (unsigned char)(1 << (walk->number % 8));
}

void kin__opaque_hand_over(kin__opaque value, kin__opaque other)
{
    walk walk = {.visit = hand_over_value, .values = value, .older = &other, .older_count = 1};
    walk_values(&walk);
}

// ---- clearing

static void find_value(walk *walk, const kin_type_info *type, size_t offset)
{
    if (type == walk->wanted_type && memcmp(walk->values.value + offset, walk->wanted, type->size) == 0)
        walk->is_found = true;
}

static void clear_value(walk *walk, const kin_type_info *type, size_t offset)
{
    struct walk search = {
        .visit = find_value, .values = walk->values, .wanted_type = type, .wanted = walk->cleared + offset};
    walk_values(&search);
    if (search.is_found)
        memset(walk->cleared + offset, 0, type->size);
}

void kin__opaque_clear(kin__opaque values, char *value)
{
    KIN_ASSERT(value != values.value);
    walk walk = {.visit = clear_value, .values = values, .cleared = value};
    walk_values(&walk);
}

static void release_payload_block(kin_context *context, kin__payload_block *block)
{
    kin__release(&context->core->group_memory, block, sizeof *block + KIN__MAX_DEPTH * block->value_size);
}

bool kin__payload_reserve(kin_context *context, size_t size)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    size_t value_size = kin__round_up(size);
    if (value_size == 0 || (dispatch->kept != NULL && dispatch->kept->value_size >= value_size))
        return true;
    kin__payload_block *block =
        kin__allocate(&context->core->group_memory, sizeof *block + KIN__MAX_DEPTH * value_size);
    if (block == NULL)
        return false;
    KIN_ASSERT(dispatch->kept == NULL || dispatch->kept->value_size < value_size);
    *block = (kin__payload_block){dispatch->kept, value_size};
    dispatch->kept = block;
    if (context->depth == 0)
        kin__payload_settle(context);
    else
        context->unsettled = true;
    return true;
}

void kin__payload_settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0);
    while (dispatch->kept != NULL && dispatch->kept->next != NULL) {
        kin__payload_block *outgrown = dispatch->kept->next;
        dispatch->kept->next = outgrown->next;
        release_payload_block(context, outgrown);
    }
}

void kin__payload_release(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0);
    while (dispatch->kept != NULL) {
        kin__payload_block *block = dispatch->kept;
        dispatch->kept = block->next;
        release_payload_block(context, block);
    }
}

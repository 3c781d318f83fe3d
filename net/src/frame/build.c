#include "frame/frame.h"

#include <string.h>

static bool no_memory(const kin__builder *builder)
{
    return kin__note_no_memory(builder->fault, builder->context->core->memory.refused);
}

// ---- images

static uint64_t *own_of(const kin__builder *builder, uint32_t chunk)
{
    return builder->own + (size_t)chunk * builder->words;
}

static kin__image *head_of(const kin__builder *builder, uint32_t chunk)
{
    return kin__part_head(builder->part, chunk);
}

static uint64_t *alive_of(const kin__image *head)
{
    return (uint64_t *)(uintptr_t)kin__image_alive(head);
}

static uint64_t *row_of(const kin__builder *builder, const kin__image *head, uint32_t slot)
{
    uint32_t row_words = builder->context->row_words;
    return (uint64_t *)(uintptr_t)kin__image_row(head, row_words, slot % KIN__CHUNK_SLOTS);
}

// Puts an image that belongs to this part alone.
static kin__image *put_own(const kin__builder *builder, uint32_t chunk, kin__image *image)
{
    if (image == NULL) {
        no_memory(builder);
        return NULL;
    }
    kin__part_put(builder->part, chunk, image);
    kin__bits_add(own_of(builder, chunk), image->number);
    return image;
}

// Returns an image that may be changed: a copy of the one that other parts have, or an empty one. NULL, with a fault,
// when out of memory.
static kin__image *edit(const kin__builder *builder, uint32_t chunk, uint32_t number)
{
    kin_context *context = builder->context;
    kin__image *image = kin__part_image(builder->part, chunk, number);
    if (image == NULL)
        return put_own(builder, chunk, kin__image_begin(context, (kin_component_id)number));
    if (kin__bits_have(own_of(builder, chunk), number))
        return image;
    kin__image *copy = kin__image_copy(context, image);
    if (copy == NULL) {
        no_memory(builder);
        return NULL;
    }
    // The lists of the copy are those of the image, which stays until the links are complete: the former part has it.
    kin__part_remove(builder->part, chunk, image);
    return put_own(builder, chunk, copy);
}

// ---- slots

// Makes the head of a new chunk at the end, all of whose slots are free.
static bool append_chunk(kin__builder *builder, uint32_t chunk)
{
    kin_context *context = builder->context;
    kin__image *head = kin__store_take(context, kin__head_number(context->info));
    if (head != NULL)
        memset(head->bytes, 0, kin__image_size(context->info, head->number));
    if (put_own(builder, chunk, head) == NULL)
        return false;
    ((uint32_t *)builder->part->chunk_pools.at)[chunk] = 0;
    if (chunk == 0)
        ((kin_entity *)(void *)head->bytes)[0] = kin__free_handle(0);
    builder->is_moved = true;
    return true;
}

kin_entity kin__builder_entity(const kin__builder *builder, uint32_t slot)
{
    const kin__image *head = head_of(builder, slot / KIN__CHUNK_SLOTS);
    if (head == NULL || !kin__bits_have(kin__image_alive(head), slot % KIN__CHUNK_SLOTS))
        return 0;
    return kin__image_ids(head)[slot % KIN__CHUNK_SLOTS];
}

// ---- beginning and ending

// Takes all images of the former part, and its numbers.
static void share_images(kin__builder *builder, const kin__context_snapshot *former)
{
    kin__context_snapshot *part = builder->part;
    uint32_t words = builder->words;
    part->pools[0] = former->pools[0];
    builder->most = former->counts.next_creation_index - 1;
    builder->living = (uint32_t)(builder->most - former->counts.deaths);
    memset(part->chunk_pools.at, 0, former->chunk_count * sizeof(uint32_t));
    memcpy(part->images.at, former->images.at, former->images.size);
    memcpy(part->has.at, former->has.at, former->has.size);
    for (uint32_t chunk = 0; chunk < former->chunk_count; chunk++) {
        kin__image *const *images = kin__part_images(part, chunk);
        const uint64_t *has = (const uint64_t *)part->has.at + (size_t)chunk * words;
        EACH_OF_ROW(number, has, words)
        {
            images[number]->references++;
        }
    }
}

static bool take_images(kin__builder *builder, const kin__context_snapshot *former, uint32_t chunk_count)
{
    kin__context_snapshot *part = builder->part;
    if (!kin__store_reserve(builder->context, chunk_count) || !kin__part_reserve(part, chunk_count))
        return false;
    for (uint32_t i = 0; i < kin__part_pool_count(builder->context->info); i++)
        part->pools[i] = (kin__pool){.free_slot = KIN__NO_SLOT};
    uint32_t shared = former == NULL ? 0 : former->chunk_count;
    if (shared > 0)
        share_images(builder, former);
    for (uint32_t chunk = shared; chunk < chunk_count; chunk++)
        if (!append_chunk(builder, chunk))
            return false;
    return true;
}

bool kin__builder_begin(kin__builder *builder, const kin__context_snapshot *former, uint32_t chunk_count)
{
    kin__memory *memory = &builder->context->core->snapshot_memory;
    builder->heap = (kin__heap){.memory = memory, .fault = builder->fault};
    builder->words = kin__part_words(builder->context->info);
    if (!kin__store_reserve(builder->context, 0))
        return no_memory(builder);
    builder->part = kin__part_take(builder->context);
    builder->own = kin__heap_take(&builder->heap, (size_t)chunk_count * builder->words + 1, sizeof(uint64_t));
    builder->scratch = kin__heap_take(&builder->heap, 1, builder->context->core->store->scratch_size);
    uint32_t lanes = kin__max_32(builder->layouts[0].bit_count, builder->layouts[1].bit_count);
    uint32_t components = builder->net->component_count;
    builder->takes = kin__heap_take(&builder->heap, (size_t)lanes + components + 1, sizeof *builder->takes);
    builder->taken = kin__heap_take(&builder->heap, (size_t)components + 1, sizeof *builder->taken);
    builder->takes_chunk = UINT32_MAX;
    builder->row = kin__heap_take(&builder->heap, builder->context->row_words, sizeof *builder->row);
    bool has_room = builder->row != NULL && builder->own != NULL && builder->scratch != NULL && builder->takes != NULL;
    bool is_begun = builder->part != NULL && has_room && builder->taken != NULL;
    if (is_begun && take_images(builder, former, chunk_count))
        return true;
    return no_memory(builder);
}

void kin__builder_end(kin__builder *builder)
{
    kin__memory *memory = &builder->context->core->snapshot_memory;
    for (uint32_t i = 0; i < 2; i++)
        kin__layout_release(&builder->layouts[i], memory);
    kin__part_release(builder->part);
    kin__heap_release(&builder->heap);
    builder->part = NULL;
}

// ---- components

static bool is_relation(const kin__builder *builder, kin_component_id id)
{
    for (uint32_t i = 0; i < builder->context->info->relation_count; i++)
        if (builder->context->info->relations[i].component == id)
            return true;
    return false;
}

static bool remove_component(kin__builder *builder, uint32_t slot, kin_component_id id)
{
    kin__image *image = edit(builder, slot / KIN__CHUNK_SLOTS, id);
    if (image == NULL)
        return false;
    kin__image_clear(builder->context, image, slot % KIN__CHUNK_SLOTS);
    builder->is_linked_anew = builder->is_linked_anew || is_relation(builder, id);
    return true;
}

static const kin__net_component *net_component(const kin__builder *builder, kin_component_id id)
{
    for (uint32_t i = 0; i < builder->net->component_count; i++)
        if (builder->net->components[i].id == id)
            return &builder->net->components[i];
    return NULL;
}

static void clear_leaf(const kin__net_leaf *leaf, char *value)
{
    uint32_t count = leaf->count == 0 ? 1 : leaf->count;
    memset(value + leaf->offset, 0, leaf->is_list ? sizeof(kin__list_field) : (size_t)leaf->size * count);
}

// What the other shape sends begins with what stands for its zero.
static bool begin_mapped(kin__builder *builder, kin_component_id id, char *value)
{
    const kin__context_map *map = builder->map;
    for (uint32_t i = 0; i < map->from->component_count; i++)
        for (uint32_t k = 0; map->components[i].id == id && k < map->components[i].leaf_count; k++) {
            const kin__leaf_map *leaf = &map->leaves[i][k];
            if (leaf->to == NULL)
                continue;
            clear_leaf(leaf->to, value);
            if (!leaf->is_same)
                kin__leaf_begin(leaf, value + leaf->to->offset, &builder->heap);
        }
    return builder->fault->status == KIN_OK;
}

// Writes the value that a component has before its leaves follow: zero for these, the default for the rest.
static bool write_first_value(kin__builder *builder, kin_component_id id, char *value)
{
    const kin_component_info *info = &builder->context->info->components[id];
    memset(value, 0, info->size);
    if (info->write_default != NULL)
        info->write_default(value);
    if (builder->map != NULL)
        return begin_mapped(builder, id, value);
    const kin__net_component *net = net_component(builder, id);
    for (uint32_t i = 0; i < net->leaf_count; i++)
        clear_leaf(&net->leaves[i], value);
    return true;
}

static bool add_component(kin__builder *builder, uint32_t slot, kin_component_id id)
{
    kin__image *image = edit(builder, slot / KIN__CHUNK_SLOTS, id);
    if (image == NULL)
        return false;
    if (builder->context->info->components[id].size > 0 && !write_first_value(builder, id, builder->scratch))
        return false;
    if (!kin__image_set(builder->context, image, slot % KIN__CHUNK_SLOTS, builder->scratch))
        return no_memory(builder);
    builder->is_linked_anew = builder->is_linked_anew || is_relation(builder, id);
    return true;
}

bool kin__builder_toggle(kin__builder *builder, uint32_t slot, kin_component_id id)
{
    kin__image *head = edit(builder, slot / KIN__CHUNK_SLOTS, kin__head_number(builder->context->info));
    if (head == NULL)
        return false;
    uint64_t *row = row_of(builder, head, slot);
    bool has = kin__bits_have(row, id);
    kin__bits_flip(row, id);
    return has ? remove_component(builder, slot, id) : add_component(builder, slot, id);
}

// ---- entities

bool kin__builder_remove(kin__builder *builder, uint32_t slot)
{
    uint32_t row_words = builder->context->row_words;
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    kin__image *head = edit(builder, slot / KIN__CHUNK_SLOTS, kin__head_number(builder->context->info));
    if (head == NULL)
        return false;
    kin_entity *ids = (kin_entity *)(uintptr_t)kin__image_ids(head);
    uint64_t *row = row_of(builder, head, slot);
    EACH_OF_ROW(id, row, row_words)
    {
        if (!remove_component(builder, slot, (kin_component_id)id))
            return false;
    }
    memset(row, 0, row_words * sizeof *row);
    kin__bits_remove(alive_of(head), place);
    builder->has_lost_most = builder->has_lost_most || kin_entity_creation_index(ids[place]) == builder->most;
    ids[place] = kin__free_handle(slot);
    builder->living--;
    builder->is_moved = true;
    return true;
}

static void set_values(const kin__builder *builder, kin__image *image, uint32_t begin, uint32_t end)
{
    size_t size = builder->context->info->components[image->number].size;
    unsigned char *values = image->bytes + sizeof(kin__column);
    for (uint32_t place = begin; place < end; place++) {
        kin__bits_add((uint64_t *)(void *)image->bytes, place);
        memcpy(values + place * size, builder->scratch, size);
    }
}

// Gives a component to entities that come.
static bool add_component_of_all(kin__builder *builder, kin_component_id id, uint32_t chunk, uint32_t begin,
                                 uint32_t end)
{
    const kin_component_info *info = &builder->context->info->components[id];
    kin__image *image = edit(builder, chunk, id);
    if (image == NULL)
        return false;
    builder->is_linked_anew = builder->is_linked_anew || is_relation(builder, id);
    if (info->size > 0 && !write_first_value(builder, id, builder->scratch))
        return false;
    if (!info->is_soa && !info->is_shared && !kin__is_owned(builder->context, id)) {
        set_values(builder, image, begin, end);
        return true;
    }
    for (uint32_t place = begin; place < end; place++)
        if (!kin__image_set(builder->context, image, place, builder->scratch))
            return no_memory(builder);
    return true;
}

bool kin__builder_open_places(kin__builder *builder, const kin__layout *layout, const uint64_t *components,
                              uint32_t chunk, uint32_t begin, uint32_t end)
{
    uint64_t *row = builder->row;
    size_t row_size = builder->context->row_words * sizeof *row;
    kin__image *head = edit(builder, chunk, kin__head_number(builder->context->info));
    if (head == NULL)
        return false;
    memset(row, 0, row_size);
    for (uint32_t i = 0; i < layout->component_count; i++) {
        kin_component_id id = layout->components[i]->id;
        if (!kin__bits_have(components, i) || id == KIN__NET_NO_COMPONENT)
            continue;
        kin__bits_add(row, id);
        if (!add_component_of_all(builder, id, chunk, begin, end))
            return false;
    }
    for (uint32_t place = begin; place < end; place++)
        memcpy(row_of(builder, head, place), row, row_size);
    builder->is_moved = true;
    return true;
}

void kin__builder_name(kin__builder *builder, kin_entity entity)
{
    kin__image *head = head_of(builder, kin_entity_slot(entity) / KIN__CHUNK_SLOTS);
    kin__bits_add(alive_of(head), kin_entity_slot(entity) % KIN__CHUNK_SLOTS);
    ((kin_entity *)(uintptr_t)kin__image_ids(head))[kin_entity_slot(entity) % KIN__CHUNK_SLOTS] = entity;
    if (kin_entity_creation_index(entity) > builder->most)
        builder->most = kin_entity_creation_index(entity);
    builder->living++;
}

// ---- values

static void take_leaves(kin__builder *builder, kin__bytes_in *in, const kin__layout *layout, uint32_t component,
                        const uint64_t *leaves, kin_entity entity, char *value)
{
    const kin__net_component *net = layout->components[component];
    for (uint32_t i = 0; i < net->leaf_count && in->fault == NULL; i++)
        if (kin__bits_have(leaves, layout->firsts[component] + i))
            kin__lane_take_value(in, &layout->lanes[layout->firsts[component] + i], entity, value, &builder->heap);
}

// Passes over the leaves of a component that is not there here.
static bool pass_over(kin__bytes_in *in, const kin__layout *layout, uint32_t component, const uint64_t *leaves)
{
    uint32_t end = layout->firsts[component] + layout->components[component]->leaf_count;
    for (uint32_t bit = layout->firsts[component]; bit < end && in->fault == NULL; bit++)
        if (kin__bits_have(leaves, bit))
            kin__lane_take_value(in, &layout->lanes[bit], 0, NULL, NULL);
    return in->fault == NULL;
}

// Whether values lie in images as structs that own nothing.
static bool is_plain(const kin__builder *builder, kin_component_id id)
{
    const kin_component_info *info = &builder->context->info->components[id];
    return !info->is_soa && !info->is_shared && !kin__is_owned(builder->context, id);
}

// Whether a field, or one inside of it, is a NaN, which no hash index has.
static bool has_nan(const kin_field_info *field, const char *value)
{
    float single;
    double number;
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        if (has_nan(&field->of->fields[i], value + field->of->fields[i].offset))
            return true;
    if (field->type == KIN_TYPE_FLOAT) {
        memcpy(&single, value, sizeof single);
        return single != single;
    }
    if (field->type != KIN_TYPE_DOUBLE)
        return false;
    memcpy(&number, value, sizeof number);
    return number != number;
}

static bool is_hash_index(const kin_index_info *index)
{
    return !index->is_ordered && index->cell == 0;
}

static bool check_keys(const kin__builder *builder, kin__bytes_in *in, kin_component_id id, const char *value)
{
    const kin_context_info *info = builder->context->info;
    for (uint32_t i = 0; i < info->index_count; i++) {
        const kin_index_info *index = &info->indices[i];
        for (uint32_t k = 0; is_hash_index(index) && k < index->key_count; k++)
            if (index->key[k].component == id && has_nan(index->key[k].field, value + index->key[k].field->offset))
                return kin__refuse(in, "a key is a NaN");
    }
    return in->fault == NULL;
}

bool kin__builder_set(const kin__builder *builder, kin__image *image, uint32_t place)
{
    kin_context *context = builder->context;
    kin_component_id id = (kin_component_id)image->number;
    kin__owned_block *block = NULL;
    const void *shared = NULL;
    if (context->info->components[id].is_shared)
        shared = kin__image_value(context->info, image, place, NULL);
    else if (kin__is_owned(context, id))
        block = kin__image_owned_blocks(context->info, image)[place];
    // Set first, then cleared: the strings that stay are those of the value before.
    kin__bits_remove((uint64_t *)(void *)image->bytes, place);
    bool is_set = kin__image_set(context, image, place, builder->scratch);
    if (shared != NULL)
        kin__shared_image_unpin(context, id, shared);
    else if (kin__is_owned(context, id))
        kin__owned_block_unpin(context, block);
    return is_set || no_memory(builder);
}

bool kin__builder_take(kin__builder *builder, kin__bytes_in *in, const kin__layout *layout, uint32_t component,
                       const uint64_t *leaves, uint32_t slot)
{
    kin_context *context = builder->context;
    kin_component_id id = layout->components[component]->id;
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    if (id == KIN__NET_NO_COMPONENT)
        return pass_over(in, layout, component, leaves);
    kin__image *image = edit(builder, slot / KIN__CHUNK_SLOTS, id);
    kin_entity entity = kin__builder_entity(builder, slot);
    if (image == NULL)
        return false;
    if (!kin__bits_have(kin__image_has(image), place))
        return kin__refuse(in, "an entity lacks a component whose values follow");
    builder->is_linked_anew = builder->is_linked_anew || is_relation(builder, id);
    if (is_plain(builder, id)) {
        char *value = (char *)(uintptr_t)kin__image_value(context->info, image, place, NULL);
        take_leaves(builder, in, layout, component, leaves, entity, value);
        return check_keys(builder, in, id, value);
    }
    const void *value = kin__image_value(context->info, image, place, builder->scratch);
    if (value != builder->scratch)
        memcpy(builder->scratch, value, context->info->components[id].size);
    take_leaves(builder, in, layout, component, leaves, entity, builder->scratch);
    if (!check_keys(builder, in, id, builder->scratch))
        return false;
    return kin__builder_set(builder, image, place);
}

// ---- leaves of many entities

// Whether a field, or one inside of it, may be a NaN.
static bool has_float(const kin_field_info *field)
{
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        if (has_float(&field->of->fields[i]))
            return true;
    return field->type == KIN_TYPE_FLOAT || field->type == KIN_TYPE_DOUBLE;
}

// Whether values can be written in place: they own nothing, and are no keys to be checked.
static bool is_in_place(const kin__builder *builder, kin_component_id id)
{
    const kin_context_info *info = builder->context->info;
    if (info->components[id].is_shared || kin__is_owned(builder->context, id))
        return false;
    for (uint32_t i = 0; i < info->index_count; i++) {
        const kin_index_info *index = &info->indices[i];
        for (uint32_t k = 0; is_hash_index(index) && k < index->key_count; k++)
            if (index->key[k].component == id && has_float(index->key[k].field))
                return false;
    }
    return true;
}

static void add_takes(kin__builder *builder, const kin__layout *layout, uint32_t component, const uint64_t *leaves,
                      kin__image *image)
{
    kin_component_id id = layout->components[component]->id;
    uint32_t end = layout->firsts[component] + layout->components[component]->leaf_count;
    if (!is_in_place(builder, id)) {
        builder->takes[builder->take_count++] = (kin__lane_take){NULL, NULL, 0, component};
        builder->takes_in_place = false;
        return;
    }
    builder->is_linked_anew = builder->is_linked_anew || is_relation(builder, id);
    for (uint32_t bit = layout->firsts[component]; bit < end; bit++)
        if (kin__bits_have(leaves, bit))
            builder->take_count = kin__lanes_add_take(builder->takes, builder->take_count, &layout->lanes[bit], image);
}

// Leaves that are passed over are read at the head of the chunk, which they do not change.
static void add_skipped(kin__builder *builder, const kin__layout *layout, uint32_t component, const uint64_t *leaves,
                        uint32_t chunk)
{
    uint32_t end = layout->firsts[component] + layout->components[component]->leaf_count;
    kin__image *head = head_of(builder, chunk);
    for (uint32_t bit = layout->firsts[component]; bit < end; bit++)
        if (kin__bits_have(leaves, bit))
            builder->take_count = kin__lanes_add_take(builder->takes, builder->take_count, &layout->lanes[bit], head);
}

static bool has_leaves(const kin__layout *layout, uint32_t component, const uint64_t *leaves)
{
    uint32_t end = layout->firsts[component] + layout->components[component]->leaf_count;
    for (uint32_t bit = layout->firsts[component]; bit < end; bit++)
        if (kin__bits_have(leaves, bit))
            return true;
    return false;
}

bool kin__builder_prepare_takes(kin__builder *builder, const kin__layout *layout, const uint64_t *leaves,
                                uint32_t chunk)
{
    builder->take_count = builder->taken_count = 0;
    builder->takes_chunk = chunk;
    builder->takes_in_place = true;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        if (!has_leaves(layout, i, leaves))
            continue;
        if (layout->components[i]->id == KIN__NET_NO_COMPONENT) {
            add_skipped(builder, layout, i, leaves, chunk);
            continue;
        }
        kin__image *image = edit(builder, chunk, layout->components[i]->id);
        if (image == NULL)
            return false;
        builder->taken[builder->taken_count++] = image;
        add_takes(builder, layout, i, leaves, image);
    }
    return true;
}

// Reads what must not be written in place too, entity by entity.
static bool take_each(kin__builder *builder, kin__bytes_in *in, const kin__layout *layout, const uint64_t *leaves,
                      uint32_t place)
{
    const kin_entity *ids = kin__image_ids(head_of(builder, builder->takes_chunk));
    for (uint32_t i = 0; i < builder->take_count; i++) {
        const kin__lane_take *take = &builder->takes[i];
        uint32_t slot = builder->takes_chunk * KIN__CHUNK_SLOTS + place;
        if (take->lane != NULL)
            kin__lanes_take(in, take, 1, place, place + 1, ids, &builder->heap);
        else if (!kin__builder_take(builder, in, layout, take->component, leaves, slot))
            return false;
        if (in->fault != NULL)
            return false;
    }
    return true;
}

bool kin__builder_take_places(kin__builder *builder, kin__bytes_in *in, const kin__layout *layout,
                              const uint64_t *leaves, uint32_t begin, uint32_t end)
{
    for (uint32_t i = 0; i < builder->taken_count; i++)
        if (!kin__places_have_all(kin__image_has(builder->taken[i]), begin, end))
            return kin__refuse(in, "an entity lacks a component whose values follow");
    if (builder->takes_in_place) {
        kin__lanes_take(in, builder->takes, builder->take_count, begin, end,
                        kin__image_ids(head_of(builder, builder->takes_chunk)), &builder->heap);
        return in->fault == NULL;
    }
    for (; begin < end; begin++)
        if (!take_each(builder, in, layout, leaves, begin))
            return false;
    return true;
}

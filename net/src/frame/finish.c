#include "frame/frame.h"

#include <string.h>

// Completes what a builder has built.

static bool no_memory(const kin__builder *builder)
{
    return kin__note_no_memory(builder->fault, builder->context->core->memory.refused);
}

static bool is_own(const kin__builder *builder, uint32_t chunk, uint32_t number)
{
    return kin__bits_have(builder->own + (size_t)chunk * builder->words, number);
}

// ---- images

// Completes the lists of the images that were changed, and drops those of components that no entity has any more.
static bool finish_images(kin__builder *builder)
{
    kin_context *context = builder->context;
    kin__context_snapshot *part = builder->part;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t id = 0; id < context->info->component_count; id++) {
            kin__image *image = kin__part_image(part, chunk, id);
            if (image == NULL || !is_own(builder, chunk, id))
                continue;
            if (!kin__image_end(context, image))
                return no_memory(builder);
            if (kin__bits_count(kin__image_has(image), KIN__CHUNK_WORDS) == 0)
                kin__part_remove(part, chunk, image);
        }
    return true;
}

// Cuts off chunks at the end in which no entity is left: a full frame does not have them either.
static void cut_chunks(const kin__builder *builder)
{
    static const kin__places none;
    kin__context_snapshot *part = builder->part;
    uint32_t numbers = kin__image_numbers(builder->context->info);
    uint32_t count = part->chunk_count;
    while (count > 0 && memcmp(kin__image_alive(kin__part_head(part, count - 1)), none, sizeof none) == 0) {
        count--;
        for (uint32_t number = 0; number < numbers; number++)
            if (kin__part_image(part, count, number) != NULL)
                kin__part_remove(part, count, kin__part_image(part, count, number));
    }
    kin__part_cut(part, count);
}

// ---- relations

// Returns an image of this part alone, of a column that exists.
static kin__image *own_image(const kin__builder *builder, uint32_t chunk, uint32_t number)
{
    kin__image *image = kin__part_image(builder->part, chunk, number);
    if (is_own(builder, chunk, number))
        return image;
    kin__image *copy = kin__image_copy(builder->context, image);
    bool is_column = number < builder->context->info->component_count;
    if (copy == NULL || (is_column && !kin__image_end(builder->context, copy))) {
        if (copy != NULL)
            kin__image_let_go(builder->context, copy);
        no_memory(builder);
        return NULL;
    }
    kin__part_remove(builder->part, chunk, image);
    kin__part_put(builder->part, chunk, copy);
    kin__bits_add(builder->own + (size_t)chunk * builder->words, number);
    return copy;
}

// Returns the address of the field of a relation at a place of an image.
static const char *field_at(const kin__builder *builder, const kin_relation_info *relation, const kin__image *image,
                            uint32_t place)
{
    const kin_context_info *info = builder->context->info;
    const kin_component_info *component = &info->components[relation->component];
    if (component->is_soa)
        return (const char *)kin__image_field(info, image, (uint32_t)(relation->field - component->fields)) +
               place * sizeof(kin_entity);
    return (const char *)kin__image_value(info, image, place, NULL) + relation->field->offset;
}

// Writes a target to the field of a holder. Other images and the context have the same shared value.
static bool set_target(const kin__builder *builder, const kin_relation_info *relation, uint32_t slot, kin_entity target)
{
    const kin_component_info *component = &builder->context->info->components[relation->component];
    kin__image *image = own_image(builder, slot / KIN__CHUNK_SLOTS, relation->component);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    if (image == NULL)
        return false;
    if (!component->is_shared) {
        memcpy((char *)(uintptr_t)field_at(builder, relation, image, place), &target, sizeof target);
        return true;
    }
    memcpy(builder->scratch, kin__image_value(builder->context->info, image, place, NULL), component->size);
    memcpy((char *)builder->scratch + relation->field->offset, &target, sizeof target);
    return kin__builder_set(builder, image, place);
}

bool kin__builder_show_targets(kin__builder *builder, const kin__unseen *unseen, uint32_t count, uint32_t number)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_relation_info *relation = &builder->context->info->relations[unseen[i].relation];
        if (unseen[i].context != number)
            continue;
        if (!set_target(builder, relation, unseen[i].slot, unseen[i].target))
            return false;
    }
    return true;
}

static bool append_unseen(const kin__builder *builder, kin__unseen_list *list, kin__unseen unseen)
{
    if (list->count == list->capacity) {
        uint32_t capacity = 2 * list->capacity + 16;
        kin__unseen *larger = kin__heap_take(list->heap, capacity, sizeof *larger);
        if (larger == NULL)
            return no_memory(builder);
        if (list->count > 0)
            memcpy(larger, list->at, list->count * sizeof *larger);
        list->at = larger;
        list->capacity = capacity;
    }
    list->at[list->count++] = unseen;
    return true;
}

// Empties the field of a holder whose target is not alive here, and remembers the target.
static bool hide_target(const kin__builder *builder, kin__unseen_list *list, kin__unseen unseen)
{
    const kin_relation_info *relation = &builder->context->info->relations[unseen.relation];
    return append_unseen(builder, list, unseen) && set_target(builder, relation, unseen.slot, 0);
}

static bool is_alive(const kin__builder *builder, kin_entity entity)
{
    return kin_entity_slot(entity) / KIN__CHUNK_SLOTS < builder->part->chunk_count &&
           kin__builder_entity(builder, kin_entity_slot(entity)) == entity;
}

static bool hide_targets(const kin__builder *builder, kin__unseen_list *list, uint32_t number, uint32_t relation)
{
    const kin_relation_info *info = &builder->context->info->relations[relation];
    for (uint32_t chunk = 0; chunk < builder->part->chunk_count; chunk++)
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
            const kin__image *image = kin__part_image(builder->part, chunk, info->component);
            kin_entity target;
            if (image == NULL || !kin__bits_have(kin__image_has(image), place))
                continue;
            memcpy(&target, field_at(builder, info, image, place), sizeof target);
            kin__unseen unseen = {number, relation, chunk * KIN__CHUNK_SLOTS + place, target};
            if (target != 0 && !is_alive(builder, target) && !hide_target(builder, list, unseen))
                return false;
        }
    return true;
}

// Drops the links of the former part, which are made again.
static void drop_links(const kin__builder *builder)
{
    const kin_context_info *info = builder->context->info;
    for (uint32_t chunk = 0; chunk < builder->part->chunk_count; chunk++)
        for (uint32_t i = 0; i < info->relation_count; i++) {
            kin__image *image = kin__part_image(builder->part, chunk, kin__links_number(info, i));
            if (image != NULL)
                kin__part_remove(builder->part, chunk, image);
        }
}

// ---- numbers

// The counts of a part depend on the entities that it has, not on what was before.
static bool finish_counts(const kin__builder *builder)
{
    kin__context_snapshot *part = builder->part;
    uint64_t most = builder->most;
    if (builder->has_lost_most)
        most = 0;
    for (uint32_t chunk = 0; builder->has_lost_most && chunk < part->chunk_count; chunk++) {
        const kin__image *head = kin__part_head(part, chunk);
        EACH_OF_ROW(place, kin__image_alive(head), KIN__CHUNK_WORDS)
        {
            uint64_t index = kin_entity_creation_index(kin__image_ids(head)[place]);
            if (index > most)
                most = index;
        }
    }
    part->counts = (kin__part_counts){.next_creation_index = most + 1,
                                      .first_creation_index = 1,
                                      .deaths = most - builder->living,
                                      .assigned_chunks = part->chunk_count};
    if (builder->living > most)
        return kin__fault_note(builder->fault, KIN_ERROR_CORRUPT, "two entities have one creation index");
    return true;
}

// ---- free slots

static uint64_t *row_of(const kin__builder *builder, const kin__image *head, uint32_t place)
{
    return (uint64_t *)(uintptr_t)kin__image_row(head, builder->context->row_words, place);
}

// Returns the first and the last place without an entity; KIN__CHUNK_SLOTS: there is none.
static uint32_t find_free(const kin__image *head, uint32_t *last)
{
    uint32_t first = KIN__CHUNK_SLOTS;
    for (uint32_t word = KIN__CHUNK_WORDS; word-- > 0;) {
        uint64_t bits = ~kin__image_alive(head)[word];
        if (bits == 0)
            continue;
        bool is_last = first == KIN__CHUNK_SLOTS;
        first = word * 64 + kin__lowest_bit(bits);
        for (; is_last && bits != 0; bits &= bits - 1)
            *last = word * 64 + kin__lowest_bit(bits);
    }
    return first;
}

// Lists the free slots in ascending order, of the chunks whose list is not right already.
static bool finish_free(const kin__builder *builder)
{
    uint32_t next = KIN__NO_SLOT;
    uint32_t number = kin__head_number(builder->context->info);
    for (uint32_t chunk = builder->part->chunk_count; chunk-- > 0;) {
        const kin__image *head = kin__part_head(builder->part, chunk);
        uint32_t last = 0;
        uint32_t first = find_free(head, &last);
        if (first == KIN__CHUNK_SLOTS)
            continue;
        if (is_own(builder, chunk, number) || row_of(builder, head, last)[0] != next) {
            head = own_image(builder, chunk, number);
            if (head == NULL)
                return false;
            for (uint32_t place = last + 1; place-- > first;) {
                if (kin__bits_have(kin__image_alive(head), place))
                    continue;
                row_of(builder, head, place)[0] = next;
                next = chunk * KIN__CHUNK_SLOTS + place;
            }
        }
        next = chunk * KIN__CHUNK_SLOTS + first;
    }
    builder->part->pools[0].free_slot = next;
    return true;
}

static bool derive(kin__builder *builder)
{
    kin_context *context = builder->context;
    kin__heap values = {.memory = builder->heap.memory, .fault = builder->fault};
    kin__reading reading = {
        .context = context, .part = builder->part, .fault = builder->fault, .heap = values, .value_heap = values};
    bool is_derived = kin__reading_derive(&reading, builder->is_linked_anew);
    kin__heap_release(&reading.value_heap);
    kin__heap_release(&reading.heap);
    if (!is_derived && builder->fault->status == KIN_ERROR_NO_MEMORY) {
        *builder->fault = (kin__fault){KIN_OK, ""};
        return no_memory(builder); // with the bytes
    }
    if (!is_derived && builder->fault->status == KIN_ERROR_SHAPE)
        *builder->fault = (kin__fault){KIN_OK, ""};
    return is_derived || kin__fault_note(builder->fault, KIN_ERROR_CORRUPT,
                                         "two entities have what only one may have, or one is below itself");
}

bool kin__builder_finish(kin__builder *builder, kin__unseen_list *unseen, uint32_t number)
{
    const kin_context_info *info = builder->context->info;
    builder->is_linked_anew = info->relation_count > 0 && (builder->is_linked_anew || builder->is_moved);
    if (!finish_images(builder))
        return false;
    if (builder->is_moved)
        cut_chunks(builder);
    if (!finish_counts(builder) || (builder->is_moved && !finish_free(builder)))
        return false;
    if (builder->is_linked_anew)
        drop_links(builder);
    for (uint32_t i = 0; builder->is_linked_anew && i < info->relation_count; i++)
        if (!hide_targets(builder, unseen, number, i))
            return false;
    return derive(builder);
}

#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <string.h>

// ---- filling

// Return the size in bytes of the pointers to images, and of the bits of images, of one chunk.
static size_t images_of_chunk(const kin__context_snapshot *part)
{
    return kin__image_numbers(part->info) * sizeof(kin__image *);
}

static size_t bits_of_chunk(const kin__context_snapshot *part)
{
    return kin__part_words(part->info) * sizeof(uint64_t);
}

static void set_chunk_count(kin__context_snapshot *part, uint32_t chunk_count)
{
    part->chunk_count = chunk_count;
    part->images.size = chunk_count * images_of_chunk(part);
    part->has.size = chunk_count * bits_of_chunk(part);
    part->chunk_pools.size = chunk_count * sizeof(uint32_t);
}

bool kin__part_reserve(kin__context_snapshot *part, uint32_t chunk_count)
{
    KIN_ASSERT(part->chunk_count == 0);
    if (!kin__bytes_reserve(part->context, &part->images, kin__bytes_of(chunk_count, images_of_chunk(part))) ||
        !kin__bytes_reserve(part->context, &part->has, kin__bytes_of(chunk_count, bits_of_chunk(part))) ||
        !kin__bytes_reserve(part->context, &part->chunk_pools, kin__bytes_of(chunk_count, sizeof(uint32_t))))
        return false;
    set_chunk_count(part, chunk_count);
    if (chunk_count > 0)
        memset(part->has.at, 0, part->has.size);
    return true;
}

void kin__part_cut(kin__context_snapshot *part, uint32_t chunk_count)
{
    KIN_ASSERT(chunk_count <= part->chunk_count);
    set_chunk_count(part, chunk_count);
}

void kin__part_put(kin__context_snapshot *part, uint32_t chunk, kin__image *image)
{
    uint32_t words = kin__part_words(part->info);
    uint32_t numbers = kin__image_numbers(part->info);
    KIN_ASSERT(chunk < part->chunk_count && image->number < numbers);
    kin__bits_add((uint64_t *)part->has.at + (size_t)chunk * words, image->number);
    ((kin__image **)part->images.at)[(size_t)chunk * numbers + image->number] = image;
}

void kin__part_remove(kin__context_snapshot *part, uint32_t chunk, kin__image *image)
{
    KIN_ASSERT(kin__part_image(part, chunk, image->number) == image);
    kin__bits_remove((uint64_t *)part->has.at + (size_t)chunk * kin__part_words(part->info), image->number);
    kin__image_let_go(part->context, image);
}

// ---- saving

// Puts an image of a block into the part: its last image if the block still equals that. False when out of memory.
static bool save_block(kin_context *context, kin__context_snapshot *part, uint32_t chunk, uint32_t number,
                       bool is_as_it_was)
{
    kin__image *image = kin__store_last(context->core->store, chunk, number);
    if (image != NULL && (is_as_it_was || kin__image_equals(context, chunk, image))) {
        image->references++;
    } else {
        image = kin__image_make(context, chunk, number);
        if (image == NULL)
            return false;
        kin__store_set_last(context, chunk, number, image);
    }
    kin__part_put(part, chunk, image);
    return true;
}

static bool save_columns(kin_context *context, kin__context_snapshot *part, uint32_t chunk)
{
    const uint64_t *present = kin__chunk_present(context->chunks[chunk], context->row_words);
    EACH_OF_ROW(id, present, context->row_words)
    {
        if (kin__block_exists(context, chunk, id) && !save_block(context, part, chunk, id, false))
            return false;
    }
    return true;
}

static bool save_chunk(kin_context *context, kin__context_snapshot *part, uint32_t chunk, bool heads_stand)
{
    const kin_context_info *info = context->info;
    ((uint32_t *)part->chunk_pools.at)[chunk] = kin__pool_number(context, context->chunks[chunk]->pool);
    if (!save_columns(context, part, chunk) || !save_block(context, part, chunk, kin__head_number(info), heads_stand))
        return false;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        uint32_t number = kin__links_number(info, i);
        if (kin__block_exists(context, chunk, number) && !save_block(context, part, chunk, number, false))
            return false;
    }
    return true;
}

static bool save_chunks(kin_context *context, kin__context_snapshot *part, uint32_t chunk_count)
{
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < chunk_count; chunk++)
        if (!save_chunk(context, part, chunk, heads_stand))
            return false;
    kin__store_forget_heads(context, chunk_count);
    kin__store_note_heads(context);
    return true;
}

// Returns whether a slot of a chunk without a pool is held. All its entities are dead.
static bool is_any_held(const kin__chunk *chunk)
{
    uint32_t any = 0;
    for (uint32_t place = 0; chunk->holders != NULL && place < KIN__CHUNK_SLOTS; place++)
        any |= chunk->holders[place];
    return any != 0;
}

// Chunks without a pool may contain slots of dead entities that have been held since before a reset. The chunks after
// the last of these are no part of the state: they remain from entities that another history had.
static uint32_t count_chunks(const kin_context *context)
{
    const kin__slots *slots = &context->core->slots;
    uint32_t count = slots->pending > 0 ? context->chunk_count : slots->assigned_chunks;
    while (count > slots->assigned_chunks && !is_any_held(context->chunks[count - 1]))
        count--;
    return count;
}

static bool save_blocks(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    uint32_t chunk_count = count_chunks(context);
    (void)is_alone;
    return kin__store_reserve(context, chunk_count) && kin__part_reserve(part, chunk_count) &&
           save_chunks(context, part, chunk_count);
}

// ---- copying

static kin__image *copy_column(kin_context *context, const kin__image *image)
{
    kin__image *copy = kin__image_begin(context, (kin_component_id)image->number);
    bool copied = copy != NULL;
    for (uint32_t place = 0; copied && place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            copied = kin__image_set(context, copy, place,
                                    kin__image_value(context->info, image, place, context->core->store->scratch));
    if (copied && kin__image_end(context, copy))
        return copy;
    if (copy != NULL)
        kin__image_let_go(context, copy);
    return NULL;
}

// Returns a copy of the image. NULL when out of memory.
static kin__image *copy_image(kin_context *context, const kin__image *image)
{
    if (image->number < context->info->component_count)
        return copy_column(context, image);
    kin__image *copy = kin__store_take(context, image->number);
    if (copy != NULL)
        memcpy(copy->bytes, image->bytes, kin__image_size(context->info, image->number));
    return copy;
}

static bool copy_images(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t number = 0; number < kin__image_numbers(context->info); number++) {
            const kin__image *image = kin__part_image(part, chunk, number);
            kin__image *copy = image == NULL ? NULL : copy_image(context, image);
            if (copy != NULL)
                kin__part_put(own, chunk, copy);
            else if (image != NULL)
                return false;
        }
    return true;
}

static bool copy_blocks(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    if (!kin__store_reserve(context, part->chunk_count) || !kin__part_reserve(own, part->chunk_count))
        return false;
    if (part->chunk_count > 0)
        memcpy(own->chunk_pools.at, part->chunk_pools.at, part->chunk_pools.size);
    return copy_images(context, part, own);
}

// ---- reserving

static bool reserve_chunk(kin_context *context, const kin__context_snapshot *part, uint32_t chunk)
{
    const kin_context_info *info = context->info;
    for (uint32_t id = 0; id < info->component_count; id++)
        if (kin__part_image(part, chunk, id) != NULL &&
            kin__column_reserve(context, chunk * KIN__CHUNK_SLOTS, (kin_component_id)id) == NULL)
            return false;
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (kin__part_image(part, chunk, kin__links_number(info, i)) != NULL &&
            !kin__relations_restore_reserve(context, i, chunk))
            return false;
    return true;
}

static bool reserve_blocks(kin_context *context, const kin__context_snapshot *part)
{
    if (!kin__store_reserve(context, kin__max_32(context->chunk_count, part->chunk_count)))
        return false;
    while (context->chunk_count < part->chunk_count)
        if (!kin__chunk_append(context))
            return false;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        if (!reserve_chunk(context, part, chunk))
            return false;
    return true;
}

// ---- columns

// Restores a column: the values of one component in one chunk. An entity that has the component before and after keeps
// its box, and its owned block if the image has the same one.

static const kin__column nothing;

// A column that is being restored.
typedef struct target {
    kin_context *context;
    kin_component_id id;
    const kin_component_info *info;
    kin__column *column;
    const uint64_t *has; // bits of the places that will have a value
    const kin__image *image;
} target;

static bool will_have(const target *target, uint32_t place)
{
    return kin__bits_have(target->has, place);
}

uint32_t kin__column_restore_boxes(const kin_context *context, uint32_t chunk, const kin__image *image)
{
    uint32_t count = 0;
    KIN_ASSERT(context->info->components[image->number].is_boxed &&
               !context->info->components[image->number].is_shared);
    const kin__column *column = kin__chunk_column(context, chunk, image->number);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(kin__image_has(image)[word] & ~column->has[word]);
    return count;
}

// Retires outgoing blocks before it revives restored ones: one block may be both, if its value was stashed or put back
// after the save.
static void restore_owned(const target *target)
{
    kin__owned_block **now = kin__owned_blocks_of(target->context, target->column, target->id);
    kin__owned_block **saved =
        target->image == NULL ? NULL : kin__image_owned_blocks(target->context->info, target->image);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(target->column, place) && (!will_have(target, place) || now[place] != saved[place]))
            kin__owned_block_retire(target->context, now[place]);
    kin__owned_settle(target->context);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!will_have(target, place))
            continue;
        if (!kin__column_has(target->column, place) || now[place] != saved[place])
            kin__owned_block_revive(saved[place]);
        now[place] = saved[place];
    }
}

static void restore_lists(const target *target)
{
    kin__owned_block **owned_blocks = kin__owned_blocks_of(target->context, target->column, target->id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (will_have(target, place)) {
            void *at =
                kin__column_value(target->column, place, target->info->is_boxed ? sizeof at : target->info->size);
            if (target->info->is_boxed)
                at = *(void **)at;
            kin__lists_attach(target->info, at, owned_blocks[place]);
        }
}

static void restore_boxes(const target *target)
{
    void **boxes = kin__column_value(target->column, 0, sizeof(void *));
    void *spare = kin__slab_spare(target->context, target->id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(target->column, place) && !will_have(target, place)) {
            kin__slab_put(target->context, target->id, boxes[place]);
            boxes[place] = spare;
        }
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!will_have(target, place))
            continue;
        if (!kin__column_has(target->column, place))
            boxes[place] = kin__slab_take(target->context, target->id);
        KIN_ASSERT(boxes[place] != NULL && boxes[place] != spare); // it was reserved
        memcpy(boxes[place], kin__image_value(target->context->info, target->image, place, NULL), target->info->size);
    }
}

static void restore_shared(const target *target)
{
    const void **values = kin__column_value(target->column, 0, sizeof(void *));
    const void *spare = kin__slab_spare(target->context, target->id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        const void *before = kin__column_has(target->column, place) ? values[place] : NULL;
        const void *after =
            will_have(target, place) ? kin__image_value(target->context->info, target->image, place, NULL) : NULL;
        if (before != after)
            kin__shared_restore_place(before, after);
        values[place] = after == NULL ? spare : after;
    }
}

static void restore_standing(const target *target)
{
    if (target->image != NULL)
        memcpy(target->column + 1, target->image->bytes + sizeof(kin__column),
               KIN__CHUNK_SLOTS * kin__place_size(target->context, target->id));
}

// Restores a column from its image. NULL: no entity of the chunk had the component. Unless the image is NULL, the
// column must exist and boxes must be reserved.
static void column_restore(kin_context *context, uint32_t chunk, kin_component_id id, const kin__image *image)
{
    kin__column *column = kin__chunk_column(context, chunk, id);
    target target = {context, id, &context->info->components[id], column, nothing.has, image};
    if (image != NULL)
        target.has = kin__image_has(image);
    if (column == context->empty)
        return;
    if (kin__is_owned(context, id))
        restore_owned(&target);
    if (target.info->is_shared)
        restore_shared(&target);
    else if (target.info->is_boxed)
        restore_boxes(&target);
    else
        restore_standing(&target);
    if (target.info->has_lists && kin__is_owned(context, id))
        restore_lists(&target);
    memcpy(column->has, target.has, sizeof column->has);
}

// ---- restoring

// Empties a chunk that the snapshot does not contain.
static void clear_head(const kin_context *context, uint32_t number)
{
    kin__chunk *chunk = context->chunks[number];
    memset(chunk->ids, 0, sizeof chunk->ids);
    memset(chunk->alive, 0, sizeof chunk->alive);
    memset(kin__chunk_row(chunk, context->row_words, 0), 0,
           (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t));
    if (number == 0)
        chunk->ids[0] = kin__free_handle(0);
}

static void restore_head(kin_context *context, uint32_t number, const kin__image *head)
{
    kin__chunk *chunk = context->chunks[number];
    if (head == NULL) {
        clear_head(context, number);
        return;
    }
    memcpy(chunk->ids, kin__image_ids(head), sizeof chunk->ids);
    memcpy(chunk->alive, kin__image_alive(head), sizeof chunk->alive);
    memcpy(kin__chunk_row(chunk, context->row_words, 0), kin__image_row(head, context->row_words, 0),
           (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t));
}

// Restores a block unless it equals its image.
static void restore_block(kin_context *context, uint32_t chunk, uint32_t number, kin__image *image, bool heads_stand)
{
    const kin_context_info *info = context->info;
    if (number == kin__head_number(info)) {
        if (image == NULL || !kin__head_equals(context, chunk, image, heads_stand))
            restore_head(context, chunk, image);
    } else if (image == NULL
                   ? kin__block_exists(context, chunk, number)
                   : !kin__block_exists(context, chunk, number) || !kin__image_equals(context, chunk, image)) {
        if (number < info->component_count)
            column_restore(context, chunk, (kin_component_id)number, image);
        else
            kin__relations_restore_block(context, number - kin__links_number(info, 0), chunk,
                                         image == NULL ? NULL : kin__image_links(image));
    }
    kin__store_set_last(context, chunk, number, image);
}

static void restore_carrier(kin_context *context, const kin__context_snapshot *part, uint32_t id)
{
    context->carriers[id] = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t word = 0; image != NULL && word < KIN__CHUNK_WORDS; word++)
            if (kin__image_has(image)[word] != 0)
                context->carriers[id] = kin__image_ids(
                    kin__part_head(part, chunk))[word * 64 + kin__lowest_bit(kin__image_has(image)[word])];
    }
}

// Removes the listeners of entities that are dead before or after the restore.
static void leave_blocks(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++) {
        const kin__image *head = kin__part_head(part, chunk);
        if (head == NULL)
            kin__listeners_restore(context, chunk, NULL, NULL);
        else
            kin__listeners_restore(context, chunk, kin__image_ids(head), kin__image_alive(head));
    }
}

static void restore_blocks(kin_context *context, const kin__context_snapshot *part)
{
    uint32_t numbers = kin__image_numbers(context->info);
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        for (uint32_t number = 0; number < numbers; number++)
            restore_block(context, chunk, number, kin__part_image(part, chunk, number), heads_stand);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (context->info->components[id].is_unique)
            restore_carrier(context, part, id);
}

// ---- releasing

// Whether images of the block pin values.
static bool pins(const kin_context *context, uint32_t number)
{
    return number < context->info->component_count &&
           (kin__is_owned(context, (kin_component_id)number) || kin__is_shared(context, (kin_component_id)number));
}

// Values are kept for snapshots alone: when no snapshot uses an image with pins any more, it stops being the last image
// of its block.
static void let_go(kin_context *context, uint32_t chunk, kin__image *image)
{
    bool is_left = image->is_last && image->references == 2 && pins(context, image->number);
    kin__image_let_go(context, image);
    if (is_left)
        kin__store_set_last(context, chunk, image->number, NULL);
}

// Goes from the last chunk to the first, so that images are reused in the order of their addresses.
static void let_go_of_blocks(kin_context *context, kin__context_snapshot *part)
{
    uint32_t words = kin__part_words(part->info);
    uint32_t numbers = kin__image_numbers(part->info);
    const uint64_t *has = part->has.at;
    kin__image *const *images = part->images.at;
    for (uint32_t chunk = part->chunk_count; chunk-- > 0;)
        for (uint32_t word = words; word-- > 0;)
            for (uint64_t bits = has[(size_t)chunk * words + word]; bits != 0; bits &= bits - 1)
                let_go(context, chunk, images[(size_t)chunk * numbers + word * 64 + kin__lowest_bit(bits)]);
    kin__part_cut(part, 0);
}

const kin__section kin__blocks_section = {
    .name = "blocks",
    .fields = {KIN__PART_FIELD(chunk_count), KIN__PART_BYTES(images), KIN__PART_BYTES(has),
               KIN__PART_BYTES(chunk_pools)},
    .block_kinds = 1u << KIN__BLOCK_SLOTS | 1u << KIN__BLOCK_COLUMN,
    .save = save_blocks,
    .copy = copy_blocks,
    .let_go = let_go_of_blocks,
    .reserve = reserve_blocks,
    .leave = leave_blocks,
    .restore = restore_blocks,
};

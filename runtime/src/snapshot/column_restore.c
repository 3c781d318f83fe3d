#include "snapshot/column_restore.h"

#include "base/base.h"
#include "image/copy_block.h"
#include "image/pin.h"
#include "store/store.h"

#include <string.h>

// A column that is being restored.
typedef struct target {
    kin_context *context;
    kin_component_id id;
    const kin_component_info *info;
    kin__column *column;
    const uint64_t *has; // bits of the places that will have a value
    const kin__image *image;
} target;

static const kin__column nothing;

static bool will_have(const target *target, uint32_t place)
{
    return kin__bits_have(target->has, place);
}

static bool has_boxes(const kin_component_info *info)
{
    return info->is_boxed && !info->is_shared;
}

uint32_t kin__column_restore_boxes(const kin_context *context, uint32_t chunk, const kin__image *image)
{
    uint32_t count = 0;
    if (!has_boxes(&context->info->components[image->number]))
        return 0;
    const kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[image->number];
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        count += kin__count_bits(kin__image_has(image)[word] & ~column->has[word]);
    return count;
}

// ---- owned blocks

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

// ---- places

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

void kin__column_restore(kin_context *context, uint32_t chunk, kin_component_id id, const kin__image *image)
{
    kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
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

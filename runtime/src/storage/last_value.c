#include "storage/last_value.h"

#include "base/assertion.h"

#include <string.h>

static size_t block_size(const kin_context *context, kin_component_id id)
{
    return sizeof(kin__last_value_block) + KIN__CHUNK_SLOTS * kin__kept_size(context, id);
}

static void *place_of(const kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    char *values = (char *)(kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS) + 1);
    return values + slot % KIN__CHUNK_SLOTS * kin__kept_size(context, last_values->id);
}

static void flip_kept(kin__last_value_block *block, uint32_t place)
{
    kin__bits_flip(block->kept, place);
}

// ---- room

static bool reserve_block(kin_context *context, kin__last_values *last_values, uint32_t chunk)
{
    kin__memory *memory = &context->core->column_memory;
    if (!kin__array_reserve_pointers(memory, &last_values->blocks, chunk + 1))
        return false;
    kin__last_value_block **block = &((kin__last_value_block **)last_values->blocks.elements)[chunk];
    if (*block == NULL) {
        *block = kin__allocate(memory, block_size(context, last_values->id));
        if (*block != NULL)
            memset(*block, 0, sizeof **block);
    }
    return *block != NULL;
}

bool kin__last_values_reserve(kin_context *context, uint32_t chunk, kin_component_id id)
{
    kin__last_values *last_values = kin__last_values_of(context, id);
    return last_values == NULL || reserve_block(context, last_values, chunk);
}

static bool reserve_blocks(kin_context *context, kin__last_values *last_values)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        if (kin__has_column(context, chunk, last_values->id) && !reserve_block(context, last_values, chunk))
            return false;
    return true;
}

static size_t table_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__last_values *);
}

// What is kept goes with its shadow; the component has no keepsakes afterwards.
static void release(kin_context *context, kin__last_values *last_values)
{
    kin__memory *memory = &context->core->column_memory;
    context->core->last_values[last_values->id] = NULL;
    for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
        kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
        for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
            if (kin__last_value_block_has(block, place)) {
                kin__room room = kin__last_value_room(context, last_values, chunk * KIN__CHUNK_SLOTS + place);
                kin__room_give_up(context, last_values->id, &room);
            }
        kin__release(memory, block, block_size(context, last_values->id));
    }
    kin__array_release(memory, &last_values->blocks, sizeof(kin__last_value_block *));
    kin__release(memory, last_values, sizeof *last_values);
    kin__owned_settle(context);
}

kin__last_values *kin__last_values_use(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    KIN_ASSERT(kin__value_size(context, id) > 0);
    if (core->last_values == NULL)
        core->last_values = kin__allocate_zero(&core->column_memory, table_size(context));
    if (core->last_values == NULL)
        return NULL;
    if (core->last_values[id] == NULL)
        core->last_values[id] = kin__allocate_zero(&core->column_memory, sizeof *core->last_values[id]);
    kin__last_values *last_values = core->last_values[id];
    if (last_values == NULL)
        return NULL;
    last_values->id = id;
    last_values->users++;
    if (reserve_blocks(context, last_values))
        return last_values;
    kin__last_values_leave(context, last_values);
    return NULL;
}

// A loss that is being told still needs them: then they stay, for the next user or until the context ends.
void kin__last_values_leave(kin_context *context, kin__last_values *last_values)
{
    KIN_ASSERT(last_values->users > 0);
    if (--last_values->users == 0 && context->depth == 0)
        release(context, last_values);
}

void kin__last_values_release(kin_context *context)
{
    kin__core *core = context->core;
    if (core->last_values == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (core->last_values[id] != NULL)
            release(context, core->last_values[id]);
    kin__release(&core->column_memory, core->last_values, table_size(context));
    core->last_values = NULL;
}

// ---- keeping

kin__room kin__last_value_room(const kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    const kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    void *place = place_of(context, last_values, slot);
    kin__room room = {.value = place, .owned_block = block->owned_blocks[slot % KIN__CHUNK_SLOTS]};
    KIN_ASSERT(kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS));
    if (context->info->components[last_values->id].is_boxed)
        room.value = room.box = *(void **)place;
    return room;
}

static void give_up(kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    kin__room room = kin__last_value_room(context, last_values, slot);
    flip_kept(kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS), slot % KIN__CHUNK_SLOTS);
    kin__room_give_up(context, last_values->id, &room);
}

// Whether the frame tells the loss of the component: itself, or among others in a strip.
static bool shows_loss(const kin__frame *frame, kin_component_id id)
{
    return frame->lost != NULL ? kin__bits_have(frame->lost, id)
                               : frame->change.component == id && frame->change.value == NULL;
}

// Whether a loss that is being told may still come to somebody who will wait.
static bool is_told(const kin_context *context, uint32_t slot, kin_component_id id)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->change.entity != 0 && kin_entity_slot(frame->change.entity) == slot && shows_loss(frame, id))
            return true;
    return false;
}

static void settle(kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    const kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block->waiting[slot % KIN__CHUNK_SLOTS] > 0 || !kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS) ||
        is_told(context, slot, last_values->id))
        return;
    give_up(context, last_values, slot);
    kin__owned_settle(context);
}

bool kin__last_value_take(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = kin__last_values_of(context, id);
    if (last_values == NULL)
        return false;
    kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block == NULL)
        return false; // nobody uses them any more
    if (kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS))
        give_up(context, last_values, slot);
    kin__room room = kin__value_room(context, slot, id);
    flip_kept(block, slot % KIN__CHUNK_SLOTS);
    block->owned_blocks[slot % KIN__CHUNK_SLOTS] = room.owned_block;
    if (room.box != NULL)
        memcpy(place_of(context, last_values, slot), &room.box, sizeof room.box);
    else
        kin__value_read(context, slot, id, place_of(context, last_values, slot));
    kin__value_leave(context, slot, id);
    return true;
}

bool kin__last_value_settle(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = kin__last_values_of(context, id);
    const kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block == NULL || !kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS))
        return false;
    settle(context, last_values, slot);
    return true;
}

void kin__last_value_hold(const kin__last_values *last_values, uint32_t slot)
{
    kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS));
    block->waiting[slot % KIN__CHUNK_SLOTS]++;
}

void kin__last_value_let_go(kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(block->waiting[slot % KIN__CHUNK_SLOTS] > 0);
    block->waiting[slot % KIN__CHUNK_SLOTS]--;
    settle(context, last_values, slot);
}

// ---- spare memory

static void trim(kin_context *context, const kin__last_values *last_values)
{
    kin__last_value_block **blocks = last_values->blocks.elements;
    for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
        kin__last_value_block *block = blocks[chunk];
        if (block == NULL || kin__has_column(context, chunk, last_values->id) || kin__last_value_block_count(block) > 0)
            continue;
        blocks[chunk] = NULL;
        kin__release(&context->core->column_memory, block, block_size(context, last_values->id));
    }
}

void kin__last_values_trim(kin_context *context)
{
    uint32_t left = 0;
    for (uint32_t id = 0; context->core->last_values != NULL && id < context->info->component_count; id++) {
        kin__last_values *last_values = context->core->last_values[id];
        if (last_values != NULL && last_values->users == 0)
            release(context, last_values);
        else if (last_values != NULL)
            trim(context, last_values);
        left += context->core->last_values[id] != NULL;
    }
    if (left == 0)
        kin__last_values_release(context);
}

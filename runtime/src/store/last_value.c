#include "store/internal.h"

#include <string.h>

static size_t block_size(const kin_context *context, kin_component_id id)
{
    return sizeof(kin__last_value_block) + KIN__CHUNK_SLOTS * kin__last_value_size(context, id);
}

// Returns the place of a slot, whose chunk has a block.
static void *last_value_place(const kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    KIN_ASSERT(kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS) != NULL);
    char *values = (char *)(kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS) + 1);
    return values + slot % KIN__CHUNK_SLOTS * kin__last_value_size(context, last_values->id);
}

static void flip_kept(kin__last_value_block *block, uint32_t place)
{
    kin__bits_flip(block->kept, place);
}

// ---- memory

// Makes the block of a chunk. False when out of memory.
static bool last_values_reserve_block(kin_context *context, kin__last_values *last_values, uint32_t chunk)
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
    return last_values == NULL || last_values_reserve_block(context, last_values, chunk);
}

static bool reserve_blocks(kin_context *context, kin__last_values *last_values)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        if (kin__has_column(context, chunk, last_values->id) && !last_values_reserve_block(context, last_values, chunk))
            return false;
    return true;
}

static size_t table_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__last_values *);
}

// Retires the values of a component and releases its blocks.
static void release_component(kin_context *context, kin__last_values *last_values)
{
    kin__memory *memory = &context->core->column_memory;
    KIN_ASSERT(context->core->last_values[last_values->id] == last_values);
    context->core->last_values[last_values->id] = NULL;
    for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
        kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
        for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
            if (kin__last_value_block_has(block, place)) {
                kin__value_storage storage =
                    kin__last_value_storage(context, last_values, chunk * KIN__CHUNK_SLOTS + place);
                kin__value_storage_retire(context, last_values->id, &storage);
            }
        kin__release(memory, block, block_size(context, last_values->id));
    }
    kin__array_release(memory, &last_values->blocks, sizeof(kin__last_value_block *));
    kin__release(memory, last_values, sizeof *last_values);
    kin__owned_settle(context);
}

kin__last_values *kin__last_values_add_user(kin_context *context, kin_component_id id)
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
    kin__last_values_remove_user(context, last_values);
    return NULL;
}

// While a removal is notified the values may be in use: then they stay, for the next user or until the next trim.
void kin__last_values_remove_user(kin_context *context, kin__last_values *last_values)
{
    KIN_ASSERT(last_values->users > 0);
    if (--last_values->users == 0 && context->depth == 0)
        release_component(context, last_values);
}

void kin__last_values_release(kin_context *context)
{
    kin__core *core = context->core;
    if (core->last_values == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (core->last_values[id] != NULL)
            release_component(context, core->last_values[id]);
    kin__release(&core->column_memory, core->last_values, table_size(context));
    core->last_values = NULL;
}

// ---- saving and holding

kin__value_storage kin__last_value_storage(const kin_context *context, const kin__last_values *last_values,
                                           uint32_t slot)
{
    const kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    void *place = last_value_place(context, last_values, slot);
    kin__value_storage storage = {.value = place, .owned_block = block->owned_blocks[slot % KIN__CHUNK_SLOTS]};
    KIN_ASSERT(kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS));
    if (context->info->components[last_values->id].is_boxed) {
        storage.value = *(void **)place;
        storage.box = kin__is_shared(context, last_values->id) ? NULL : *(void **)place;
    }
    return storage;
}

// Retires a kept value, whoever holds it. The caller settles.
static void last_value_retire(kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    kin__value_storage storage = kin__last_value_storage(context, last_values, slot);
    flip_kept(kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS), slot % KIN__CHUNK_SLOTS);
    kin__value_storage_retire(context, last_values->id, &storage);
}

// Returns whether the frame notifies the removal of the component, alone or with all others of a destroyed entity.
static bool notifies_removal(const kin__frame *frame, kin_component_id id)
{
    return frame->lost != NULL ? kin__bits_have(frame->lost, id)
                               : frame->change.component == id && frame->change.value == NULL;
}

// Returns whether a removal is being notified whose listeners may still hold the value.
static bool is_being_notified(const kin_context *context, uint32_t slot, kin_component_id id)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->change.entity != 0 && kin_entity_slot(frame->change.entity) == slot && notifies_removal(frame, id))
            return true;
    return false;
}

static void retire_unless_needed(kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    const kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block->holds[slot % KIN__CHUNK_SLOTS] > 0 || !kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS) ||
        is_being_notified(context, slot, last_values->id))
        return;
    last_value_retire(context, last_values, slot);
    kin__owned_settle(context);
}

bool kin__last_value_save(kin_context *context, uint32_t slot, kin_component_id id)
{
    KIN_ASSERT(slot < context->chunk_count * KIN__CHUNK_SLOTS);
    const kin__last_values *last_values = kin__last_values_of(context, id);
    if (last_values == NULL)
        return false;
    kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block == NULL)
        return false; // without users, new columns get no block
    if (kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS))
        last_value_retire(context, last_values, slot);
    kin__value_storage storage = kin__value_storage_of(context, slot, id);
    flip_kept(block, slot % KIN__CHUNK_SLOTS);
    block->owned_blocks[slot % KIN__CHUNK_SLOTS] = storage.owned_block;
    if (context->info->components[id].is_boxed)
        memcpy(last_value_place(context, last_values, slot), &storage.value, sizeof storage.value);
    else
        kin__value_read(context, slot, id, last_value_place(context, last_values, slot));
    kin__value_detach(context, slot, id);
    KIN_ASSERT(kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS));
    return true;
}

bool kin__last_value_settle(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = kin__last_values_of(context, id);
    const kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block == NULL || !kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS))
        return false;
    retire_unless_needed(context, last_values, slot);
    return true;
}

void kin__last_value_add_hold(const kin__last_values *last_values, uint32_t slot)
{
    kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS));
    block->holds[slot % KIN__CHUNK_SLOTS]++;
}

void kin__last_value_remove_hold(kin_context *context, const kin__last_values *last_values, uint32_t slot)
{
    kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(block->holds[slot % KIN__CHUNK_SLOTS] > 0);
    block->holds[slot % KIN__CHUNK_SLOTS]--;
    retire_unless_needed(context, last_values, slot);
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
    uint32_t remaining = 0;
    KIN_ASSERT(context->depth == 0);
    for (uint32_t id = 0; context->core->last_values != NULL && id < context->info->component_count; id++) {
        kin__last_values *last_values = context->core->last_values[id];
        if (last_values != NULL && last_values->users == 0)
            release_component(context, last_values);
        else if (last_values != NULL)
            trim(context, last_values);
        remaining += context->core->last_values[id] != NULL;
    }
    if (remaining == 0)
        kin__last_values_release(context);
}

// ---- memory in use

static size_t component_used(const kin_context *context, const kin__last_values *last_values)
{
    const kin_component_info *info = &context->info->components[last_values->id];
    size_t each = kin__last_value_size(context, last_values->id) + sizeof(kin__owned_block *) + sizeof(uint32_t) +
                  kin__cell_size(info);
    size_t bytes = last_values->users > 0 ? sizeof *last_values : 0;
    for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
        const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
        bytes += block == NULL ? 0 : each * kin__last_value_block_count(block);
    }
    return bytes;
}

size_t kin__last_values_used(const kin_context *context)
{
    size_t bytes = 0;
    for (uint32_t id = 0; context->core->last_values != NULL && id < context->info->component_count; id++)
        if (context->core->last_values[id] != NULL)
            bytes += component_used(context, context->core->last_values[id]);
    return bytes;
}

// ---- validation

// Invariant 3.
static bool stash_is_valid(const kin_context *context, const kin__last_value_block *block, uint32_t chunk,
                           kin_component_id id)
{
    const kin__column *column = kin__chunk_column(context, chunk, id);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__last_value_block_stashes(block, place))
            continue;
        bool lacks_component = kin__bits_have(context->chunks[chunk]->alive, place) && !kin__column_has(column, place);
        if (block->holds[place] == 0 || !lacks_component)
            return false;
    }
    return true;
}

// Invariant 2.
static bool block_is_valid(const kin_context *context, const kin__last_value_block *block)
{
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (block->holds[place] > 0 ? !kin__last_value_block_has(block, place)
                                    : kin__last_value_block_has(block, place) && context->depth == 0)
            return false;
    return true;
}

bool kin__last_values_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; context->core->last_values != NULL && id < context->info->component_count; id++) {
        const kin__last_values *last_values = context->core->last_values[id];
        for (uint32_t chunk = 0; last_values != NULL && chunk < context->chunk_count; chunk++) {
            const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
            bool is_required = last_values->users > 0 && kin__has_column(context, chunk, (kin_component_id)id);
            if (block == NULL
                    ? is_required
                    : !block_is_valid(context, block) || !stash_is_valid(context, block, chunk, (kin_component_id)id))
                return false;
        }
    }
    return true;
}

static size_t saved_value_size(const kin_context *context, kin_component_id id)
{
    return kin__is_shared(context, id) ? sizeof(void *) : kin__value_size(context, id);
}

static size_t saved_size(const kin_context *context, kin_component_id id)
{
    return kin__round_up(sizeof(kin__keepsake)) + kin__round_up(saved_value_size(context, id));
}

// Runs the following block for each component that has last values.
#define EACH_OF_LAST_VALUES(last_values, context)                                                                      \
    for (uint32_t id_ = 0; (context)->core->last_values != NULL && id_ < (context)->info->component_count; id_++)      \
        for (kin__last_values *last_values = (context)->core->last_values[id_]; last_values != NULL; last_values = NULL)

// ---- saving

// The places of a block whose values are saved.
static const uint64_t *saved_places(const kin__last_value_block *block, bool only_stashed)
{
    return only_stashed ? block->stashed : block->kept;
}

size_t kin__keepsakes_size(const kin_context *context, bool only_stashed)
{
    size_t size = 0;
    KIN_ASSERT(context->depth == 0);
    EACH_OF_LAST_VALUES(last_values, context)
    {
        for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
            const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
            for (uint32_t word = 0; block != NULL && word < KIN__CHUNK_WORDS; word++)
                size += kin__count_bits(saved_places(block, only_stashed)[word]) * saved_size(context, last_values->id);
        }
    }
    return size;
}

static char *save(const kin_context *context, const kin__last_values *last_values, uint32_t slot, char *bytes)
{
    kin_component_id id = last_values->id;
    const kin__last_value_block *block = kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    kin__value_storage storage = kin__last_value_storage(context, last_values, slot);
    kin__keepsake *keepsake = memset(bytes, 0, saved_size(context, id));
    *keepsake = (kin__keepsake){.owned_block = kin__is_shared(context, id) ? NULL : storage.owned_block,
                                .slot = slot,
                                .id = id,
                                .is_stashed = kin__last_value_block_stashes(block, slot % KIN__CHUNK_SLOTS)};
    if (kin__is_shared(context, id))
        memcpy(kin__keepsake_value(keepsake), &storage.value, sizeof storage.value);
    else
        memcpy(kin__keepsake_value(keepsake), storage.value, kin__value_size(context, id));
    return bytes + saved_size(context, id);
}

void kin__keepsakes_save(const kin_context *context, bool only_stashed, void *bytes)
{
    char *at = bytes;
    EACH_OF_LAST_VALUES(last_values, context)
    {
        for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++) {
            const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
            for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
                if (kin__bits_have(saved_places(block, only_stashed), place))
                    at = save(context, last_values, chunk * KIN__CHUNK_SLOTS + place, at);
        }
    }
}

// ---- what was saved

kin__keepsake *kin__keepsake_next(const kin_context *context, void *bytes, size_t size, size_t *at)
{
    kin__keepsake *keepsake = *at == size ? NULL : (kin__keepsake *)(void *)((char *)bytes + *at);
    if (keepsake != NULL)
        *at += saved_size(context, keepsake->id);
    KIN_ASSERT(*at <= size);
    return keepsake;
}

void *kin__keepsake_value(kin__keepsake *keepsake)
{
    return (char *)keepsake + kin__round_up(sizeof *keepsake);
}

// ---- reserving

// A value that is stashed needs last values; another is needed only by event systems that exist.
static bool reserve(kin_context *context, const kin__keepsake *keepsake)
{
    kin__last_values *last_values = kin__last_values_of(context, keepsake->id);
    if (keepsake->is_stashed && (last_values == NULL || !last_values->is_stash)) {
        last_values = kin__last_values_add_user(context, keepsake->id);
        if (last_values == NULL)
            return false;
        last_values->is_stash = true;
    }
    return last_values == NULL || last_values_reserve_block(context, last_values, keepsake->slot / KIN__CHUNK_SLOTS);
}

bool kin__keepsakes_reserve(kin_context *context, void *bytes, size_t size)
{
    size_t at = 0;
    for (const kin__keepsake *each; (each = kin__keepsake_next(context, bytes, size, &at)) != NULL;)
        if (!reserve(context, each))
            return false;
    return true;
}

uint32_t kin__keepsakes_cells(const kin_context *context, void *bytes, size_t size, kin_component_id id)
{
    uint32_t count = 0;
    size_t at = 0;
    bool has_cells = context->info->components[id].is_boxed && !kin__is_shared(context, id);
    for (const kin__keepsake *each; (each = kin__keepsake_next(context, bytes, size, &at)) != NULL;)
        count += has_cells && each->id == id;
    return count;
}

// ---- restoring

static void stash(kin_context *context, kin__last_value_block *block, uint32_t place, uint32_t one)
{
    kin__bits_flip(block->stashed, place);
    context->core->stashed += one;
    context->core->events.destroy_subscribers += one;
}

static void clear_block(kin_context *context, const kin__last_values *last_values, uint32_t chunk)
{
    kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__last_value_block_has(block, place))
            continue;
        if (kin__last_value_block_stashes(block, place))
            stash(context, block, place, (uint32_t)-1);
        block->holds[place] = 0;
        last_value_retire(context, last_values, chunk * KIN__CHUNK_SLOTS + place);
    }
}

void kin__keepsakes_clear(kin_context *context)
{
    EACH_OF_LAST_VALUES(last_values, context)
    {
        for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++)
            clear_block(context, last_values, chunk);
    }
    kin__owned_settle(context);
}

// Writes the value into its place, in a cell if it is boxed. A shared one has one reference more.
static void write_value(kin_context *context, const kin__last_values *last_values, kin__keepsake *keepsake)
{
    kin_component_id id = last_values->id;
    void *place = last_value_place(context, last_values, keepsake->slot);
    void *value = kin__keepsake_value(keepsake);
    if (kin__is_shared(context, id)) {
        memcpy(place, value, sizeof(void *));
        kin__shared_restore_reference(*(void *const *)value);
    } else if (context->info->components[id].is_boxed) {
        void *cell = kin__slab_take(context, id);
        KIN_ASSERT(cell != NULL); // it was reserved
        memcpy(cell, value, kin__value_size(context, id));
        memcpy(place, &cell, sizeof cell);
    } else {
        memcpy(place, value, kin__value_size(context, id));
    }
    kin__owned_block_revive(keepsake->owned_block);
}

static kin__owned_block *block_of(const kin_context *context, kin__keepsake *keepsake)
{
    if (!kin__is_shared(context, keepsake->id))
        return keepsake->owned_block;
    return kin__shared_block_of(*(void *const *)kin__keepsake_value(keepsake));
}

static void restore(kin_context *context, kin__keepsake *keepsake)
{
    const kin__last_values *last_values = kin__last_values_of(context, keepsake->id);
    if (last_values == NULL)
        return; // there is no event system that could tell it
    uint32_t place = keepsake->slot % KIN__CHUNK_SLOTS;
    kin__last_value_block *block = kin__last_value_block_of(last_values, keepsake->slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(block != NULL && !kin__last_value_block_has(block, place) && block->holds[place] == 0);
    write_value(context, last_values, keepsake);
    kin__bits_add(block->kept, place);
    block->owned_blocks[place] = block_of(context, keepsake);
    block->holds[place] = keepsake->is_stashed;
    if (keepsake->is_stashed)
        stash(context, block, place, 1);
}

void kin__keepsakes_restore(kin_context *context, void *bytes, size_t size)
{
    size_t at = 0;
    kin__owned_settle(context); // no block that is put in place again may be in the list of retired ones
    for (kin__keepsake *each; (each = kin__keepsake_next(context, bytes, size, &at)) != NULL;)
        restore(context, each);
}

static void settle_block(kin_context *context, const kin__last_values *last_values, uint32_t chunk)
{
    const kin__last_value_block *block = kin__last_value_block_of(last_values, chunk);
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++)
        if (kin__last_value_block_has(block, place) && block->holds[place] == 0)
            last_value_retire(context, last_values, chunk * KIN__CHUNK_SLOTS + place);
}

void kin__keepsakes_settle(kin_context *context)
{
    EACH_OF_LAST_VALUES(last_values, context)
    {
        for (uint32_t chunk = 0; chunk < last_values->blocks.capacity; chunk++)
            settle_block(context, last_values, chunk);
    }
    kin__owned_settle(context);
    KIN_VALIDATE(kin__last_values_are_valid(context));
}

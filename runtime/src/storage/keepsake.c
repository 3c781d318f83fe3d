#include "storage/keepsake.h"

#include "base/base.h"
#include "storage/shared_restore.h"
#include "storage/slab.h"

#include <string.h>

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
    return last_values == NULL ||
           kin__last_values_reserve_block(context, last_values, keepsake->slot / KIN__CHUNK_SLOTS);
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
        kin__last_value_retire(context, last_values, chunk * KIN__CHUNK_SLOTS + place);
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
    void *place = kin__last_value_place(context, last_values, keepsake->slot), *value = kin__keepsake_value(keepsake);
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
            kin__last_value_retire(context, last_values, chunk * KIN__CHUNK_SLOTS + place);
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

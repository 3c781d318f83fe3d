#include "storage/keepsake.h"

#include "base/assertion.h"

#include <string.h>

static size_t shadow_size(const kin_context *context, kin_component_id id)
{
    return sizeof(kin__shadow) + KIN__CHUNK_SLOTS * kin__kept_size(context, id);
}

static void *place_of(const kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot)
{
    char *values = (char *)(kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS) + 1);
    return values + slot % KIN__CHUNK_SLOTS * kin__kept_size(context, keepsakes->id);
}

static void flip_kept(kin__shadow *shadow, uint32_t place)
{
    shadow->kept[place / 64] ^= (uint64_t)1 << (place % 64);
}

// ---- room

static bool reserve_shadow(kin_context *context, kin__keepsakes *keepsakes, uint32_t chunk)
{
    kin__memory *memory = &context->core->column_memory;
    if (!kin__array_reserve_pointers(memory, &keepsakes->shadows, chunk + 1))
        return false;
    kin__shadow **shadow = &((kin__shadow **)keepsakes->shadows.elements)[chunk];
    if (*shadow == NULL) {
        *shadow = kin__allocate(memory, shadow_size(context, keepsakes->id));
        if (*shadow != NULL)
            memset(*shadow, 0, sizeof **shadow);
    }
    return *shadow != NULL;
}

bool kin__keepsakes_reserve(kin_context *context, uint32_t chunk, kin_component_id id)
{
    kin__keepsakes *keepsakes = kin__keepsakes_of(context, id);
    return keepsakes == NULL || reserve_shadow(context, keepsakes, chunk);
}

static bool reserve_shadows(kin_context *context, kin__keepsakes *keepsakes)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        if (kin__has_column(context, chunk, keepsakes->id) && !reserve_shadow(context, keepsakes, chunk))
            return false;
    return true;
}

static size_t table_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__keepsakes *);
}

// What is kept goes with its shadow; the component has no keepsakes afterwards.
static void release(kin_context *context, kin__keepsakes *keepsakes)
{
    kin__memory *memory = &context->core->column_memory;
    context->core->keepsakes[keepsakes->id] = NULL;
    for (uint32_t chunk = 0; chunk < keepsakes->shadows.capacity; chunk++) {
        kin__shadow *shadow = kin__shadow_of(keepsakes, chunk);
        for (uint32_t place = 0; shadow != NULL && place < KIN__CHUNK_SLOTS; place++)
            if (kin__shadow_has(shadow, place)) {
                kin__room room = kin__keepsake_room(context, keepsakes, chunk * KIN__CHUNK_SLOTS + place);
                kin__room_give_up(context, keepsakes->id, &room);
            }
        kin__release(memory, shadow, shadow_size(context, keepsakes->id));
    }
    kin__array_release(memory, &keepsakes->shadows, sizeof(kin__shadow *));
    kin__release(memory, keepsakes, sizeof *keepsakes);
    kin__owned_settle(context);
}

kin__keepsakes *kin__keepsakes_use(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    KIN_ASSERT(kin__value_size(context, id) > 0);
    if (core->keepsakes == NULL)
        core->keepsakes = kin__allocate_zero(&core->column_memory, table_size(context));
    if (core->keepsakes == NULL)
        return NULL;
    if (core->keepsakes[id] == NULL)
        core->keepsakes[id] = kin__allocate_zero(&core->column_memory, sizeof *core->keepsakes[id]);
    kin__keepsakes *keepsakes = core->keepsakes[id];
    if (keepsakes == NULL)
        return NULL;
    keepsakes->id = id;
    keepsakes->users++;
    if (reserve_shadows(context, keepsakes))
        return keepsakes;
    kin__keepsakes_leave(context, keepsakes);
    return NULL;
}

// A loss that is being told still needs them: then they stay, for the next user or until the context ends.
void kin__keepsakes_leave(kin_context *context, kin__keepsakes *keepsakes)
{
    KIN_ASSERT(keepsakes->users > 0);
    if (--keepsakes->users == 0 && context->depth == 0)
        release(context, keepsakes);
}

void kin__keepsakes_release(kin_context *context)
{
    kin__core *core = context->core;
    if (core->keepsakes == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (core->keepsakes[id] != NULL)
            release(context, core->keepsakes[id]);
    kin__release(&core->column_memory, core->keepsakes, table_size(context));
    core->keepsakes = NULL;
}

// ---- keeping

kin__room kin__keepsake_room(const kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot)
{
    const kin__shadow *shadow = kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS);
    void *place = place_of(context, keepsakes, slot);
    kin__room room = {.value = place, .parcel = shadow->parcels[slot % KIN__CHUNK_SLOTS]};
    KIN_ASSERT(kin__shadow_has(shadow, slot % KIN__CHUNK_SLOTS));
    if (context->info->components[keepsakes->id].is_boxed)
        room.value = room.box = *(void **)place;
    return room;
}

static void give_up(kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot)
{
    kin__room room = kin__keepsake_room(context, keepsakes, slot);
    flip_kept(kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS), slot % KIN__CHUNK_SLOTS);
    kin__room_give_up(context, keepsakes->id, &room);
}

// Whether the frame tells the loss of the component: itself, or among others in a strip.
static bool tells_loss(const kin__frame *frame, kin_component_id id)
{
    return frame->lost != NULL ? (frame->lost[id / 64] >> (id % 64) & 1) != 0
                               : frame->change.component == id && frame->change.value == NULL;
}

// Whether a loss that is being told may still come to somebody who will wait.
static bool is_told(const kin_context *context, uint32_t slot, kin_component_id id)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->change.entity != 0 && kin_entity_slot(frame->change.entity) == slot && tells_loss(frame, id))
            return true;
    return false;
}

static void settle(kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot)
{
    const kin__shadow *shadow = kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS);
    if (shadow->waiting[slot % KIN__CHUNK_SLOTS] > 0 || !kin__shadow_has(shadow, slot % KIN__CHUNK_SLOTS) ||
        is_told(context, slot, keepsakes->id))
        return;
    give_up(context, keepsakes, slot);
    kin__owned_settle(context);
}

bool kin__keepsake_take(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__keepsakes *keepsakes = kin__keepsakes_of(context, id);
    if (keepsakes == NULL)
        return false;
    kin__shadow *shadow = kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS);
    if (shadow == NULL)
        return false; // nobody uses them any more
    if (kin__shadow_has(shadow, slot % KIN__CHUNK_SLOTS))
        give_up(context, keepsakes, slot);
    kin__room room = kin__value_room(context, slot, id);
    flip_kept(shadow, slot % KIN__CHUNK_SLOTS);
    shadow->parcels[slot % KIN__CHUNK_SLOTS] = room.parcel;
    if (room.box != NULL)
        memcpy(place_of(context, keepsakes, slot), &room.box, sizeof room.box);
    else
        kin__value_read(context, slot, id, place_of(context, keepsakes, slot));
    kin__value_leave(context, slot, id);
    return true;
}

bool kin__keepsake_settle(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__keepsakes *keepsakes = kin__keepsakes_of(context, id);
    const kin__shadow *shadow = keepsakes == NULL ? NULL : kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS);
    if (shadow == NULL || !kin__shadow_has(shadow, slot % KIN__CHUNK_SLOTS))
        return false;
    settle(context, keepsakes, slot);
    return true;
}

void kin__keepsake_hold(const kin__keepsakes *keepsakes, uint32_t slot)
{
    kin__shadow *shadow = kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(kin__shadow_has(shadow, slot % KIN__CHUNK_SLOTS));
    shadow->waiting[slot % KIN__CHUNK_SLOTS]++;
}

void kin__keepsake_let_go(kin_context *context, const kin__keepsakes *keepsakes, uint32_t slot)
{
    kin__shadow *shadow = kin__shadow_of(keepsakes, slot / KIN__CHUNK_SLOTS);
    KIN_ASSERT(shadow->waiting[slot % KIN__CHUNK_SLOTS] > 0);
    shadow->waiting[slot % KIN__CHUNK_SLOTS]--;
    settle(context, keepsakes, slot);
}

// ---- spare memory

static void trim(kin_context *context, const kin__keepsakes *keepsakes)
{
    kin__shadow **shadows = keepsakes->shadows.elements;
    for (uint32_t chunk = 0; chunk < keepsakes->shadows.capacity; chunk++) {
        kin__shadow *shadow = shadows[chunk];
        if (shadow == NULL || kin__has_column(context, chunk, keepsakes->id) || kin__shadow_count(shadow) > 0)
            continue;
        shadows[chunk] = NULL;
        kin__release(&context->core->column_memory, shadow, shadow_size(context, keepsakes->id));
    }
}

void kin__keepsakes_trim(kin_context *context)
{
    uint32_t left = 0;
    for (uint32_t id = 0; context->core->keepsakes != NULL && id < context->info->component_count; id++) {
        kin__keepsakes *keepsakes = context->core->keepsakes[id];
        if (keepsakes != NULL && keepsakes->users == 0)
            release(context, keepsakes);
        else if (keepsakes != NULL)
            trim(context, keepsakes);
        left += context->core->keepsakes[id] != NULL;
    }
    if (left == 0)
        kin__keepsakes_release(context);
}

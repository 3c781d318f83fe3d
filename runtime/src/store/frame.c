#include "store/internal.h"

kin_entity kin__being_destroyed_in(const kin_context *context, uint32_t slot)
{
    KIN_ASSERT(slot < context->chunk_count * KIN__CHUNK_SLOTS);
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->destroys && kin_entity_slot(frame->change.entity) == slot)
            return frame->change.entity;
    return 0;
}

bool kin__is_slot_being_destroyed(const kin_context *context, uint32_t slot)
{
    return kin__being_destroyed_in(context, slot) != 0;
}

bool kin__is_being_destroyed(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->destroys && frame->change.entity == entity && frame->epoch == context->core->dispatch.epoch)
            return true;
    return false;
}

bool kin__has_will_destroy_frame(const kin_context *context, kin_entity entity)
{
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer)
        if (frame->about_to_be_destroyed && frame->change.entity == entity &&
            frame->epoch == context->core->dispatch.epoch)
            return true;
    return kin__is_ending(context, kin_entity_slot(entity)) && kin__chunk_of(context, entity) != NULL;
}

bool kin__context_is_in_use(const kin_context *context)
{
    KIN_ASSERT(context->depth <= KIN__MAX_DEPTH + 1); // of a release one more
    return kin__context_is_inside(context) || context->core->busy > 0 || context->core->reports > 0;
}

static uint32_t endings_count(const kin_context *context);

bool kin__frames_are_valid(const kin_context *context)
{
    uint32_t count = 0;
    uint32_t marked = 0;
    for (const kin__frame *frame = context->core->dispatch.frames; frame != NULL; frame = frame->outer) {
        if (frame->change.context != context || ++count > context->depth)
            return false; // invariant 1
        marked += frame->about_to_be_destroyed;
    }
    return marked + endings_count(context) == context->core->slots.about_to_be_destroyed;
}

enum { BLOCK_SIZE = KIN__CHUNK_SLOTS * sizeof(uint32_t) };

bool kin__endings_reserve(kin_context *context, uint32_t slot)
{
    kin__memory *memory = &context->core->index_memory;
    kin__array *endings = &context->core->slots.endings;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    if (!kin__array_reserve_pointers(memory, endings, number + 1))
        return false;
    void **block = (void **)endings->elements + number;
    if (*block == NULL)
        *block = kin__allocate_zero(memory, BLOCK_SIZE);
    return *block != NULL;
}

void kin__endings_trim(kin_context *context, uint32_t number)
{
    void **blocks = context->core->slots.endings.elements;
    if (number >= context->core->slots.endings.capacity)
        return;
    kin__release(&context->core->index_memory, blocks[number], BLOCK_SIZE);
    blocks[number] = NULL;
}

void kin__endings_release(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    kin__array *endings = &context->core->slots.endings;
    for (uint32_t i = 0; i < endings->capacity; i++)
        kin__release(memory, ((void **)endings->elements)[i], BLOCK_SIZE);
    kin__array_release(memory, endings, sizeof(void *));
}

size_t kin__endings_used(const kin_context *context)
{
    const kin__array *endings = &context->core->slots.endings;
    size_t used = 0;
    for (uint32_t i = 0; i < endings->capacity; i++)
        used += ((void **)endings->elements)[i] == NULL ? 0 : BLOCK_SIZE;
    return used;
}

// Returns the number of marked slots. Looks at each.
static uint32_t endings_count(const kin_context *context)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < context->core->slots.endings.capacity * KIN__CHUNK_SLOTS; slot++)
        count += kin__is_ending(context, slot);
    return count;
}

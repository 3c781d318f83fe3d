#include "collect/buffer.h"

bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, const kin_collector *collector, uint32_t least)
{
    kin__array *other = collector->taken ? &buffer->waiting : &buffer->sides[1 - collector->side];
    return kin__array_reserve(memory, &buffer->sides[collector->side], least, buffer->size) &&
           (least <= buffer->sides[1 - collector->side].capacity ||
            kin__array_reserve(memory, other, least, buffer->size));
}

void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer, uint32_t other)
{
    if (buffer->waiting.capacity == 0)
        return;
    kin__array_release(memory, &buffer->sides[other], buffer->size);
    buffer->sides[other] = buffer->waiting;
    buffer->waiting = (kin__array){0};
}

void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least)
{
    kin__array_trim(memory, &buffer->sides[0], least, buffer->size);
    kin__array_trim(memory, &buffer->sides[1], least, buffer->size);
}

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer)
{
    kin__array_release(memory, &buffer->sides[0], buffer->size);
    kin__array_release(memory, &buffer->sides[1], buffer->size);
    kin__array_release(memory, &buffer->waiting, buffer->size);
}

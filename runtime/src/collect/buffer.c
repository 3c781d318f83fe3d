#include "collect/buffer.h"

#include "base/assertion.h"

bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, uint32_t least, uint32_t side, bool is_read)
{
    kin__array *other = is_read ? &buffer->waiting : &buffer->sides[1 - side];
    KIN_ASSERT(side < 2 && buffer->size > 0 && (is_read || buffer->waiting.capacity == 0));
    return kin__array_reserve(memory, &buffer->sides[side], least, buffer->size) &&
           (least <= buffer->sides[1 - side].capacity || kin__array_reserve(memory, other, least, buffer->size));
}

void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer, uint32_t side)
{
    if (buffer->waiting.capacity == 0)
        return;
    kin__array_release(memory, &buffer->sides[side], buffer->size);
    buffer->sides[side] = buffer->waiting;
    buffer->waiting = (kin__array){0};
}

void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least)
{
    KIN_ASSERT(buffer->waiting.capacity == 0);
    kin__array_trim(memory, &buffer->sides[0], least, buffer->size);
    kin__array_trim(memory, &buffer->sides[1], least, buffer->size);
}

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer)
{
    kin__array_release(memory, &buffer->sides[0], buffer->size);
    kin__array_release(memory, &buffer->sides[1], buffer->size);
    kin__array_release(memory, &buffer->waiting, buffer->size);
}

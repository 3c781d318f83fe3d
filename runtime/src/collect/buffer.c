#include "collect/buffer.h"

#include "base/base.h"

bool kin__buffer_reserve(kin__memory *memory, kin__buffer *buffer, uint32_t least, bool is_read)
{
    kin__array *other = is_read ? &buffer->waiting : &buffer->sides[KIN__TAKEN];
    KIN_ASSERT(buffer->size > 0 && (is_read || buffer->waiting.capacity == 0));
    return kin__array_reserve(memory, &buffer->sides[KIN__COLLECTING], least, buffer->size) &&
           (least <= buffer->sides[KIN__TAKEN].capacity || kin__array_reserve(memory, other, least, buffer->size));
}

void kin__buffer_swap(kin__buffer *buffer)
{
    kin__array taken = buffer->sides[KIN__COLLECTING];
    KIN_ASSERT(buffer->waiting.capacity == 0);
    buffer->sides[KIN__COLLECTING] = buffer->sides[KIN__TAKEN];
    buffer->sides[KIN__TAKEN] = taken;
}

void kin__buffer_settle(kin__memory *memory, kin__buffer *buffer)
{
    if (buffer->waiting.capacity == 0)
        return;
    kin__array_release(memory, &buffer->sides[KIN__TAKEN], buffer->size);
    buffer->sides[KIN__TAKEN] = buffer->waiting;
    buffer->waiting = (kin__array){0};
}

void kin__buffer_trim(kin__memory *memory, kin__buffer *buffer, uint32_t least)
{
    KIN_ASSERT(buffer->waiting.capacity == 0);
    kin__array_trim(memory, &buffer->sides[KIN__COLLECTING], least, buffer->size);
    kin__array_trim(memory, &buffer->sides[KIN__TAKEN], least, buffer->size);
}

void kin__buffer_release(kin__memory *memory, kin__buffer *buffer)
{
    kin__array_release(memory, &buffer->sides[KIN__COLLECTING], buffer->size);
    kin__array_release(memory, &buffer->sides[KIN__TAKEN], buffer->size);
    kin__array_release(memory, &buffer->waiting, buffer->size);
}

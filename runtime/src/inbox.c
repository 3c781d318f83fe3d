#include "inbox.h"

#include "assertion.h"

#include <string.h>

enum { LEAST = 8 };

// A multiple of a serial's size, so that each serial is aligned.
static size_t record_size(const kin__inbox *inbox)
{
    return sizeof(uint64_t) + (inbox->size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

static char *record_at(const kin__inbox *inbox, uint32_t place)
{
    return inbox->ring + place * record_size(inbox);
}

static bool grow(kin__inbox *inbox)
{
    if (inbox->capacity > UINT32_MAX / 2)
        return false;
    uint32_t capacity = inbox->capacity == 0 ? LEAST : inbox->capacity * 2, limit = inbox->info->capacity;
    if (limit > 0 && capacity > limit)
        capacity = limit;
    size_t size = record_size(inbox);
    char *ring = kin__allocate(inbox->memory, capacity * size);
    if (ring == NULL)
        return false;
    uint32_t behind = inbox->capacity - inbox->first; // places from the first message to the end of the ring
    if (inbox->count > 0) {
        memcpy(ring, record_at(inbox, inbox->first), behind * size);
        memcpy(ring + behind * size, inbox->ring, inbox->first * size);
    }
    kin__release(inbox->memory, inbox->ring, inbox->capacity * size);
    inbox->ring = ring;
    inbox->capacity = capacity;
    inbox->first = 0;
    return true;
}

static void drop_first(kin__inbox *inbox)
{
    inbox->first = inbox->first + 1 == inbox->capacity ? 0 : inbox->first + 1;
    inbox->count--;
}

// Whether there is a place for one more. Of a full inbox the oldest message makes one, where the schema says so.
static bool make_place(kin__inbox *inbox)
{
    if (inbox->info->capacity == 0 || inbox->count < inbox->info->capacity) {
        if (grow(inbox))
            return true;
        inbox->untold = KIN_ERROR_NO_MEMORY;
        return false;
    }
    if (!inbox->is_warned || inbox->info->full == KIN__FULL_ERROR)
        inbox->untold = KIN_ERROR_LIMIT;
    inbox->is_warned = true;
    if (inbox->info->full != KIN__FULL_OLDEST)
        return false;
    drop_first(inbox);
    return true;
}

bool kin__inbox_put(kin__inbox *inbox, uint64_t serial, const void *message)
{
    if (!inbox->is_open || (inbox->count == inbox->capacity && !make_place(inbox)))
        return inbox->untold == KIN_OK;
    uint32_t place = inbox->first + inbox->count;
    char *record = record_at(inbox, place >= inbox->capacity ? place - inbox->capacity : place);
    memcpy(record, &serial, sizeof serial);
    if (inbox->size > 0)
        memcpy(record + sizeof serial, message, inbox->size);
    inbox->count++;
    return inbox->untold == KIN_OK;
}

uint64_t kin__inbox_serial(const kin__inbox *inbox)
{
    uint64_t serial;
    KIN_ASSERT(inbox->count > 0);
    memcpy(&serial, record_at(inbox, inbox->first), sizeof serial);
    return serial;
}

void kin__inbox_take(kin__inbox *inbox, void *message)
{
    KIN_ASSERT(inbox->count > 0);
    memcpy(message, record_at(inbox, inbox->first) + sizeof(uint64_t), inbox->size);
    drop_first(inbox);
}

void kin__inbox_set_open(kin__inbox *inbox, bool open)
{
    inbox->is_open = open;
    if (open)
        return;
    inbox->count = 0;
    inbox->is_warned = false;
}

void kin__inbox_release(kin__inbox *inbox)
{
    kin__release(inbox->memory, inbox->ring, inbox->capacity * record_size(inbox));
}

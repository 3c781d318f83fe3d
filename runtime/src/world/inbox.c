#include "world/world.h"

#include <string.h>

enum { FIRST_CAPACITY = 8 };

// The size of a record is a multiple of a serial's, so that each serial is aligned.
kin__inbox kin__inbox_of(const kin__inbox_info *info, const char *system, size_t size, kin__memory *memory)
{
    size_t words = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t) + 1;
    return (kin__inbox){
        .info = info, .system = system, .memory = memory, .size = size, .stride = words * sizeof(uint64_t)};
}

// Copies the records in order, from the first message on.
static void copy_records(const kin__inbox *inbox, char *records)
{
    size_t size = inbox->stride;
    uint32_t tail = inbox->capacity - inbox->first; // records from the first message to the end of the ring
    if (inbox->count == 0)
        return;
    tail = tail < inbox->count ? tail : inbox->count;
    memcpy(records, inbox->ring + inbox->first * size, tail * size);
    memcpy(records + tail * size, inbox->ring, (inbox->count - tail) * size);
}

// Moves the messages to a larger ring. False when out of memory.
static bool move(kin__inbox *inbox, uint32_t capacity)
{
    KIN_ASSERT(capacity > inbox->capacity);
    size_t size = inbox->stride;
    char *ring = kin__allocate(inbox->memory, kin__bytes_of(capacity, size));
    if (ring == NULL)
        return false;
    copy_records(inbox, ring);
    kin__release(inbox->memory, inbox->ring, inbox->capacity * size);
    inbox->ring = ring;
    inbox->capacity = capacity;
    inbox->first = 0;
    return true;
}

static bool grow(kin__inbox *inbox)
{
    KIN_ASSERT(inbox->count == inbox->capacity);
    if (inbox->capacity > UINT32_MAX / 2)
        return false;
    uint32_t capacity = inbox->capacity == 0 ? FIRST_CAPACITY : inbox->capacity * 2;
    uint32_t limit = inbox->info->capacity;
    if (limit > 0 && capacity > limit)
        capacity = limit;
    return move(inbox, capacity);
}

bool kin__inbox_make_room(kin__inbox *inbox)
{
    KIN_ASSERT(inbox->is_open && inbox->count == inbox->capacity);
    if (inbox->info->capacity == 0 || inbox->count < inbox->info->capacity) {
        if (grow(inbox))
            return true;
        inbox->unreported = KIN_ERROR_NO_MEMORY;
        return false;
    }
    if (!inbox->is_warned || inbox->info->full == KIN__FULL_ERROR)
        inbox->unreported = KIN_ERROR_LIMIT;
    inbox->is_warned = true;
    if (inbox->info->full != KIN__FULL_OLDEST)
        return false;
    kin__inbox_drop(inbox);
    return true;
}

void kin__inbox_clear(kin__inbox *inbox)
{
    inbox->count = 0;
    inbox->is_warned = false;
}

void kin__inbox_set_open(kin__inbox *inbox, bool open)
{
    KIN_ASSERT(inbox->is_open || inbox->count == 0);
    inbox->is_open = open;
    if (!open)
        kin__inbox_clear(inbox);
}

void kin__inbox_release(kin__inbox *inbox)
{
    kin__release(inbox->memory, inbox->ring, inbox->capacity * inbox->stride);
}

// ---- snapshots

void kin__inbox_save(const kin__inbox *inbox, kin__state *state)
{
    kin__saved_inbox saved = {inbox->info->message, inbox->count, (uint32_t)inbox->stride, inbox->is_warned};
    kin__state_put(state, &saved, sizeof saved);
    char *records = kin__state_take(state, inbox->count * inbox->stride);
    if (records != NULL)
        copy_records(inbox, records);
}

bool kin__inbox_reserve(kin__inbox *inbox, kin__state *state)
{
    const kin__saved_inbox *saved = kin__state_take(state, sizeof *saved);
    KIN_ASSERT(saved->message == inbox->info->message && saved->stride == inbox->stride);
    kin__state_take(state, saved->count * inbox->stride);
    return saved->count <= inbox->capacity || move(inbox, saved->count);
}

void kin__inbox_restore(kin__inbox *inbox, kin__state *state)
{
    const kin__saved_inbox *saved = kin__state_take(state, sizeof *saved);
    const char *records = kin__state_take(state, saved->count * inbox->stride);
    KIN_ASSERT(saved->count <= inbox->capacity);
    inbox->is_open = true;
    inbox->is_warned = saved->is_warned != 0;
    inbox->first = 0;
    inbox->count = saved->count;
    if (saved->count > 0)
        memcpy(inbox->ring, records, saved->count * inbox->stride);
}

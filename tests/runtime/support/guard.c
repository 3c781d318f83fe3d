#include "guard.h"

#include "aligned.h"

#include <check.h>
#include <string.h>

enum { FRONT = 128, BACK = 64, GUARD = 0xB5, FRESH = 0xA5, GONE = 0xD5, MAX_ALIGNMENT = 64 };

typedef struct guard_block {
    struct guard_block *previous, *next;
    size_t size;
} guard_block;

static unsigned char *bytes_of(const guard_block *block)
{
    return (unsigned char *)(uintptr_t)block + FRONT;
}

static void check_filled(const unsigned char *bytes, size_t count, int value)
{
    bool is_filled = count == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, count - 1) == 0);
    if (!is_filled)
        ck_abort_msg("a block was written to where it should not be");
}

static void check_block(const guard_block *block)
{
    const unsigned char *front = (const unsigned char *)(block + 1);
    check_filled(front, (size_t)(bytes_of(block) - front), GUARD);
    check_filled(bytes_of(block) + block->size, BACK, GUARD);
}

static void *allocate(size_t size, size_t alignment, void *user)
{
    guard *guard = user;
    if (size == 0 || alignment == 0 || alignment > MAX_ALIGNMENT || (alignment & (alignment - 1)) != 0)
        ck_abort_msg("%zu bytes aligned to %zu make no sense", size, alignment);
    guard->request_count++;
    if (guard->fail_at != 0 &&
        (guard->request_count == guard->fail_at || (guard->fail_on && guard->request_count > guard->fail_at))) {
        guard->refused = size;
        return NULL;
    }
    size_t whole = (FRONT + size + BACK + MAX_ALIGNMENT - 1) / MAX_ALIGNMENT * MAX_ALIGNMENT;
    guard_block *block = aligned_allocate(whole, MAX_ALIGNMENT);
    if (block == NULL)
        ck_abort_msg("there is no memory for a test");
    memset(block, GUARD, whole);
    memset(bytes_of(block), FRESH, size);
    *block = (guard_block){.next = guard->blocks, .size = size};
    if (guard->blocks != NULL)
        guard->blocks->previous = block;
    guard->blocks = block;
    guard->block_count++;
    guard->size += size;
    guard->peak = guard->size > guard->peak ? guard->size : guard->peak;
    return bytes_of(block);
}

static void drop_released(guard *guard, uint32_t place)
{
    guard_block *block = guard->released[place];
    if (block == NULL)
        return;
    check_block(block);
    check_filled(bytes_of(block), block->size, GONE);
    guard->released[place] = NULL;
    aligned_release(block);
}

static void release(void *memory, size_t size, void *user)
{
    guard *guard = user;
    guard_block *block = guard->blocks;
    while (block != NULL && bytes_of(block) != memory)
        block = block->next;
    if (block == NULL || block->size != size)
        ck_abort_msg("a block of %zu bytes came back as one of %zu", block == NULL ? 0 : block->size, size);
    check_block(block);
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        guard->blocks = block->next;
    if (block->next != NULL)
        block->next->previous = block->previous;
    guard->block_count--;
    guard->size -= size;
    memset(memory, GONE, size);
    uint32_t place = guard->release_count++ % (sizeof guard->released / sizeof *guard->released);
    drop_released(guard, place);
    guard->released[place] = block;
}

kin_allocator guard_begin(guard *guard)
{
    memset(guard, 0, sizeof *guard);
    return (kin_allocator){allocate, release, guard};
}

void guard_fail(guard *guard, uint64_t number, bool on)
{
    guard->request_count = 0;
    guard->refused = number == 0 ? guard->refused : 0;
    guard->fail_at = number;
    guard->fail_on = on;
}

bool guard_has_failed(const guard *guard)
{
    return guard->fail_at != 0 && guard->request_count >= guard->fail_at;
}

bool guard_is_failing(const kin_allocator *allocator)
{
    return allocator->allocate == allocate && ((const guard *)allocator->user)->fail_at != 0;
}

void guard_check(const guard *guard)
{
    for (const guard_block *block = guard->blocks; block != NULL; block = block->next)
        check_block(block);
    for (size_t i = 0; i < sizeof guard->released / sizeof *guard->released; i++)
        if (guard->released[i] != NULL) {
            check_block(guard->released[i]);
            check_filled(bytes_of(guard->released[i]), guard->released[i]->size, GONE);
        }
}

void guard_end(guard *guard)
{
    guard_check(guard);
    for (uint32_t i = 0; i < sizeof guard->released / sizeof *guard->released; i++)
        drop_released(guard, i);
    if (guard->block_count != 0)
        ck_abort_msg("%u blocks did not come back", guard->block_count);
}

#include "allocator.h"

#include "harness.h"

#include <string.h>

// Stands directly before each block and keeps the request. The block ends at the end of the allocation, so that the
// address sanitizer detects a write past it.
typedef struct block_head {
    void *room;
    size_t size;
} block_head;

enum { FRESH = 0xA5, FREED = 0x5A };

// Whether this request has to fail.
static bool is_due(size_t size)
{
    memory_state *memory = &here->memory;
    memory->requests++;
    if (memory->fails_always || (memory->budget > 0 && memory->size + size > memory->budget))
        return true;
    if (memory->fail_every > 0 && memory->requests % memory->fail_every == 0)
        return true;
    if (memory->fail_in == 0 || --memory->fail_in > 0)
        return false;
    if (memory->fail_repeat > 0) {
        memory->fail_repeat--;
        memory->fail_in = 1;
    }
    return true;
}

static void *allocate(size_t size, size_t alignment, void *user)
{
    CHECK(user == &here->memory && size > 0 && alignment > 0 && (alignment & (alignment - 1)) == 0);
    if (is_due(size)) {
        here->memory.failures++;
        return NULL;
    }
    size_t step = alignment < sizeof(block_head) ? sizeof(block_head) : alignment;
    void *room = NULL;
    CHECK(posix_memalign(&room, step, step + size) == 0);
    char *block = (char *)room + step;
    block_head head = {room, size};
    memcpy(block - sizeof head, &head, sizeof head);
    memset(block, FRESH, size);
    here->memory.size += size;
    here->memory.blocks++;
    return block;
}

static void release(void *block, size_t size, void *user)
{
    CHECK(user == &here->memory && block != NULL);
    block_head head;
    memcpy(&head, (char *)block - sizeof head, sizeof head);
    CHECK(head.size == size);
    memset(block, FREED, size);
    free(head.room);
    here->memory.size -= size;
    here->memory.blocks--;
}

kin_allocator memory_allocator(void)
{
    return (kin_allocator){allocate, release, &here->memory};
}

void memory_take_limits(void)
{
    uint8_t choice = take_byte();
    if (choice % 2 == 0)
        here->memory.budget = (size_t)(1 + choice) << 11;
    else
        here->memory.fail_every = 2 + choice / 2;
}

void memory_lift_limits(void)
{
    here->memory.budget = 0;
    here->memory.fail_every = 0;
    here->memory.fail_in = 0;
    here->memory.fails_always = false;
}

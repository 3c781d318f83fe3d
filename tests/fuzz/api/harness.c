#include "harness.h"

#include "allocator.h"
#include "mirror.h"
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

_Thread_local harness *here;

// ---- the end of an input: the first byte selects one of three orders

static void end_collections(void)
{
    for (uint32_t i = 0; i < COLLECTIONS; i++) {
        kin_systems *collection = here->collections[i];
        here->collections[i] = NULL;
        kin_systems_destroy(collection);
    }
}

static void end_collectors(void)
{
    for (uint32_t i = 0; i < COLLECTORS; i++) {
        kin_collector *collector = here->collectors[i];
        here->collectors[i] = NULL;
        kin_collector_destroy(collector);
    }
}

static void end_packages(void)
{
    if (here->world != NULL)
        end_world();
    if (here->contexts != NULL)
        end_contexts();
}

static void end_all(uint32_t order)
{
    static void (*const ends[])(void) = {end_collections, end_collectors, end_packages};
    if (order == 3)
        end_moments(); // otherwise they outlive their contexts
    for (uint32_t i = 0; i < 3; i++)
        ends[(order + i) % 3]();
    end_packages(); // callbacks at the end may have created them
    end_collectors();
    end_collections();
    end_moments();
    snapshot_release_all();
    release_texts(0);
    mirror_release();
}

// ---- one input

static void play(void)
{
    for (uint32_t turn = 1; here->left > 0 && here->operations < OPERATION_LIMIT; turn++) {
        perform_operations(1);
        if (turn % VERIFY_EVERY == 0)
            verify_all();
    }
}

static void verify_end(void)
{
    memory_lift_limits();
    here->reenters_errors = false;
    here->deep_left = 0;
    here->left = 0; // callbacks only check from here on
    verify_all();
    for (uint32_t i = 0; i < PACKAGES; i++)
        if (game_of(i) != NULL)
            verify_game(game_of(i));
}

// The first byte: bits 0 and 1 select what exists at the start, 2 and 3 the order of the end, 4 and up memory limits.
static void run_input(void)
{
    uint8_t first = take_byte();
    if (first >= 192 || getenv("KIN_FUZZ_LIMITS") != NULL)
        memory_take_limits();
    if ((first & 1) != 0)
        make_world();
    if (here->contexts == NULL && ((first & 2) != 0 || here->world == NULL))
        make_contexts();
    play();
    verify_end();
    end_all(first >> 2 & 3);
    if (here->lost_collection)
        return;
    CHECK(here->memory.size == 0 && here->memory.blocks == 0);
    CHECK(here->live_tokens == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static _Thread_local harness state;
    static _Thread_local walk walks[WALKS + ORDERED_WALKS + GRID_WALKS];
    state = (harness){.bytes = bytes, .left = size, .walks = walks, .shows = getenv("KIN_FUZZ_SHOW") != NULL};
    for (uint32_t i = 0; i < WALKS + ORDERED_WALKS + GRID_WALKS; i++)
        walks[i] = (walk){0};
    here = &state;
    run_input();
    here = NULL;
    return 0;
}

// Memory: trimmed, measured, and made to fail; callbacks that nest deeply and error handlers that perform operations.
#include "fuzz/api/harness.h"

static void trim(kin_context *context)
{
    kin_context_trim(context);
    here->trims++;
}

static void measure(kin_context *context)
{
    kin_context_usage usage = kin_context_memory(context);
    size_t parts = usage.chunks.allocated + usage.columns.allocated + usage.groups.allocated +
                   usage.collectors.allocated + usage.indices.allocated + usage.strings.allocated +
                   usage.snapshots.allocated;
    CHECK(usage.total.used <= usage.total.allocated && parts == usage.total.allocated);
    (void)kin_context_reusable_count(context);
    (void)kin_context_retained_count(context);
}

void do_memory(const place *at)
{
    uint32_t choice = take_below(4);
    kin_context *context = at->game != NULL ? &at->game->base : NULL;
    if (choice >= 2)
        context = at->other != NULL ? &at->other->base : NULL;
    if (context == NULL)
        return;
    if (choice % 2 == 0)
        trim(context);
    else
        measure(context);
}

enum { DEEP = 90 };

static void fail_soon(void)
{
    here->memory.fail_in = 1 + take_below(32);
    here->memory.fail_repeat = take_below(4);
}

void do_trouble(const place *at)
{
    uint8_t choice = take_byte();
    (void)at;
    if (choice >= 100 && choice < 110)
        here->memory.fails_always = true;
    else if (choice >= 110 && choice < 130)
        here->memory.fails_always = false;
    else if (choice >= 200 && choice < 250)
        fail_soon();
    else if (choice == 250)
        here->deep_left = DEEP;
    else if (choice == 251)
        here->reenters_errors = true;
}

#include "systems/tally.h"

#include "base/base.h"

#include <string.h>

static size_t tally_size(uint32_t count)
{
    return sizeof(kin__tally) + count * sizeof(kin_context *);
}

kin__tally *kin__tally_create(kin__memory *memory, kin_context *const *contexts, uint32_t count)
{
    kin__tally *tally = kin__allocate(memory, tally_size(count));
    KIN_ASSERT(count > 0);
    if (tally == NULL)
        return NULL;
    *tally = (kin__tally){.context_count = count};
    memcpy(tally->contexts, contexts, count * sizeof *contexts);
    return tally;
}

void kin__tally_destroy(kin__memory *memory, kin__tally *tally)
{
    if (tally != NULL)
        kin__release(memory, tally, tally_size(tally->context_count));
}

static kin_counts count_all(const kin__tally *tally)
{
    kin_counts sum = {0};
    for (uint32_t i = 0; i < tally->context_count; i++) {
        kin_counts counts = kin_context_counts(tally->contexts[i]);
        sum.created += counts.created;
        sum.destroyed += counts.destroyed;
        sum.changed += counts.changed;
    }
    return sum;
}

void kin__tally_begin(kin__tally *tally)
{
    if (tally->calls++ == 0)
        tally->before = count_all(tally);
}

void kin__tally_end(kin__tally *tally)
{
    KIN_ASSERT(tally->calls > 0);
    if (--tally->calls > 0)
        return;
    kin_counts now = count_all(tally);
    tally->sum.created += now.created - tally->before.created;
    tally->sum.destroyed += now.destroyed - tally->before.destroyed;
    tally->sum.changed += now.changed - tally->before.changed;
}

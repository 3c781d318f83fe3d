// The real world's memory: as the context counts it, and as the guard knows it.
#include "real.h"

#include "world/world.h"

#include <check.h>

static void check_part(const char *name, kin_memory part, kin_memory *sum)
{
    if (part.used > part.allocated)
        ck_abort_msg("%s: %zu bytes are used, and %zu allocated", name, part.used, part.allocated);
    sum->used += part.used;
    sum->allocated += part.allocated;
}

void real_measure(real *real)
{
    kin_context_usage usage = kin_context_memory(real->context);
    kin_memory sum = {0};
    check_part("chunks", usage.chunks, &sum);
    check_part("columns", usage.columns, &sum);
    check_part("groups", usage.groups, &sum);
    check_part("collectors", usage.collectors, &sum);
    check_part("indices", usage.indices, &sum);
    check_part("strings", usage.strings, &sum);
    check_part("snapshots", usage.snapshots, &sum);
    ck_assert_uint_eq(usage.total.used, sum.used);
    ck_assert_uint_eq(usage.total.allocated, sum.allocated);
    ck_assert_uint_eq(real->memory.size, sum.allocated + real->systems->memory.allocated);
}

// Not inside a walk, because a trim may free its run.
kin_status real_trim(real *real)
{
    real_measure(real);
    size_t used = kin_context_memory(real->context).total.used, size = real->memory.size;
    if (real->walks == 0)
        kin_context_trim(real->context);
    real_measure(real);
    ck_assert_uint_eq(kin_context_memory(real->context).total.used, used);
    ck_assert_uint_le(real->memory.size, size);
    return KIN_OK;
}

// Kin's own pool.
#include "executor.h"

#include <kin/pool.h>

const char executor_name[] = "pool";
static kin_executor *pool;

const kin_executor *executor_begin(uint32_t threads)
{
    return pool = kin_pool_create(threads);
}

void executor_end(void)
{
    kin_pool_destroy(pool);
}

#include "image/store.h"

void kin__store_release(kin_context *context)
{
    (void)context;
}

void kin__store_trim(kin_context *context)
{
    (void)context;
}

size_t kin__store_used(const kin_context *context)
{
    (void)context;
    return 0;
}

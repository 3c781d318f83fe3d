#include "delta/systems_hash.h"

#include "base/base.h"

bool kin__systems_hash(kin_snapshot *snapshot, uint64_t *hash)
{
    kin__xxh64 state = kin__xxh64_begin(0);
    if (snapshot->systems_functions != NULL && !snapshot->systems_functions->add_to_hash(snapshot, &state, NULL))
        return false;
    *hash = kin__xxh64_end(&state);
    return true;
}

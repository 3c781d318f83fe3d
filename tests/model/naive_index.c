#include "naive.h"

// IDX-02: an entity is in an index while it has all parts of its key and matches its rules.
int64_t naive_key_of(const naive_slot *slot, model_index index)
{
    const model_index_trait *trait = &model_indices[index];
    if ((slot->parts & trait->all) != trait->all || (slot->parts & trait->none) != 0)
        return MODEL_NO_KEY;
    return model_key(index, slot->tags[trait->key[0]], trait->key[1] < 0 ? 0 : slot->tags[trait->key[1]]);
}

static bool is_taken(const naive *naive, model_index index, int64_t key, const naive_slot *except)
{
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && &naive->slots[i] != except && naive_key_of(&naive->slots[i], index) == key)
            return true;
    return false;
}

kin_status naive_check_keys(naive *naive, const naive_slot *after, const naive_slot *except)
{
    for (uint32_t i = 0; i < naive->package->index_count; i++) {
        int64_t key = naive_key_of(after, (model_index)i);
        if (key == MODEL_NAN_KEY)
            return KIN_ERROR_INVALID;
        if (key != MODEL_NO_KEY && model_indices[i].is_primary && is_taken(naive, (model_index)i, key, except))
            return KIN_ERROR_DUPLICATE_KEY;
    }
    return KIN_OK;
}

bool naive_is_in_primary(const naive_slot *slot)
{
    for (uint32_t i = 0; i < MODEL_INDICES; i++)
        if (model_indices[i].is_primary && model_indices[i].is_custom &&
            naive_key_of(slot, (model_index)i) != MODEL_NO_KEY)
            return true;
    return false;
}

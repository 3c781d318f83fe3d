#include "naive.h"

// IDX-02: an entity is in an index while it has all parts of its key and matches its rules.
bool naive_is_in(const naive_slot *slot, model_index index)
{
    const model_index_trait *trait = &model_indices[index];
    return (slot->parts & trait->all) == trait->all && (slot->parts & trait->none) == 0;
}

uint32_t naive_keys_of(const naive_slot *slot, model_index index, int64_t keys[MODEL_KEYS])
{
    const model_index_trait *trait = &model_indices[index];
    if (!naive_is_in(slot, index))
        return 0;
    if (trait->gives)
        return model_give(index, slot->given[index][0], slot->given[index][1], keys);
    keys[0] = model_key(index, slot->tags[trait->key[0]], trait->key[1] < 0 ? 0 : slot->tags[trait->key[1]]);
    return keys[0] != MODEL_NO_KEY;
}

bool naive_has_key(const naive_slot *slot, model_index index, int64_t key)
{
    int64_t keys[MODEL_KEYS];
    uint32_t count = naive_keys_of(slot, index, keys);
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] == key)
            return true;
    return false;
}

void naive_give(naive_slot *slot, uint32_t before, int32_t part)
{
    for (uint32_t i = 0; i < MODEL_INDICES; i++) {
        const model_index_trait *trait = &model_indices[i];
        bool has = (slot->parts & trait->all) == trait->all, had = (before & trait->all) == trait->all;
        if (!trait->gives || !has || (had && part != trait->key[0] && part != trait->key[1]))
            continue;
        slot->given[i][0] = slot->tags[trait->key[0]];
        slot->given[i][1] = trait->key[1] < 0 ? 0 : slot->tags[trait->key[1]];
    }
}

static bool is_taken(const naive *naive, model_index index, int64_t key, const naive_slot *except)
{
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && &naive->slots[i] != except && naive_has_key(&naive->slots[i], index, key))
            return true;
    return false;
}

kin_status naive_check_keys(naive *naive, const naive_slot *after, const naive_slot *except)
{
    for (uint32_t i = 0; i < naive->package->index_count; i++) {
        int64_t keys[MODEL_KEYS];
        uint32_t count = naive_keys_of(after, (model_index)i, keys);
        for (uint32_t k = 0; k < count; k++) {
            if (keys[k] == MODEL_NAN_KEY)
                return KIN_ERROR_INVALID;
            if (model_indices[i].is_primary && is_taken(naive, (model_index)i, keys[k], except))
                return KIN_ERROR_DUPLICATE_KEY;
        }
    }
    return KIN_OK;
}

bool naive_is_in_primary(const naive_slot *slot)
{
    int64_t keys[MODEL_KEYS];
    for (uint32_t i = 0; i < MODEL_INDICES; i++)
        if (model_indices[i].is_primary && model_indices[i].is_custom && naive_keys_of(slot, (model_index)i, keys) > 0)
            return true;
    return false;
}

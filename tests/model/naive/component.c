#include "naive.h"

static bool has(const naive_slot *slot, int32_t part)
{
    return (slot->parts & model_bit(part)) != 0;
}

static int32_t shown(int32_t part, int32_t tag)
{
    return model_traits[part].is_flag ? MODEL_NO_VALUE : tag;
}

// The keys that the entity would have with one part changed.
static kin_status check_keys(naive *naive, const naive_slot *slot, uint32_t parts, int32_t part, int32_t tag)
{
    naive_slot after = *slot;
    after.parts = parts;
    after.tags[part] = tag;
    naive_give(&after, slot->parts, part);
    return naive_check_keys(naive, &after, slot);
}

// DSP-02: groups in order of creation, then the entity's own listeners, then those of all changes.
static void notify_crossing(naive *naive, naive_change *change, uint32_t before, uint32_t after)
{
    for (uint32_t i = 0; i < naive->group_count; i++) {
        const model_matcher *matcher = &naive->package->matchers[naive->groups[i]];
        bool was = model_matches(matcher, before), is = model_matches(matcher, after);
        if (was != is)
            naive_find_group(naive, change, naive->groups[i], is ? KIN_ADDED : KIN_REMOVED);
    }
    naive_find_changed(naive, change, after > before ? KIN_COMPONENT_ADDED : KIN_COMPONENT_REMOVED);
    naive_notify(naive, change);
}

// DSP-01, without the checks of the entity: unique, key, limit.
kin_status naive_check_add(naive *naive, const naive_slot *slot, int32_t part, int32_t tag)
{
    if (model_traits[part].is_unique && naive_carrier(naive, part) != NULL)
        return KIN_ERROR_UNIQUE;
    kin_status status = check_keys(naive, slot, slot->parts | model_bit(part), part, tag);
    if (status != KIN_OK)
        return status;
    return naive_may_nest(naive) ? KIN_OK : KIN_ERROR_LIMIT;
}

void naive_put(naive *naive, naive_slot *slot, int32_t part, int32_t tag)
{
    naive_change change;
    naive_change_begin(naive, &change, slot->entity, part);
    change.value = shown(part, tag);
    uint32_t before = slot->parts;
    slot->parts |= model_bit(part);
    slot->tags[part] = tag;
    if (part == PART_COIN) // CPY-07: a restored value is the one that was stashed
        slot->coin = (slot->moved & model_bit(part)) != 0 ? slot->last_coin : ++naive->next_coin;
    naive_give(slot, before, part);
    slot->stashed &= ~model_bit(part); // CPY-07
    notify_crossing(naive, &change, before, slot->parts);
}

// CMP-04.
kin_status naive_add(naive *naive, kin_entity entity, int32_t part, int32_t tag)
{
    naive_slot *slot = naive_find(naive, entity);
    kin_status status = KIN_OK;
    if (slot == NULL)
        status = KIN_ERROR_NOT_ALIVE;
    else if (has(slot, part))
        status = KIN_ERROR_HAS_COMPONENT;
    else
        status = naive_check_add(naive, slot, part, tag);
    if (status != KIN_OK)
        return naive_refuse(naive, status, entity, part);
    naive_put(naive, slot, part, tag);
    return KIN_OK;
}

// DSP-01.
static kin_status check_remove(naive *naive, const naive_slot *slot, int32_t part)
{
    if (slot == NULL)
        return KIN_ERROR_NOT_ALIVE;
    if (!has(slot, part))
        return KIN_ERROR_NO_COMPONENT;
    kin_status status = check_keys(naive, slot, slot->parts & ~model_bit(part), part, 0);
    return status == KIN_OK && !naive_may_nest(naive) ? KIN_ERROR_LIMIT : status;
}

static void lose(naive *naive, naive_slot *slot, int32_t part)
{
    naive_change change;
    naive_change_begin(naive, &change, slot->entity, part);
    change.previous = shown(part, slot->tags[part]);
    uint32_t before = slot->parts;
    slot->last[part] = slot->tags[part];
    if (part == PART_COIN)
        slot->last_coin = slot->coin;
    slot->parts &= ~model_bit(part);
    slot->moved &= ~model_bit(part);
    notify_crossing(naive, &change, before, slot->parts);
}

// CMP-07.
kin_status naive_remove(naive *naive, kin_entity entity, int32_t part)
{
    naive_slot *slot = naive_find(naive, entity);
    kin_status status = check_remove(naive, slot, part);
    if (status != KIN_OK)
        return naive_refuse(naive, status, entity, part);
    lose(naive, slot, part);
    return KIN_OK;
}

// A remove and an add, checked together before the first.
kin_status naive_readd(naive *naive, kin_entity entity, int32_t part, int32_t tag)
{
    naive_slot *slot = naive_find(naive, entity);
    uint64_t life = naive->life;
    if (slot == NULL || !has(slot, part))
        return naive_add(naive, entity, part, tag);
    kin_status status = check_remove(naive, slot, part);
    if (status == KIN_OK)
        status = check_keys(naive, slot, slot->parts, part, tag);
    if (status != KIN_OK)
        return naive_refuse(naive, status, entity, part);
    lose(naive, slot, part);
    slot = naive->life == life ? naive_find(naive, entity) : NULL;
    status = slot == NULL ? KIN_ERROR_NOT_ALIVE : has(slot, part) ? KIN_ERROR_HAS_COMPONENT : KIN_OK;
    if (status == KIN_OK)
        status = naive_check_add(naive, slot, part, tag);
    if (status != KIN_OK)
        return naive_refuse(naive, status, entity, part);
    naive_put(naive, slot, part, tag);
    return KIN_OK;
}

// CPY-07.
kin_status naive_stash(naive *naive, kin_entity entity, int32_t part)
{
    naive_slot *slot = naive_find(naive, entity);
    kin_status status = check_remove(naive, slot, part);
    if (status != KIN_OK)
        return naive_refuse(naive, status, entity, part);
    slot->stashed |= model_bit(part);
    lose(naive, slot, part);
    return KIN_OK;
}

kin_status naive_restore(naive *naive, kin_entity entity, int32_t part)
{
    naive_slot *slot = naive_find(naive, entity);
    kin_status status = slot == NULL ? KIN_ERROR_NOT_ALIVE : KIN_ERROR_NO_COMPONENT;
    if (slot != NULL && (slot->stashed & model_bit(part)) != 0)
        status = naive_check_add(naive, slot, part, slot->last[part]);
    if (status != KIN_OK)
        return naive_refuse(naive, status, entity, part);
    slot->moved |= model_bit(part);
    naive_put(naive, slot, part, slot->last[part]);
    return KIN_OK;
}

// CPY-10.
kin_status naive_restore_or_add(naive *naive, kin_entity entity, int32_t part, int32_t tag)
{
    const naive_slot *slot = naive_find(naive, entity);
    bool is_stashed = slot != NULL && (slot->stashed & model_bit(part)) != 0;
    return is_stashed ? naive_restore(naive, entity, part) : naive_add(naive, entity, part, tag);
}

// CMP-17.
kin_status naive_ensure(naive *naive, kin_entity entity, int32_t part)
{
    const naive_slot *slot = naive_find(naive, entity);
    if (slot != NULL && has(slot, part))
        return KIN_OK;
    if (naive_add(naive, entity, part, model_traits[part].standard) != KIN_OK)
        return KIN_ERROR_NO_COMPONENT;
    slot = naive_find(naive, entity);
    return slot != NULL && has(slot, part) ? KIN_OK : KIN_ERROR_NO_COMPONENT;
}

// DSP-04: removed, added, modified, group by group; then the entity's own listeners.
static void notify_replaced(naive *naive, naive_change *change, uint32_t parts)
{
    for (uint32_t i = 0; i < naive->group_count; i++) {
        const model_matcher *matcher = &naive->package->matchers[naive->groups[i]];
        if (!model_matches(matcher, parts) || !model_names_part(matcher, change->part)) // GRP-06
            continue;
        naive_find_group(naive, change, naive->groups[i], KIN_REMOVED);
        naive_find_group(naive, change, naive->groups[i], KIN_ADDED);
        naive_find_group(naive, change, naive->groups[i], KIN_MODIFIED);
    }
    naive_find_changed(naive, change, KIN_COMPONENT_REPLACED);
    naive_notify(naive, change);
}

// Writes a value, which `is_new` unless it is the present one: then the context goes on owning its opaque values.
static kin_status overwrite(naive *naive, naive_slot *slot, int32_t part, int32_t tag, bool is_new)
{
    kin_status status = check_keys(naive, slot, slot->parts, part, tag);
    if (status == KIN_OK && !naive_may_nest(naive))
        status = KIN_ERROR_LIMIT;
    if (status != KIN_OK)
        return naive_refuse(naive, status, slot->entity, part);
    naive_change change;
    naive_change_begin(naive, &change, slot->entity, part);
    change.previous = slot->tags[part];
    change.value = tag;
    slot->tags[part] = tag;
    if (part == PART_COIN && is_new)
        slot->coin = ++naive->next_coin;
    naive_give(slot, slot->parts, part);
    notify_replaced(naive, &change, slot->parts);
    return KIN_OK;
}

// CMP-05.
kin_status naive_replace(naive *naive, kin_entity entity, int32_t part, int32_t tag)
{
    naive_slot *slot = naive_find(naive, entity);
    return slot != NULL && has(slot, part) ? overwrite(naive, slot, part, tag, true)
                                           : naive_add(naive, entity, part, tag);
}

// CMP-11.
kin_status naive_touch(naive *naive, kin_entity entity, int32_t part)
{
    naive_slot *slot = naive_find(naive, entity);
    if (slot == NULL || !has(slot, part))
        return naive_refuse(naive, slot == NULL ? KIN_ERROR_NOT_ALIVE : KIN_ERROR_NO_COMPONENT, entity, part);
    return overwrite(naive, slot, part, slot->tags[part], false);
}

void naive_edit(naive *naive, kin_entity entity, int32_t part, int32_t tag)
{
    naive_slot *slot = naive_find(naive, entity);
    if (slot != NULL && has(slot, part))
        slot->tags[part] = tag;
}

// FLG-01, FLG-02.
kin_status naive_set(naive *naive, kin_entity entity, int32_t part, bool on)
{
    const naive_slot *slot = naive_find(naive, entity);
    if (slot != NULL && has(slot, part) == on)
        return KIN_OK;
    return on ? naive_add(naive, entity, part, 0) : naive_remove(naive, entity, part);
}

// CMP-08, CMP-09: one walk in ascending ids; it ends if the entity dies or a removal is refused (IDX-03).
static kin_status remove_each(naive *naive, kin_entity entity, uint32_t parts)
{
    kin_status status = KIN_OK;
    uint64_t life = naive->life;
    if (naive_find(naive, entity) == NULL)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, entity, MODEL_NO_PART);
    if (!naive_may_nest(naive))
        return naive_refuse(naive, KIN_ERROR_LIMIT, entity, MODEL_NO_PART);
    for (int32_t part = 0; part < MODEL_PARTS && status == KIN_OK; part++) {
        const naive_slot *slot = naive_find(naive, entity);
        if (slot == NULL || naive->life != life)
            return KIN_OK;
        if ((parts & model_bit(part)) != 0 && has(slot, part))
            status = naive_remove(naive, entity, part);
    }
    return status;
}

kin_status naive_remove_all(naive *naive, kin_entity entity)
{
    return remove_each(naive, entity, ~(uint32_t)0);
}

kin_status naive_remove_some(naive *naive, kin_entity entity, uint32_t parts)
{
    return remove_each(naive, entity, parts);
}

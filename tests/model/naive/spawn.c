// Blueprints: spawning one or many, and applying one to an entity. All steps are checked before the first write.

#include "naive.h"

typedef struct batch {
    int32_t number;
    const model_blueprint *blueprint;
    uint32_t count;
    const int32_t *tags; // of the given part; NULL: the tags of the blueprint
    kin_entity *made;
} batch;

static const model_blueprint *blueprint_of(const naive *naive, int32_t number)
{
    return &naive->package->blueprints[number];
}

static bool has(uint32_t parts, int32_t part)
{
    return (parts & model_bit(part)) != 0;
}

static int32_t tag_of(const batch *batch, int32_t part, uint32_t number)
{
    bool is_given = batch->tags != NULL && part == batch->blueprint->given;
    return is_given ? batch->tags[number] : batch->blueprint->tags[part];
}

// The entity with all parts below `end`.
static naive_slot planned(const batch *batch, uint32_t number, int32_t end)
{
    naive_slot slot = {0};
    for (int32_t part = 0; part < end; part++)
        if (has(batch->blueprint->parts, part)) {
            uint32_t before = slot.parts;
            slot.parts |= model_bit(part);
            slot.tags[part] = tag_of(batch, part, number);
            naive_give(&slot, before, part);
        }
    return slot;
}

// UNI-01: a batch of several cannot have a unique part.
static kin_status check_unique(naive *naive, const model_blueprint *blueprint, kin_entity entity, uint32_t count)
{
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        if (!has(blueprint->parts, part) || !model_traits[part].is_unique)
            continue;
        const naive_slot *carrier = naive_carrier(naive, part);
        if ((carrier != NULL && carrier->entity != entity) || count > 1)
            return naive_refuse(naive, KIN_ERROR_UNIQUE, entity, part);
    }
    return KIN_OK;
}

// Whether an earlier entity of the batch will have one of the keys.
static bool is_before(const naive *naive, const batch *batch, uint32_t number, const naive_slot *slot)
{
    for (uint32_t i = 0; i < number; i++) {
        naive_slot other = planned(batch, i, MODEL_PARTS);
        for (uint32_t index = 0; index < naive->package->index_count; index++) {
            int64_t keys[MODEL_KEYS];
            uint32_t count = model_indices[index].is_primary ? naive_keys_of(slot, (model_index)index, keys) : 0;
            for (uint32_t k = 0; k < count; k++)
                if (naive_has_key(&other, (model_index)index, keys[k]))
                    return true;
        }
    }
    return false;
}

static kin_status check_keys(naive *naive, const batch *batch, uint32_t number)
{
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        if (!has(batch->blueprint->parts, part))
            continue;
        naive_slot slot = planned(batch, number, part + 1);
        kin_status status = naive_check_keys(naive, &slot, NULL);
        if (status == KIN_OK && is_before(naive, batch, number, &slot))
            status = KIN_ERROR_DUPLICATE_KEY;
        if (status != KIN_OK)
            return naive_refuse(naive, status, 0, part);
    }
    return KIN_OK;
}

// DSP-01: unique, key, limit. Entities beyond the limits cannot be created anyway.
static kin_status check(naive *naive, const batch *batch)
{
    kin_status status = check_unique(naive, batch->blueprint, 0, batch->count);
    uint64_t left = naive_slots_left(naive);
    for (uint32_t i = 0; i < batch->count && (i == 0 || i < left) && status == KIN_OK; i++)
        status = check_keys(naive, batch, i);
    return status == KIN_OK ? naive_check_create(naive, batch->count) : status;
}

// Entities that are being created. After a reset the handles from before it may be used again.
typedef struct making {
    uint32_t count;
    uint32_t first; // the first since the last reset
    uint64_t life;
    kin_entity at; // the entity and the part that became impossible; 0: a creation
    int32_t part;
} making;

// CPY-04, CPY-05.
static kin_status make(naive *naive, const batch *batch, making *making)
{
    uint32_t number = making->count;
    if (!naive_may_nest(naive) || naive_slots_left(naive) < 1)
        return KIN_ERROR_LIMIT;
    if (making->life != naive->life)
        making->first = number;
    making->life = naive->life;
    making->count++;
    batch->made[number] = naive_begin_entity(naive, batch->number);
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        if (!has(batch->blueprint->parts, part))
            continue;
        int32_t tag = tag_of(batch, part, number);
        naive_slot *slot = naive->life == making->life ? naive_find(naive, batch->made[number]) : NULL;
        kin_status status = naive_check_step(naive, slot, part, tag);
        if (status != KIN_OK) {
            making->at = batch->made[number];
            making->part = part;
            return status;
        }
        naive_put(naive, slot, part, tag);
    }
    return KIN_OK;
}

// CPY-05: all or nothing, the last one first.
static void undo(naive *naive, const batch *batch, const making *making)
{
    for (uint32_t i = making->count; i-- > making->first && naive->life == making->life;) {
        naive_slot *slot = naive_find(naive, batch->made[i]);
        if (slot != NULL)
            naive_end_entity(naive, slot);
    }
    for (uint32_t i = 0; i < batch->count; i++)
        batch->made[i] = 0;
}

static kin_status spawn(naive *naive, const batch *batch)
{
    making making = {.life = naive->life, .part = MODEL_NO_PART};
    if (batch->count == 0)
        return KIN_OK;
    kin_status status = check(naive, batch);
    if (status != KIN_OK)
        return status;
    while (making.count < batch->count && status == KIN_OK)
        status = make(naive, batch, &making);
    if (status == KIN_OK)
        return KIN_OK;
    undo(naive, batch, &making);
    return naive_refuse(naive, status, making.at, making.part);
}

// CPY-09: at most one part has another tag.
kin_entity naive_spawn(naive *naive, const model_operation *operation)
{
    kin_entity made = 0;
    int32_t tags[MODEL_BATCH], number = operation->number;
    spawn(naive, &(batch){number, blueprint_of(naive, number), 1, model_batch_tags(operation, tags), &made});
    return made;
}

kin_status naive_spawn_many(naive *naive, const model_operation *operation)
{
    kin_entity made[MODEL_BATCH] = {0};
    int32_t tags[MODEL_BATCH], number = operation->number;
    batch batch = {.number = number, .blueprint = blueprint_of(naive, number), .made = made};
    batch.count = (uint32_t)operation->owner;
    batch.tags = model_batch_tags(operation, tags);
    kin_status status = spawn(naive, &batch);
    for (uint32_t i = 0; i < batch.count; i++)
        model_made(naive->side, made[i]);
    return status;
}

// ---- applying

static kin_status check_apply(naive *naive, const model_blueprint *blueprint, kin_entity entity)
{
    const naive_slot *slot = naive_find(naive, entity);
    if (slot == NULL)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, entity, MODEL_NO_PART);
    kin_status status = check_unique(naive, blueprint, entity, 1);
    naive_slot after = *slot;
    for (int32_t part = 0; part < MODEL_PARTS && status == KIN_OK; part++) {
        bool stays = has(after.parts, part) && model_traits[part].is_flag; // FLG-02
        if (!has(blueprint->parts, part) || stays)
            continue;
        uint32_t before = after.parts;
        after.parts |= model_bit(part);
        after.tags[part] = blueprint->tags[part];
        naive_give(&after, before, part);
        status = naive_check_keys(naive, &after, slot);
        if (status != KIN_OK)
            naive_refuse(naive, status, entity, part);
    }
    if (status == KIN_OK && !naive_may_nest(naive))
        status = naive_refuse(naive, KIN_ERROR_LIMIT, entity, MODEL_NO_PART);
    return status;
}

// A part of an apply or a copy. A flag that is set stays set, without a report, unless all parts are added.
static kin_status apply_part(naive *naive, kin_entity entity, int32_t part, int32_t tag, bool adds)
{
    const naive_slot *slot = naive_find(naive, entity);
    if (slot == NULL)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, entity, part);
    if (adds)
        return naive_add(naive, entity, part, tag);
    return has(slot->parts, part) && model_traits[part].is_flag ? KIN_OK : naive_replace(naive, entity, part, tag);
}

static kin_status apply(naive *naive, const model_blueprint *blueprint, kin_entity entity, bool adds)
{
    uint64_t life = naive->life;
    kin_status status = check_apply(naive, blueprint, entity);
    for (int32_t part = 0; part < MODEL_PARTS && status == KIN_OK; part++) {
        if (!has(blueprint->parts, part))
            continue;
        status = naive->life == life ? apply_part(naive, entity, part, blueprint->tags[part], adds)
                                     : naive_refuse(naive, KIN_ERROR_NOT_ALIVE, entity, part);
    }
    return status;
}

// CPY-06.
kin_status naive_apply(naive *naive, int32_t number, kin_entity entity)
{
    return apply(naive, blueprint_of(naive, number), entity, false);
}

// CPY-11.
kin_status naive_copy(naive *naive, const model_operation *operation)
{
    const naive_slot *from = naive_find(naive, operation->entity), *to = naive_find(naive, operation->target);
    model_blueprint copied = {0};
    if (from == NULL || to == NULL)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, from == NULL ? operation->entity : operation->target,
                            MODEL_NO_PART);
    copied.parts = naive_cloned_parts(from) & (operation->mask == 0 ? ~(uint32_t)0 : operation->mask);
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        copied.tags[part] = from->tags[part];
        if (operation->owner == 0 && has(copied.parts & to->parts, part))
            return naive_refuse(naive, KIN_ERROR_HAS_COMPONENT, operation->target, part);
    }
    return copied.parts == 0 ? KIN_OK : apply(naive, &copied, operation->target, operation->owner == 0);
}

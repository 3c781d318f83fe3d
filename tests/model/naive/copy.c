// Entities that are created with components: clones, and entities with unique parts. All steps are checked before the
// first write; if a listener then makes a step impossible, the new entity is destroyed (CPY-05).

#include "naive.h"

// CPY-02.
uint32_t naive_cloned_parts(const naive_slot *source)
{
    uint32_t parts = 0;
    for (int32_t part = 0; part < MODEL_PARTS; part++)
        if (model_traits[part].is_cloned)
            parts |= source->parts & model_bit(part);
    return parts;
}

// CPY-03, and CPY-05: while its parts are added one by one, a clone can be in an index that it leaves when it is whole.
static kin_status check_clone(naive *naive, const naive_slot *source)
{
    naive_slot clone = *source;
    naive_give(&clone, 0, MODEL_NO_PART);
    kin_status status = naive_is_in_primary(source) ? KIN_ERROR_DUPLICATE_KEY : KIN_OK;
    clone.parts = 0;
    for (int32_t part = 0; part < MODEL_PARTS && status == KIN_OK; part++)
        if ((naive_cloned_parts(source) & model_bit(part)) != 0) {
            clone.parts |= model_bit(part);
            status = naive_check_keys(naive, &clone, NULL);
        }
    return status;
}

// The reason why the next step has become impossible.
kin_status naive_check_step(naive *naive, naive_slot *slot, int32_t part, int32_t tag)
{
    if (slot == NULL)
        return KIN_ERROR_NOT_ALIVE;
    if ((slot->parts & model_bit(part)) != 0)
        return KIN_ERROR_HAS_COMPONENT;
    return naive_check_add(naive, slot, part, tag);
}

// CPY-01: the values are those of the source when the clone began.
kin_entity naive_clone(naive *naive, kin_entity source)
{
    const naive_slot *found = naive_find(naive, source);
    if (found == NULL)
        return naive_refuse(naive, KIN_ERROR_NOT_ALIVE, source, MODEL_NO_PART), 0;
    kin_status status = check_clone(naive, found);
    if (status != KIN_OK)
        return naive_refuse(naive, status, source, MODEL_NO_PART), 0;
    if (naive_check_create(naive, 1) != KIN_OK)
        return 0;
    naive_slot copy = *found;
    uint64_t life = naive->life;
    uint32_t parts = naive_cloned_parts(found);
    kin_entity clone = naive_begin_entity(naive, naive_pool_of(naive, source));
    for (int32_t part = 0; part < MODEL_PARTS; part++) {
        if ((parts & model_bit(part)) == 0)
            continue;
        naive_slot *slot = naive->life == life ? naive_find(naive, clone) : NULL;
        status = naive_check_step(naive, slot, part, copy.tags[part]);
        if (status == KIN_OK) {
            naive_put(naive, slot, part, copy.tags[part]);
            continue;
        }
        if (slot != NULL)
            naive_end_entity(naive, slot);
        return naive_refuse(naive, status, clone, part), 0;
    }
    return clone;
}

// UNI-02.
kin_entity naive_set_unique(naive *naive, int32_t part, int32_t tag, kin_status *status)
{
    uint64_t life = naive->life;
    *status = naive_carrier(naive, part) != NULL ? KIN_ERROR_UNIQUE : KIN_OK;
    if (*status != KIN_OK)
        return naive_refuse(naive, *status, 0, part), 0;
    *status = naive_check_create(naive, 1);
    if (*status != KIN_OK)
        return 0;
    kin_entity made = naive_begin_entity(naive, NAIVE_OTHERS);
    naive_slot *slot = naive->life == life ? naive_find(naive, made) : NULL;
    *status = naive_check_step(naive, slot, part, tag);
    if (*status == KIN_OK) {
        naive_put(naive, slot, part, tag);
        return made;
    }
    if (slot != NULL)
        naive_end_entity(naive, slot);
    return naive_refuse(naive, *status, 0, part), 0;
}

// UNI-03.
kin_entity naive_replace_unique(naive *naive, int32_t part, int32_t tag)
{
    kin_status status = KIN_OK;
    const naive_slot *carrier = naive_carrier(naive, part);
    if (carrier == NULL)
        return naive_set_unique(naive, part, tag, &status);
    kin_entity entity = carrier->entity;
    return naive_replace(naive, entity, part, tag) == KIN_OK ? entity : 0;
}

// UNI-04.
kin_status naive_remove_unique(naive *naive, int32_t part)
{
    const naive_slot *carrier = naive_carrier(naive, part);
    if (carrier == NULL)
        return naive_refuse(naive, KIN_ERROR_NO_COMPONENT, 0, part);
    return naive_destroy(naive, carrier->entity);
}

// UNI-06.
kin_status naive_set_unique_flag(naive *naive, int32_t part, bool on)
{
    kin_status status = KIN_OK;
    if ((naive_carrier(naive, part) != NULL) == on)
        return KIN_OK;
    if (!on)
        return naive_remove_unique(naive, part);
    naive_set_unique(naive, part, 0, &status);
    return status;
}

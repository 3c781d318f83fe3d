// Changes of the components of one entity, through the typed functions or by id.

#include "real.h"

// kin_remove_components, which takes ids in any order.
static kin_status remove_some(const real *real, kin_entity entity, uint32_t parts)
{
    kin_rule rule = {.kind = KIN_RULE_ALL};
    for (int32_t part = MODEL_PARTS - 1; part >= 0; part--)
        if ((parts & real->package->parts & model_bit(part)) != 0)
            rule.ids[rule.count++] = real->port->parts[part].id;
    return kin_remove_components(real->context, entity, rule);
}

bool real_is_by_id(const model_operation *operation)
{
    uint64_t sum =
        kin_entity_creation_index(operation->entity) + (uint64_t)operation->part + (uint64_t)operation->value;
    return sum % 2 != 0;
}

static kin_status change_by_id(real *real, const model_operation *operation)
{
    const model_port_part *part = &real->port->parts[operation->part];
    kin_entity entity = operation->entity;
    switch (operation->code) {
    case MODEL_ADD:
        return part->add_by_id(real->typed, entity, part->id, operation->value);
    case MODEL_REPLACE:
        return part->replace_by_id(real->typed, entity, part->id, operation->value);
    case MODEL_REMOVE:
        return kin_remove(real->context, entity, part->id);
    default:
        return kin_set_flag(real->context, entity, part->id, operation->owner != 0);
    }
}

kin_status real_change(real *real, const model_operation *operation)
{
    bool has_variant = operation->code == MODEL_ADD || operation->code == MODEL_REPLACE ||
                       operation->code == MODEL_REMOVE || operation->code == MODEL_SET;
    if (has_variant && real_is_by_id(operation))
        return change_by_id(real, operation);
    const model_port_part *part = &real->port->parts[operation->part];
    kin_entity entity = operation->entity;
    switch (operation->code) {
    case MODEL_ADD:
        return part->add(real->typed, entity, operation->value);
    case MODEL_REPLACE:
        return part->replace(real->typed, entity, operation->value);
    case MODEL_REMOVE:
        return part->remove(real->typed, entity);
    case MODEL_READD:
        return part->readd(real->typed, entity, operation->value);
    case MODEL_STASH:
        return kin__component_stash(real->context, entity, part->id);
    case MODEL_RESTORE:
        return kin__component_restore(real->context, entity, part->id);
    case MODEL_TOUCH:
        return part->touch(real->typed, entity);
    case MODEL_EDIT:
        part->edit(real->typed, entity, operation->value);
        return KIN_OK;
    case MODEL_SET:
        return part->set(real->typed, entity, operation->owner != 0);
    case MODEL_REMOVE_UNIQUE:
        return part->remove_unique(real->typed);
    case MODEL_SET_UNIQUE_FLAG:
        return part->set_unique_flag(real->typed, operation->owner != 0);
    case MODEL_APPLY:
        return real->port->blueprints[operation->number].apply(real->typed, entity);
    case MODEL_REMOVE_ALL:
        return real->port->remove_all(real->typed, entity);
    default:
        return remove_some(real, entity, operation->mask);
    }
}

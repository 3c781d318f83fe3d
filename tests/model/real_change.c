// Changes of the components of one entity, through the typed functions.

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

kin_status real_change(real *real, const model_operation *operation)
{
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

// Changes of the components of one entity, through the typed functions or by id.

#include "real.h"

// The ids of a rule may be in any order.
static kin_rule rule_of(const real *real, uint32_t parts)
{
    kin_rule rule = {.kind = KIN_RULE_ALL};
    for (int32_t part = MODEL_PARTS - 1; part >= 0; part--)
        if ((parts & real->package->parts & model_bit(part)) != 0)
            rule.ids[rule.count++] = real->port->parts[part].id;
    return rule;
}

static kin_status copy(const real *real, const model_operation *operation)
{
    kin_rule rule = operation->mask == 0 ? KIN_EVERY_COMPONENT : rule_of(real, operation->mask);
    return real->port->copy(real->typed, operation->entity, operation->target, rule, operation->owner != 0);
}

// As the generated function does, which only parts with `stash: true` have.
static kin_status restore_or_add(const real *real, const model_operation *operation)
{
    const model_port_part *part = &real->port->parts[operation->part];
    return kin__component_has_stashed(real->context, operation->entity, part->id)
               ? kin__component_restore(real->context, operation->entity, part->id)
               : part->add(real->typed, operation->entity, operation->value);
}

static kin_status ensure(const real *real, const model_operation *operation)
{
    const model_port_part *part = &real->port->parts[operation->part];
    const void *value = part->ensure(real->typed, operation->entity);
    return value != NULL && part->read(value) != MODEL_BROKEN ? KIN_OK : KIN_ERROR_NO_COMPONENT;
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
    case MODEL_RESTORE_OR_ADD:
        return restore_or_add(real, operation);
    case MODEL_ENSURE:
        return ensure(real, operation);
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
    case MODEL_COPY:
        return copy(real, operation);
    case MODEL_REMOVE_ALL:
        return real->port->remove_all(real->typed, entity);
    default:
        return kin_remove_components(real->context, entity, rule_of(real, operation->mask));
    }
}

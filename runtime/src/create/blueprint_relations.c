// Checks the entities that the parts of a blueprint name, and reserves their links.
#include "create/blueprint.h"
#include "create/entity.h"
#include "lookup/lookup.h"
#include "store/store.h"

// Checks a part of the entity `number` of the batch.
static kin_status check(kin_context *context, const kin__blueprint_use *use, uint32_t part, uint32_t number)
{
    char reason[KIN__RELATION_REASON_SIZE];
    kin_component_id id = use->blueprint->parts[part].id;
    kin__step step = {KIN__STEP_ADD, use->entity, id, kin__part_value(use->blueprint, use->batch, part, number)};
    if ((context->core->watches[id].side_effects & KIN__SIDE_EFFECT_RELATION) == 0)
        return KIN_OK;
    kin_status status = kin__relations_check(context, &step);
    if (status == KIN_OK && !kin__relations_reserve_targets(context, id, step.value))
        return kin__blueprint_use_report_error(context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
    if (status == KIN_OK)
        return KIN_OK;
    kin__relations_describe(context, &step, reason);
    return kin__blueprint_use_report_error(context, use, status, part, reason);
}

kin_status kin__blueprint_use_check_relations(kin_context *context, const kin__blueprint_use *use)
{
    uint32_t count = 1; // without values of the caller, all entities are equal
    kin_status status = KIN_OK;
    if (context->core->relations == NULL)
        return KIN_OK;
    if (use->batch != NULL && use->batch->values != NULL)
        count = kin__entities_allowed(context, use->batch->count); // the limit is checked next
    if (count == 0)
        count = 1;
    for (uint32_t number = 0; number < count && status == KIN_OK; number++)
        for (uint32_t part = 0; part < use->blueprint->part_count && status == KIN_OK; part++)
            status = check(context, use, part, number);
    return status;
}

// Clones: creates an entity with the components of another one.
//
// All that can fail is done first: the values of the source are copied into a plan, with what their adds need. Then the
// entity is created and gets them one by one; its listeners may do anything, also to the source.

#include "create/clone.h"

#include "base/base.h"
#include "store/store.h"
#include "create/entity.h"
#include "create/plan.h"
#include "lookup/lookup.h"

#include <stdio.h>

// Returns why a clone leaves the component out; 0 if the clone has it.
static uint32_t reason_of(const kin_context *context, uint32_t id)
{
    const kin_component_info *info = &context->info->components[id];
    return info->is_unique                                            ? KIN_CLONE_UNIQUE
           : kin__indices_have_primary(context, (kin_component_id)id) ? KIN_CLONE_PRIMARY_KEY
           : info->has_drops                                          ? KIN_CLONE_OPAQUE
                                                                      : 0;
}

bool kin__entity_is_cloned(const kin_context *context, uint32_t id)
{
    return reason_of(context, id) == 0;
}

uint32_t kin_clone_report(const kin_context *context, kin_entity source, kin_clone_omission *left_out,
                          uint32_t capacity)
{
    uint32_t count = 0;
    if (kin__chunk_of(context, source) == NULL)
        return 0;
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        kin_clone_reason reason = (kin_clone_reason)reason_of(context, id);
        if (reason != 0 && count++ < capacity)
            left_out[count - 1] = (kin_clone_omission){(kin_component_id)id, reason};
    }
    return count;
}

size_t kin__clone_count(const kin_context *context, kin_entity source, size_t *size)
{
    size_t count = 0;
    *size = 0;
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        if (!kin__entity_is_cloned(context, id))
            continue;
        count++;
        *size += kin__round_up(context->info->components[id].size);
    }
    return count;
}

// Plans the clone for the slot that it will have. False when out of memory: the plan has ended.
static bool reserve(kin__plan *plan, kin_entity source, uint32_t slot)
{
    kin_context *context = plan->context;
    size_t size, count = kin__clone_count(context, source, &size);
    char *values = NULL;
    bool reserved = kin__plan_begin(plan, count, size, &values);
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(source)), context->row_words)
    {
        if (!reserved || !kin__entity_is_cloned(context, id))
            continue;
        kin__step step = {KIN__STEP_ADD, 0, (kin_component_id)id, NULL};
        size_t value_size = context->info->components[id].size;
        if (value_size > 0) {
            step.value = values;
            kin__value_read(context, kin_entity_slot(source), step.id, values);
            values += kin__round_up(value_size);
        }
        reserved = kin__plan_append(plan, &step, slot);
    }
    KIN_ASSERT(!reserved || plan->count == count);
    return reserved;
}

bool kin__clone_check_keys(const kin_context *context, kin_entity source)
{
    char reason[200];
    kin_component_id at = 0;
    kin__attempt attempt = {.verb = "clone", .entity = source, .reason = reason};
    const kin_index_info *index = kin__indices_find_clone_conflict(context, source);
    kin_status status = KIN_ERROR_DUPLICATE_KEY;
    if (index == NULL)
        status = kin__indices_check_clone(context, source, kin__entity_is_cloned, &at);
    if (status == KIN_OK)
        return true;
    if (index != NULL)
        snprintf(reason, sizeof reason,
                 "two entities would have its key in index %s; create an entity and add the components", index->name);
    else
        snprintf(reason, sizeof reason,
                 "with %s the clone would have a key that %s; create an entity and add the components",
                 context->info->components[at].name, status == KIN_ERROR_INVALID ? "is invalid" : "another entity has");
    kin__report_error(context, status, &attempt);
    return false;
}

kin_entity kin__entity_clone(kin_context *context, kin_entity source)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan plan = {.context = context, .steps = few};
    kin__attempt attempt = {.verb = "clone", .entity = source};
    const kin__chunk *chunk = kin__chunk_of(context, source);
    kin__plan_failure failure;
    kin_entity clone;
    uint32_t slot;
    if (chunk == NULL || kin__context_is_shared(context)) {
        kin__report_error(context, chunk == NULL ? KIN_ERROR_NOT_ALIVE : KIN_ERROR_INVALID, &attempt);
        return 0;
    }
    if (!kin__clone_check_keys(context, source) || kin__entity_reserve(context, chunk->pool, &slot) != KIN_OK)
        return 0;
    if (!reserve(&plan, source, slot)) {
        kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
        return 0;
    }
    KIN_ASSERT(kin_entity_slot(source) != slot);
    kin_status status = kin__plan_make_all(&plan, chunk->pool, &clone, &failure);
    if (status == KIN_OK)
        return clone;
    kin__plan_report_failure(context, status, &failure, (kin__attempt){"complete a clone with", .entity = clone});
    return 0;
}

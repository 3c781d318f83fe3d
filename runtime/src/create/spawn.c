// Spawning: entities with the parts of a blueprint, each created and given its parts one by one.
//
// All that can fail is done first, for the whole batch. Then listeners may do anything, so each step is checked again.
// When a listener has made one impossible, the whole batch is undone: the entities made so far are destroyed, the last
// one first, and the opaque values that the caller gave belong to the caller again. Until the batch is complete, none
// is dropped (a loan, store.h). The refusal is reported last, as `on_error` may destroy the context.

#include "base/base.h"
#include "change/fast.h"
#include "store/store.h"
#include "create/blueprint.h"
#include "create/entity.h"
#include "create/plan.h"
#include "notify/notify.h"

#include <stdio.h>
#include <string.h>

// The plan has the parts of all entities if they need more than their values, else those of one entity at a time.
typedef struct spawning {
    kin_context *context;
    kin__blueprint *blueprint;
    kin__blueprint_use use;
    kin__plan plan;
    kin_entity *made;           // the entities so far
    kin_entity only;            // the array of a batch of one
    uint32_t count;             // the number of entities so far
    uint32_t first;             // the first of those made since the last reset of the context
    kin_entity incomplete;      // the entity to which a part could not be added; 0: the next one cannot be created
    kin__plan_failure *failure; // set with `incomplete`
    const char *reason;         // why it cannot be created
    char text[KIN__LIMIT_SIZE];
} spawning;

// ---- before the first write

// Reserves slots for the whole batch, with columns and index entries.
static kin_status reserve_slots(const spawning *spawning)
{
    kin_context *context = spawning->context;
    kin__pool_preview preview = kin__pool_preview_begin(context, &spawning->blueprint->pool);
    uint32_t count = spawning->use.batch->count;
    kin__run run;
    for (uint32_t done = 0; done < count; done += run.count) {
        kin_status status = kin__pool_preview_next(&preview, count - done, &run);
        for (uint32_t i = 0; i < spawning->blueprint->part_count && status == KIN_OK; i++)
            if (!kin__change_reserve_entries(context, run.first, spawning->blueprint->parts[i].id, done + run.count))
                status = KIN_ERROR_NO_MEMORY;
        if (status != KIN_OK)
            return status;
    }
    return KIN_OK;
}

static size_t made_size(const spawning *spawning)
{
    return spawning->use.batch->count * sizeof *spawning->made;
}

// Appends the parts of one entity. False when out of memory: the plan has ended.
static bool plan_entity(spawning *spawning, uint32_t number)
{
    bool planned = true;
    for (uint32_t i = 0; planned && i < spawning->blueprint->part_count; i++) {
        const void *value = kin__part_value(spawning->blueprint, spawning->use.batch, i, number);
        kin__step step = {KIN__STEP_ADD, 0, spawning->blueprint->parts[i].id, value};
        planned = kin__plan_append(&spawning->plan, &step, KIN__NO_SLOT);
    }
    return planned;
}

static void release(spawning *spawning)
{
    kin__plan_end(&spawning->plan);
    if (spawning->made != &spawning->only)
        kin__release(&spawning->context->core->memory, spawning->made, made_size(spawning));
}

// False when out of memory: everything is released.
static bool reserve_plan(spawning *spawning)
{
    uint32_t count = spawning->use.batch->count, planned = spawning->blueprint->is_rich ? count : 1;
    spawning->made = &spawning->only;
    if (count > 1)
        spawning->made = kin__allocate(&spawning->context->core->memory, made_size(spawning));
    bool reserved = spawning->made != NULL &&
                    kin__plan_begin(&spawning->plan, (size_t)planned * spawning->blueprint->part_count, 0, NULL);
    for (uint32_t i = 0; reserved && spawning->blueprint->is_rich && i < count; i++)
        reserved = plan_entity(spawning, i);
    if (!reserved)
        release(spawning);
    return reserved;
}

static kin_status check(spawning *spawning)
{
    kin_status status = kin__blueprint_use_check_unique(spawning->context, &spawning->use);
    if (status == KIN_OK)
        status = kin__blueprint_use_check_relations(spawning->context, &spawning->use);
    return status == KIN_OK ? kin__blueprint_use_check_keys(spawning->context, &spawning->use) : status;
}

static kin_status reserve(spawning *spawning, bool is_fast)
{
    char text[KIN__LIMIT_SIZE];
    const char *limit = kin__entities_find_limit(spawning->context, spawning->use.batch->count, text);
    kin_status status = limit != NULL ? KIN_ERROR_LIMIT : reserve_slots(spawning);
    if (status == KIN_OK && !is_fast && !reserve_plan(spawning))
        status = KIN_ERROR_NO_MEMORY;
    if (status == KIN_ERROR_LIMIT && limit == NULL)
        limit = KIN__NO_SLOT_LEFT;
    return status == KIN_OK
               ? KIN_OK
               : kin__blueprint_use_report_error(spawning->context, &spawning->use, status, KIN__NO_PART, limit);
}

// ---- one by one

// Returns KIN_OK if the entity can still be created: listeners may have taken slots, or reached the limit, since all
// was reserved. Plans its parts unless they are planned already; this needs no memory.
static kin_status begin_one(spawning *spawning)
{
    kin_status status = KIN_OK;
    uint32_t slot;
    if (spawning->count > 0)
        status = kin__entity_find_slot(spawning->context, &spawning->blueprint->pool, &slot, spawning->text,
                                       &spawning->reason);
    if (status != KIN_OK || spawning->blueprint->is_rich)
        return status;
    kin__plan_restart(&spawning->plan);
    bool planned = plan_entity(spawning, spawning->count);
    KIN_ASSERT(planned);
    (void)planned;
    return KIN_OK;
}

// After a reset by a listener the handles made before it may be given out again.
static kin_status make_one(spawning *spawning)
{
    kin_status status = begin_one(spawning);
    if (status != KIN_OK)
        return status;
    if (spawning->count > 0 && spawning->plan.epoch != spawning->context->core->dispatch.epoch)
        spawning->first = spawning->count;
    KIN_ASSERT(spawning->count < spawning->use.batch->count);
    kin_entity *made = &spawning->made[spawning->count++];
    status = kin__plan_make(&spawning->plan, &spawning->blueprint->pool, spawning->blueprint->part_count, made);
    if (status != KIN_OK) {
        spawning->incomplete = *made;
        kin__plan_describe(&spawning->plan, *made, status, spawning->failure);
    }
    return status;
}

// ---- undoing

// Listeners of one destroy may destroy other entities, or reset the context.
static void end_entities(const spawning *spawning)
{
    kin_context *context = spawning->context;
    uint64_t epoch = spawning->plan.epoch;
    for (uint32_t i = spawning->count; i-- > spawning->first && context->core->dispatch.epoch == epoch;)
        if (kin__chunk_of(context, spawning->made[i]) != NULL)
            kin__entity_destroy_checked_fast(context, spawning->made[i]);
}

// Only values with an owned block have opaque values, so that their plan has all entities.
static void return_values(spawning *spawning)
{
    const kin__batch *batch = spawning->use.batch;
    uint32_t part_count = spawning->blueprint->part_count;
    for (size_t i = 0; spawning->blueprint->is_rich && i < spawning->plan.done; i++)
        if (batch->values != NULL && batch->values[i % part_count] != NULL)
            kin__plan_return_opaque(&spawning->plan, i, spawning->made[i / part_count]);
}

static kin_status report_error(const spawning *spawning, kin_status status)
{
    char verb[112];
    kin__attempt creating = {.verb = "create an entity", .reason = spawning->reason};
    if (spawning->incomplete == 0)
        return kin__report_error(spawning->context, status, &creating);
    snprintf(verb, sizeof verb, "complete a spawned %s with", spawning->blueprint->info->name);
    return kin__plan_report_failure(spawning->context, status, spawning->failure,
                                    (kin__attempt){.verb = verb, .entity = spawning->incomplete});
}

static kin_status carry_out(spawning *spawning)
{
    const kin__batch *batch = spawning->use.batch;
    kin_status status = KIN_OK;
    kin__loan_begin(spawning->context);
    while (spawning->count < batch->count && status == KIN_OK)
        status = make_one(spawning);
    KIN_ASSERT(status != KIN_OK || spawning->plan.done == spawning->plan.count);
    if (status != KIN_OK) {
        end_entities(spawning);
        return_values(spawning);
    } else if (batch->entities != NULL)
        memcpy(batch->entities, spawning->made, made_size(spawning));
    release(spawning);
    kin__loan_end(spawning->context);
    return status == KIN_OK ? KIN_OK : report_error(spawning, status);
}

static kin_status spawn(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    kin__plan_step few[KIN__FEW_STEPS];
    kin__plan_failure failure;
    spawning spawning = {.context = context, .blueprint = &context->blueprints[blueprint], .failure = &failure};
    spawning.plan = (kin__plan){.context = context, .steps = few};
    spawning.use = (kin__blueprint_use){.blueprint = spawning.blueprint, .batch = batch};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    bool is_fast = kin__spawn_is_fast(context, spawning.blueprint);
    kin_status status = is_fast ? KIN_OK : check(&spawning);
    if (status == KIN_OK)
        status = reserve(&spawning, is_fast);
    if (status != KIN_OK)
        return status;
    if (!is_fast)
        return carry_out(&spawning);
    kin__spawn_many_fast(context, spawning.blueprint, batch);
    return KIN_OK;
}

kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    kin_status status = batch->count == 0 ? KIN_OK : spawn(context, blueprint, batch);
    if (status != KIN_OK && batch->entities != NULL)
        memset(batch->entities, 0, batch->count * sizeof *batch->entities);
    return status;
}

kin_entity kin__spawn_with(kin_context *context, uint32_t blueprint, const void *const *values)
{
    kin_entity entity = 0;
    kin__spawn_many(context, blueprint, &(kin__batch){.count = 1, .values = values, .entities = &entity});
    return entity;
}

kin_entity kin__spawn(kin_context *context, uint32_t blueprint)
{
    return kin__spawn_with(context, blueprint, NULL);
}

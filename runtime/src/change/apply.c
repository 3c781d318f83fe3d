// Applying a blueprint to an entity: part by part, each replaced where the entity has it, added where it has not.
//
// All that can fail is done first. Then listeners may do anything: where one has made a part come or go, that part is
// replaced or added as by the user, with all its checks.

#include "change/blueprint.h"
#include "change/component.h"
#include "notify/dispatch.h"
#include "storage/chunk.h"
#include "storage/column.h"

enum { FEW = 16 }; // parts whose plans need no memory of their own

// What is planned for a part.
typedef struct plan {
    kin__room room;
    bool replaces; // the entity has it
} plan;

typedef struct application {
    kin_context *context;
    kin__use use;
    uint32_t part_count;
    uint64_t epoch;    // the context's count of resets at the beginning
    kin__step changed; // a part whose plan was changed last
    plan *plans;       // by part
    plan few[FEW];
} application;

static bool has(const application *application, uint32_t part)
{
    const kin_context *context = application->context;
    return kin__has(context, application->use.entity, application->use.blueprint->parts[part].id, context->row_words);
}

static size_t plans_size(const application *application)
{
    return application->part_count * sizeof *application->plans;
}

// Gives back those from `first` to `end`.
static void release(application *application, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        kin__room_release(application->context, application->use.blueprint->parts[i].id, &application->plans[i].room);
    if (application->plans != application->few)
        kin__release(&application->context->core->memory, application->plans, plans_size(application));
}

// One that is replaced keeps its box.
static bool make_room(application *application, uint32_t part)
{
    kin_context *context = application->context;
    const kin__part *place = &application->use.blueprint->parts[part];
    kin__room *room = &application->plans[part].room;
    application->plans[part].replaces = has(application, part);
    if (!application->plans[part].replaces) {
        uint32_t slot = kin_entity_slot(application->use.entity);
        return kin__column_reserve(context, slot, place->id) != NULL &&
               kin__indices_reserve(context, slot, place->id, 1) &&
               kin__room_make(context, place->id, place->value, room);
    }
    *room = (kin__room){.value = place->value};
    return kin__owned_block_make(context, place->id, &room->value, &room->owned_block);
}

static bool reserve(application *application)
{
    kin__memory *memory = &application->context->core->memory;
    application->plans = application->few;
    if (application->part_count > FEW)
        application->plans = kin__allocate(memory, plans_size(application));
    for (uint32_t i = 0; application->plans != NULL && i < application->part_count; i++)
        if (!make_room(application, i)) {
            release(application, 0, i);
            return false;
        }
    return application->plans != NULL;
}

static kin_status check(application *application)
{
    kin_context *context = application->context;
    const kin__use *use = &application->use;
    if (kin__chunk_of(context, use->entity) == NULL)
        return kin__use_refuse(context, use, KIN_ERROR_NOT_ALIVE, KIN__NO_PART, NULL);
    kin_status status = kin__use_check_unique(context, use);
    if (status == KIN_OK)
        status = kin__use_check_keys(context, use);
    if (status != KIN_OK)
        return status;
    if (!kin__dispatch_may_nest(context))
        return kin__use_refuse(context, use, KIN_ERROR_LIMIT, KIN__NO_PART, NULL);
    return reserve(application) ? KIN_OK : kin__use_refuse(context, use, KIN_ERROR_NO_MEMORY, KIN__NO_PART, NULL);
}

// A part that came or went since the plan. A flag that came is set already (FLG-02). It does not report a refusal.
static kin_status change_plan(application *application, const kin__step *step, uint32_t part)
{
    if (step->value == NULL && !application->plans[part].replaces)
        return KIN_OK;
    kin__room_release(application->context, step->id, &application->plans[part].room);
    application->changed = *step;
    application->changed.value = application->use.blueprint->parts[part].value;
    return kin__component_try_replace(application->context, &application->changed);
}

static kin_status replace(application *application, const kin__step *step, uint32_t part)
{
    kin_context *context = application->context;
    kin__step replacing = {KIN__STEP_REPLACE, step->entity, step->id, step->value};
    if (step->value == NULL)
        return KIN_OK; // a flag that is set already (FLG-02)
    kin_status status = kin__indices_check(context, &replacing);
    if (status == KIN_OK)
        kin__component_overwrite(context, &replacing, application->plans[part].room.owned_block);
    return status;
}

// `*changed`: the plan was changed, which has released the part's room.
static kin_status apply_part(application *application, uint32_t part, bool *changed)
{
    kin_context *context = application->context;
    const plan *plan = &application->plans[part];
    kin__step step = {KIN__STEP_ADD, application->use.entity, application->use.blueprint->parts[part].id,
                      plan->room.value};
    bool alive = application->epoch == context->core->dispatch.epoch && kin__chunk_of(context, step.entity) != NULL;
    *changed = alive && has(application, part) != plan->replaces;
    if (!alive)
        return KIN_ERROR_NOT_ALIVE;
    if (*changed)
        return change_plan(application, &step, part);
    if (plan->replaces)
        return replace(application, &step, part);
    kin_status status = kin__component_check_put(context, &step, application->epoch);
    if (status == KIN_OK)
        kin__component_put(context, step.entity, step.id, &plan->room);
    return status;
}

// Reports last, as `on_error` may destroy the context.
static kin_status refuse_part(const application *application, kin_status status, uint32_t part, bool changed)
{
    if (changed)
        return kin__component_refuse(application->context, status, "replace", &application->changed);
    return kin__use_refuse(application->context, &application->use, status, part, NULL);
}

static kin_status carry_out(application *application)
{
    bool changed = false;
    for (uint32_t i = 0; i < application->part_count; i++) {
        kin_status status = apply_part(application, i, &changed);
        if (status == KIN_OK)
            continue;
        release(application, changed ? i + 1 : i, application->part_count);
        return refuse_part(application, status, i, changed);
    }
    release(application, application->part_count, application->part_count);
    return KIN_OK;
}

kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity)
{
    application application = {.context = context, .epoch = context->core->dispatch.epoch};
    application.use = (kin__use){.blueprint = &context->blueprints[blueprint], .entity = entity};
    application.part_count = application.use.blueprint->part_count;
    kin_status status = check(&application);
    return status == KIN_OK ? carry_out(&application) : status;
}

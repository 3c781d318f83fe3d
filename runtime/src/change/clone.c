// Clones: an entity with the components that another one has.
//
// All that can fail is done first: the values of the source are copied aside with what their adds need. Then the entity
// is created and gets them one by one; its listeners may do anything, also with the source.

#include "change/component.h"
#include "change/entity.h"
#include "index/index.h"
#include "notify/dispatch.h"
#include "report/error.h"
#include "storage/chunk.h"
#include "storage/column.h"
#include "storage/value.h"

#include <stdio.h>
#include <string.h>

// One component to be added: its value, aside, and what its add needs.
typedef struct step {
    kin_component_id id;
    void *value;
    kin__room room;
} step;

typedef struct plan {
    kin_entity source;
    kin__pool *pool; // of the source
    uint32_t count;
    step *steps; // the values stand behind them
    size_t size; // bytes of all that
} plan;

// A unique component has no second carrier, a primary key no second entity, and what is dropped cannot be copied:
// nobody knows how.
static bool is_cloned(const kin_context *context, uint32_t id)
{
    const kin_component_info *info = &context->info->components[id];
    return !info->is_unique && !info->has_drops && !kin__indices_are_primary(context, (kin_component_id)id);
}

static void measure(const kin_context *context, plan *plan)
{
    size_t values = 0;
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(plan->source)), context->row_words)
    {
        if (!is_cloned(context, id))
            continue;
        plan->count++;
        values += kin__round_up(context->info->components[id].size);
    }
    plan->size = kin__round_up(plan->count * sizeof *plan->steps) + values;
}

static void copy_values(const kin_context *context, plan *plan)
{
    char *end = (char *)plan->steps + kin__round_up(plan->count * sizeof *plan->steps);
    step *step = plan->steps;
    EACH_OF_ROW(id, kin__row_of(context, kin_entity_slot(plan->source)), context->row_words)
    {
        if (!is_cloned(context, id))
            continue;
        size_t size = context->info->components[id].size;
        *step = (struct step){.id = (kin_component_id)id, .value = size == 0 ? NULL : end};
        kin__value_read(context, kin_entity_slot(plan->source), step->id, end);
        end += kin__round_up(size);
        step++;
    }
}

// Gives back what the steps from `first` on have not used, and the plan itself.
static void release_plan(kin_context *context, const plan *plan, uint32_t first)
{
    for (uint32_t i = first; i < plan->count; i++)
        kin__room_release(context, plan->steps[i].id, &plan->steps[i].room);
    kin__release(&context->core->memory, plan->steps, plan->size);
}

// For the slot that the new entity will have. False without memory, with nothing kept but columns.
static bool reserve(kin_context *context, plan *plan, uint32_t slot)
{
    measure(context, plan);
    if (plan->count == 0)
        return true;
    plan->steps = kin__allocate(&context->core->memory, plan->size);
    if (plan->steps == NULL)
        return false;
    copy_values(context, plan);
    for (uint32_t i = 0; i < plan->count; i++) {
        step *step = &plan->steps[i];
        if (kin__column_reserve(context, slot, step->id) != NULL && kin__indices_reserve(context, slot, step->id, 1) &&
            kin__room_make(context, step->id, step->value, &step->room))
            continue;
        release_plan(context, plan, 0);
        return false;
    }
    return true;
}

// Creates the clone and adds one component after the other. When that has become impossible there is no clone.
static kin_entity carry_out(kin_context *context, const plan *plan)
{
    uint64_t epoch = context->core->dispatch.epoch; // before any listener can reset the context
    kin_entity clone = kin__entity_begin(context, plan->pool);
    for (uint32_t i = 0; i < plan->count; i++) {
        kin_component_id id = plan->steps[i].id;
        kin__step step = {KIN__STEP_ADD, clone, id, plan->steps[i].room.value};
        kin_status status = kin__component_check_put(context, &step, epoch);
        if (status == KIN_OK) {
            kin__component_put(context, clone, id, &plan->steps[i].room);
            continue;
        }
        release_plan(context, plan, i);
        if (status != KIN_ERROR_NOT_ALIVE)
            kin__entity_end_fast(context, clone);
        kin__refuse_component(context, status, "complete a clone with", clone, id);
        return 0;
    }
    release_plan(context, plan, plan->count);
    return clone;
}

// Whether no key is in the way, which otherwise has been told.
static bool check_keys(const kin_context *context, kin_entity source)
{
    char reason[200];
    kin_component_id at = 0;
    kin__attempt attempt = {.verb = "clone", .entity = source, .reason = reason};
    const kin_index_info *index = kin__indices_forbid_clone(context, source);
    kin_status status = KIN_ERROR_DUPLICATE_KEY;
    if (index == NULL)
        status = kin__indices_check_clone(context, source, is_cloned, &at);
    if (status == KIN_OK)
        return true;
    if (index != NULL)
        snprintf(reason, sizeof reason, "its key in index %s would be there twice; create an entity and add to it",
                 index->name);
    else
        snprintf(reason, sizeof reason, "with %s the clone would have a key that %s; create an entity and add to it",
                 context->info->components[at].name,
                 status == KIN_ERROR_INVALID ? "is not a number" : "another entity has");
    kin__refuse(context, status, &attempt);
    return false;
}

kin_entity kin__entity_clone(kin_context *context, kin_entity source)
{
    const kin__chunk *chunk = kin__chunk_of(context, source);
    kin__attempt attempt = {.verb = "clone", .entity = source};
    if (chunk == NULL) {
        kin__refuse(context, KIN_ERROR_NOT_ALIVE, &attempt);
        return 0;
    }
    uint32_t slot;
    plan plan = {.source = source, .pool = chunk->pool};
    if (!check_keys(context, source) || kin__entity_reserve(context, plan.pool, &slot) != KIN_OK)
        return 0;
    if (!reserve(context, &plan, slot)) {
        kin__refuse(context, KIN_ERROR_NO_MEMORY, &attempt);
        return 0;
    }
    return carry_out(context, &plan);
}

#include "notify/journal.h"

#include "notify/subscriber.h"

static void turn(kin_context *context, kin_component_id id, bool on)
{
    kin__watch *watch = &context->core->watches[id];
    KIN_ASSERT(kin__journal_is_on(watch) != on);
    watch->side_effects ^= KIN__SIDE_EFFECT_JOURNAL;
    watch->toggles_fast = watch->is_fast && !on;
    kin__component_watch(context, id, on);
}

static size_t table_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__journal *);
}

// Returns the journal of a component, made if it is missing; NULL when out of memory.
static kin__journal *find_or_make(kin_context *context, kin_component_id id)
{
    kin__core *core = context->core;
    if (core->journals == NULL)
        core->journals = kin__allocate_zero(&core->group_memory, table_size(context));
    if (core->journals != NULL && core->journals[id] == NULL)
        core->journals[id] = kin__allocate_zero(&core->group_memory, sizeof *core->journals[id]);
    return core->journals == NULL ? NULL : core->journals[id];
}

void kin__journal_begin(kin_context *context, kin_component_id id)
{
    kin__journal *journal = find_or_make(context, id);
    if (journal == NULL)
        return;
    journal->read_at = context->components[id].changes;
    if (!kin__journal_is_on(&context->core->watches[id]))
        turn(context, id, true);
}

void kin__journal_end(kin_context *context, kin_component_id id)
{
    turn(context, id, false);
}

void kin__journals_release(kin_context *context)
{
    kin__core *core = context->core;
    if (core->journals == NULL)
        return;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        kin__release(&core->group_memory, core->journals[id], sizeof *core->journals[id]);
    kin__release(&core->group_memory, core->journals, table_size(context));
}

size_t kin__journals_used(const kin_context *context)
{
    struct kin__journal *const *journals = context->core->journals;
    size_t used = journals == NULL ? 0 : table_size(context);
    for (uint32_t id = 0; journals != NULL && id < context->info->component_count; id++)
        used += journals[id] == NULL ? 0 : sizeof *journals[id];
    return used;
}

bool kin__journal_is_valid(const kin_context *context, kin_component_id id)
{
    const kin__watch *watch = &context->core->watches[id];
    bool is_on = kin__journal_is_on(watch);
    if (watch->toggles_fast != (watch->is_fast && !is_on))
        return false;
    return !is_on || (context->components[id].watchers > 0 &&
                      context->core->journals[id]->read_at <= context->components[id].changes);
}

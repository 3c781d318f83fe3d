// Advice on parallel systems: those that gain nothing, systems that see their commands one update later, and systems
// that do not see what they write in place.
#include "generator/read/read.h"

#include "generator/schema/schema.h"

// ---- systems that never run beside anything

static bool has_job(const declared_system *system)
{
    return system->job.is_parallel && (system->roles[ROLE_UPDATE] || system->roles[ROLE_EXECUTE]);
}

static bool is_alone(const package *package, size_t number)
{
    const declared_system *system = package->systems[number];
    for (size_t i = 0; i < package->system_count; i++) {
        const declared_system *other = package->systems[i];
        bool is_of_stage = other->node == system->node && other->after == system->after;
        bool is_of_batch = is_of_stage && other->batch == system->batch;
        if (i != number && has_job(other) && is_of_batch)
            return false;
    }
    return true;
}

static void advise_on_use(diagnostics *diagnostics, const package *package, size_t number)
{
    const declared_system *system = package->systems[number];
    if (!system->job.is_parallel || schema_has_pieces(system) || (has_job(system) && !is_alone(package, number)))
        return;
    if (!has_job(system)) {
        diagnostic_warning(diagnostics, CODE_USELESS_PARALLEL, system->job.span,
                           "system '%s' is parallel, but has neither 'update' nor 'execute'", system->name);
        diagnostic_hint(diagnostics, "remove 'parallel'; its other functions run one at a time");
        return;
    }
    diagnostic_warning(diagnostics, CODE_USELESS_PARALLEL, system->job.span,
                       "system '%s' is parallel, but runs as one piece and beside no other system", system->name);
    diagnostic_hint(diagnostics, "remove it, or see 'kin list --schedule' for what keeps it apart");
}

// ---- systems that see commands late

// Whether the rules name the component. What a job switches off is left out one system late, as is what it destroys:
// that is no reason for a warning.
static bool rules_name(const context *context, const rule *rules, size_t count, const component *component)
{
    for (size_t i = 0; i < count; i++)
        if ((rules[i].kind != RULE_NONE || component != context->off) && schema_rules_name(&rules[i], 1, component))
            return true;
    return false;
}

static bool names(const group *group, const component *component)
{
    return group != NULL && (rules_name(group->context, group->rules, group->rule_count, component) ||
                             schema_lists(group->maybe, component));
}

// Whether the keys of the index, or which entities it has, depend on the component.
static bool has_keys_of(const entity_index *index, const component *component)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (index->key[i].component == component)
            return true;
    return schema_lists((component_list){index->of, index->of_count}, component) ||
           rules_name(index->context, index->rules, index->rule_count, component);
}

static bool looks_up(const system_job *job, const component *component)
{
    for (size_t i = 0; i < job->look_up_count; i++)
        if (has_keys_of(job->looks_up[i], component))
            return true;
    return false;
}

// Returns how the system depends on the component; NULL if it does not.
static const char *find_use(const declared_system *system, const component *component)
{
    for (size_t i = 0; i < system->trigger_count; i++)
        if (names(system->triggers[i].group, component))
            return "reacts to";
    if (schema_lists((component_list){system->reads, system->read_count}, component) ||
        names(system->group, component) || schema_lists(system->maybe, component))
        return "reads";
    return looks_up(&system->job, component) ? "looks up" : NULL;
}

// Warns once for each pair of systems.
static void advise_on_pair(diagnostics *diagnostics, const declared_system *earlier, const declared_system *later)
{
    const system_job *job = &earlier->job;
    for (size_t i = 0; i < job->change_count; i++) {
        const char *use = find_use(later, job->changes[i]);
        if (use == NULL)
            continue;
        diagnostic_warning(diagnostics, CODE_SEEN_LATE, later->span,
                           "system '%s' %s '%s' before the commands of system '%s' change it: it sees them in the next "
                           "update",
                           later->name, use, job->changes[i]->name, earlier->name);
        diagnostic_hint(diagnostics, "put it in a node that runs after '%s'", earlier->node->name);
        diagnostic_note(diagnostics, job->change_spans[i], "'%s' changes it here", earlier->name);
        return;
    }
}

// Warns if the later system receives a message of the earlier one only in the next update.
static void advise_on_messages(diagnostics *diagnostics, const declared_system *earlier, const declared_system *later)
{
    for (size_t i = 0; i < earlier->job.publish_count * later->inbox_count; i++) {
        const system_inbox *inbox = &later->inboxes[i % later->inbox_count];
        if (inbox->message != earlier->job.publishes[i / later->inbox_count])
            continue;
        diagnostic_warning(diagnostics, CODE_SEEN_LATE, inbox->span,
                           "system '%s' runs before the commands of system '%s' publish '%s': it receives them in the "
                           "next update",
                           later->name, earlier->name, inbox->message->name);
        diagnostic_hint(diagnostics, "put it in a node that runs after '%s'", earlier->node->name);
        return;
    }
}

// Commands run after the last system of a stage.
static void advise_on_commands(diagnostics *diagnostics, const package *package, size_t number)
{
    const declared_system *earlier = package->systems[number];
    for (size_t i = number + 1; earlier->job.is_parallel && i < package->system_count; i++) {
        const declared_system *later = package->systems[i];
        if (later->node != earlier->node || later->after != earlier->after)
            return;
        advise_on_pair(diagnostics, earlier, later);
        advise_on_messages(diagnostics, earlier, later);
    }
}

// ---- what is written in place

// Returns how the system waits for replaces and touches of the component; NULL if it does not.
static const char *find_wait(const declared_system *system, const component *component)
{
    for (size_t i = 0; i < system->trigger_count; i++)
        if (system->triggers[i].event == TRIGGER_MODIFIED && names(system->triggers[i].group, component))
            return "reacts to";
    bool is_column = names(system->group, component) || schema_lists(system->maybe, component);
    bool writes = schema_lists((component_list){system->writes, system->write_count}, component);
    return system->only_changed && is_column && !writes ? "visits only changes of" : NULL;
}

// Warns once for each pair of systems. A job cannot touch what it has written.
static void advise_on_writes(diagnostics *diagnostics, const package *package, const declared_system *writer)
{
    for (size_t i = 0; i < package->system_count * writer->write_count; i++) {
        const declared_system *other = package->systems[i / writer->write_count];
        const component *component = writer->writes[i % writer->write_count];
        const char *wait = find_wait(other, component);
        if (wait == NULL || other == writer)
            continue;
        diagnostic_warning(diagnostics, CODE_UNNOTICED_WRITE, writer->span,
                           "parallel system '%s' writes '%s' in place, and system '%s', which %s it, does not notice",
                           writer->name, component->name, other->name, wait);
        diagnostic_hint(diagnostics,
                        "put '%s' in 'changes' instead and replace it, or touch it in a system that is not parallel",
                        component->name);
    }
}

void advice_on_parallel(diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->system_count; i++) {
        advise_on_use(diagnostics, package, i);
        advise_on_commands(diagnostics, package, i);
        if (has_job(package->systems[i]))
            advise_on_writes(diagnostics, package, package->systems[i]);
    }
}

// The symbols of the jobs of parallel systems: a function for each thing that they may do, in each of its contexts.
#include "check/private/symbols_collector.h"
#include "generator/schema/schema.h"

// The system whose functions are appended.
typedef struct job_symbols {
    symbol_collector *collector;
    const declared_system *system;
    symbol_origin origin;
} job_symbols;

// Appends "steer_get_position", for a name "Position"; with several contexts one for each, "steer_get_position_game".
static void append(const job_symbols *symbols, const char *verb, const char *name, system_contexts contexts)
{
    symbol_collector *collector = symbols->collector;
    arena *arena = collector->arena;
    const char *function =
        arena_format(arena, "%s%s_%s%s", collector->package->prefix, name_to_snake_case(arena, symbols->system->name),
                     verb, name_to_snake_case(arena, name));
    for (size_t i = 0; i < (contexts.count < 2 ? 1 : contexts.count); i++) {
        symbol symbol = {.kind = SYMBOL_NAME, .origin = symbols->origin.description, .span = symbols->origin.span};
        symbol.name =
            contexts.count < 2 ? function : arena_format(arena, "%s_%s", function, contexts.contexts[i]->name);
        symbols_append(collector, symbol);
    }
}

static system_contexts contexts_of(const job_symbols *symbols, const component *component)
{
    system_contexts all = {component->contexts, component->context_count};
    return schema_job_contexts(symbols->collector->arena, symbols->system, all);
}

static void append_read(const job_symbols *symbols, const component *component)
{
    system_contexts contexts = contexts_of(symbols, component);
    if (component->fields.count == 0) {
        append(symbols, arena_format(symbols->collector->arena, "%s_", component->flag_prefix), component->name,
               contexts);
        return;
    }
    append(symbols, component->is_soa ? "read_" : "get_", component->name, contexts);
    append(symbols, "has_", component->name, contexts);
}

// Appends the functions that change a component; those that the job cannot have are declared to say so.
static void append_change(const job_symbols *symbols, const component *component)
{
    static const char *const verbs[] = {"add_", "replace_", "remove_", "edit_"};
    system_contexts contexts = contexts_of(symbols, component);
    if (component->fields.count == 0)
        append(symbols, "set_", component->name, contexts);
    for (size_t i = 0; component->fields.count > 0 && i < sizeof verbs / sizeof *verbs; i++)
        append(symbols, verbs[i], component->name, contexts);
}

static void append_look_ups(const job_symbols *symbols)
{
    const system_job *job = &symbols->system->job;
    for (size_t i = 0; i < job->look_up_count; i++) {
        const entity_index *index = job->looks_up[i];
        system_contexts contexts = schema_job_index_contexts(symbols->collector->arena, job, index->name);
        if (contexts.contexts[0] == index->context)
            append(symbols, index->kind == INDEX_PRIMARY ? "entity_with_" : "copy_entities_with_", index->symbol_name,
                   contexts);
    }
}

void symbols_collect_job(symbol_collector *collector, const declared_system *system, symbol_origin origin)
{
    const package *package = collector->package;
    const system_job *job = &system->job;
    job_symbols symbols = {collector, system, origin};
    system_contexts none = {.count = 0}, all = {package->contexts, package->context_count};
    symbols_collect(collector, SCOPE_JOB, (symbol_subject){.system = system->name}, origin);
    component_list components = schema_job_components(collector->arena, package, system);
    for (size_t i = 0; i < components.count; i++) {
        append_read(&symbols, components.components[i]);
        append_change(&symbols, components.components[i]);
    }
    append_look_ups(&symbols);
    for (size_t i = 0; i < job->spawn_count; i++)
        append(&symbols, "spawn_", job->spawns[i]->name, none);
    append(&symbols, "destroy_", "entity", schema_job_contexts(collector->arena, system, all));
    append(&symbols, "create_", "entity", schema_job_contexts(collector->arena, system, all));
    for (size_t i = 0; i < job->publish_count; i++)
        append(&symbols, "publish_", job->publishes[i]->name, none);
}

// A run of a reactive system: take, ask, execute, let go. What was taken is held throughout.

#include "systems/systems.h"

static bool passes(void *user, kin_context *context, kin_entity entity)
{
    const kin_reactive_system *system = user;
    if (system->filter == NULL)
        return kin_entity_is_alive(context, entity);
    return system->filter(system->self, context, entity);
}

// A context that a run works on cannot be destroyed inside of it.
static void set_busy(const kin_collector *collector, bool busy)
{
    for (uint32_t i = 0; i < collector->source_count; i++)
        if (collector->sources[i].context != NULL)
            collector->sources[i].context->core->busy += busy ? 1u : (uint32_t)-1;
}

static void execute(const kin_reactive_system *system, const kin__source *source)
{
    uint32_t count = 0;
    const kin_entity *entities = kin__collector_taken(source, &count);
    if (count > 0 && system->execute != NULL)
        system->execute(system->self, source->context, entities, count);
}

void kin__reactive_run(kin__reactive *reactive)
{
    kin_collector *collector = reactive->collector;
    if (reactive->running || kin_collector_count(collector) == 0)
        return;
    reactive->running = true;
    set_busy(collector, true);
    kin__collector_take(collector);
    kin__collector_sieve(collector, passes, &reactive->system);
    for (uint32_t i = 0; i < collector->source_count; i++)
        execute(&reactive->system, &collector->sources[i]);
    kin__collector_put_back(collector);
    set_busy(collector, false);
    reactive->running = false;
}

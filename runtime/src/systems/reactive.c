// The run of a reactive node: takes the collected entities, filters them, executes, releases them. They are held
// throughout.

#include "base/base.h"
#include "systems/systems.h"

static bool passes(void *user, kin_context *context, kin_entity entity)
{
    const kin__node *node = user;
    if (node->reactive.filter == NULL)
        return kin_entity_is_alive(context, entity);
    return node->reactive.filter(node->self, context, entity);
}

// A context cannot be destroyed while it is busy.
static void set_busy(const kin_collector *collector, bool busy)
{
    for (uint32_t i = 0; i < collector->source_count; i++) {
        kin_context *context = collector->sources[i].context;
        KIN_ASSERT(busy || context == NULL || context->core->busy > 0);
        if (context != NULL)
            context->core->busy += busy ? 1u : (uint32_t)-1;
    }
}

static void execute(const kin__node *node, const kin__source *source)
{
    uint32_t count = 0;
    const kin_entity *entities = kin__collector_taken(source, &count);
    if (count > 0 && node->reactive.execute != NULL)
        node->reactive.execute(node->self, source->context, entities, count);
}

bool kin__reactive_begin(kin__node *node)
{
    kin_collector *collector = node->reactive.collector;
    KIN_ASSERT(collector != NULL);
    if (node->reactive.running || kin_collector_count(collector) == 0)
        return false;
    node->reactive.running = true;
    set_busy(collector, true);
    kin__collector_take(collector);
    kin__collector_filter(collector, passes, node);
    return true;
}

void kin__reactive_end(kin__node *node)
{
    kin__collector_drop_taken(node->reactive.collector);
    set_busy(node->reactive.collector, false);
    node->reactive.running = false;
}

void kin__reactive_forget(kin__node *node)
{
    if (node->reactive.running)
        set_busy(node->reactive.collector, false);
    node->reactive.running = false;
}

void kin__reactive_run(kin__node *node)
{
    const kin_collector *collector = node->reactive.collector;
    if (!kin__reactive_begin(node))
        return;
    for (uint32_t i = 0; i < collector->source_count; i++)
        execute(node, &collector->sources[i]);
    kin__reactive_end(node);
}

// memory.report: what the components and blueprints of a context need, measured one component after the other.
#include "feature/internal.h"

typedef struct memory_task {
    kin_component_usage *components; // in the capture
    kin_pool_usage *pools;
    uint32_t measured, chunks;
} memory_task;

static bool parse(kin__task *task)
{
    memory_task *data = task->data;
    size_t components = task->site->info->component_count * sizeof *data->components + 1;
    size_t pools = (task->site->info->blueprint_count + 1) * sizeof *data->pools;
    if (!kin__task_make_capture(task, components + pools + 64, 0))
        return false;
    data->components = kin__capture_reserve(&task->capture, components);
    data->pools = kin__capture_reserve(&task->capture, pools);
    return true;
}

static bool step(kin__task *task)
{
    memory_task *data = task->data;
    const kin_context *context = task->site->context;
    data->chunks = kin_context_chunk_count(context);
    while (data->measured < task->site->info->component_count) {
        data->components[data->measured] =
            kin_component_memory(context, (kin_component_id)data->measured, 0, data->chunks);
        data->measured++;
        if (kin__task_is_late(task))
            return false;
    }
    kin_context_pools(context, 0, data->chunks, data->pools);
    return true;
}

static void show(const kin__task *task, kin__json *json)
{
    const memory_task *data = task->data;
    const kin_context_info *info = task->site->info;
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "chunks", data->chunks);
    kin__json_begin_member(json, "components", '[');
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin_component_usage *usage = &((const memory_task *)task->data)->components[id];
        kin__json_begin(json, '{');
        kin__json_put_string(json, "component", task->site->info->components[id].name);
        kin__json_put_natural(json, "columns", usage->columns);
        kin__json_put_natural(json, "values", usage->values);
        kin__json_put_natural(json, "used", usage->memory.used);
        kin__json_put_natural(json, "allocated", usage->memory.allocated);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
    kin__json_begin_member(json, "pools", '[');
    for (uint32_t i = 0; i <= info->blueprint_count; i++) {
        const kin_pool_usage *pool = &data->pools[i];
        kin__json_begin(json, '{');
        kin__json_put_string(json, "blueprint", i == 0 ? NULL : info->blueprints[i - 1].name);
        kin__json_put_natural(json, "chunks", pool->chunks);
        kin__json_put_natural(json, "entities", pool->entities);
        kin__json_put_natural(json, "free", pool->free);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_memory = {
    .name = "memory.report",
    .doc = "The memory of each component, and the slots of each blueprint.",
    .result =
        "frame, chunks, components of component, columns, values, used and allocated, pools of blueprint, chunks, "
        "entities and free",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(memory_task),
    .parse = parse,
    .step = step,
    .show = show,
};

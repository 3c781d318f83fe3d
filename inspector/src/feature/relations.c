// relations.list: where an entity stands in the relations of its context.
#include "feature/internal.h"

#include <kin/generated/relation.h>

enum { CAPTURE = 256 * 1024, STRING = 256, HOLDERS = 12, MOST_HOLDERS = 1000, MOST_LEVELS = 32 };

typedef struct related {
    struct related *next;
    kin_entity entity;
    const void *label;
    const char *name;
} related;

typedef struct relation_row {
    struct relation_row *next;
    const kin_relation_info *info;
    uint32_t holder_count;
    related *holders; // the first ones
    related *above;   // the entities above the entity, the root first
} relation_row;

typedef struct relations_task {
    json_int_t limit;
    relation_row *first;
} relations_task;

static bool parse(kin__task *task)
{
    relations_task *data = task->data;
    data->limit = HOLDERS;
    return kin__parameter_entity(task, "entity", &task->entity) &&
           kin__parameter_integer(task, "limit", &data->limit) && kin__task_make_capture(task, CAPTURE, STRING);
}

// ---- capturing

static related *capture_related(kin__task *task, kin_entity entity)
{
    related *related = kin__capture_reserve(&task->capture, sizeof *related);
    if (related == NULL)
        return NULL;
    related->entity = entity;
    related->label = kin__capture_label(&task->capture, task->site->context, entity);
    if (related->label == NULL)
        related->name = kin__capture_name(&task->capture, task->site->context, entity);
    return related;
}

// In the order of the relation.
static void capture_holders(kin__task *task, uint32_t number, relation_row *row)
{
    const kin_context *context = task->site->context;
    const relations_task *data = task->data;
    related **end = &row->holders;
    kin_entity holder = kin__relation_first(context, number, task->entity);
    row->holder_count = kin__relation_count(context, number, task->entity);
    for (json_int_t i = 0; i < data->limit && holder != 0; i++) {
        *end = capture_related(task, holder);
        if (*end == NULL)
            return;
        end = &(*end)->next;
        holder = kin__relation_next(context, number, holder);
    }
}

static kin_entity target_of(const kin__task *task, const kin_relation_info *relation, kin_entity holder)
{
    char value[1024] = {0};
    kin_entity target = 0;
    const kin_component_info *component = &task->site->info->components[relation->component];
    if (component->size > sizeof value || !kin_look_read(task->site->context, holder, relation->component, value))
        return 0;
    memcpy(&target, value + relation->field->offset, sizeof target);
    if (!kin_entity_is_alive(task->site->context, target))
        return 0;
    return target;
}

static void capture_above(kin__task *task, relation_row *row)
{
    kin_entity entity = target_of(task, row->info, task->entity);
    for (uint32_t i = 0; i < MOST_LEVELS && entity != 0; i++) {
        related *parent = capture_related(task, entity);
        if (parent == NULL)
            return;
        parent->next = row->above;
        row->above = parent;
        entity = target_of(task, row->info, entity);
    }
}

static bool is_hidden(const kin_context_info *info, const kin_relation_info *relation)
{
    return info->components[relation->component].inspect == KIN_INSPECT_HIDDEN ||
           relation->field->inspect == KIN_INSPECT_HIDDEN;
}

static bool step(kin__task *task)
{
    const kin_context_info *info = task->site->info;
    relations_task *data = task->data;
    relation_row **end = &data->first;
    if (!kin__task_needs_living(task, task->entity))
        return true;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        if (is_hidden(info, &info->relations[i]))
            continue;
        *end = kin__capture_reserve(&task->capture, sizeof **end);
        if (*end == NULL)
            return true;
        (*end)->info = &info->relations[i];
        capture_holders(task, i, *end);
        if (info->relations[i].is_tree)
            capture_above(task, *end);
        end = &(*end)->next;
    }
    return true;
}

// ---- the answer

static void show_related(const kin__task *task, kin__json *json, const char *key, const related *first)
{
    kin__json_begin_member(json, key, '[');
    for (const related *each = first; each != NULL; each = each->next) {
        kin__json_begin(json, '{');
        kin__json_put_entity(json, "e", each->entity);
        kin__show_label(json, task->site->info, each->label);
        if (each->name != NULL)
            kin__json_put_string(json, "name", each->name);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

static void show(const kin__task *task, kin__json *json)
{
    const relations_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_begin_member(json, "relations", '[');
    for (const relation_row *row = data->first; row != NULL; row = row->next) {
        kin__json_begin(json, '{');
        kin__json_put_string(json, "name", row->info->name);
        kin__json_put_string(json, "component", task->site->info->components[row->info->component].name);
        kin__json_put_string(json, "field", row->info->field->name);
        kin__json_put_bool(json, "tree", row->info->is_tree);
        kin__json_put_natural(json, "count", row->holder_count);
        show_related(task, json, "holders", row->holders);
        show_related(task, json, "above", row->above);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_relations = {
    .name = "relations.list",
    .doc = "Which entities hold a relation to an entity, in the order of the relation, and what is above it in trees.",
    .result =
        "frame, relations of name, component, field, tree, count, holders and above, each of e, and label or name",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", true, "the handle, creation:slot", 0, 0},
                   {"limit", "integer", false, "holders of each relation at most, 0 to 1000; 12 without it", 0,
                    MOST_HOLDERS}},
    .data_size = sizeof(relations_task),
    .parse = parse,
    .step = step,
    .show = show,
};

// schema.get: what the schema says of a context.

#include "query/query.h"
#include "method/methods.h"
#include "host/host.h"

static const char *const inspect_names[] = {"edit", "read_only", "hidden"};

static bool parse(kin__task *task)
{
    bool is_found = kin__parameter_context(task);
    task->host = NULL;
    return is_found;
}

static void put_bound(kin__json *json, const char *key, kin_type type, kin_number bound)
{
    kin__json_key(json, key);
    if (type == KIN_TYPE_INT64)
        kin__json_digits(json, bound.integer);
    else if (type == KIN_TYPE_UINT64)
        kin__json_natural_digits(json, bound.natural);
    else if (kin__scalar_kind_of(type) == KIN__SCALAR_INTEGER)
        kin__json_integer(json, bound.integer);
    else if (kin__scalar_kind_of(type) == KIN__SCALAR_NATURAL)
        kin__json_natural(json, bound.natural);
    else
        kin__json_number(json, bound.number, type == KIN_TYPE_FLOAT);
}

static void show_fields(kin__json *json, const kin_field_info *fields, uint32_t count);

static void show_of(kin__json *json, const kin_field_info *field)
{
    kin__json_put_string(json, "of", field->of->name);
    if (field->type == KIN_TYPE_STRUCT)
        show_fields(json, field->of->fields, field->of->field_count);
    if (field->type != KIN_TYPE_ENUM)
        return;
    kin__json_key(json, "values");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < field->of->value_count; i++)
        kin__json_string(json, field->of->values[i].name);
    kin__json_end(json, ']');
}

static void show_field(kin__json *json, const kin_field_info *field)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", field->name);
    kin__json_put_string(json, "type", kin_type_name(field->type));
    kin__json_put_string(json, "doc", field->doc);
    kin__json_put_string(json, "unit", field->unit);
    kin__json_put_string(json, "inspect", inspect_names[field->inspect]);
    if (field->count > 0)
        kin__json_put_natural(json, "count", field->count);
    if (field->is_list)
        kin__json_put_bool(json, "list", true);
    if (field->target != NULL)
        kin__json_put_string(json, "target", field->target);
    if (field->range != NULL && field->range->has_min)
        put_bound(json, "minimum", field->type, field->range->min);
    if (field->range != NULL && field->range->has_max)
        put_bound(json, "maximum", field->type, field->range->max);
    if (field->of != NULL)
        show_of(json, field);
    kin__json_end(json, '}');
}

// Structs do not contain themselves, so this ends.
static void show_fields(kin__json *json, const kin_field_info *fields, uint32_t count)
{
    kin__json_key(json, "fields");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].inspect != KIN_INSPECT_HIDDEN)
            show_field(json, &fields[i]);
    kin__json_end(json, ']');
}

static void show_component(kin__json *json, const kin_component_info *info)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", info->name);
    kin__json_put_string(json, "doc", info->doc);
    kin__json_put_string(json, "inspect", inspect_names[info->inspect]);
    kin__json_put_bool(json, "flag", info->field_count == 0);
    kin__json_put_bool(json, "unique", info->is_unique);
    if (info->inspect != KIN_INSPECT_HIDDEN)
        show_fields(json, info->fields, info->field_count);
    kin__json_end(json, '}');
}

// A field that is hidden is in no query, nor is its relation here.
static void show_relation(kin__json *json, const kin_context_info *info, const kin_relation_info *relation)
{
    const kin_component_info *component = &info->components[relation->component];
    if (component->inspect == KIN_INSPECT_HIDDEN || relation->field->inspect == KIN_INSPECT_HIDDEN)
        return;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", relation->name);
    kin__json_put_string(json, "component", component->name);
    kin__json_put_string(json, "field", relation->field->name);
    kin__json_put_bool(json, "tree", relation->is_tree);
    kin__json_end(json, '}');
}

static void show_relations(kin__json *json, const kin_context_info *info)
{
    kin__json_key(json, "relations");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < info->relation_count; i++)
        show_relation(json, info, &info->relations[i]);
    kin__json_end(json, ']');
}

static void show_named(kin__json *json, const char *name, const char *doc)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", name);
    kin__json_put_string(json, "doc", doc);
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const kin_context_info *info = task->site->info;
    kin__json_begin(json, '{');
    kin__json_put_string(json, "context", task->site->name);
    kin__json_put_string(json, "package", info->package == NULL ? NULL : info->package->name);
    kin__json_put_string(json, "doc", info->doc);
    kin__json_key(json, "stamp");
    kin__json_natural_digits(json, info->stamp);
    kin__json_key(json, "components");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < info->component_count; i++)
        show_component(json, &info->components[i]);
    kin__json_end(json, ']');
    kin__json_key(json, "groups");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < info->group_count; i++)
        show_named(json, info->groups[i].name, info->groups[i].doc);
    kin__json_end(json, ']');
    kin__json_key(json, "blueprints");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        show_named(json, info->blueprints[i].name, info->blueprints[i].doc);
    kin__json_end(json, ']');
    show_relations(json, info);
    kin__json_end(json, '}');
}

const kin__method kin__method_schema = {
    .name = "schema.get",
    .doc = "What the schema says of a context: components with their fields, groups, blueprints and relations.",
    .result = "context, package, doc, stamp, components, groups, blueprints, relations",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .parse = parse,
    .show = show,
};

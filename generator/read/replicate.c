// Reads what is sent to replicas: `replicate` of components, `precision`, and checks of `blend`, `zone` and `peer`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- components

void read_replicate(reader *reader, const tree_node *mapping, const char *what, component *component)
{
    const tree_node *node = tree_find(mapping, "replicate");
    bool is_sent = true;
    if (node == NULL)
        return;
    if (tree_is_text(node) && strcmp(node->text, "owner") == 0) {
        component->replicate = REPLICATE_OWNER;
    } else if (!tree_is_text(node) || (strcmp(node->text, "true") != 0 && strcmp(node->text, "false") != 0)) {
        if (!reader_expect_text(reader, node, arena_format(reader->arena, "'replicate' of %s", what)))
            return;
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span,
                         "unknown replicate '%s'; expected true, false or owner", node->text);
    } else if (reader_read_bool(reader, node, &is_sent) && !is_sent) {
        component->replicate = REPLICATE_NONE;
    }
}

// ---- fields

// The keys of networks that a field has, in its long form.
typedef struct field_keys {
    reader *reader;
    const tree_node *node; // NULL: the short form
    const char *what;      // "field 'at' of component 'Position'"
    field *field;
} field_keys;

static field_keys keys_of(reader *reader, const field_draft_list *list, size_t index, const char *what)
{
    return (field_keys){.reader = reader,
                        .node = list->drafts[index].is_broken ? NULL : list->drafts[index].node,
                        .what = arena_format(reader->arena, "field '%s' of %s", list->fields[index].name, what),
                        .field = &list->fields[index]};
}

static const tree_node *find_key(const field_keys *keys, const char *key)
{
    if (keys->node == NULL)
        return NULL;
    return tree_find_key(keys->node, key);
}

static bool is_floating(const field_type *type)
{
    bool is_broken_struct = type->kind == TYPE_STRUCT && draft_of(type->definition)->is_broken;
    return is_broken_struct || (!type->is_list && schema_is_floating(type));
}

// Reports `precision` or `blend` of a field that has other values than floating-point numbers.
static bool check_floating(const field_keys *keys, const char *name)
{
    const tree_node *key = find_key(keys, name);
    if (key == NULL || is_floating(&keys->field->type))
        return key != NULL;
    diagnostic_error(keys->reader->diagnostics, CODE_PRECISION, key->span, "'%s' requires floats, and %s is of type %s",
                     name, keys->what, schema_type_name(keys->reader->arena, &keys->field->type));
    diagnostic_hint(keys->reader->diagnostics, "remove it, or write a type of float or double");
    return false;
}

static void read_precision(const field_keys *keys)
{
    static const field_type type = {.kind = TYPE_DOUBLE};
    if (!check_floating(keys, "precision"))
        return;
    const tree_node *node = tree_find(keys->node, "precision");
    if (read_constant(keys->reader, &type, node) == NULL)
        return;
    // The generator never calls setlocale, so the decimal separator is a dot. strtod reads .inf and .nan as 0.
    double precision = strtod(node->text, NULL);
    if (precision > 0) {
        keys->field->precision = precision;
        return;
    }
    diagnostic_error(keys->reader->diagnostics, CODE_PRECISION, node->span,
                     "'precision' of %s must be a finite number greater than 0", keys->what);
    diagnostic_hint(keys->reader->diagnostics, "write the step of the values that replicas get, such as 0.01");
}

// Reports `zone` of a field that is not an int32, or `peer` of one that is not a uint32.
static void check_number(const field_keys *keys, const char *name, type_kind kind, bool *is_set)
{
    const field_type *type = &keys->field->type;
    const char *expected = scalar_type_of(kind)->name;
    if (!*is_set)
        return;
    if (type->kind == kind && type->array_count == 0 && !type->is_list)
        return;
    *is_set = false;
    diagnostic_error(keys->reader->diagnostics, CODE_ZONE_TYPE, find_key(keys, name)->span,
                     "'%s' requires a field of type %s, and %s is of type %s", name, expected, keys->what,
                     schema_type_name(keys->reader->arena, type));
    diagnostic_hint(keys->reader->diagnostics, "write 'type: %s', or remove '%s'", expected, name);
}

// Reports a key that only fields of other elements can have.
static void refuse_key(const field_keys *keys, const char *name, diagnostic_code code, const char *owners)
{
    const tree_node *key = find_key(keys, name);
    if (key == NULL)
        return;
    diagnostic_error(keys->reader->diagnostics, code, key->span, "%s cannot have '%s'; only fields of %s can",
                     keys->what, name, owners);
    diagnostic_hint(keys->reader->diagnostics, "remove it");
}

void read_field_replication(reader *reader, field_draft_list *list, field_owner owner, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        field_keys keys = keys_of(reader, list, i, what);
        if (keys.node == NULL)
            continue;
        read_precision(&keys);
        if (owner == FIELDS_OF_STRUCT) {
            refuse_key(&keys, "zone", CODE_ZONE_TYPE, "components and messages");
            refuse_key(&keys, "peer", CODE_ZONE_TYPE, "components and messages");
        } else {
            check_number(&keys, "zone", TYPE_INT32, &keys.field->is_zone);
            check_number(&keys, "peer", TYPE_UINT32, &keys.field->is_peer);
        }
        if (owner == FIELDS_OF_COMPONENT)
            keys.field->is_blended = check_floating(&keys, "blend") && keys.field->is_blended;
        else
            refuse_key(&keys, "blend", CODE_PRECISION, "components");
        if (owner == FIELDS_OF_MESSAGE)
            refuse_key(&keys, "replicate", CODE_REPLICATE_UNSAVED, "components and structs");
    }
}

// ---- messages

// Returns the field that has an opaque value, also in a struct, or NULL. Only fields that are sent count.
static const field *find_opaque(const field_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        bool is_struct = field->type.kind == TYPE_STRUCT;
        if (!schema_field_is_sent(field) || field->type.is_unknown)
            continue;
        if (field->type.kind == TYPE_OPAQUE)
            return field;
        if (is_struct && !draft_of(field->type.definition)->is_broken &&
            find_opaque(&field->type.definition->fields) != NULL)
            return field;
    }
    return NULL;
}

static const field *find_second(const field_list *list, size_t offset)
{
    const field *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        bool is_set = *(const bool *)((const char *)&list->fields[i] + offset);
        if (is_set && first != NULL)
            return &list->fields[i];
        if (is_set)
            first = &list->fields[i];
    }
    return NULL;
}

static void check_second(reader *reader, const field_list *list, size_t offset, const char *key, const char *what)
{
    const field *second = find_second(list, offset);
    if (second == NULL)
        return;
    diagnostic_error(reader->diagnostics, CODE_TWO_ZONES, second->span, "field '%s' of %s is a second '%s'",
                     second->name, what, key);
    diagnostic_hint(reader->diagnostics, "remove '%s' from one of them", key);
}

void check_message_replication(reader *reader, const message *message, const char *what)
{
    const field *opaque = find_opaque(&message->fields);
    check_second(reader, &message->fields, offsetof(field, is_zone), "zone", what);
    check_second(reader, &message->fields, offsetof(field, is_peer), "peer", what);
    if (opaque == NULL || (!message->is_from_replica && !message->is_to_replica))
        return;
    diagnostic_error(reader->diagnostics, CODE_MESSAGE_OPAQUE, opaque->type.span,
                     "%s has '%s: replica', but field '%s' is opaque", what, message->is_from_replica ? "from" : "to",
                     opaque->name);
    diagnostic_hint(reader->diagnostics, "send the entity that has the value, or remove '%s'",
                    message->is_from_replica ? "from" : "to");
}

// ---- the whole package

// What the checks of a context have found: the first field with `zone` and the first with `peer`.
typedef struct context_check {
    reader *reader;
    const context *context;
    const component *zone_of, *peer_of;
} context_check;

static const tree_node *node_of_field(const component_draft *draft, const field *field)
{
    const tree_node *fields = tree_find(draft->node, "fields");
    if (fields == NULL)
        return NULL;
    return tree_find(fields, field->name);
}

// Returns the place of a key of the field; the place of its name if it is not written.
static span span_of_key(const component_draft *draft, const field *field, const char *key)
{
    const tree_node *node = node_of_field(draft, field);
    const tree_node *found = NULL;
    if (node != NULL && node->kind == TREE_MAPPING)
        found = tree_find_key(node, key);
    return found == NULL ? field->span : found->span;
}

static void check_only(context_check *check, const component_draft *draft, const field *field, const char *key,
                       const component **first)
{
    diagnostics *diagnostics = check->reader->diagnostics;
    if (*first == NULL) {
        *first = &draft->component;
        return;
    }
    diagnostic_error(diagnostics, CODE_TWO_ZONES, span_of_key(draft, field, key),
                     "field '%s' of component '%s' is a second '%s' of context '%s'", field->name,
                     draft->component.name, key, check->context->name);
    diagnostic_note(diagnostics, (*first)->span, "the first one is in component '%s'", (*first)->name);
    diagnostic_hint(diagnostics, "remove '%s' from one of them", key);
}

static void check_handle(context_check *check, const component_draft *draft, const field *field)
{
    const context *target = field->type.context;
    if (field->type.kind != TYPE_CONTEXT_ENTITY || target == NULL || target->is_replicated)
        return;
    diagnostic_error(check->reader->diagnostics, CODE_REPLICATE_RELATION, field->type.span,
                     "field '%s' of component '%s' is sent to replicas, but names entities of context '%s', which does "
                     "not replicate",
                     field->name, draft->component.name, target->name);
    diagnostic_hint(check->reader->diagnostics, "write 'replicate: false' for the field, or 'replicate: true' for '%s'",
                    target->name);
}

static void check_field(context_check *check, const component_draft *draft, const field *field)
{
    if (field->is_zone)
        check_only(check, draft, field, "zone", &check->zone_of);
    if (field->is_peer)
        check_only(check, draft, field, "peer", &check->peer_of);
    if (schema_field_is_sent(field) && schema_is_sent(&draft->component))
        check_handle(check, draft, field);
}

static void check_component(context_check *check, const component_draft *draft)
{
    const component *component = &draft->component;
    const field *opaque = find_opaque(&component->fields);
    for (size_t i = 0; i < component->fields.count; i++)
        check_field(check, draft, &component->fields.fields[i]);
    if (opaque == NULL || !schema_is_sent(component))
        return;
    diagnostic_error(check->reader->diagnostics, CODE_REPLICATE_OPAQUE, opaque->type.span,
                     "field '%s' of component '%s' is opaque, and context '%s' replicates", opaque->name,
                     component->name, check->context->name);
    diagnostic_hint(check->reader->diagnostics, "write 'replicate: false' for the field or for the component");
}

static void check_context(reader *reader, const context *context)
{
    context_check check = {.reader = reader, .context = context};
    if (context->is_unsaved) {
        diagnostic_error(reader->diagnostics, CODE_REPLICATE_UNSAVED,
                         tree_find_key(reader->context_nodes[context->order], "replicate")->span,
                         "context '%s' has both 'replicate: true' and 'save: false', but replicas get what snapshots "
                         "have",
                         context->name);
        diagnostic_hint(reader->diagnostics, "remove one of them");
        return;
    }
    for (size_t i = 0; i < reader->component_count; i++)
        if (component_is_in(&reader->components[i]->component, context))
            check_component(&check, reader->components[i]);
}

// A key of an index must be the same at the host and at replicas: rounded values could be equal.
static void check_index(reader *reader, const entity_index *index)
{
    bool is_exact = index->kind == INDEX_PRIMARY;
    for (size_t i = 0; i < index->key_count && is_exact; i++) {
        const field *field = index->key[i].field;
        const component_draft *draft = dictionary_find(&reader->component_names, index->key[i].component->name);
        if (field->precision == 0)
            continue;
        diagnostic_error(reader->diagnostics, CODE_PRECISION_OF_KEY, span_of_key(draft, field, "precision"),
                         "field '%s' of component '%s' cannot have 'precision': it is in the key of a primary index, "
                         "in which rounded values could be equal",
                         field->name, index->key[i].component->name);
        diagnostic_hint(reader->diagnostics, "remove 'precision', or make the index 'multi'");
    }
}

void check_replication(reader *reader)
{
    for (size_t i = 0; i < reader->context_count; i++)
        if (reader->contexts[i]->is_replicated)
            check_context(reader, reader->contexts[i]);
    for (size_t i = 0; i < reader->package->index_count; i++)
        check_index(reader, reader->package->indices[i]);
}

// ---- systems

static bool is_missing(const component *component)
{
    for (size_t i = 0; i < component->context_count; i++)
        if (component->contexts[i]->is_replicated)
            return component->replicate == REPLICATE_NONE;
    return false;
}

static void warn_of_missing(reader *reader, const system_draft *draft, const component *component, span place)
{
    diagnostic_warning(reader->diagnostics, CODE_PREDICTED_READS, place,
                       "%s runs predicted, but replicas do not have '%s': what they predict may be wrong", draft->what,
                       component->name);
    diagnostic_hint(reader->diagnostics, "replicate '%s', or let the system run at the host alone", component->name);
}

void warn_of_prediction(reader *reader, const system_draft *draft)
{
    const declared_system *system = &draft->system;
    if (system->node == NULL || schema_runs(system) != RUNS_PREDICTED)
        return;
    for (size_t i = 0; i < system->read_count; i++)
        if (is_missing(system->reads[i]))
            warn_of_missing(reader, draft, system->reads[i], draft->read_spans[i]);
    for (size_t i = 0; i < system->write_count; i++)
        if (is_missing(system->writes[i]))
            warn_of_missing(reader, draft, system->writes[i], draft->write_spans[i]);
}

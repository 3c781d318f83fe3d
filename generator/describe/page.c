// A package as the values of the templates of templates/doc.
#include "generator/describe/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// ---- the page

// A map under construction.
typedef struct row {
    arena *arena;
    value *map;
} row;

static row row_create(arena *arena)
{
    return (row){arena, value_map(arena)};
}

// Returns a new row of the list.
static row row_append(arena *arena, value *list)
{
    row row = row_create(arena);
    value_append(list, row.map);
    return row;
}

// Sets a text that stands on its own line; false for NULL.
static void set_line(row row, const char *key, const char *line)
{
    value *text = value_null(row.arena);
    if (line != NULL)
        text = value_text(row.arena, line);
    value_set(row.map, key, text);
}

static void set_bool(row row, const char *key, bool boolean)
{
    value_set(row.map, key, value_bool(row.arena, boolean));
}

// ---- which systems read, write and change what

typedef enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_CHANGE } access;

static bool lists(const component *const *components, size_t count, const component *component)
{
    return schema_lists((component_list){components, count}, component);
}

static bool group_names(const group *group, const component *component)
{
    return group != NULL &&
           (schema_rules_name(group->rules, group->rule_count, component) || schema_lists(group->maybe, component));
}

static bool reads(const declared_system *system, const component *component)
{
    bool is_read = lists(system->reads, system->read_count, component) || schema_lists(system->maybe, component) ||
                   group_names(system->group, component);
    for (size_t i = 0; i < system->trigger_count; i++)
        is_read = is_read || group_names(system->triggers[i].group, component);
    return is_read;
}

static bool has_access(const declared_system *system, const component *component, access access)
{
    switch (access) {
    case ACCESS_READ:
        return reads(system, component);
    case ACCESS_WRITE:
        return schema_writes(system, component);
    case ACCESS_CHANGE:
        return lists(system->job.changes, system->job.change_count, component);
    }
    return false;
}

// Appends "`Steer`" to "`Move`, ".
static void append_system(text *text, const declared_system *system)
{
    text_separate(text, text->size, ", ");
    text_append_format(text, "`%s`", system->name);
}

static text systems_with(arena *arena, const package *package, const component *component, access access)
{
    text names = text_create(arena);
    for (size_t i = 0; i < package->system_count; i++)
        if (has_access(package->systems[i], component, access))
            append_system(&names, package->systems[i]);
    return names;
}

static value *accesses_of(arena *arena, const package *package)
{
    value *list = value_list(arena);
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        text read = systems_with(arena, package, component, ACCESS_READ);
        text written = systems_with(arena, package, component, ACCESS_WRITE);
        text changed = systems_with(arena, package, component, ACCESS_CHANGE);
        if (read.size + written.size + changed.size == 0)
            continue;
        row row = row_append(arena, list);
        set_line(row, "name", component->name);
        set_line(row, "read", read.bytes);
        set_line(row, "written", written.bytes);
        set_line(row, "changed", changed.bytes);
    }
    return list;
}

// ---- indices, blueprints, entities and messages of parallel systems

// Returns whether the jobs of a system look up an index, spawn a blueprint, or publish a message.
static bool does(const system_job *job, const void *thing)
{
    bool is_done = false;
    for (size_t i = 0; i < job->look_up_count; i++)
        is_done = is_done || job->looks_up[i] == thing;
    for (size_t i = 0; i < job->spawn_count; i++)
        is_done = is_done || job->spawns[i] == thing;
    for (size_t i = 0; i < job->publish_count; i++)
        is_done = is_done || job->publishes[i] == thing;
    return is_done;
}

// Appends which systems do something with the thing; without one, which destroy entities. Nothing if there are none.
static void append_use(arena *arena, value *list, const package *package, const char *what, const void *thing)
{
    text systems = text_create(arena);
    for (size_t i = 0; i < package->system_count; i++) {
        const system_job *job = &package->systems[i]->job;
        bool destroys = thing == NULL && job->destroys;
        if (destroys || does(job, thing))
            append_system(&systems, package->systems[i]);
    }
    if (systems.size == 0)
        return;
    row row = row_append(arena, list);
    set_line(row, "what", what);
    set_line(row, "systems", systems.bytes);
}

static value *uses_of(arena *arena, const package *package)
{
    value *list = value_list(arena);
    for (size_t i = 0; i < package->index_count; i++)
        append_use(arena, list, package, arena_format(arena, "looks up `%s`", package->indices[i]->name),
                   package->indices[i]);
    for (size_t i = 0; i < package->blueprint_count; i++)
        append_use(arena, list, package, arena_format(arena, "spawns `%s`", package->blueprints[i]->name),
                   package->blueprints[i]);
    append_use(arena, list, package, "destroys entities", NULL);
    for (size_t i = 0; i < package->message_count; i++)
        append_use(arena, list, package, arena_format(arena, "publishes `%s`", package->messages[i]->name),
                   package->messages[i]);
    return list;
}

// ---- text of the schema as Markdown

// Returns the end of the code span that begins with a run of backticks; NULL if none begins, or no run of that length
// ends it in its line.
static const char *end_of_code(const char *at)
{
    size_t size = strspn(at, "`");
    if (size == 0)
        return NULL;
    for (const char *next = at + size; *next != '\0' && *next != '\n';) {
        size_t run = strspn(next, "`");
        next += run;
        if (run == size)
            return next;
        next += strcspn(next, "`\n");
    }
    return NULL;
}

// Returns whether the line is the underline of a heading.
static bool is_underline(const char *line)
{
    size_t size = strspn(line, line[0] == '-' ? "-" : "=");
    size += strspn(line + size, " ");
    return size > 0 && (line[size] == '\0' || line[size] == '\n');
}

static bool is_link(const char *at)
{
    if (at[0] != '[')
        return false;
    const char *end = strchr(at, ']');
    return end != NULL && end[1] != '\0' && strchr("([:", end[1]) != NULL;
}

// Returns whether a character would begin something else than text: a tag, a link, a reference, an escape, a heading, a
// quote or a fence. Lists and emphasis are what an author may want.
static bool is_markup(const char *at, bool begins_line)
{
    assert(at[0] != '\0');
    bool is_reference = at[0] == '&' && (at[1] == '#' || byte_is_letter(at[1]));
    bool begins_block = begins_line && (strchr("#>~", at[0]) != NULL || is_underline(at));
    bool is_inline = strchr("<`\\", at[0]) != NULL || is_link(at) || is_reference;
    return is_inline || begins_block;
}

// Returns text of the schema as Markdown in which all is text but code spans, lists and emphasis; NULL for NULL. Every
// text of the schema that is not a checked name goes through here.
static const char *markdown(arena *arena, const char *words)
{
    text text = text_create(arena);
    bool begins_line = true;
    if (words == NULL)
        return NULL;
    for (const char *at = words; *at != '\0';) {
        if (begins_line)
            at += strspn(at, " \t"); // four spaces would begin a block of code
        if (*at == '\0')
            break;
        const char *code_end = end_of_code(at);
        if (code_end != NULL) {
            text_append(&text, at, (size_t)(code_end - at));
            at = code_end;
            begins_line = false;
            continue;
        }
        text_append_string(&text, text_if(is_markup(at, begins_line), "\\"));
        text_append(&text, at, 1);
        begins_line = *at++ == '\n';
    }
    return text.bytes;
}

// Sets a text in a table cell; empty for NULL.
static void set_cell(row row, const char *key, const char *words)
{
    text cell = text_create(row.arena);
    for (const char *at = text_or_empty(words); *at != '\0'; at++) {
        text_append_string(&cell, text_if(*at == '|', "\\"));
        text_append_line(&cell, (char[]){*at, '\0'});
    }
    value_set(row.map, key, value_text(row.arena, cell.bytes));
}

// Sets a list, and a boolean for whether it has items.
static void set_list(row row, const char *has_key, const char *key, value *list)
{
    assert(list->kind == VALUE_LIST);
    set_bool(row, has_key, list->first != NULL);
    value_set(row.map, key, list);
}

// ---- fields

static void append_fact(text *text, const char *name, const char *value)
{
    if (value != NULL) {
        text_separate(text, text->size, " ");
        text_append_format(text, "%s: %s.", name, value);
    }
}

// Returns the text as code; NULL for NULL.
static const char *code(arena *arena, const char *text)
{
    if (text == NULL)
        return NULL;
    return arena_format(arena, "`%s`", text);
}

// Returns "yes" or "no", or the value as code.
static const char *fact_text(arena *arena, const list_facts *facts)
{
    assert(facts->value != NULL);
    if (facts->key->value->kind != LANGUAGE_BOOL)
        return code(arena, facts->value);
    if (strcmp(facts->value, "true") == 0)
        return "yes";
    return "no";
}

// Formats "`destroy`, reverse `children`, tree".
static const char *relation_text(arena *arena, const field *field)
{
    assert(schema_is_relation(field));
    text text = text_create(arena);
    text_append_format(&text, "`%s`", language_word(&language_on_destroy, field->on_destroy));
    if (field->reverse != NULL)
        text_append_format(&text, ", reverse `%s`", field->reverse);
    text_append_string(&text, text_if(field->is_tree, ", tree"));
    return text.bytes;
}

// Returns the doc, followed by what the schema says of the field for tools, the kind of its index, and its relation.
static const char *field_text(arena *arena, const field *field)
{
    text text = text_create(arena);
    text_append_string(&text, text_or_empty(markdown(arena, field->doc)));
    append_fact(&text, "Range", list_range_text(arena, field));
    for (list_facts facts = list_facts_begin(arena, &language_field, field, field->name); list_next_fact(&facts);) {
        const char *value = facts.value;
        if (facts.key->member.kind != MEMBER_WORD)
            value = fact_text(arena, &facts);
        append_fact(&text, facts.key->member.fact, value);
    }
    if (schema_is_relation(field))
        append_fact(&text, "Relation", relation_text(arena, field));
    return text.bytes;
}

static void set_fields(row owner, const field_list *fields)
{
    value *list = value_list(owner.arena);
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        row row = row_append(owner.arena, list);
        set_cell(row, "name", field->name);
        set_cell(row, "type", schema_type_name(owner.arena, &field->type));
        const char *value = NULL;
        set_cell(row, "unit", markdown(row.arena, field->unit));
        if (field->has_default)
            value = markdown(row.arena, list_constant_text(row.arena, field->default_value));
        set_cell(row, "default", value);
        set_cell(row, "cell", field_text(owner.arena, field));
    }
    set_list(owner, "has_fields", "fields", list);
}

// ---- types

static void set_values(row owner, const definition *definition)
{
    value *list = value_list(owner.arena);
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *enumerator = &definition->enumerators[i];
        const char *number = arena_format(owner.arena, "%" PRId32, enumerator->number);
        const char *was = list_was(enumerator->name, &enumerator->saved);
        if (was != NULL)
            number = arena_format(owner.arena, "%s, was `%s`", number, was);
        row row = row_append(owner.arena, list);
        set_cell(row, "name", enumerator->name);
        set_cell(row, "number", number);
    }
    set_list(owner, "has_values", "values", list);
}

static value *type_of(arena *arena, const definition *definition)
{
    static const char *const kinds[] = {
        [DEFINITION_ENUM] = "Enum", [DEFINITION_STRUCT] = "Struct", [DEFINITION_OPAQUE] = "Struct"};
    row row = row_create(arena);
    set_line(row, "name", definition->name);
    set_line(row, "doc", markdown(row.arena, definition->doc));
    set_line(row, "kind", kinds[definition->kind]);
    set_line(row, "size", list_bytes_text(arena, layout_of_definition(definition)));
    set_bool(row, "is_opaque", definition->kind == DEFINITION_OPAQUE);
    set_line(row, "spelling", definition->opaque);
    set_bool(row, "has_header", definition->header != NULL);
    set_line(row, "header", definition->header);
    set_bool(row, "has_drop", definition->drop != NULL);
    set_line(row, "drop", definition->drop);
    set_line(row, "save", definition->save);
    set_line(row, "load", definition->load);
    set_values(row, definition);
    set_fields(row, &definition->fields);
    return row.map;
}

// ---- components

// Formats "In `game`. 8 bytes, column, unique. Cleanup: `destroy_entity`."
static const char *facts_of(arena *arena, const component *component)
{
    assert(component->context_count > 0);
    text text = text_create(arena);
    text_append_string(&text, "In ");
    for (size_t i = 0; i < component->context_count; i++) {
        text_separate(&text, i, ", ");
        text_append_format(&text, "`%s`", component->contexts[i]->name);
    }
    if (component->fields.count == 0)
        text_append_string(&text, ". Flag");
    else
        text_append_format(&text, ". %s, %s", list_bytes_text(arena, component->layout), list_layout_name(component));
    text_append_string(&text, text_if(component->is_unique, ", unique"));
    text_append_string(&text, text_if(component->is_stashable, ", stash"));
    text_append_string(&text, ".");
    list_facts facts = list_facts_begin(arena, &language_component, component, component->name);
    while (list_next_fact(&facts))
        append_fact(&text, facts.key->member.fact, fact_text(arena, &facts));
    return text.bytes;
}

static value *component_of(arena *arena, const component *component)
{
    row row = row_create(arena);
    set_line(row, "name", component->name);
    set_line(row, "doc", markdown(row.arena, component->doc));
    set_line(row, "facts", facts_of(arena, component));
    set_fields(row, &component->fields);
    return row.map;
}

// ---- contexts

// Returns a table as rows with a key for each column, and with the remark as `cell`.
static value *rows_of(arena *arena, table table, const char *const *keys)
{
    value *list = value_list(arena);
    for (const table_row *each = table.first; each != NULL; each = each->next) {
        row row = row_append(arena, list);
        for (size_t i = 0; i < table.column_count; i++)
            set_cell(row, keys[i], each->cells[i]);
        set_cell(row, "cell", markdown(arena, each->remark));
    }
    return list;
}

// The type of a key stands as code, like those of fields: `entity<game>` would be a tag of HTML.
static const char *index_text(arena *arena, const entity_index *index)
{
    const char *text = list_index_text(arena, index);
    size_t size = strcspn(text, "\n");
    if (index->function == NULL)
        return text;
    return arena_format(arena, "`%.*s`%s", (int)size, text, text + size);
}

static value *indices_of(arena *arena, const package *package, const context *context)
{
    value *list = value_list(arena);
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        if (index->context != context)
            continue;
        row row = row_append(arena, list);
        set_cell(row, "name", index->name);
        set_cell(row, "kind", language_word(&language_index_kind, index->kind));
        set_cell(row, "key", index_text(arena, index));
        set_cell(row, "cell", markdown(row.arena, index->doc));
    }
    return list;
}

static value *relations_of(arena *arena, const package *package, const context *context)
{
    value *list = value_list(arena);
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        const field *field = relation->field;
        if (relation->context != context)
            continue;
        row row = row_append(arena, list);
        set_cell(row, "name", arena_format(arena, "%s.%s", relation->component->name, field->name));
        set_cell(row, "reverse", code(arena, field->reverse));
        set_cell(row, "on_destroy", language_word(&language_on_destroy, field->on_destroy));
        set_cell(row, "tree", text_if(field->is_tree, "tree"));
        set_cell(row, "cell", markdown(row.arena, field->doc));
    }
    return list;
}

static value *events_of(arena *arena, const context *context)
{
    value *list = value_list(arena);
    placed_events events = schema_events_of(arena, context);
    for (size_t i = 0; i < events.count; i++) {
        const component_event *event = events.events[i].event;
        row row = row_append(arena, list);
        set_cell(row, "name", schema_event_name(arena, events.events[i].component, event));
        set_cell(row, "target", language_word(&language_target, event->target));
        set_cell(row, "priority", arena_format(arena, "%" PRId32, event->priority));
        set_cell(row, "when",
                 arena_format(arena, "`%s` is %s", events.events[i].component->name, list_event_text(event)));
    }
    return list;
}

static value *context_of(arena *arena, const package *package, const context *context)
{
    static const char *const group_keys[] = {"name", "matches"};
    static const char *const blueprint_keys[] = {"name", "extends", "parts"};
    static const char *const child_keys[] = {"name", "of", "parts"};
    const char *label = NULL;
    if (context->label != NULL)
        label = arena_format(arena, "%s.%s", context->label->component->name, context->label->field->name);
    row row = row_create(arena);
    set_line(row, "name", context->name);
    set_line(row, "doc", markdown(row.arena, context->doc));
    set_bool(row, "is_default", context->is_default && package->context_count > 1);
    set_line(row, "label", label);
    set_line(row, "off", context->off_name);
    set_line(row, "was", list_was(context->name, &context->saved));
    set_bool(row, "is_unsaved", context->is_unsaved);
    set_bool(row, "has_commands", context->has_commands);
    set_list(row, "has_groups", "groups", rows_of(arena, list_groups(arena, package, context), group_keys));
    set_list(row, "has_indices", "indices", indices_of(arena, package, context));
    set_list(row, "has_relations", "relations", relations_of(arena, package, context));
    set_list(row, "has_events", "events", events_of(arena, context));
    set_list(row, "has_blueprints", "blueprints",
             rows_of(arena, list_blueprints(arena, package, context), blueprint_keys));
    set_list(row, "has_children", "children", rows_of(arena, list_children(arena, package, context), child_keys));
    return row.map;
}

// ---- the world

static value *message_of(arena *arena, const message *message)
{
    row row = row_create(arena);
    set_line(row, "name", message->name);
    set_line(row, "doc", markdown(row.arena, message->doc));
    set_line(row, "was", list_was(message->name, &message->saved));
    set_line(row, "size", message->fields.count == 0 ? "0 bytes" : list_bytes_text(arena, message->layout));
    set_fields(row, &message->fields);
    return row.map;
}

static value *system_of(arena *arena, const declared_system *system)
{
    row row = row_create(arena);
    set_cell(row, "number", arena_format(arena, "%zu", system->number + 1));
    set_cell(row, "name", system->name);
    set_cell(row, "node", system->node->name);
    set_cell(row, "kind", list_system_kind_name(system->kind));
    set_cell(row, "roles", list_roles_text(arena, system));
    set_cell(row, "works_on", list_works_on_text(arena, system));
    set_cell(row, "cell", markdown(row.arena, system->doc));
    return row.map;
}

value *view_doc(arena *arena, const package *package)
{
    assert(package->context_count > 0);
    value *types = value_list(arena);
    value *components = value_list(arena);
    value *contexts = value_list(arena);
    value *messages = value_list(arena);
    value *systems = value_list(arena);
    for (size_t i = 0; i < package->definition_count; i++)
        value_append(types, type_of(arena, package->definitions[i]));
    for (size_t i = 0; i < package->component_count; i++)
        value_append(components, component_of(arena, package->components[i]));
    for (size_t i = 0; i < package->context_count; i++)
        value_append(contexts, context_of(arena, package, package->contexts[i]));
    for (size_t i = 0; i < package->message_count; i++)
        value_append(messages, message_of(arena, package->messages[i]));
    for (size_t i = 0; i < package->system_count; i++)
        value_append(systems, system_of(arena, package->systems[i]));
    row row = row_create(arena);
    set_line(row, "package", package->name);
    text removed = text_create(arena); // "`Mana`, `Health.armor`"
    for (size_t i = 0; i < package->removal_count; i++)
        text_append_item(&removed, ", ", code(arena, package->removals[i].path));
    const char *version = NULL;
    if (package->version > 0)
        version = arena_format(arena, "%" PRIu32, package->version);
    set_line(row, "version", version);
    set_line(row, "removed", removed.size > 0 ? removed.bytes : NULL);
    set_bool(row, "has_guesses", list_has_guesses(package));
    set_list(row, "has_types", "types", types);
    set_list(row, "has_components", "components", components);
    value_set(row.map, "contexts", contexts);
    set_list(row, "has_messages", "messages", messages);
    set_list(row, "has_systems", "systems", systems);
    set_list(row, "has_accesses", "accesses", accesses_of(arena, package));
    set_list(row, "has_uses", "uses", uses_of(arena, package));
    return row.map;
}

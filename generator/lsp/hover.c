// What is shown beside a text: what keys mean, what definitions become in C, and how systems follow each other.
#include "generator/lsp/internal.h"

#include "generator/render/render.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    NAME_LIMIT = 12,     // names in C that a hover lists
    EXCERPT_LIMIT = 1000 // bytes of a definition that it shows
};

// ---- keys

static const char *value_phrase(const language_value *value)
{
    switch (value->kind) {
    case LANGUAGE_BOOL:
        return "`true` or `false`";
    case LANGUAGE_LIST:
        if (value->phrase == NULL)
            return "a list";
        return value->phrase;
    case LANGUAGE_MAP:
    case LANGUAGE_MAPPING:
        return "a mapping";
    default:
        return value->phrase;
    }
}

const char *language_phrase(arena *arena, const language_key *key)
{
    text out = text_create(arena);
    const char *phrase = value_phrase(key->value);
    text_append_string(&out, text_or_empty(phrase));
    for (size_t i = 0; key->value->words != NULL && key->value->words[i] != NULL; i++)
        text_append_item(&out, ", ", key->value->words[i]);
    if (key->is_required)
        text_append_item(&out, "; ", "required");
    if (out.size == 0)
        return NULL;
    return out.bytes;
}

static void describe_key(text *out, const language_key *key)
{
    const char *phrase = language_phrase(out->arena, key);
    text_append_format(out, "**`%s`**", key->name);
    if (phrase != NULL)
        text_append_format(out, ": %s", phrase);
    text_append_format(out, "\n\n%s", key->doc);
    if (key->fallback != NULL)
        text_append_format(out, " Default: `%s`.", key->fallback);
    if (key->needs != NULL)
        text_append_format(out, " Needs `%s`.", key->needs);
    if (key->excludes != NULL)
        text_append_format(out, " Not with `%s`.", key->excludes);
    text_append_string(out, "\n");
}

// ---- definitions

static void describe_fields(text *out, const field_list *fields)
{
    arena *arena = out->arena;
    const uint64_t *offsets = NULL;
    bool is_known = fields->count > 0;
    for (size_t i = 0; i < fields->count; i++)
        is_known = is_known && !fields->fields[i].type.is_unknown;
    if (is_known)
        offsets = layout_offsets(arena, fields);
    if (fields->count > 0)
        text_append_string(out, "\n| offset | field | type | |\n|--:|---|---|---|\n");
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        if (offsets != NULL)
            text_append_format(out, "| %" PRIu64 " ", offsets[i]);
        else
            text_append_string(out, "| ");
        const char *type = schema_type_name(arena, &field->type);
        text_append_format(out, "| `%s` | `%s` | ", field->name, type);
        if (field->unit != NULL)
            text_append_format(out, "%s%s", field->unit, text_if(field->doc != NULL, ": "));
        text_append_line(out, text_or_empty(field->doc));
        text_append_string(out, " |\n");
    }
}

const component *package_component(const package *package, const char *name)
{
    for (size_t i = 0; package != NULL && i < package->component_count; i++)
        if (strcmp(package->components[i]->name, name) == 0)
            return package->components[i];
    return NULL;
}

static const definition *find_type(const package *package, const char *name)
{
    for (size_t i = 0; i < package->definition_count; i++)
        if (strcmp(package->definitions[i]->name, name) == 0)
            return package->definitions[i];
    return NULL;
}

static const message *find_message(const package *package, const char *name)
{
    for (size_t i = 0; i < package->message_count; i++)
        if (strcmp(package->messages[i]->name, name) == 0)
            return package->messages[i];
    return NULL;
}

static const declared_system *find_system(const package *package, const char *name)
{
    for (size_t i = 0; i < package->system_count; i++)
        if (strcmp(package->systems[i]->name, name) == 0)
            return package->systems[i];
    return NULL;
}

const char *layout_size(arena *arena, const memory_layout *layout)
{
    if (layout->size > SCHEMA_VALUE_SIZE_LIMIT)
        return "too large";
    return arena_format(arena, "%s%" PRIu64 " byte%s", text_if(layout->is_guess, "about "), layout->size,
                        text_if(layout->size != 1, "s"));
}

// Appends a name of a list, which begins with `first`.
static void append_listed(text *out, size_t index, const char *first, const char *name)
{
    text_append_string(out, index == 0 ? first : ", ");
    text_append_format(out, "`%s`", name);
}

static void describe_layout(text *out, const memory_layout *layout)
{
    text_append_format(out, "\n%s", layout_size(out->arena, layout));
    if (layout->padding > 0)
        text_append_format(out, ", %" PRIu64 " of padding", layout->padding);
    text_append_format(out, ", aligned to %" PRIu64 "\n", layout->alignment);
}

static void describe_component(text *out, const component *component)
{
    for (size_t i = 0; i < component->context_count; i++)
        append_listed(out, i, "\nIn ", component->contexts[i]->name);
    text_append_string(out, "\n");
    if (component->fields.count == 0)
        text_append_string(out, "\nA flag: it has no value.\n");
    else
        describe_layout(out, &component->layout);
    describe_fields(out, &component->fields);
}

static void describe_enum(text *out, const definition *definition)
{
    text_append_string(out, "\n| value | |\n|---|--:|\n");
    for (size_t i = 0; i < definition->enumerator_count; i++)
        text_append_format(out, "| `%s` | %" PRId32 " |\n", definition->enumerators[i].name,
                           definition->enumerators[i].number);
}

static void describe_type(text *out, const definition *type)
{
    if (type->kind == DEFINITION_ENUM)
        describe_enum(out, type);
    if (type->kind != DEFINITION_STRUCT)
        return;
    describe_layout(out, &type->layout);
    describe_fields(out, &type->fields);
}

static void describe_system(text *out, const declared_system *system)
{
    static const char *const kinds[] = {"plain", "group", "reactive"};
    assert(system->kind < sizeof kinds / sizeof kinds[0]);
    text_append_format(out, "\nA %s system", kinds[system->kind]);
    if (system->node != NULL)
        text_append_format(out, " in `%s`", system->node->name);
    for (size_t i = 0; i < system->predecessor_count; i++)
        append_listed(out, i, ", after ", system->predecessors[i]->name);
    text_append_string(out, ".\n");
}

static const field *find_field(const field_list *fields, const char *name)
{
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->fields[i].name, name) == 0)
            return &fields->fields[i];
    return NULL;
}

// Returns the fields of an element; NULL if the package does not have it.
static const field_list *fields_of(const package *package, unsigned kind, const char *name)
{
    const component *component = package_component(package, name);
    const definition *definition = find_type(package, name);
    const message *message = find_message(package, name);
    if (kind == REFERS_TO_COMPONENT && component != NULL)
        return &component->fields;
    if (kind == REFERS_TO_TYPE && definition != NULL)
        return &definition->fields;
    if (kind == REFERS_TO_MESSAGE && message != NULL)
        return &message->fields;
    return NULL;
}

static void describe_field(text *out, const package *package, const occurrence *name)
{
    const field_list *fields = fields_of(package, name->owner_kind, name->owner);
    if (fields == NULL)
        return;
    const field *field = find_field(fields, name->name);
    if (field == NULL || field->type.is_unknown)
        return;
    assert(field >= fields->fields && field < fields->fields + fields->count);
    memory_layout layout = layout_of_type(&field->type);
    text_append_format(out, "\n`%s`, %s at offset %" PRIu64, schema_type_name(out->arena, &field->type),
                       layout_size(out->arena, &layout), layout_offsets(out->arena, fields)[field - fields->fields]);
    if (field->unit != NULL)
        text_append_format(out, ", in %s", field->unit);
    text_append_string(out, "\n");
}

// Returns where the model has the definition; no source if it has not.
static span model_place(const package *package, const occurrence *name)
{
    const component *component = package_component(package, name->name);
    const definition *definition = find_type(package, name->name);
    const message *message = find_message(package, name->name);
    const declared_system *system = find_system(package, name->name);
    if (name->kind == REFERS_TO_COMPONENT && component != NULL)
        return component->span;
    if (name->kind == REFERS_TO_TYPE && definition != NULL)
        return definition->span;
    if (name->kind == REFERS_TO_MESSAGE && message != NULL)
        return message->span;
    if (name->kind == REFERS_TO_SYSTEM && system != NULL)
        return system->span;
    for (size_t i = 0; i < package->group_count && name->kind == REFERS_TO_GROUP; i++)
        if (strcmp(package->groups[i]->name, name->name) == 0)
            return package->groups[i]->span;
    for (size_t i = 0; i < package->index_count && name->kind == REFERS_TO_INDEX; i++)
        if (strcmp(package->indices[i]->name, name->name) == 0)
            return package->indices[i]->span;
    for (size_t i = 0; i < package->blueprint_count && name->kind == REFERS_TO_BLUEPRINT; i++)
        if (strcmp(package->blueprints[i]->name, name->name) == 0)
            return package->blueprints[i]->span;
    for (size_t i = 0; i < package->context_count && name->kind == REFERS_TO_CONTEXT; i++)
        if (strcmp(package->contexts[i]->name, name->name) == 0)
            return package->contexts[i]->span;
    return (span){0};
}

// Lists the names that the definition has in C.
static void describe_names(text *out, root *root, const package *package, const occurrence *name)
{
    span place = model_place(package, name);
    size_t count = 0;
    if (place.source == NULL || package->name == NULL)
        return;
    if (root->symbols_of != package) {
        root->symbols = symbols_of(&root->arena, package);
        root->symbols_of = package;
    }
    for (size_t i = 0; i < root->symbols.count; i++) {
        const symbol *symbol = &root->symbols.symbols[i];
        bool is_its = symbol->span.source == place.source && symbol->span.start == place.start;
        bool is_private = strstr(symbol->name, "__") != NULL || symbol->name[strlen(symbol->name) - 1] == '_';
        bool is_shown = symbol->kind == SYMBOL_NAME && !is_private;
        if (!is_its || !is_shown)
            continue;
        if (count < NAME_LIMIT)
            append_listed(out, count, "\nIn C: ", symbol->name);
        count++;
    }
    if (count > NAME_LIMIT)
        text_append_format(out, " and %zu more", count - NAME_LIMIT);
    text_append_string(out, text_if(count > 0, "\n"));
}

// Appends the definition as the schema has it.
static void describe_text(text *out, const occurrence *definition)
{
    const source *source = definition->place.source;
    size_t end = definition->node->place.end;
    if (definition->node->value != NULL)
        end = size_min(definition->node->value->place.end, definition->place.start + EXCERPT_LIMIT);
    while (end > definition->place.start && byte_is_space(source->bytes[end - 1]))
        end--;
    while (end > definition->place.start && utf8_continues(source->bytes[end]))
        end--;
    assert(end <= source->size);
    text_append_string(out, "\n```yaml\n");
    for (size_t i = 0; i < definition->node->column && i < TREE_DEPTH_LIMIT; i++)
        text_append_string(out, " ");
    text_append(out, source->bytes + definition->place.start, end - definition->place.start);
    text_append_string(out, "\n```\n");
}

static void describe_definition(text *out, root *root, const occurrence *name)
{
    const package *package = root_package(root);
    const occurrence *definition = names_definition(&root->names, name);
    text_append_format(out, "**%s `%s", names_kind(name->kind), text_or_empty(name->owner));
    text_append_format(out, "%s%s`**\n", text_if(name->owner != NULL, "."), name->name);
    if (definition != NULL && doc_of(definition) != NULL)
        text_append_format(out, "\n%s\n", doc_of(definition));
    unsigned shown = REFERS_TO_GROUP | REFERS_TO_INDEX | REFERS_TO_BLUEPRINT | REFERS_TO_SYSTEM | REFERS_TO_NODE;
    if (definition != NULL && (name->kind & shown) != 0)
        describe_text(out, definition);
    if (package == NULL)
        return;
    const component *component = package_component(package, name->name);
    const struct definition *type = find_type(package, name->name);
    const message *message = find_message(package, name->name);
    const declared_system *system = find_system(package, name->name);
    if (name->kind == REFERS_TO_COMPONENT && component != NULL)
        describe_component(out, component);
    if (name->kind == REFERS_TO_TYPE && type != NULL)
        describe_type(out, type);
    if (name->kind == REFERS_TO_MESSAGE && message != NULL)
        describe_fields(out, &message->fields);
    if (name->kind == REFERS_TO_SYSTEM && system != NULL)
        describe_system(out, system);
    if (name->kind == REFERS_TO_FIELD)
        describe_field(out, package, name);
    describe_names(out, root, package, name);
}

// ---- messages

static void describe_message(text *out, const diagnostic *diagnostic)
{
    const char *code = diagnostic_code_text(out->arena, diagnostic->code);
    const mustache_template *explanation = mustache_library_find(&explanations, code);
    text_append_string(out, text_if(out->size > 0, "\n---\n\n"));
    text_append_format(out, "**%s** %s\n", code, diagnostic->message);
    if (explanation == NULL)
        return;
    text_append_string(out, "\n```text\n");
    text_append_string(out, explanation->bytes);
    text_append_string(out, "```\n");
}

static void describe_messages(text *out, const request *request)
{
    for (const diagnostic *item = request->root->diagnostics.first; item != NULL; item = item->next) {
        span place = item->span;
        if (place.source == NULL || !span_has(place, request->offset))
            continue;
        if (strcmp(place.source->path, request->document->path) == 0)
            describe_message(out, item);
    }
}

// ---- hover

// Returns whether a node is a key of the language, or in the value of one.
static bool has_row(const outline_node *node)
{
    if (node == NULL || node->row == NULL)
        return false;
    bool is_key = node->is_key && node->language != NULL;
    if (is_key && node->language->kind == LANGUAGE_MAPPING)
        return true;
    return node->text[0] != '\0';
}

void answer_hover(request *request)
{
    const occurrence *name = request_name(request);
    const outline_node *node = outline_at(request->file->outline, request->offset);
    text out = text_create(request->arena);
    span place = {0};
    if (name != NULL) {
        describe_definition(&out, request->root, name);
        if (request->root->content != NULL)
            content_hover(request, &out);
        place = name->place;
    } else if (has_row(node)) {
        describe_key(&out, node->row);
        place = node->place;
    }
    describe_messages(&out, request);
    if (out.size == 0)
        return;
    writer_open_line(request->writer, '{');
    writer_set_open_line(request->writer, "contents", '{');
    writer_set_text(request->writer, "kind", "markdown");
    writer_set_text(request->writer, "value", out.bytes);
    writer_close(request->writer, '}');
    if (place.source != NULL)
        writer_set_range(request->writer, "range", request->server, place);
    writer_close(request->writer, '}');
}

// ---- sizes and systems

// Returns whether an offset is in the lines that are asked about.
static bool is_asked_at(const request *request, size_t offset)
{
    size_t first = message_count(request->parameters, "range.start.line");
    size_t last = message_count(request->parameters, "range.end.line");
    size_t line = source_position_of(request->file->source, offset).line - 1;
    if (message_find(request->parameters, "range") == NULL)
        return true;
    return first <= line && line <= last;
}

// Returns the next definition of the file of one of the kinds.
static const occurrence *next_definition(const request *request, const occurrence *name, unsigned kinds)
{
    for (; name != NULL; name = name->next) {
        bool is_wanted = name->is_definition && (name->kind & kinds) != 0;
        if (is_wanted && name->place.source == request->file->source)
            return name;
    }
    return NULL;
}

void answer_inlays(request *request)
{
    const package *package = root_package(request->root);
    const occurrence *name = next_definition(request, request->root->names.first, REFERS_TO_COMPONENT);
    writer_open_line(request->writer, '[');
    for (; name != NULL && package != NULL; name = next_definition(request, name->next, REFERS_TO_COMPONENT)) {
        const component *component = package_component(package, name->name);
        if (component == NULL || component->fields.count == 0)
            continue;
        if (!is_asked_at(request, name->place.start))
            continue;
        lsp_position position = position_of(request->server, name->place.source, name->place.end);
        writer_open_line(request->writer, '{');
        writer_set_open_line(request->writer, "position", '{');
        writer_set_count(request->writer, "line", position.line);
        writer_set_count(request->writer, "character", position.character);
        writer_close(request->writer, '}');
        writer_set_text(request->writer, "label", layout_size(request->arena, &component->layout));
        writer_set_bool(request->writer, "paddingLeft", true);
        writer_close(request->writer, '}');
    }
    writer_close(request->writer, ']');
}

// Returns what runs before the system in its node.
static const char *order_of(arena *arena, const package *package, const declared_system *system)
{
    const declared_system *before = NULL;
    text out = text_create(arena);
    for (size_t i = 0; i < package->system_count && package->systems[i] != system; i++)
        if (package->systems[i]->node == system->node)
            before = package->systems[i];
    if (before == NULL)
        text_append_format(&out, "first in %s", system->node->name);
    else
        text_append_format(&out, "in %s after %s", system->node->name, before->name);
    for (size_t i = 0; i < system->predecessor_count; i++) {
        text_append_string(&out, i == 0 ? "; always after " : ", ");
        text_append_string(&out, system->predecessors[i]->name);
    }
    return out.bytes;
}

void answer_lenses(request *request)
{
    const package *package = root_package(request->root);
    bool is_ordered = package != NULL && request->root->diagnostics.errors == 0;
    const occurrence *name = next_definition(request, request->root->names.first, REFERS_TO_SYSTEM);
    writer_open_line(request->writer, '[');
    for (; name != NULL && is_ordered; name = next_definition(request, name->next, REFERS_TO_SYSTEM)) {
        const declared_system *system = find_system(package, name->name);
        if (system != NULL && system->node != NULL)
            append_lens(request, name->place, order_of(request->arena, package, system));
    }
    if (request->root->content == NULL)
        append_scaffold_lenses(request);
    writer_close(request->writer, ']');
}

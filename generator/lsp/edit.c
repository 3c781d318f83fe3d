// Edits: fixes of diagnostics, and renaming.
#include "generator/lsp/internal.h"

#include "generator/evolve/evolve.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A replacement of a part of a file.
typedef struct edit {
    span place;
    const char *text;
    size_t number; // order of adding, for edits at one place
} edit;

typedef struct edit_list {
    arena *arena;
    edit *edits;
    size_t count, capacity;
} edit_list;

static void add_edit(edit_list *list, span place, const char *text)
{
    assert(place.start <= place.end && place.end <= place.source->size);
    list->edits = arena_grow(list->arena, list->edits, list->count, &list->capacity, sizeof *list->edits);
    list->edits[list->count] = (edit){place, text, list->count};
    list->count++;
}

static int compare_edits(const void *a, const void *b)
{
    const edit *left = a;
    const edit *right = b;
    int order = strcmp(left->place.source->path, right->place.source->path);
    if (order == 0)
        order = size_compare(left->place.start, right->place.start);
    if (order == 0)
        order = size_compare(left->number, right->number);
    return order;
}

static bool is_in_one_file(const edit *a, const edit *b)
{
    return strcmp(a->place.source->path, b->place.source->path) == 0;
}

// Returns whether an edit overlaps the one before it.
static bool overlaps(const edit *edit, const struct edit *before)
{
    return is_in_one_file(before, edit) && before->place.end > edit->place.start;
}

// Sorts the edits, and drops those that overlap the one before.
static void order_edits(edit_list *list)
{
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->edits, list->count, sizeof *list->edits, compare_edits);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || !overlaps(&list->edits[i], &list->edits[kept - 1]))
            list->edits[kept++] = list->edits[i];
    list->count = kept;
}

static void append_edit(request *request, const edit *edit)
{
    json_writer *writer = request->writer;
    writer_open_line(writer, '{');
    writer_set_range(writer, "range", request->server, edit->place);
    writer_set_text(writer, "newText", edit->text);
    writer_close(writer, '}');
}

// Writes a WorkspaceEdit of ordered edits.
static void append_edits(request *request, const edit_list *list)
{
    json_writer *writer = request->writer;
    writer_open_line(writer, '{');
    writer_set_open_line(writer, "changes", '{');
    for (size_t i = 0; i < list->count; i++) {
        const edit *edit = &list->edits[i];
        assert(i == 0 || compare_edits(edit - 1, edit) < 0);
        bool is_first = i == 0 || !is_in_one_file(edit, edit - 1);
        bool is_last = i + 1 == list->count || !is_in_one_file(edit, edit + 1);
        if (is_first)
            writer_set_open_line(writer, server_uri(request->server, request->arena, edit->place.source->path), '[');
        append_edit(request, edit);
        if (is_last)
            writer_close(writer, ']');
    }
    writer_close(writer, '}');
    writer_close(writer, '}');
}

// ---- fixes

// Returns whether a kind of actions is another one or below it; "" has all.
static bool is_kind_in(const char *kind, const char *above)
{
    size_t size = strlen(above);
    if (size == 0)
        return true;
    if (strncmp(kind, above, size) != 0)
        return false;
    return kind[size] == '\0' || kind[size] == '.';
}

// Returns whether the editor asks for actions of the kind, or of all kinds.
static bool wants(const request *request, const char *kind)
{
    const json_node *only = message_find(request->parameters, "context.only");
    if (only == NULL || only->kind != JSON_LIST)
        return true;
    for (const json_node *item = only->first; item != NULL; item = item->next) {
        const char *name = message_text(item, "");
        if (name != NULL && is_kind_in(kind, name))
            return true;
    }
    return false;
}

static bool is_fix_of(const request *request, const diagnostic *diagnostic)
{
    const source *source = diagnostic->span.source;
    if (diagnostic->fix == NULL || source == NULL)
        return false;
    return strcmp(source->path, request->document->path) == 0;
}

static bool is_between(span place, size_t start, size_t end)
{
    return place.start <= end && place.end >= start;
}

static size_t offset_in(const request *request, const char *line, const char *character)
{
    lsp_position position = {message_count(request->parameters, line), message_count(request->parameters, character)};
    return offset_of(request->server, request->document->text, position);
}

static void append_fix(request *request, const diagnostic *diagnostic)
{
    json_writer *writer = request->writer;
    edit_list edits = {.arena = request->arena};
    add_edit(&edits, diagnostic->span, diagnostic->fix);
    writer_open_line(writer, '{');
    writer_set_text(writer, "title", arena_format(request->arena, "Change to '%s'", diagnostic->fix));
    writer_set_text(writer, "kind", "quickfix");
    writer_set_open_line(writer, "diagnostics", '[');
    writer_append_diagnostic(writer, request->server, diagnostic);
    writer_close(writer, ']');
    writer_set_bool(writer, "isPreferred", true);
    writer_key(writer, "edit");
    append_edits(request, &edits);
    writer_close(writer, '}');
}

static void append_fix_all(request *request)
{
    json_writer *writer = request->writer;
    edit_list edits = {.arena = request->arena};
    for (const root *root = request->root; root != NULL;
         root = server_root_of(request->server, request->document, root))
        for (const diagnostic *item = root->diagnostics.first; item != NULL; item = item->next)
            if (is_fix_of(request, item))
                add_edit(&edits, item->span, item->fix);
    order_edits(&edits);
    if (edits.count == 0)
        return;
    writer_open_line(writer, '{');
    writer_set_text(writer, "title", "Fix all");
    writer_set_text(writer, "kind", "source.fixAll");
    writer_key(writer, "edit");
    append_edits(request, &edits);
    writer_close(writer, '}');
}

// Appends the fixes between two offsets. Several packages may have the same.
static void append_fixes(request *request, size_t start, size_t end)
{
    dictionary known = dictionary_create(request->arena);
    for (const root *root = request->root; root != NULL;
         root = server_root_of(request->server, request->document, root))
        for (const diagnostic *item = root->diagnostics.first; item != NULL; item = item->next) {
            if (!is_fix_of(request, item) || !is_between(item->span, start, end))
                continue;
            const char *key = arena_format(request->arena, "%zu %s", item->span.start, item->fix);
            if (dictionary_add(&known, key, item) == NULL)
                append_fix(request, item);
        }
}

void answer_actions(request *request)
{
    size_t start = offset_in(request, "range.start.line", "range.start.character");
    size_t end = offset_in(request, "range.end.line", "range.end.character");
    writer_open_line(request->writer, '[');
    if (wants(request, "quickfix"))
        append_fixes(request, start, end);
    if (wants(request, "source.fixAll"))
        append_fix_all(request);
    if (request->root->content == NULL && wants(request, "refactor"))
        append_scaffold_actions(request, start, end);
    writer_close(request->writer, ']');
}

// ---- the old name in saves
//
// Where the package has a lock, a renamed thing says under which name saves have it: `was: Velocity`. Renaming it back
// removes that again, so that the file has the same bytes.

static bool has_lock(const request *request)
{
    diagnostics discarded = diagnostics_create(request->arena);
    const package *package = request->root->package;
    if (package == NULL || package->name == NULL)
        return false;
    if (package->source_count == 0)
        return false;
    const char *path = evolve_lock_path(request->arena, package->sources[0], package->name);
    return source_identity_of(request->arena, &discarded, path) != NULL;
}

// Returns the mapping in which the definition may say `was`; NULL if it cannot.
static const language_value *saved_mapping(const language_value *value)
{
    if (value == NULL)
        return NULL;
    if (value->kind == LANGUAGE_MAPPING && language_find(value, "was") != NULL)
        return value;
    if (value->kind != LANGUAGE_EITHER && value->kind != LANGUAGE_MAP)
        return NULL;
    return saved_mapping(value->items);
}

// Returns the key that a short form stands for: `type` of a field; NULL if there is none.
static const char *short_key(const language_value *mapping)
{
    for (const language_key *key = mapping->keys; key->name != NULL; key++)
        if (key->is_required)
            return key->name;
    return NULL;
}

static outline_node *find_key(const outline_node *mapping, const char *name)
{
    outline_node *key = outline_first_key(mapping);
    while (key != NULL && strcmp(key->text, name) != 0)
        key = key->next;
    return key;
}

// Returns whether a mapping says this name in saves. `was` may be NULL.
static bool says_name(const outline_node *was, const char *name)
{
    if (was == NULL || was->value == NULL)
        return false;
    return strcmp(text_or_empty(was->value->text), name) == 0;
}

static const char *written(arena *arena, const outline_node *node)
{
    return arena_copy(arena, node->place.source->bytes + node->place.start, node->place.end - node->place.start);
}

// Returns whether the value is that of a key in a list: `[Green, Blue: {}]`.
static bool is_listed(const outline_node *value)
{
    const outline_node *mapping = value->parent->parent;
    return mapping->parent != NULL && mapping->parent->kind == OUTLINE_SEQUENCE;
}

// Returns whether a mapping in brackets is the short form but for `was`: `{ type: float, was: pace }`.
static bool is_short_with(const outline_node *mapping, const outline_node *was, const char *short_name)
{
    const outline_node *first = mapping->first;
    if (!mapping->is_flow || short_name == NULL)
        return false;
    if (first->next != was || first->value == NULL)
        return false;
    return strcmp(first->text, short_name) == 0;
}

// Removes `was` from the mapping: with what is between it and its neighbour, or with the mapping if only a name needed
// that.
static void remove_was(edit_list *edits, const outline_node *mapping, const outline_node *was, const char *short_name)
{
    const outline_node *first = mapping->first;
    span whole = mapping->place;
    assert(was->parent == mapping && was->value != NULL);
    if (was->next != NULL) {
        add_edit(edits, (span){whole.source, was->place.start, was->next->place.start}, "");
        return;
    }
    if (first == was && mapping->is_flow) {
        add_edit(edits, whole, "{}");
        return;
    }
    if (is_short_with(mapping, was, short_name)) {
        add_edit(edits, whole, written(edits->arena, first->value));
        return;
    }
    const outline_node *before = first;
    while (before->next != was)
        before = before->next;
    size_t start = before->place.end;
    if (before->value != NULL)
        start = before->value->place.end;
    add_edit(edits, (span){whole.source, start, was->value->place.end}, "");
}

// Returns how the first line ends.
static const char *line_end_of(const source *source)
{
    const char *end = memchr(source->bytes, '\n', source->size);
    if (end == NULL || end == source->bytes)
        return "\n";
    return end[-1] == '\r' ? "\r\n" : "\n";
}

// Adds `was` to the value of a definition. In the list of an enum `Blue: {}` becomes another form than `Blue`, so that
// both can be renamed back.
static void add_was(edit_list *edits, const outline_node *value, const char *name, const char *short_name)
{
    arena *arena = edits->arena;
    if (value->kind == OUTLINE_SCALAR && short_name != NULL) {
        add_edit(edits, value->place,
                 arena_format(arena, "{ %s: %s, was: %s }", short_name, written(arena, value), name));
        return;
    }
    if (value->kind != OUTLINE_MAPPING)
        return;
    if (value->first == NULL) {
        const char *space = text_if(short_name != NULL || !is_listed(value), " ");
        add_edit(edits, value->place, arena_format(arena, "{%swas: %s%s}", space, name, space));
        return;
    }
    text added = text_create(arena);
    text_append_format(&added, "was: %s", name);
    if (value->is_flow) {
        text_append_string(&added, ", ");
    } else {
        text_append_string(&added, line_end_of(value->place.source));
        for (size_t i = 0; i < value->first->column; i++)
            text_append_string(&added, " ");
    }
    size_t at = value->first->place.start;
    add_edit(edits, (span){value->place.source, at, at}, added.bytes);
}

// Returns whether a value is `{ was: Blue }` of an enum, which add_was has made of nothing.
static bool is_only_was(const outline_node *value, const outline_node *was)
{
    if (value->first != was || was->next != NULL)
        return false;
    return is_listed(value) && value->place.source->bytes[value->place.start + 1] == ' ';
}

// Adds `was`, unless the value has another one.
static void say_was(edit_list *edits, const outline_node *value, const char *name, const char *short_name)
{
    if (value != NULL && find_key(value, "was") == NULL)
        add_was(edits, value, name, short_name);
}

// Changes what the definition says of its name in saves.
static void change_was(edit_list *edits, const occurrence *definition, const char *name)
{
    const outline_node *node = definition->node;
    const outline_node *value = node->value;
    const outline_node *above = node->parent; // the map or the list with the definition
    if (above == NULL || above->language == NULL)
        return;
    const language_value *mapping = saved_mapping(above->language->items);
    if (mapping == NULL)
        return;
    const char *short_name = short_key(mapping);
    const outline_node *was = find_key(value, "was");
    span end = {node->place.source, node->place.end, node->place.end};
    assert(definition->is_definition);
    if (!node->is_key && above->kind == OUTLINE_SEQUENCE)
        add_edit(edits, end, arena_format(edits->arena, ": { was: %s }", definition->name));
    else if (!says_name(was, name))
        say_was(edits, value, definition->name, short_name);
    else if (short_name == NULL && is_only_was(value, was))
        add_edit(edits, (span){end.source, end.start, value->place.end}, "");
    else
        remove_was(edits, value, was, short_name);
}

// As change_was, for content, where mappings alone have names.
static void change_content_was(edit_list *edits, const occurrence *definition, const char *name)
{
    const outline_node *mapping = definition->node->value;
    unsigned kinds = NAMES_PREFAB | NAMES_PART | NAMES_LEVEL | NAMES_INSTANCE;
    if ((definition->kind & kinds) == 0)
        return;
    if (definition->kind == NAMES_INSTANCE) // the value of `as`
        mapping = definition->node->parent->parent;
    const outline_node *was = find_key(mapping, "was");
    if (says_name(was, name))
        remove_was(edits, mapping, was, NULL);
    else
        say_was(edits, mapping, definition->name, NULL);
}

// ---- renaming

// Returns the text of a file after the edits, which are ordered.
static text edited(arena *arena, const edit_list *list, const source *source)
{
    text out = text_create(arena);
    size_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        const edit *edit = &list->edits[i];
        if (strcmp(edit->place.source->path, source->path) != 0)
            continue;
        assert(edit->place.start >= at); // ordered, without overlaps
        text_append(&out, source->bytes + at, edit->place.start - at);
        text_append_string(&out, edit->text);
        at = edit->place.end;
    }
    text_append(&out, source->bytes + at, source->size - at);
    return out;
}

// Returns the files of a root as they would be after the edits.
static const source_overlay *overlays_of(const request *request, const root *root, const edit_list *list)
{
    arena *arena = request->arena;
    source_overlay *overlays = NULL;
    for (size_t i = 0; i < root->file_count; i++) {
        const source *source = root->files[i].source;
        text changed = edited(arena, list, source);
        source_overlay *overlay = arena_allocate(arena, sizeof *overlay);
        *overlay = (source_overlay){source->path, changed.bytes, changed.size, overlays};
        overlays = overlay;
    }
    return overlays;
}

// Returns the first error that the edits would make in a package with the definition; NULL if there is none.
static const char *find_error(const request *request, const edit_list *list, const source *source)
{
    for (const root *root = request->server->roots; root != NULL; root = root->next) {
        if (root_file(root, source->path) == NULL)
            continue;
        diagnostics after =
            server_check(request->server, request->arena, root->path, overlays_of(request, root, list), NULL);
        const char *error = new_error(&root->diagnostics, &after);
        if (error != NULL)
            return error;
    }
    const root *content = request->server->content;
    if (content == NULL)
        return NULL;
    return content_find_error(request, content, overlays_of(request, content, list));
}

static bool is_of_content(const occurrence *name)
{
    return (name->kind & NAMES_OF_CONTENT) != 0;
}

static edit_list edits_of(const request *request, const place_list *places, const char *name, bool says_was)
{
    edit_list edits = {.arena = request->arena};
    for (size_t i = 0; i < places->count; i++) {
        add_edit(&edits, places->list[i]->place, name);
        if (!places->list[i]->is_definition || !says_was)
            continue;
        if (is_of_content(places->list[i]))
            change_content_was(&edits, places->list[i], name);
        else
            change_was(&edits, places->list[i], name);
    }
    order_edits(&edits);
    return edits;
}

// Returns what is renamed; NULL if nothing is there that a schema or content declares. Parts and knobs of blueprints
// are not renamed: the schema names them in paths.
static const occurrence *renamed(request *request)
{
    const occurrence *name = request_name(request);
    if (name == NULL)
        return NULL;
    const occurrence *definition = names_definition(&request->root->names, name);
    if (definition == NULL)
        return NULL;
    const source *source = definition->place.source;
    if (is_of_content(name) && !content_is_text(source->bytes, source->size))
        return NULL;
    return name;
}

void answer_prepare_rename(request *request)
{
    const occurrence *name = renamed(request);
    if (name == NULL)
        return;
    writer_open_line(request->writer, '{');
    writer_set_range(request->writer, "range", request->server, name->place);
    writer_set_text(request->writer, "placeholder", name->name);
    writer_close(request->writer, '}');
}

static bool is_new(const root *root, const occurrence *name, const char *wanted)
{
    occurrence other = *name;
    other.name = wanted;
    return names_definition(&root->names, &other) == NULL;
}

void answer_rename(request *request)
{
    const occurrence *name = renamed(request);
    const char *wanted = message_text(request->parameters, "newName");
    if (name == NULL || wanted == NULL) {
        request->refusal = "nothing here can be renamed";
        return;
    }
    const source *source = names_definition(&request->root->names, name)->place.source;
    server_search(request->server, source->path);
    if (strcmp(name->name, wanted) != 0 && !is_new(request->root, name, wanted)) {
        request->refusal = arena_format(request->arena, "%s '%s' is declared already", names_kind(name->kind), wanted);
        return;
    }
    bool says_was = is_of_content(name) ? content_has_lock(request) : has_lock(request);
    bool may_not_say_was = says_was && !is_of_content(name); // saves may not know the old name
    place_list places = request_places(request, name);
    if (request->root->content == NULL)
        content_forget(request->server);
    request_add_content(request, &places, name);
    edit_list edits = edits_of(request, &places, wanted, says_was);
    const char *error = find_error(request, &edits, source);
    if (error != NULL && may_not_say_was) {
        edits = edits_of(request, &places, wanted, false);
        error = find_error(request, &edits, source);
    }
    request->refusal = error;
    if (error == NULL)
        append_edits(request, &edits);
}

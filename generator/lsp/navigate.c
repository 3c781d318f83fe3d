// Where names are declared and used, and the symbols of files.
#include "generator/lsp/internal.h"

#include <assert.h>
#include <string.h>

// ---- uses of a name

const occurrence *request_name(const request *request)
{
    return names_at(&request->root->names, request->document->text, request->offset);
}

static void add_place(place_list *places, arena *arena, const occurrence *found)
{
    for (size_t i = 0; i < places->count; i++) {
        const span place = places->list[i]->place;
        if (place.start == found->place.start && strcmp(place.source->path, found->place.source->path) == 0)
            return;
    }
    places->list = arena_grow(arena, places->list, places->count, &places->capacity, sizeof *places->list);
    places->list[places->count++] = found;
}

// Adds the definition first, so that it is what a package without it would not have.
static void add_places(place_list *places, arena *arena, const root *root, const occurrence *wanted)
{
    const occurrence *definition = names_definition(&root->names, wanted);
    if (definition != NULL)
        add_place(places, arena, definition);
    for (const occurrence *name = root->names.first; name != NULL; name = name->next)
        if (name != definition && names_are_same(name, wanted))
            add_place(places, arena, name);
}

place_list request_places(const request *request, const occurrence *wanted)
{
    place_list places = {0};
    const occurrence *definition = names_definition(&request->root->names, wanted);
    const source *source = request->file->source;
    if (definition != NULL)
        source = definition->place.source;
    add_places(&places, request->arena, request->root, wanted);
    for (const root *root = request->server->roots; root != NULL; root = root->next)
        if (root != request->root && root_file(root, source->path) != NULL)
            add_places(&places, request->arena, root, wanted);
    return places;
}

// Adds the uses in the content beside a schema.
void request_add_content(const request *request, place_list *places, const occurrence *wanted)
{
    unsigned kinds = REFERS_TO_CONTEXT | REFERS_TO_COMPONENT | REFERS_TO_FIELD | REFERS_TO_VALUE | REFERS_TO_BLUEPRINT;
    if (request->root->content != NULL || (wanted->kind & kinds) == 0)
        return;
    const root *content = content_beside(request->server, request->root);
    if (content != NULL)
        add_places(places, request->arena, content, wanted);
}

// ---- definition, references

// Returns the file that an item of `include` at the offset names; NULL if there is none.
static const lsp_file *included_at(const request *request)
{
    const outline_node *node = outline_at(request->file->outline, request->offset);
    if (node == NULL || node->is_key)
        return NULL;
    if (node->row == NULL || strcmp(node->row->name, "include") != 0)
        return NULL;
    for (size_t i = 0; i < request->root->file_count; i++) {
        const char *path = request->root->files[i].source->path;
        size_t size = strlen(path);
        size_t end = strlen(node->text);
        if (size >= end && strcmp(path + size - end, node->text) == 0)
            return &request->root->files[i];
    }
    return NULL;
}

// Returns the place of what is named at the place of the request, or of the file that it includes; no source if there
// is none.
static span definition_at(const request *request)
{
    const occurrence *name = request_name(request);
    span place = {0};
    if (name != NULL) {
        const occurrence *definition = names_definition(&request->root->names, name);
        if (definition != NULL)
            place = definition->place;
        return place;
    }
    const lsp_file *included = included_at(request);
    if (included != NULL)
        place.source = included->source;
    return place;
}

void answer_definition(request *request)
{
    span place = definition_at(request);
    if (place.source == NULL)
        return;
    writer_open_line(request->writer, '[');
    writer_append_location(request->writer, request->server, place);
    writer_close(request->writer, ']');
}

void answer_references(request *request)
{
    const occurrence *name = request_name(request);
    const json_node *declaration = message_find(request->parameters, "context.includeDeclaration");
    bool has_declaration = declaration == NULL || declaration->boolean;
    if (name == NULL)
        return;
    place_list places = request_places(request, name);
    request_add_content(request, &places, name);
    writer_open_line(request->writer, '[');
    for (size_t i = 0; i < places.count; i++)
        if (has_declaration || !places.list[i]->is_definition)
            writer_append_location(request->writer, request->server, places.list[i]->place);
    writer_close(request->writer, ']');
}

void answer_highlights(request *request)
{
    const occurrence *name = request_name(request);
    json_writer *writer = request->writer;
    if (name == NULL)
        return;
    place_list places = request_places(request, name);
    writer_open_line(writer, '[');
    for (size_t i = 0; i < places.count; i++) {
        const occurrence *found = places.list[i];
        if (strcmp(found->place.source->path, request->document->path) != 0)
            continue;
        writer_open_line(writer, '{');
        writer_set_range(writer, "range", request->server, found->place);
        writer_set_count(writer, "kind", found->is_definition ? 3 : 2);
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

// ---- symbols

// Returns the SymbolKind of the protocol.
static unsigned symbol_kind_of(unsigned kind)
{
    switch (kind) {
    case REFERS_TO_CONTEXT:
        return 3; // namespace
    case REFERS_TO_TYPE:
    case REFERS_TO_COMPONENT:
        return 23; // struct
    case REFERS_TO_FIELD:
        return 8; // field
    case REFERS_TO_VALUE:
        return 22; // enum member
    case REFERS_TO_GROUP:
        return 18; // array
    case REFERS_TO_INDEX:
        return 20; // key
    case REFERS_TO_BLUEPRINT:
    case NAMES_PREFAB:
        return 5; // class
    case NAMES_PART:
    case NAMES_INSTANCE:
        return 19; // object
    case NAMES_LEVEL:
        return 2; // module
    case REFERS_TO_MESSAGE:
        return 24; // event
    case REFERS_TO_SYSTEM:
        return 12; // function
    case REFERS_TO_NODE:
        return 2; // module
    default:
        return 7; // property
    }
}

// Returns the place of the whole definition.
static span whole_of(const outline_node *node)
{
    span whole = node->place;
    if (node->value != NULL && node->value->place.end > whole.end)
        whole.end = node->value->place.end;
    return whole;
}

// Appends the definitions in the node. Recursive, as deep as the outline.
static void append_symbols(request *request, const outline_node *node)
{
    json_writer *writer = request->writer;
    const occurrence *name = node->naming;
    bool is_symbol = name != NULL && name->is_definition;
    if (is_symbol) {
        writer_open_line(writer, '{');
        writer_set_text(writer, "name", name->name);
        writer_set_text(writer, "detail", names_kind(name->kind));
        writer_set_count(writer, "kind", symbol_kind_of(name->kind));
        writer_set_range(writer, "range", request->server, whole_of(node));
        writer_set_range(writer, "selectionRange", request->server, name->place);
        writer_set_open_line(writer, "children", '[');
    }
    if (node->is_key && node->value != NULL)
        append_symbols(request, node->value);
    for (const outline_node *item = node->first; item != NULL; item = item->next)
        append_symbols(request, item);
    if (is_symbol) {
        writer_close(writer, ']');
        writer_close(writer, '}');
    }
}

void answer_symbols(request *request)
{
    writer_open_line(request->writer, '[');
    append_symbols(request, request->file->outline);
    writer_close(request->writer, ']');
}

static bool has_letters(const char *name, const char *query)
{
    for (; *name != '\0' && *query != '\0'; name++)
        if (byte_to_lower(*name) == byte_to_lower(*query))
            query++;
    return *query == '\0';
}

// Returns a copy that outlives the content that the name is of. Only what a symbol needs is valid.
static const occurrence *kept(arena *arena, const occurrence *name)
{
    occurrence *made = arena_allocate(arena, sizeof *made);
    const source *source = name->place.source;
    *made = *name;
    made->name = arena_copy(arena, name->name, strlen(name->name));
    if (name->owner != NULL)
        made->owner = arena_copy(arena, name->owner, strlen(name->owner));
    made->place.source =
        source_from_bytes(arena, arena_copy(arena, source->path, strlen(source->path)), source->bytes, source->size);
    return made;
}

static void add_content_symbols(request *request, const document *document, const char *query, place_list *known)
{
    const root *root = content_root(request->server, document);
    if (root == NULL)
        return;
    for (const occurrence *name = root->names.first; name != NULL; name = name->next) {
        bool is_declared = name->is_definition && (name->kind & NAMES_OF_CONTENT) != 0;
        if (is_declared && has_letters(name->name, query))
            add_place(known, request->arena, kept(request->arena, name));
    }
}

void answer_workspace_symbols(request *request)
{
    const char *query = text_or_empty(message_text(request->parameters, "query"));
    json_writer *writer = request->writer;
    place_list known = {0};
    for (const document *document = request->server->documents; document != NULL; document = document->next)
        add_content_symbols(request, document, query, &known);
    for (const root *root = request->server->roots; root != NULL; root = root->next)
        for (const occurrence *name = root->names.first; name != NULL; name = name->next)
            if (name->is_definition && has_letters(name->name, query))
                add_place(&known, request->arena, name);
    writer_open_line(writer, '[');
    for (size_t i = 0; i < known.count; i++) {
        const occurrence *name = known.list[i];
        writer_open_line(writer, '{');
        writer_set_text(writer, "name", name->name);
        writer_set_count(writer, "kind", symbol_kind_of(name->kind));
        writer_key(writer, "location");
        writer_append_location(writer, request->server, name->place);
        writer_set_text(writer, "containerName", name->owner != NULL ? name->owner : names_kind(name->kind));
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

// ---- folding

// Appends the lines of a key and its value, if these are several.
static void append_fold(request *request, const outline_node *key, const outline_node *value)
{
    json_writer *writer = request->writer;
    size_t last = value->place.end;
    while (last > key->place.start && byte_is_space(value->place.source->bytes[last - 1]))
        last--;
    size_t start = source_position_of(value->place.source, key->place.start).line;
    size_t end = source_position_of(value->place.source, last).line;
    if (end == start)
        return;
    assert(end > start);
    writer_open_line(writer, '{');
    writer_set_count(writer, "startLine", start - 1);
    writer_set_count(writer, "endLine", end - 1);
    writer_close(writer, '}');
}

// Recursive, as deep as the outline.
static void append_folds(request *request, const outline_node *node)
{
    assert(node->value == NULL || node->is_key);
    if (node->value != NULL) {
        append_fold(request, node, node->value);
        append_folds(request, node->value);
    }
    for (const outline_node *item = node->first; item != NULL; item = item->next)
        append_folds(request, item);
}

void answer_folding(request *request)
{
    writer_open_line(request->writer, '[');
    append_folds(request, request->file->outline);
    writer_close(request->writer, ']');
}

// Content files in the editor: each open one is checked with all others of its folder, against the schema above it.
//
//   town.yaml            the schema: the nearest folder above that has one with `content: true`
//   content/             the folder of the content: the one beside the schema
//     guns/fast.yaml     an open document
//
// For a question the compiler of content says which names are where. They stand in one table with those of the schema,
// so that what answers questions about schemas answers these, too.
#include "generator/lsp/internal.h"

#include "generator/content/content.h"
#include "generator/read/read.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDERS_ABOVE = 8, BEGINNING = 4096, BLUEPRINT_DEPTH = 16 };

// Where content and its schema are.
typedef struct content_place {
    const char *schema_path;
    const package *package;
    content_schema schema;
    const char *paths[2]; // a document, or NULL, and the folder, or NULL
} content_place;

// ---- the schema

// Whether a line of the beginning of a file starts so.
static bool has_line(const char *bytes, const char *start)
{
    size_t size = strlen(start);
    for (const char *at = bytes; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, start, size) == 0)
            return true;
    }
    return false;
}

static bool is_schema(const char *path)
{
    char bytes[BEGINNING + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    size_t size = fread(bytes, 1, BEGINNING, file);
    fclose(file);
    bytes[size] = '\0';
    return has_line(bytes, "kin:") && has_line(bytes, "package:");
}

// Reads a schema. Without contexts with content, or with errors, which its own document shows, it has none.
static void read_schema(arena *arena, const server *server, const source_overlay *overlays, const char *path,
                        content_place *place)
{
    diagnostics discarded = diagnostics_create(arena);
    discarded.overlays = overlays;
    const package *package = package_load(arena, &discarded, path, server->folders);
    place->schema = (content_schema){NULL, 0};
    if (package == NULL)
        return;
    const kin_context_info *const *tables = schema_context_tables(arena, package);
    const kin_context_info **contexts = arena_allocate(arena, (package->context_count + 1) * sizeof *contexts);
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->has_content)
            contexts[place->schema.count++] = tables[i];
    place->schema.contexts = contexts;
    place->schema_path = path;
    place->package = package;
}

static bool find_in(arena *arena, const server *server, const source_overlay *overlays, const char *folder,
                    content_place *place)
{
    DIR *listed = folder_open(folder);
    if (listed == NULL)
        return false;
    for (struct dirent *entry = readdir(listed); entry != NULL && place->schema.count == 0; entry = readdir(listed)) {
        const char *path = arena_format(arena, "%s%s", folder, entry->d_name);
        if (text_ends_in(entry->d_name, ".yaml") && is_schema(path))
            read_schema(arena, server, overlays, path, place);
    }
    closedir(listed);
    return place->schema.count > 0;
}

// Returns the folder above, with its slash; NULL if there is none.
static const char *folder_above(arena *arena, const char *folder)
{
    size_t size = strlen(folder);
    if (size <= 1)
        return NULL;
    return arena_copy(arena, folder, (size_t)source_folder_size(arena_copy(arena, folder, size - 1)));
}

static bool find_place(arena *arena, const server *server, const source_overlay *overlays, const document *document,
                       content_place *place)
{
    const char *folder = arena_copy(arena, document->path, (size_t)source_folder_size(document->path));
    *place = (content_place){.paths = {document->path, NULL}};
    for (int i = 0; folder != NULL && i < FOLDERS_ABOVE; i++) {
        if (find_in(arena, server, overlays, folder, place))
            return true;
        place->paths[1] = folder;
        folder = folder_above(arena, folder);
    }
    return false;
}

static content_paths paths_of(const content_place *place)
{
    size_t first = place->paths[0] == NULL;
    assert(place->paths[0] != NULL || place->paths[1] != NULL);
    return (content_paths){place->paths + first, 2 - first - (place->paths[1] == NULL)};
}

const diagnostics *content_diagnostics(arena *arena, const server *server, const source_overlay *overlays,
                                       const document *document)
{
    content_place place;
    if (!content_is_text(document->text->bytes, document->text->size))
        return NULL;
    diagnostics *diagnostics = arena_allocate(arena, sizeof *diagnostics);
    *diagnostics = diagnostics_create(arena);
    diagnostics->overlays = overlays;
    if (find_place(arena, server, overlays, document, &place))
        content_compile(arena, diagnostics, place.schema, paths_of(&place));
    return diagnostics;
}

// ---- trees of half written files

typedef struct asking {
    content_editor editor;
    arena *arena;
    root *root;         // gets names
    const source *text; // the document that is asked about; NULL: none is
    size_t line;        // where the question is, from 1
    content_editor *asker;
} asking;

static const tree_node *tree_of(const asking *asking, const outline_node *node);

static const tree_node *scalar_of(const asking *asking, const outline_node *node)
{
    tree_node *made = arena_allocate(asking->arena, sizeof *made);
    bool is_plain = !outline_is_quoted(node);
    *made = (tree_node){.kind = TREE_SCALAR, .span = node->place, .text = node->text, .is_plain = is_plain};
    made->size = strlen(node->text);
    return made;
}

static const tree_node *empty_after(const asking *asking, const outline_node *key)
{
    tree_node *made = arena_allocate(asking->arena, sizeof *made);
    *made = (tree_node){.kind = TREE_SCALAR, .span = key->place, .text = "", .is_plain = true};
    made->span.start = made->span.end;
    return made;
}

// A word below a key begins the mapping of the key.
static const tree_node *mapping_of_word(const asking *asking, const outline_node *word)
{
    tree_node *made = arena_allocate(asking->arena, sizeof *made);
    tree_pair *pair = arena_allocate(asking->arena, sizeof *pair);
    *pair = (tree_pair){.key = scalar_of(asking, word), .value = empty_after(asking, word)};
    *made = (tree_node){.kind = TREE_MAPPING, .span = word->place, .count = 1, .pairs = pair};
    return made;
}

static size_t line_of(const outline_node *node)
{
    return source_position_of(node->place.source, node->place.start).line;
}

// Whether a value is the word that is asked about, in a line below its key.
static bool is_word_below(const asking *asking, const outline_node *key, const outline_node *value)
{
    if (value->kind != OUTLINE_SCALAR || asking->text != value->place.source)
        return false;
    size_t line = line_of(value);
    return line == asking->line && line > line_of(key);
}

static const tree_node *value_of(const asking *asking, const outline_node *key)
{
    const outline_node *value = key->value;
    if (value == NULL)
        return empty_after(asking, key);
    if (is_word_below(asking, key, value))
        return mapping_of_word(asking, value);
    return tree_of(asking, value);
}

static const tree_node *mapping_of(const asking *asking, const outline_node *node)
{
    tree_node *made = arena_allocate(asking->arena, sizeof *made);
    tree_pair *last = NULL;
    *made = (tree_node){.kind = TREE_MAPPING, .span = node->place};
    for (const outline_node *key = node->first; key != NULL; key = key->next) {
        assert(key->is_key); // 2
        tree_pair *pair = arena_allocate(asking->arena, sizeof *pair);
        *pair = (tree_pair){.key = scalar_of(asking, key), .value = value_of(asking, key)};
        if (last == NULL)
            made->pairs = pair;
        else
            last->next = pair;
        last = pair;
        made->count++;
    }
    return made;
}

static const tree_node *sequence_of(const asking *asking, const outline_node *node)
{
    tree_node *made = arena_allocate(asking->arena, sizeof *made);
    tree_node *last = NULL;
    *made = (tree_node){.kind = TREE_SEQUENCE, .span = node->place};
    for (const outline_node *each = node->first; each != NULL; each = each->next) {
        assert(!each->is_key); // 2
        tree_node *item = (tree_node *)tree_of(asking, each);
        if (last == NULL)
            made->items = item;
        else
            last->next = item;
        last = item;
        made->count++;
    }
    return made;
}

// Recursive, as deep as the outline, which is limited.
static const tree_node *tree_of(const asking *asking, const outline_node *node)
{
    switch (node->kind) {
    case OUTLINE_MAPPING:
        return mapping_of(asking, node);
    case OUTLINE_SEQUENCE:
        return sequence_of(asking, node);
    default:
        return scalar_of(asking, node);
    }
}

// The document of a question is read by its outline, as its text has one word more; others only if they are no YAML.
static const tree_node *parse(content_editor *editor, diagnostics *diagnostics, const source *source)
{
    asking *asking = (struct asking *)editor;
    const tree_node *tree = NULL;
    bool is_asked = asking->text != NULL && strcmp(asking->text->path, source->path) == 0;
    if (is_asked)
        asking->text = source;
    else
        tree = tree_parse(asking->arena, diagnostics, source);
    if (tree != NULL)
        return tree;
    const outline_node *outline = outline_make(asking->arena, source);
    if (outline->kind != OUTLINE_MAPPING)
        return NULL;
    return tree_of(asking, outline);
}

// ---- names

static const struct {
    unsigned kind, owner_kind;
} kinds[] = {
    [CONTENT_PREFAB] = {NAMES_PREFAB, 0},
    [CONTENT_BLUEPRINT] = {REFERS_TO_BLUEPRINT, 0},
    [CONTENT_PART] = {NAMES_PART, 0},
    [CONTENT_KNOB] = {NAMES_KNOB, 0},
    [CONTENT_LEVEL] = {NAMES_LEVEL, 0},
    [CONTENT_INSTANCE] = {NAMES_INSTANCE, 0},
    [CONTENT_CONTEXT] = {REFERS_TO_CONTEXT, 0},
    [CONTENT_COMPONENT] = {REFERS_TO_COMPONENT, 0},
    [CONTENT_FIELD] = {REFERS_TO_FIELD, REFERS_TO_COMPONENT},
    [CONTENT_MEMBER] = {REFERS_TO_FIELD, REFERS_TO_TYPE},
    [CONTENT_VALUE] = {REFERS_TO_VALUE, REFERS_TO_TYPE},
};

static const lsp_file *file_of(const asking *asking, const source *source)
{
    root *root = asking->root;
    const lsp_file *known = root_file(root, source->path);
    if (known != NULL)
        return known;
    root->files = arena_grow(&root->arena, root->files, root->file_count, &root->file_capacity, sizeof *root->files);
    root->files[root->file_count] = (lsp_file){source, outline_make(&root->arena, source)};
    return &root->files[root->file_count++];
}

static void note_name(content_editor *editor, const content_name *name)
{
    const asking *asking = (struct asking *)editor;
    assert(name->kind < sizeof kinds / sizeof kinds[0] && kinds[name->kind].kind != 0);
    const lsp_file *file = file_of(asking, name->place.source);
    outline_node *node = outline_at(file->outline, name->place.start);
    if (node == NULL)
        return;
    occurrence found = {.kind = kinds[name->kind].kind,
                        .owner_kind = kinds[name->kind].owner_kind,
                        .owner = name->owner,
                        .name = name->name,
                        .place = name->place,
                        .is_definition = name->is_definition,
                        .node = node};
    names_add_one(&asking->root->names, &found);
}

static const occurrence *blueprint_of(const root *root, const char *name)
{
    const occurrence wanted = {.kind = REFERS_TO_BLUEPRINT, .name = name};
    return names_definition(&root->names, &wanted);
}

static void name_keys(root *root, const outline_node *mapping, unsigned kind, const char *owner)
{
    for (outline_node *key = outline_first_key(mapping); key != NULL; key = key->next) {
        const occurrence found = {
            .kind = kind, .owner = owner, .name = key->text, .place = key->place, .is_definition = true, .node = key};
        if (names_definition(&root->names, &found) == NULL) // not what a blueprint changes of its base
            names_add_one(&root->names, &found);
    }
}

// Names the children and knobs in a blueprint of the schema. Recursive along bases and children, up to a limit.
static void name_blueprint(root *root, const outline_node *value, const char *owner, bool is_first, int depth)
{
    const outline_node *children = outline_find(value, "children");
    const outline_node *extends = outline_find(value, is_first ? "extends" : "of");
    const occurrence *base = NULL;
    if (depth == BLUEPRINT_DEPTH)
        return;
    if (outline_is_scalar(extends))
        base = blueprint_of(root, extends->text);
    name_keys(root, children, NAMES_PART, owner);
    if (strchr(owner, '.') == NULL)
        name_keys(root, outline_find(value, "knobs"), NAMES_KNOB, owner);
    for (const outline_node *key = outline_first_key(children); key != NULL; key = key->next)
        name_blueprint(root, key->value, arena_format(&root->arena, "%s.%s", owner, key->text), false, depth + 1);
    if (base != NULL)
        name_blueprint(root, base->node->value, owner, true, depth + 1);
}

static void name_blueprints(root *root)
{
    const occurrence *last = root->names.last;
    for (const occurrence *name = root->names.first; name != NULL; name = name->next) {
        if (name->is_definition && name->kind == REFERS_TO_BLUEPRINT)
            name_blueprint(root, name->node->value, name->name, true, 0);
        if (name == last)
            return;
    }
}

// ---- one question

void content_forget(server *server)
{
    if (server->content == NULL)
        return;
    arena_release(&server->content->arena);
    free(server->content);
    server->content = NULL;
}

static root *new_root(server *server)
{
    content_forget(server);
    assert(server->content == NULL);
    root *made = calloc(1, sizeof *made);
    if (made == NULL)
        exit(STATUS_SYSTEM);
    made->arena = arena_beside(&server->arena);
    server->content = made;
    return made;
}

static asking ask(root *root)
{
    asking asking = {.arena = &root->arena, .root = root};
    asking.editor.parse = parse;
    return asking;
}

static root *read_root(server *server, root *root, content_place *place)
{
    asking asking = ask(root);
    asking.editor.note = note_name;
    root->content = place;
    root->path = place->schema_path;
    root_outline(server, root, place->schema_path);
    root_name_files(root);
    name_blueprints(root);
    root->package = place->package;
    root->diagnostics = diagnostics_create(&root->arena);
    root->diagnostics.options.limit = 0;
    root->diagnostics.overlays = server_overlays(server, &root->arena);
    content_explore(&root->arena, &root->diagnostics, place->schema, paths_of(place), &asking.editor);
    root->diagnostics.overlays = NULL;
    return root;
}

root *content_root(server *server, const document *document)
{
    if (!content_is_text(document->text->bytes, document->text->size))
        return NULL;
    root *root = new_root(server);
    content_place *place = arena_allocate(&root->arena, sizeof *place);
    if (!find_place(&root->arena, server, server_overlays(server, &root->arena), document, place)) {
        content_forget(server);
        return NULL;
    }
    read_root(server, root, place);
    asking asking = ask(root);
    file_of(&asking, document->text); // it may have no names
    return root;
}

static bool is_content_file(const char *path)
{
    struct stat status;
    if (!text_ends_in(path, ".yaml") || stat(path, &status) != 0)
        return false;
    return S_ISREG(status.st_mode) && content_is_path(path);
}

// Whether a file of the folder is content.
static bool has_content(arena *arena, const char *folder)
{
    DIR *listed = opendir(folder);
    bool has = false;
    if (listed == NULL)
        return false;
    for (struct dirent *entry = readdir(listed); entry != NULL && !has; entry = readdir(listed))
        has = is_content_file(arena_format(arena, "%s/%s", folder, entry->d_name));
    closedir(listed);
    return has;
}

// Returns the folder beside a schema that has content; NULL if there is none.
static const char *folder_beside(server *server, const root *schema)
{
    const char *folder = arena_copy(&server->message, schema->path, (size_t)source_folder_size(schema->path));
    const char *found = NULL;
    DIR *listed = folder_open(folder);
    if (listed == NULL)
        return NULL;
    for (struct dirent *entry = readdir(listed); entry != NULL && found == NULL; entry = readdir(listed)) {
        const char *path = arena_format(&server->message, "%s%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && has_content(&server->message, path))
            found = path;
    }
    closedir(listed);
    return found;
}

root *content_beside(server *server, const root *schema)
{
    assert(schema != server->content && schema->content == NULL);
    const char *found = folder_beside(server, schema);
    if (found == NULL)
        return NULL;
    root *root = new_root(server);
    content_place *place = arena_allocate(&root->arena, sizeof *place);
    const char *path = arena_copy(&root->arena, schema->path, strlen(schema->path));
    *place = (content_place){.paths = {NULL, arena_copy(&root->arena, found, strlen(found))}};
    read_schema(&root->arena, server, server_overlays(server, &root->arena), path, place);
    if (place->schema.count > 0)
        return read_root(server, root, place);
    content_forget(server);
    return NULL;
}

// ---- answers

static void explore(const request *request, asking *asking, const source_overlay *overlays, diagnostics *diagnostics)
{
    const content_place *place = request->root->content;
    assert(request->root == request->server->content && place != NULL);
    *diagnostics = diagnostics_create(request->arena);
    diagnostics->options.limit = 0;
    diagnostics->overlays = overlays;
    asking->arena = request->arena;
    asking->editor.path = request->document->path;
    content_explore(request->arena, diagnostics, place->schema, paths_of(place), &asking->editor);
}

static void pass_offer(content_editor *editor, const content_name *offer)
{
    content_editor *asker = ((struct asking *)editor)->asker;
    asker->offer(asker, offer);
}

void content_offer(const request *request, const source *text, size_t offset, content_editor *editor)
{
    diagnostics discarded;
    source_overlay *overlay = arena_allocate(request->arena, sizeof *overlay);
    asking asking = ask(request->root);
    asking.text = text;
    asking.line = source_position_of(text, offset).line;
    asking.asker = editor;
    asking.editor.offer = pass_offer;
    asking.editor.offset = offset;
    *overlay = (source_overlay){text->path, text->bytes, text->size, server_overlays(request->server, request->arena)};
    explore(request, &asking, overlay, &discarded);
}

static void ignore_name(content_editor *editor, const content_name *name)
{
    (void)editor;
    (void)name;
}

void content_hover(const request *request, text *out)
{
    diagnostics discarded;
    asking asking = ask(request->root);
    asking.editor.note = ignore_name;
    asking.editor.offset = request->offset;
    explore(request, &asking, server_overlays(request->server, request->arena), &discarded);
    if (asking.editor.found.name != NULL)
        content_describe(out, &asking.editor.found);
}

bool content_has_lock(const request *request)
{
    const content_place *place = request->root->content;
    struct stat found;
    return place->paths[1] != NULL &&
           stat(arena_format(request->arena, "%s/content.lock", place->paths[1]), &found) == 0;
}

static bool has_error(const diagnostics *diagnostics, const char *message)
{
    for (const diagnostic *item = diagnostics->first; item != NULL; item = item->next)
        if (item->kind != DIAGNOSTIC_WARNING && strcmp(item->message, message) == 0)
            return true;
    return false;
}

const char *new_error(const diagnostics *before, const diagnostics *after)
{
    if (after->errors <= before->errors)
        return NULL;
    for (const diagnostic *item = after->first; item != NULL; item = item->next)
        if (item->kind != DIAGNOSTIC_WARNING && !has_error(before, item->message))
            return item->message;
    return "the new name is an error";
}

// The schema is read again, as it may be edited, too.
const char *content_find_error(const request *request, const root *content, const source_overlay *overlays)
{
    diagnostics after = diagnostics_create(request->arena);
    content_place place = *content->content;
    after.options.limit = 0;
    after.overlays = overlays;
    read_schema(request->arena, request->server, overlays, place.schema_path, &place);
    if (place.schema.count == 0)
        return "the schema would have errors";
    content_compile(request->arena, &after, place.schema, paths_of(&place));
    return new_error(&content->diagnostics, &after);
}

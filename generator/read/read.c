// Reads the files of a package, each root key in turn, and checks the whole.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <stdlib.h>
#include <string.h>

static void read_version(reader *reader, const tree_node *root)
{
    const tree_node *key = tree_find_key(root, "kin");
    const tree_node *version = tree_find(root, "kin");
    if (key == NULL) {
        if (reader_is_misspelled(root, &language_file, "kin"))
            return;
        span first = root->pairs == NULL ? root->span : root->pairs->key->span;
        diagnostic_error(reader->diagnostics, CODE_VERSION, first, "schema must begin with 'kin: 1'");
        return;
    }
    if (key != root->pairs->key)
        diagnostic_error(reader->diagnostics, CODE_VERSION, key->span, "'kin' must be the first key");
    bool is_known = version->kind == TREE_SCALAR && version->is_plain && strcmp(version->text, "1") == 0;
    if (is_known || version->kind == TREE_BROKEN)
        return;
    diagnostic_error(reader->diagnostics, CODE_VERSION, version->span,
                     "'kin' must be 1, the version of the schema language");
}

// Reports a key that only the root schema may have.
static void refuse_in_included(reader *reader, const schema_file *file, const char *key)
{
    const tree_node *node = tree_find_key(file->root, key);
    if (node == NULL)
        return;
    diagnostic_error(reader->diagnostics, CODE_KEY_OF_ROOT_FILE, node->span,
                     "'%s' is only allowed in the root file of the package", key);
    diagnostic_note(reader->diagnostics, file->span, "'%s' is included here", file->source->path);
}

static void read_file(reader *reader, const schema_file *file)
{
    read_version(reader, file->root);
    reader_check_keys(reader, file->root, &language_file, "the schema");
    reader_find_misspelled(reader, file->root);
    if (file->includer == NULL)
        return;
    refuse_in_included(reader, file, "package");
    refuse_in_included(reader, file, "prefix");
    refuse_in_included(reader, file, "version");
    refuse_in_included(reader, file, "faces");
}

static void read_package_name(reader *reader)
{
    const tree_node *root = reader->files->root;
    const tree_node *node = tree_find(root, "package");
    if (node == NULL) {
        if (reader_is_misspelled(root, &language_file, "package"))
            return;
        diagnostic_error(reader->diagnostics, CODE_NO_PACKAGE, root->pairs->key->span, "schema has no 'package'");
        diagnostic_hint(reader->diagnostics, "add 'package: <name>'");
    } else if (reader_check_name(reader, node, CASE_SNAKE, "a package")) {
        reader->package->name = node->text;
        reader->package->span = node->span;
    }
}

static void read_prefix(reader *reader)
{
    const tree_node *node = tree_find(reader->files->root, "prefix");
    if (node == NULL || !reader_expect_text(reader, node, "'prefix'") || node->size == 0)
        return;
    const char *snake = name_to_snake_case(reader->arena, node->text);
    bool is_of_runtime = strcmp(snake, "kin") == 0 || strncmp(snake, "kin_", strlen("kin_")) == 0;
    if (is_of_runtime) {
        diagnostic_error(reader->diagnostics, CODE_NAME_OF_RUNTIME, node->span,
                         "names that begin with 'kin_' are reserved for the runtime");
        return;
    }
    bool is_reserved = node->text[0] == '_' || strstr(node->text, "__") != NULL;
    if (name_is_identifier(node->text) && !is_reserved && node->size <= SCHEMA_NAME_LIMIT)
        reader->package->prefix = node->text;
    else
        diagnostic_error(reader->diagnostics, CODE_PREFIX, node->span,
                         "'prefix' must be the beginning of a C identifier, such as 'my_'");
}

static void read_faces(reader *reader)
{
    const tree_node *node = tree_find(reader->files->root, "faces");
    if (node == NULL || !reader_expect_items(reader, node, "'faces'"))
        return;
    for (const tree_node *item = node->items; item != NULL; item = item->next) {
        if (!reader_expect_text(reader, item, "an item of 'faces'"))
            continue;
        bool is_cpp = strcmp(item->text, "cpp") == 0;
        if (!is_cpp)
            diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, item->span, "unknown face '%s'; expected cpp",
                             item->text);
        else if (reader->package->has_cpp_face)
            diagnostic_error(reader->diagnostics, CODE_NAMED_TWICE, item->span, "'%s' is listed twice in 'faces'",
                             item->text);
        else
            reader->package->has_cpp_face = true;
    }
}

static int compare_components(const void *a, const void *b)
{
    const component *left = *(const component *const *)a;
    const component *right = *(const component *const *)b;
    return strcmp(left->name, right->name);
}

static void publish_components(reader *reader)
{
    const component **list = arena_allocate(reader->arena, (reader->component_count + 1) * sizeof *list);
    for (size_t i = 0; i < reader->component_count; i++)
        list[i] = &reader->components[i]->component;
    qsort(list, reader->component_count, sizeof *list, compare_components);
    reader->package->components = list;
    reader->package->component_count = reader->component_count;
}

static void check_count(reader *reader, const context *context)
{
    if (context->component_count > SCHEMA_COMPONENT_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_TOO_MANY, context->span,
                         "context '%s' has %zu components; at most %d are allowed", context->name,
                         context->component_count, SCHEMA_COMPONENT_LIMIT);
}

// The package's components are sorted, so appending them in order also sorts each context's list.
static void publish_components_of_contexts(reader *reader)
{
    const package *package = reader->package;
    const component ***lists = arena_allocate(reader->arena, (reader->context_count + 1) * sizeof *lists);
    for (size_t i = 0; i < package->component_count; i++)
        for (size_t j = 0; j < package->components[i]->context_count; j++)
            reader->contexts[package->components[i]->contexts[j]->order]->component_count++;
    for (size_t i = 0; i < reader->context_count; i++) {
        context *context = reader->contexts[i];
        check_count(reader, context);
        lists[i] = arena_allocate(reader->arena, (context->component_count + 1) * sizeof **lists);
        context->components = lists[i];
    }
    for (size_t i = 0; i < package->component_count; i++)
        for (size_t j = 0; j < package->components[i]->context_count; j++)
            *lists[package->components[i]->contexts[j]->order]++ = package->components[i];
}

static void publish_sources(reader *reader)
{
    size_t capacity = 0;
    for (const schema_file *file = reader->files; file != NULL; file = file->next)
        capacity++;
    const source **sources = arena_allocate(reader->arena, capacity * sizeof *sources);
    reader->package->sources = sources;
    for (const schema_file *file = reader->files; file != NULL; file = file->next)
        sources[reader->package->source_count++] = file->source;
}

static void publish(reader *reader)
{
    const context **contexts = arena_allocate(reader->arena, (reader->context_count + 1) * sizeof *contexts);
    publish_sources(reader);
    publish_components(reader);
    publish_components_of_contexts(reader);
    for (size_t i = 0; i < reader->context_count; i++)
        contexts[i] = reader->contexts[i];
    reader->package->contexts = contexts;
    reader->package->context_count = reader->context_count;
}

static bool has_key(const reader *reader, const char *key)
{
    for (const schema_file *file = reader->files; file != NULL; file = file->next)
        if (tree_find(file->root, key) != NULL)
            return true;
    return false;
}

static void read_world(reader *reader)
{
    bool has_world = has_key(reader, "messages") || has_key(reader, "schedule") || has_key(reader, "systems");
    reader->package->has_world = has_world;
    if (!has_world)
        return;
    read_messages(reader);
    read_schedule(reader);
    read_systems(reader);
}

static void read_files(reader *reader)
{
    for (const schema_file *file = reader->files; file != NULL; file = file->next)
        read_file(reader, file);
    if (reader->files->root->pairs == NULL)
        return;
    read_package_name(reader);
    read_prefix(reader);
    read_faces(reader);
    read_save_keys(reader);
    read_contexts(reader);
    declare_definitions(reader);
    declare_components(reader);
    read_definitions(reader);
    read_components(reader);
    publish(reader);
    publish_relations(reader);
    read_labels(reader);
    read_offs(reader);
    read_places(reader);
    read_groups(reader);
    read_indices(reader);
    check_index_relations(reader);
    read_group_orders(reader);
    read_blueprints(reader);
    check_replication(reader);
    read_world(reader);
}

package *schema_read(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed)
{
    reader reader = {.arena = arena, .diagnostics = diagnostics, .allowed = allowed};
    reader.package = arena_allocate(arena, sizeof *reader.package);
    reader.package->prefix = "";
    reader.file_identities = dictionary_create(arena);
    reader.misspelled_keys = dictionary_create(arena);
    reader.context_names = dictionary_create(arena);
    reader.definition_names = dictionary_create(arena);
    reader.component_names = dictionary_create(arena);
    reader.reverse_names = dictionary_create(arena);
    read_includes(&reader, root);
    if (reader.files != NULL)
        read_files(&reader);
    return reader.package;
}

// ---- reading and checking

package *package_read(arena *arena, diagnostics *diagnostics, const source *root)
{
    return package_read_from(arena, diagnostics, root, &(schema_folders){NULL, 0});
}

package *package_read_known(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed)
{
    size_t errors = diagnostics_error_count(diagnostics);
    package *package = schema_read(arena, diagnostics, root, allowed);
    saves_check(arena, diagnostics, package);
    if (package->name != NULL) // symbols begin with the package's name
        symbols_check(arena, diagnostics, package);
    if (diagnostics_error_count(diagnostics) == errors)
        package_assert_invariants(package);
    return package;
}

package *package_read_from(arena *arena, diagnostics *diagnostics, const source *root, const schema_folders *allowed)
{
    size_t errors = diagnostics_error_count(diagnostics);
    package *package = package_read_known(arena, diagnostics, root, allowed);
    return diagnostics_error_count(diagnostics) > errors ? NULL : package;
}

package *package_load(arena *arena, diagnostics *diagnostics, const char *path, const schema_folders *allowed)
{
    const source *root = source_load(arena, diagnostics, path);
    if (root == NULL)
        return NULL;
    return package_read_from(arena, diagnostics, root, allowed);
}

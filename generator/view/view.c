#include "view/view.h"

#include "base/dictionary.h"
#include "model/names.h"
#include "view/private/parts.h"

#include <kin/platform.h>

#include <stdlib.h>
#include <string.h>

enum { PACKAGE_FILES = 5, WORLD_FILES = 2, CONTEXT_FILES = 3 };

static const char *guard_of(const view_scope *scope, const char *suffix)
{
    const char *name = arena_format(scope->arena, "%s%s", scope->package->name, suffix);
    return arena_format(scope->arena, "KIN_GENERATED_%s_H", view_upper_name(scope, name));
}

// What every file of the package says: its name, prefix and include guard.
static value *file_value(const view_scope *scope, const char *suffix)
{
    const package *package = scope->package;
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "package", package->name);
    view_set_text(scope, map, "prefix", package->prefix);
    view_set_text(scope, map, "guard", guard_of(scope, suffix));
    const char *upper = view_upper_name(scope, package->name);
    view_set_text(scope, map, "stamp_macro", arena_format(scope->arena, "KIN_GENERATED_%s_STAMP", upper));
    return map;
}

static int compare_contexts(const void *a, const void *b)
{
    return strcmp((*(const context *const *)a)->name, (*(const context *const *)b)->name);
}

// Contexts are made and ended in order of their names.
static const context **sorted_contexts(const view_scope *scope)
{
    size_t count = scope->package->context_count;
    const context **sorted = arena_allocate(scope->arena, count * sizeof *sorted);
    memcpy(sorted, scope->package->contexts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_contexts);
    return sorted;
}

static void set_contexts(const view_scope *scope, value *map)
{
    value *list = value_list(scope->arena);
    const context **contexts = sorted_contexts(scope);
    for (size_t i = 0; i < scope->package->context_count; i++)
        value_append(list, view_context_names(scope, contexts[i]));
    value_set(map, "contexts", list);
}

// The headers of opaque types, each once.
static void set_headers(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    dictionary seen = dictionary_create(scope->arena);
    for (size_t i = 0; i < package->definition_count; i++) {
        const char *header = package->definitions[i]->header;
        if (header == NULL || dictionary_add(&seen, header, header) != NULL)
            continue;
        value *item = value_map(scope->arena);
        view_set_text(scope, item, "header", header);
        value_append(list, item);
    }
    view_set_bool(scope, map, "has_headers", list->first != NULL);
    value_set(map, "headers", list);
}

static value *shared_types_data(const view_scope *scope)
{
    const package *package = scope->package;
    value *map = file_value(scope, "_types_shared"), *definitions = value_list(scope->arena);
    for (size_t i = 0; i < package->definition_count; i++)
        value_append(definitions, view_definition(scope, package->definitions[i]));
    set_contexts(scope, map);
    set_headers(scope, map);
    value_set(map, "definitions", definitions);
    view_set_count(scope, map, "interface_version", KIN_INTERFACE_VERSION);
    return map;
}

// ---- one context

static bool uses(const field_list *list, const definition *definition)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->fields[i].type.definition == definition)
            return true;
    return false;
}

// Whether the tables of a context speak of a type: its components, or a type that they speak of, have it. Types stand
// after the types of their fields; so, going backward, all users of a type are visited before it.
static void set_definitions(const view_scope *scope, value *map, const context *context)
{
    const package *package = scope->package;
    bool *used = arena_allocate(scope->arena, package->definition_count + 1);
    for (size_t i = package->definition_count; i-- > 0;) {
        for (size_t k = 0; k < context->component_count && !used[i]; k++)
            used[i] = uses(&context->components[k]->fields, package->definitions[i]);
        for (size_t k = i + 1; k < package->definition_count && !used[i]; k++)
            used[i] = used[k] && uses(&package->definitions[k]->fields, package->definitions[i]);
    }
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < package->definition_count; i++)
        if (used[i])
            value_append(list, view_definition(scope, package->definitions[i]));
    value_set(map, "definitions", list);
}

static void set_components(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < context->component_count; i++) {
        value *component = view_component(scope, context->components[i]);
        view_set_text(scope, component, "id", view_component_id(scope, context, context->components[i]));
        value_append(list, component);
    }
    value_set(map, "components", list);
    view_set_bool(scope, map, "has_components", context->component_count > 0);
    view_set_count(scope, map, "row_words", view_row_words(context));
}

static void set_cleanups(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    size_t count = 0;
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        if (component->cleanup == CLEANUP_NONE)
            continue;
        value *cleanup = value_map(scope->arena);
        view_set_text(scope, cleanup, "id", view_component_id(scope, context, component));
        view_set_bool(scope, cleanup, "destroys", component->cleanup == CLEANUP_DESTROY_ENTITY);
        value_append(list, cleanup);
        count++;
    }
    value_set(map, "cleanups", list);
    view_set_bool(scope, map, "has_cleanups", count > 0);
    view_set_count(scope, map, "cleanup_count", count);
}

static void set_groups(const view_scope *scope, value *map, const context *context)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    size_t count = 0;
    for (size_t i = 0; i < package->group_count; i++)
        if (package->groups[i]->context == context)
            value_append(list, view_group(scope, package->groups[i], count++));
    value_set(map, "groups", list);
    view_set_bool(scope, map, "has_groups", count > 0);
    view_set_count(scope, map, "group_count", count);
}

static value *context_data(const view_scope *scope, const context *context)
{
    value *map = file_value(scope, arena_format(scope->arena, "_%s", context->name));
    view_set_text(scope, map, "types_guard", guard_of(scope, arena_format(scope->arena, "_%s_types", context->name)));
    view_set_doc(scope, map, context->doc, NULL);
    set_definitions(scope, map, context);
    set_components(scope, map, context);
    set_groups(scope, map, context);
    set_cleanups(scope, map, context);
    view_set_indices(scope, map, context);
    view_set_events(scope, map, context);
    view_set_blueprints(scope, map, context);
    view_set_context_names(scope, map, context);
    return map;
}

// ---- files

// A file that says no more than which contexts there are.
static value *contexts_data(const view_scope *scope, const char *suffix)
{
    value *map = file_value(scope, suffix);
    set_contexts(scope, map);
    view_set_bool(scope, map, "has_world", scope->package->has_world);
    return map;
}

static void append_file(const view_scope *scope, view *view, const char *suffix, view_file file)
{
    const char *name = scope->package->name;
    file.path = arena_format(scope->arena, "%s%s", name, suffix);
    view->files[view->count++] = file;
}

static void append_context(const view_scope *scope, view *view, const context *context)
{
    value *data = context_data(scope, context);
    append_file(scope, view, arena_format(scope->arena, "_%s_types.h", context->name),
                (view_file){.template_name = "context_types.h", .data = data});
    append_file(scope, view, arena_format(scope->arena, "_%s.h", context->name),
                (view_file){.template_name = "context.h", .data = data});
    append_file(scope, view, arena_format(scope->arena, "_%s.c", context->name),
                (view_file){.template_name = "context.c", .data = data});
}

static void append_world(const view_scope *scope, view *view)
{
    value *data = contexts_data(scope, "_world");
    view_set_world(scope, data);
    append_file(scope, view, "_world.h", (view_file){.template_name = "world.h", .data = data});
    append_file(scope, view, "_world.c", (view_file){.template_name = "world.c", .data = data});
}

view view_create(arena *arena, const package *package)
{
    view_scope scope = view_scope_create(arena, package);
    size_t most = PACKAGE_FILES + WORLD_FILES + CONTEXT_FILES * package->context_count;
    view view = {.files = arena_allocate(arena, most * sizeof *view.files)};
    value *whole = contexts_data(&scope, ""), *types = contexts_data(&scope, "_types");
    value *shared = shared_types_data(&scope), *contexts = contexts_data(&scope, "_contexts");
    append_file(&scope, &view, ".h", (view_file){.template_name = "package.h", .data = whole});
    append_file(&scope, &view, "_types.h", (view_file){.template_name = "types.h", .data = types});
    append_file(&scope, &view, "_types_shared.h", (view_file){.template_name = "types_shared.h", .data = shared});
    for (size_t i = 0; i < package->context_count; i++)
        append_context(&scope, &view, package->contexts[i]);
    append_file(&scope, &view, "_contexts.h", (view_file){.template_name = "contexts.h", .data = contexts});
    append_file(&scope, &view, "_contexts.c", (view_file){.template_name = "contexts.c", .data = contexts});
    if (package->has_world)
        append_world(&scope, &view);
    return view;
}

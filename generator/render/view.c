// The files of a package, each with its template and the values that it shows.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <kin/platform.h>
#include <stdlib.h>
#include <string.h>

enum { PACKAGE_FILES = 9, WORLD_FILES = 2, CONTEXT_FILES = 2 };

// A package with one context has its types and its context in the files of the package.
static bool has_one_context(const package *package)
{
    return package->context_count == 1;
}

static const char *guard_of(const view_scope *scope, const char *suffix)
{
    return arena_format(scope->arena, "%s_H", view_macro_name(scope, suffix));
}

// Returns the layout of a part of the package, such as "_game", or of the types that all contexts share, "".
static view_layout layout_create(const view_scope *scope, const char *part, const char *header_suffix)
{
    return (view_layout){.macro = view_stamp_macro(scope, part),
                         .header = arena_format(scope->arena, "%s%s", scope->package->name, header_suffix)};
}

static void set_stamp_names(const view_scope *scope, value *map, const view_layout *layout)
{
    view_set_text(scope, map, "stamp_macro", layout->macro);
    view_set_text(scope, map, "stamp_header", layout->header);
}

static void append_use(const view_scope *scope, value *uses, const view_layout *layout)
{
    value *use = value_append_map(scope->arena, uses);
    view_set_text(scope, use, "package", scope->package->name);
    set_stamp_names(scope, use, layout);
}

// Returns the values that every file has: package name, prefix, include guard, and the unit of a part of the package.
// Static names begin with the unit, so that several files can be compiled as one.
static value *file_value(const view_scope *scope, const char *part, const char *suffix)
{
    const package *package = scope->package;
    value *map = value_map(scope->arena);
    view_set_text(scope, map, "package", package->name);
    view_set_text(scope, map, "prefix", package->prefix);
    view_set_text(scope, map, "guard", guard_of(scope, suffix));
    view_set_text(scope, map, "unit", arena_format(scope->arena, "%s%s%s", package->prefix, package->name, part));
    view_set_bool(scope, map, "has_one_context", has_one_context(package));
    view_set_bool(scope, map, "has_world", package->has_world);
    view_set_bool(scope, map, "picked", false); // few groups and systems have one of their own
    view_set_bool(scope, map, "in_order", false);
    view_set_bool(scope, map, "asks", false);
    return map;
}

static int compare_contexts(const void *a, const void *b)
{
    return strcmp((*(const context *const *)a)->name, (*(const context *const *)b)->name);
}

// Contexts are created and destroyed in order of their names.
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
    view_set_count(scope, map, "context_count", scope->package->context_count);
}

// Sets the headers of opaque types, each once.
static void set_headers(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *list = value_list(scope->arena);
    dictionary seen = dictionary_create(scope->arena);
    for (size_t i = 0; i < package->definition_count; i++) {
        const char *header = package->definitions[i]->header;
        if (header == NULL || dictionary_add(&seen, header, header) != NULL)
            continue;
        value *item = value_append_map(scope->arena, list);
        view_set_text(scope, item, "header", header);
    }
    view_set_bool(scope, map, "has_headers", list->first != NULL);
    value_set(map, "headers", list);
}

// Returns whether the type needs none of the user's headers: it is not opaque, and has no field of such a type.
// Recursion follows nested structs, whose depth is limited.
static bool is_plain_type(const definition *definition)
{
    bool is_plain = definition->kind != DEFINITION_OPAQUE;
    for (size_t i = 0; i < definition->fields.count && is_plain; i++) {
        const struct definition *inner = definition->fields.fields[i].type.definition;
        is_plain = inner == NULL || is_plain_type(inner);
    }
    return is_plain;
}

// Sets the contexts' handles, the types of the package, and the headers that these need. Types that need none of the
// user's headers are plain if there are such headers: these may include the file of plain types.
static void set_types(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *types = value_list(scope->arena);
    value *plain = value_list(scope->arena);
    bool has_headers = schema_has_headers(package);
    for (size_t i = 0; i < package->definition_count; i++) {
        bool is_plain = has_headers && is_plain_type(package->definitions[i]);
        value *definition = view_definition(scope, package->definitions[i]);
        if (is_plain)
            value_append(plain, definition);
        else
            value_append(types, definition);
    }
    set_contexts(scope, map);
    set_headers(scope, map);
    value_set(map, "shared_types", types);
    value_set(map, "plain_types", plain);
    view_set_text(scope, map, "plain_guard", guard_of(scope, "_types_plain"));
    view_set_count(scope, map, "interface_version", KIN_INTERFACE_VERSION);
}

// ---- one context

static bool is_key_type(const package *package, const context *context, const definition *definition)
{
    for (size_t i = 0; i < package->index_count; i++)
        if (package->indices[i]->context == context && package->indices[i]->key_type.definition == definition)
            return true;
    return false;
}

// Sets the types that a context's tables mention: those of its components' fields and of its indices' keys.
static void set_definitions(const view_scope *scope, value *map, const context *context)
{
    const package *package = scope->package;
    bool *used = arena_allocate(scope->arena, package->definition_count + 1);
    for (size_t i = 0; i < package->definition_count; i++) {
        used[i] = is_key_type(package, context, package->definitions[i]);
        for (size_t k = 0; k < context->component_count && !used[i]; k++)
            used[i] = view_uses(&context->components[k]->fields, package->definitions[i]);
    }
    value_set(map, "definitions", view_used_definitions(scope, used));
}

// Sets which kinds of components the context has: the comment above their functions describes only these.
static void set_component_kinds(const view_scope *scope, value *map, const context *context)
{
    bool has_structs = false, has_flags = false;
    bool has_uniques = false, has_unique_flags = false;
    bool has_stashes = false, has_lists = false, has_edit_types = false;
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        bool is_flag = component->fields.count == 0;
        has_structs = has_structs || !is_flag;
        has_flags = has_flags || is_flag;
        has_uniques = has_uniques || (component->is_unique && !is_flag);
        has_unique_flags = has_unique_flags || (component->is_unique && is_flag);
        has_stashes = has_stashes || component->is_stashable;
        has_lists = has_lists || component->has_lists;
        has_edit_types = has_edit_types || schema_has_edit_type(component);
    }
    view_set_bool(scope, map, "has_structs", has_structs);
    view_set_bool(scope, map, "has_flags", has_flags);
    view_set_bool(scope, map, "has_uniques", has_uniques);
    view_set_bool(scope, map, "has_unique_flags", has_unique_flags);
    view_set_bool(scope, map, "has_stashes", has_stashes);
    view_set_bool(scope, map, "has_list_fields", has_lists);
    view_set_bool(scope, map, "has_edit_types", has_edit_types);
}

static void set_components(const view_scope *scope, value *map, const context *context)
{
    set_component_kinds(scope, map, context);
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < context->component_count; i++) {
        value *component = view_component(scope, context->components[i]);
        view_set_default_symbol(scope, component, view_context_name(scope, context), context->components[i]->name);
        view_set_text(scope, component, "id", view_component_id(scope, context, context->components[i]));
        view_set_related(scope, component, context, context->components[i]);
        value_append(list, component);
    }
    value_set(map, "components", list);
    view_set_bool(scope, map, "has_components", context->component_count > 0);
    view_set_count(scope, map, "row_words", view_row_words(context));
}

static void set_cleanups(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        if (component->cleanup == CLEANUP_NONE)
            continue;
        value *cleanup = value_append_map(scope->arena, list);
        view_set_text(scope, cleanup, "id", view_component_id(scope, context, component));
        view_set_bool(scope, cleanup, "destroys", component->cleanup == CLEANUP_DESTROY_ENTITY);
    }
    view_set_list(scope, map, "cleanups", "has_cleanups", "cleanup_count", list);
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
    view_set_bool(scope, map, "has_declared_groups", count > 0);
    list = value_list(scope->arena);
    for (size_t i = 0; i < package->system_group_count; i++)
        if (package->system_groups[i]->context == context)
            value_append(list, view_group(scope, package->system_groups[i], count++));
    value_set(map, "system_groups", list);
    view_set_bool(scope, map, "has_groups", count > 0);
    view_set_count(scope, map, "group_count", count);
}

// `label` or `placed_by`: the component and the number of the field in it; null without one.
static void set_field(const view_scope *scope, value *map, const char *key, const context *context,
                      const key_part *field)
{
    if (field == NULL) {
        view_set_text(scope, map, key, NULL);
        return;
    }
    value *part = value_map(scope->arena);
    value_set(map, key, part);
    view_set_text(scope, part, "id", view_component_id(scope, context, field->component));
    view_set_text(scope, part, "type", view_type_name(scope, field->component->name));
    view_set_count(scope, part, "at", (size_t)(field->field - field->component->fields.fields));
}

static void set_off(const view_scope *scope, value *map, const context *context)
{
    const char *id = NULL;
    if (context->off != NULL)
        id = view_component_id(scope, context, context->off);
    view_set_text(scope, map, "off", id);
    view_set_text(scope, map, "off_name", context->off_name);
}

static value *context_data(const view_scope *scope, const context *context)
{
    bool is_only = has_one_context(scope->package);
    const char *part = arena_format(scope->arena, "_%s", context->name);
    value *map = file_value(scope, part, text_if(!is_only, part));
    view_set_doc(scope, map, context->doc, NULL);
    view_set_package(scope, map);
    view_set_identity(scope, map, context->name, &context->saved);
    view_set_bool(scope, map, "is_unsaved", context->is_unsaved);
    view_set_bool(scope, map, "has_commands", context->has_commands);
    view_set_count(scope, map, "command_context", 0); // a buffer of commands has the context alone
    set_definitions(scope, map, context);
    set_components(scope, map, context);
    set_groups(scope, map, context);
    set_cleanups(scope, map, context);
    view_set_indices(scope, map, context);
    view_set_relations(scope, map, context);
    set_field(scope, map, "label", context, context->label);
    set_field(scope, map, "placed_by", context, context->placed_by);
    set_off(scope, map, context);
    view_set_events(scope, map, context);
    view_set_blueprints(scope, map, context);
    view_set_context_names(scope, map, context);
    if (is_only)
        set_types(scope, map);
    return map;
}

// ---- files

// Returns the values of a file that only lists the contexts.
static value *contexts_data(const view_scope *scope, const char *suffix)
{
    value *map = file_value(scope, suffix, suffix);
    set_contexts(scope, map);
    return map;
}

// Sets `readers`: the contexts whose function to read a file does not have the name of the world's.
static value *saves_data(const view_scope *scope)
{
    value *map = contexts_data(scope, "_save");
    value *list = value_list(scope->arena);
    const package *package = scope->package;
    const context **contexts = sorted_contexts(scope);
    for (size_t i = 0; i < package->context_count; i++)
        if (!schema_reads_as_world(package, contexts[i]))
            value_append(list, view_context_names(scope, contexts[i]));
    value_set(map, "readers", list);
    view_set_bool(scope, map, "has_readers", list->first != NULL);
    view_set_migrations(scope, map);
    return map;
}

static bool has_content(const package *package)
{
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->has_content)
            return true;
    return false;
}

// Sets `content_contexts`: the contexts whose content has functions.
static value *content_data(const view_scope *scope)
{
    value *map = contexts_data(scope, "_content");
    value *list = value_list(scope->arena);
    const package *package = scope->package;
    const context **contexts = sorted_contexts(scope);
    for (size_t i = 0; i < package->context_count; i++) {
        if (!contexts[i]->has_content)
            continue;
        value *context = view_context_names(scope, contexts[i]);
        view_set_blueprints(scope, context, contexts[i]);
        value_append(list, context);
    }
    value_set(map, "content_contexts", list);
    return map;
}

static void append_file(const view_scope *scope, view *view, const char *suffix, view_file file)
{
    assert(suffix[0] == '_' || suffix[0] == '.');
    file.path = arena_format(scope->arena, "%s%s", scope->package->name, suffix);
    view->files[view->count++] = file;
}

// A file that contains the stamp of the types.
static void append_shared(const view_scope *scope, view *view, const char *suffix, view_file file)
{
    file.layout = view->layouts;
    if (value_find(file.data, value_key_create("stamp_macro")) == NULL)
        set_stamp_names(scope, file.data, file.layout);
    append_file(scope, view, suffix, file);
}

// Appends the header and the source of a context, which are those of the package if it has no other context.
static void append_context(const view_scope *scope, view *view, const context *context, view_layout *layout)
{
    value *data = context_data(scope, context);
    value *uses = value_list(scope->arena);
    const char *part = "";
    view_file header = {.template_name = "package.h", .data = data, .layout = layout};
    view_file source = {.template_name = "package.c", .data = data, .layout = layout};
    if (!has_one_context(scope->package)) {
        part = arena_format(scope->arena, "_%s", context->name);
        header.template_name = "context.h";
        source.template_name = "context.c";
    }
    append_use(scope, uses, view->layouts);
    value_set(data, "uses", uses);
    set_stamp_names(scope, data, layout);
    layout->data = data;
    append_file(scope, view, arena_format(scope->arena, "%s.h", part), header);
    append_file(scope, view, arena_format(scope->arena, "%s.c", part), source);
}

// Appends the header of the package first: depfiles are recognized by it.
static void append_contexts(const view_scope *scope, view *view)
{
    const package *package = scope->package;
    value *types = file_value(scope, "_types", "_types");
    set_types(scope, types);
    view->layouts[0].data = types;
    set_stamp_names(scope, types, view->layouts);
    if (!has_one_context(package)) {
        value *whole = contexts_data(scope, "");
        append_shared(scope, view, ".h", (view_file){.template_name = "package.h", .data = whole});
        append_shared(scope, view, ".c", (view_file){.template_name = "package.c", .data = whole});
        append_shared(scope, view, "_types.h", (view_file){.template_name = "types.h", .data = types});
    }
    for (size_t i = 0; i < package->context_count; i++)
        append_context(scope, view, package->contexts[i], &view->layouts[1 + i]);
    if (schema_has_headers(package))
        append_shared(scope, view, "_types_plain.h", (view_file){.template_name = "types_plain.h", .data = types});
}

// The files of the world have numbers of groups, and columns.
static bool uses_groups(const view_scope *scope, const context *context)
{
    for (size_t i = 0; i < scope->package->system_count; i++) {
        system_contexts contexts = schema_contexts_of(scope->arena, scope->package->systems[i]);
        for (size_t k = 0; k < contexts.count; k++)
            if (contexts.contexts[k] == context)
                return true;
    }
    return false;
}

static void append_world(const view_scope *scope, view *view, view_layout *layout)
{
    assert(scope->package->has_world && layout > view->layouts);
    const package *package = scope->package;
    value *data = contexts_data(scope, "_world");
    value *uses = value_list(scope->arena);
    view_set_world(scope, data);
    append_use(scope, uses, view->layouts);
    for (size_t i = 0; i < package->context_count; i++)
        if (uses_groups(scope, package->contexts[i]))
            append_use(scope, uses, &view->layouts[1 + i]);
    value_set(data, "uses", uses);
    set_stamp_names(scope, data, layout);
    layout->data = data;
    append_file(scope, view, "_world.h", (view_file){.template_name = "world.h", .data = data, .layout = layout});
    append_file(scope, view, "_world.c", (view_file){.template_name = "world.c", .data = data, .layout = layout});
}

static void append_net(const view_scope *scope, view *view)
{
    value *data = file_value(scope, "_net", "_net");
    view_set_net(scope, data);
    view_set_migrations(scope, data);
    append_shared(scope, view, "_net.h", (view_file){.template_name = "net.h", .data = data});
    append_shared(scope, view, "_net.c", (view_file){.template_name = "net.c", .data = data});
}

// Returns the layouts of the types, then of each context, then of the world.
static view_layout *create_layouts(const view_scope *scope)
{
    const package *package = scope->package;
    bool is_only = has_one_context(package);
    view_layout *layouts = arena_allocate(scope->arena, (package->context_count + 2) * sizeof *layouts);
    const char *types = "_types.h";
    if (is_only)
        types = ".h";
    if (schema_has_headers(package))
        types = "_types_plain.h";
    layouts[0] = layout_create(scope, "", types);
    for (size_t i = 0; i < package->context_count; i++) {
        const char *part = arena_format(scope->arena, "_%s", package->contexts[i]->name);
        layouts[1 + i] = layout_create(scope, part, arena_format(scope->arena, "%s.h", text_if(!is_only, part)));
    }
    layouts[1 + package->context_count] = layout_create(scope, "_world", "_world.h");
    return layouts;
}

view view_create(arena *arena, const package *package)
{
    assert(package->context_count > 0);
    view_scope scope = view_scope_create(arena, package);
    size_t most = PACKAGE_FILES + WORLD_FILES + CONTEXT_FILES * package->context_count;
    view view = {.files = arena_allocate(arena, most * sizeof *view.files), .layouts = create_layouts(&scope)};
    append_contexts(&scope, &view);
    value *saves = saves_data(&scope);
    append_shared(&scope, &view, "_save.h", (view_file){.template_name = "save.h", .data = saves});
    if (schema_has_migrations(package))
        append_shared(&scope, &view, "_save.c", (view_file){.template_name = "save.c", .data = saves});
    if (has_content(package))
        append_shared(&scope, &view, "_content.h",
                      (view_file){.template_name = "content.h", .data = content_data(&scope)});
    if (schema_replicates(package))
        append_net(&scope, &view);
    if (package->has_world)
        append_world(&scope, &view, &view.layouts[1 + package->context_count]);
    view.layout_count = 1 + package->context_count + package->has_world;
    assert(view.count <= most);
    return view;
}

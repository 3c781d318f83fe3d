// The files that show a whole package: those of the C++ face, and those of the user's own templates.
//
// They share one map. It has the values of every context in `contexts`, and those of the world in `world_face`. Their
// lists are those that the generated C shows; what only faces need is in copies of them, in lists of their own
// (`face_groups`), since the stamps of the generated C depend on the values of the first.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- names of members

// What a context and an entity have in C++, beside the names of the schema.
static const char *const context_members[] = {
    "add",         "all",   "all_with", "c",    "clone",  "commands", "context", "count",  "create", "destroy",
    "destroy_all", "edit",  "find",     "get",  "handle", "has",      "merge",   "on",     "patch",  "remove",
    "replace",     "reset", "restore",  "save", "set",    "touch",    "unique",  "values", NULL};
static const char *const world_members[] = {"c",    "draw",         "publish",  "reset",    "restore",
                                            "save", "set_executor", "set_seed", "set_time", "systems",
                                            "tick", "update",       NULL};
static const char *const entity_members[] = {"add",     "c",   "clone", "context", "destroy", "edit",   "ensure",
                                             "get",     "has", "list",  "on",      "patch",   "remove", "replace",
                                             "restore", "set", "stash", "touch",   NULL};

static bool is_listed(const char *const *names, const char *name)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

// Returns whether a member of the context cannot have the name: it has that of another member or of a class.
static bool is_taken(const context *context, const char *const *names, const char *name)
{
    size_t size = strlen(context->name);
    if (is_listed(names, name))
        return true;
    if (strncmp(name, context->name, size) != 0)
        return false;
    const char *end = name + size;
    return *end == '\0' || strcmp(end, "_ref") == 0 || strcmp(end, "_handle") == 0 || strcmp(end, "_face") == 0;
}

static void set_member(const view_scope *scope, value *map, const context *context, const char *const *names,
                       const char *name, const char *suffix)
{
    if (is_taken(context, names, name))
        name = arena_format(scope->arena, "%s_%s", name, suffix);
    view_set_text(scope, map, "member", name);
}

// ---- names of classes

// Returns whether C++ has a namespace of this name, which nothing in that of the package may hide.
static bool is_namespace(const char *name)
{
    return strcmp(name, "kin") == 0 || strcmp(name, "std") == 0;
}

static const char *context_class(const view_scope *scope, const char *context)
{
    return is_namespace(context) ? arena_format(scope->arena, "context_of_%s", context) : context;
}

// ---- lists

static const value *list_of(const value *map, const char *key)
{
    const value *list = value_find(map, value_key_create(key));
    assert(list != NULL && list->kind == VALUE_LIST);
    return list;
}

static const char *text_at(const value *map, const char *key)
{
    return value_find(map, value_key_create(key))->text;
}

// Returns copies of the maps of a list, to which keys may be added.
static value *copy_list(const view_scope *scope, const value *list)
{
    value *copies = value_list(scope->arena);
    for (const value *each = list->first; each != NULL; each = each->next)
        value_append(copies, value_copy(scope->arena, each));
    return copies;
}

static bool is_true(const value *map, const char *key)
{
    return value_find(map, value_key_create(key))->boolean;
}

// Sets `takes`, what a loop shows of an entity: "Position &, const Velocity &", and which columns are no plain
// pointers.
static void set_takes(const view_scope *scope, value *map)
{
    text takes = text_create(scope->arena);
    value *columns = copy_list(scope, list_of(map, "columns"));
    for (value *each = columns->first; each != NULL; each = each->next) {
        const char *type = text_at(each, "value_type");
        const char *sign = text_if(is_true(each, "is_maybe"), "*");
        bool is_wrapped = sign[0] != '\0' || is_true(each, "is_soa") || is_true(each, "is_boxed");
        if (is_true(each, "is_soa"))
            type = "auto";
        else if (sign[0] == '\0')
            sign = "&";
        text_append_item(&takes, ", ", arena_format(scope->arena, "%s %s", type, sign));
        view_set_bool(scope, each, "is_wrapped", is_wrapped);
    }
    value_set(map, "columns", columns);
    view_set_text(scope, map, "takes", takes.bytes);
    view_set_bool(scope, map, "has_columns", takes.size > 0);
}

static void set_groups(const view_scope *scope, value *map, const context *context)
{
    value *list = copy_list(scope, list_of(map, "groups"));
    for (value *each = list->first; each != NULL; each = each->next) {
        set_member(scope, each, context, context_members, text_at(each, "group"), "group");
        set_takes(scope, each);
    }
    value_set(map, "face_groups", list);
}

static void set_blueprints(const view_scope *scope, value *map)
{
    value *list = copy_list(scope, list_of(map, "blueprints"));
    value_set(map, "face_blueprints", list);
}

// The entities that hold a target, for each relation with a name.
static void set_relations(const view_scope *scope, value *map, const context *context)
{
    value *list = value_list(scope->arena);
    for (const value *each = list_of(map, "relations")->first; each != NULL; each = each->next) {
        const value *reverse = value_find(each, value_key_create("reverse"));
        if (reverse->kind != VALUE_TEXT)
            continue;
        value *copy = value_copy(scope->arena, each);
        set_member(scope, copy, context, entity_members, reverse->text, "relation");
        value_append(list, copy);
    }
    value_set(map, "face_relations", list);
}

// Returns whether the key of the index is of one component, by which it is found.
static bool is_index_of(const entity_index *index, const component *component)
{
    bool is_hash = index->kind == INDEX_PRIMARY || index->kind == INDEX_MULTI;
    bool is_of = index->function == NULL && is_hash;
    for (size_t i = 0; i < index->key_count; i++)
        is_of = is_of && index->key[i].component == component;
    return is_of;
}

// Sets `finders` of a component: its index, if it has exactly one.
static void set_finders(const view_scope *scope, value *map, const context *context, const component *component,
                        const value *indices)
{
    const value *found = NULL;
    const value *each = indices->first;
    size_t count = 0;
    for (size_t i = 0; i < scope->package->index_count; i++) {
        const entity_index *index = scope->package->indices[i];
        if (index->context != context)
            continue;
        if (is_index_of(index, component)) {
            found = each;
            count++;
        }
        each = each->next;
    }
    value *finders = value_list(scope->arena);
    if (count == 1)
        value_append(finders, value_copy(scope->arena, found));
    view_set_bool(scope, map, "has_finder", count == 1);
    value_set(map, "finders", finders);
}

// Returns whether the entities of the index are found by its component alone: `game.find<Name>("Tom")`.
static bool is_found_by_component(const view_scope *scope, const context *context, const entity_index *index)
{
    if (index->key_count == 0 || !is_index_of(index, index->key[0].component))
        return false;
    size_t count = 0;
    for (size_t i = 0; i < scope->package->index_count; i++) {
        const entity_index *other = scope->package->indices[i];
        count += other->context == context && is_index_of(other, index->key[0].component);
    }
    return count == 1 && !index->is_custom;
}

static bool is_member_of(const value *list, const char *name)
{
    for (const value *each = list->first; each != NULL; each = each->next)
        if (strcmp(text_at(each, "member"), name) == 0)
            return true;
    return false;
}

// The indices, after the groups, whose names they may have.
static void set_indices(const view_scope *scope, value *map, const context *context)
{
    value *list = copy_list(scope, list_of(map, "indices"));
    value *each = list->first;
    for (size_t i = 0; i < scope->package->index_count; i++) {
        const entity_index *index = scope->package->indices[i];
        if (index->context != context)
            continue;
        value *parameters = copy_list(scope, list_of(each, "parameters"));
        if (index->is_whole)
            view_set_text(scope, parameters->first, "separator", "");
        value_set(each, "parameters", parameters);
        view_set_bool(scope, each, "is_multi", index->kind == INDEX_MULTI);
        view_set_bool(scope, each, "is_member", !is_found_by_component(scope, context, index));
        const char *name = index->symbol_name;
        if (is_member_of(list_of(map, "face_groups"), name))
            name = arena_format(scope->arena, "%s_index", name);
        set_member(scope, each, context, context_members, name, "index");
        each = each->next;
    }
    value_set(map, "face_indices", list);
}

static bool has_definition(const package *package, const char *name)
{
    for (size_t i = 0; i < package->definition_count; i++)
        if (strcmp(package->definitions[i]->name, name) == 0)
            return true;
    return false;
}

// C has no types for flags and for messages without fields, so that types can have their names.

static const char *component_alias(const view_scope *scope, const component *component)
{
    const package *package = scope->package;
    bool is_taken = has_definition(package, component->name);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        is_taken = is_taken || (message->fields.count > 0 && strcmp(message->name, component->name) == 0);
    }
    if (component->fields.count > 0 || !is_taken)
        return component->name;
    return arena_format(scope->arena, "%sFlag", component->name);
}

static const char *message_alias(const view_scope *scope, const message *message)
{
    const package *package = scope->package;
    bool is_taken = has_definition(package, message->name);
    for (size_t i = 0; i < package->component_count; i++)
        is_taken = is_taken || strcmp(package->components[i]->name, message->name) == 0;
    if (message->fields.count > 0 || !is_taken)
        return message->name;
    return arena_format(scope->arena, "%sMessage", message->name);
}

static void set_components(const view_scope *scope, value *map, const context *context)
{
    value *list = copy_list(scope, list_of(map, "components"));
    const value *indices = list_of(map, "indices");
    value *each = list->first;
    for (size_t i = 0; i < context->component_count; i++, each = each->next) {
        view_set_text(scope, each, "alias", component_alias(scope, context->components[i]));
        set_finders(scope, each, context, context->components[i], indices);
    }
    value_set(map, "face_components", list);
}

static value *context_value(const view_scope *scope, const context *context, const value *data)
{
    value *map = value_copy(scope->arena, data);
    view_set_text(scope, map, "name", context_class(scope, context->name));
    set_components(scope, map, context);
    set_groups(scope, map, context);
    set_indices(scope, map, context);
    set_blueprints(scope, map);
    set_relations(scope, map, context);
    return map;
}

// ---- the whole package

static value *append_alias(const view_scope *scope, value *list, const char *name, const char *alias, bool is_flag)
{
    value *map = value_append_map(scope->arena, list);
    view_set_text(scope, map, "alias", alias);
    view_set_text(scope, map, "type", view_type_name(scope, name));
    view_set_bool(scope, map, "is_flag", is_flag);
    return map;
}

// Sets the names that the types have in the namespace of the package.
static void set_aliases(const view_scope *scope, value *map)
{
    const package *package = scope->package;
    value *types = value_list(scope->arena);
    value *messages = value_list(scope->arena);
    for (size_t i = 0; i < package->definition_count; i++) {
        const definition *definition = package->definitions[i];
        value *alias = append_alias(scope, types, definition->name, definition->name, false);
        view_set_doc(scope, alias, definition->doc, NULL);
    }
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        value *alias = append_alias(scope, types, component->name, component_alias(scope, component),
                                    component->fields.count == 0);
        view_set_doc(scope, alias, component->doc, NULL);
    }
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        value *alias =
            append_alias(scope, messages, message->name, message_alias(scope, message), message->fields.count == 0);
        view_set_doc(scope, alias, message->doc, NULL);
    }
    value_set(map, "type_aliases", types);
    value_set(map, "message_aliases", messages);
}

static void append_use(const view_scope *scope, value *uses, const view_layout *layout)
{
    value *use = value_append_map(scope->arena, uses);
    view_set_text(scope, use, "package", scope->package->name);
    view_set_text(scope, use, "stamp_macro", layout->macro);
    view_set_text(scope, use, "stamp_header", layout->header);
}

// A context may have the name of the class of worlds.
static const char *world_class(const package *package)
{
    for (size_t i = 0; i < package->context_count; i++)
        if (strcmp(package->contexts[i]->name, "world") == 0)
            return "package_world";
    return "world";
}

// The systems that iterate groups.
static void set_systems(const view_scope *scope, value *map)
{
    value *list = value_list(scope->arena);
    for (const value *each = list_of(map, "declared_systems")->first; each != NULL; each = each->next) {
        if (!is_true(each, "updates") || !is_true(each, "is_group"))
            continue;
        value *copy = value_copy(scope->arena, each);
        set_takes(scope, copy);
        value_append(list, copy);
    }
    value_set(map, "face_systems", list);
}

// Flags and messages without fields have their names of C++ in jobs.
static void set_aliases_of(const view_scope *scope, value *map, const char *key, bool are_messages)
{
    const package *package = scope->package;
    value *list = copy_list(scope, list_of(map, key));
    for (value *each = list->first; each != NULL; each = each->next) {
        const char *name = text_at(each, "name");
        const char *alias = NULL;
        for (size_t i = 0; are_messages && i < package->message_count; i++)
            if (strcmp(package->messages[i]->name, name) == 0)
                alias = message_alias(scope, package->messages[i]);
        for (size_t i = 0; !are_messages && i < package->component_count; i++)
            if (strcmp(package->components[i]->name, name) == 0)
                alias = component_alias(scope, package->components[i]);
        assert(alias != NULL);
        view_set_text(scope, each, "alias", alias);
    }
    value_set(map, key, list);
}

// The parallel systems.
static void set_jobs(const view_scope *scope, value *map)
{
    value *list = value_list(scope->arena);
    for (const value *each = list_of(map, "declared_systems")->first; each != NULL; each = each->next) {
        if (!is_true(each, "is_parallel"))
            continue;
        value *copy = value_copy(scope->arena, each);
        set_aliases_of(scope, copy, "job_reads", false);
        set_aliases_of(scope, copy, "job_changes", false);
        set_aliases_of(scope, copy, "job_publishes", true);
        value_append(list, copy);
    }
    value_set(map, "face_jobs", list);
}

static void set_world_contexts(const view_scope *scope, value *map)
{
    value *list = copy_list(scope, list_of(map, "contexts"));
    for (value *each = list->first; each != NULL; each = each->next) {
        const char *name = text_at(each, "name");
        if (is_listed(world_members, name) || strncmp(name, "run_", strlen("run_")) == 0)
            name = arena_format(scope->arena, "%s_context", name);
        view_set_text(scope, each, "member", name);
        view_set_text(scope, each, "class", context_class(scope, text_at(each, "name")));
    }
    value_set(map, "face_contexts", list);
}

static void set_world_messages(const view_scope *scope, value *map)
{
    value *list = copy_list(scope, list_of(map, "messages"));
    value *each = list->first;
    for (size_t i = 0; i < scope->package->message_count; i++, each = each->next)
        view_set_text(scope, each, "alias", message_alias(scope, scope->package->messages[i]));
    value_set(map, "face_messages", list);
}

static value *world_value(const view_scope *scope, const view *view)
{
    assert(scope->package->has_world);
    value *map = value_copy(scope->arena, view->layouts[1 + scope->package->context_count].data);
    view_set_text(scope, map, "world_class", world_class(scope->package));
    set_world_contexts(scope, map);
    set_world_messages(scope, map);
    set_systems(scope, map);
    set_jobs(scope, map);
    return map;
}

const char *view_cpp_namespace(arena *arena, const package *package)
{
    const char *name = package->name;
    bool is_taken = is_namespace(name) || name_is_of_library(name);
    symbol_list symbols = symbols_of(arena, package);
    for (size_t i = 0; i < symbols.count && !is_taken; i++)
        is_taken = symbols.symbols[i].kind == SYMBOL_NAME && strcmp(symbols.symbols[i].name, name) == 0;
    return is_taken ? arena_format(arena, "%s_package", name) : name;
}

static value *whole_value(const view_scope *scope, const view *view)
{
    const package *package = scope->package;
    value *map = value_map(scope->arena);
    value *contexts = value_list(scope->arena);
    value *uses = value_list(scope->arena);
    for (size_t i = 0; i < package->context_count; i++)
        value_append(contexts, context_value(scope, package->contexts[i], view->layouts[1 + i].data));
    for (size_t i = 1; i < view->layout_count; i++)
        append_use(scope, uses, &view->layouts[i]);
    view_set_text(scope, map, "package", package->name);
    view_set_text(scope, map, "prefix", package->prefix);
    view_set_text(scope, map, "namespace", view_cpp_namespace(scope->arena, package));
    view_set_text(scope, map, "guard", arena_format(scope->arena, "%s_HPP", view_macro_name(scope, "")));
    view_set_bool(scope, map, "has_one_context", package->context_count == 1);
    view_set_bool(scope, map, "has_world", package->has_world);
    view_set_text(scope, map, "stamp_macro", view->layouts[0].macro);
    view_set_text(scope, map, "stamp_header", view->layouts[0].header);
    set_aliases(scope, map);
    value_set(map, "uses", uses);
    value_set(map, "contexts", contexts);
    if (package->has_world)
        value_set(map, "world_face", world_value(scope, view));
    else
        view_set_bool(scope, map, "world_face", false);
    return map;
}

// ---- files

static void append_file(arena *arena, view *view, view_file file)
{
    view_file *files = arena_allocate(arena, (view->count + 1) * sizeof *files);
    memcpy(files, view->files, view->count * sizeof *files);
    file.layout = view->layouts;
    files[view->count++] = file;
    view->files = files;
    view->has_faces = true;
}

// The values of PACKAGE_save.hpp: `face_files` are the contexts that have a function of their own to read a file.
static value *save_value(const view_scope *scope, const value *whole)
{
    const package *package = scope->package;
    value *map = value_copy(scope->arena, whole);
    value *list = value_list(scope->arena);
    const value *each = list_of(whole, "contexts")->first;
    for (size_t i = 0; i < package->context_count; i++, each = each->next)
        if (!schema_reads_as_world(package, package->contexts[i]))
            value_append(list, value_copy(scope->arena, each));
    value_set(map, "face_files", list);
    view_set_text(scope, map, "files", arena_format(scope->arena, "%s%s", package->prefix, package->name));
    view_set_text(scope, map, "guard", arena_format(scope->arena, "%s_SAVE_HPP", view_macro_name(scope, "")));
    return map;
}

void view_add_cpp_face(arena *arena, view *view, const package *package)
{
    view_scope scope = view_scope_create(arena, package);
    value *whole = whole_value(&scope, view);
    append_file(arena, view,
                (view_file){.path = arena_format(arena, "%s.hpp", package->name),
                            .template_name = "package.hpp",
                            .data = whole});
    append_file(arena, view,
                (view_file){.path = arena_format(arena, "%s_save.hpp", package->name),
                            .template_name = "save.hpp",
                            .data = save_value(&scope, whole)});
}

void view_add_own(arena *arena, view *view, const package *package, const own_templates *own)
{
    view_scope scope = view_scope_create(arena, package);
    value *data = NULL;
    for (size_t i = 0; i < own->count; i++) {
        if (data == NULL)
            data = whole_value(&scope, view);
        append_file(arena, view,
                    (view_file){.path = own->templates[i].output,
                                .template_name = template_own_name(arena, &own->templates[i]),
                                .data = data,
                                .is_own = true});
    }
}

const char *view_find_twice(const view *view)
{
    for (size_t i = 0; i < view->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(view->files[i].path, view->files[k].path) == 0)
                return view->files[i].path;
    return NULL;
}

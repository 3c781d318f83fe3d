// Names in saves, and what the schema has removed.
#include "generator/read/read.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <string.h>

// ---- two things of one name

// Things that are told apart by their names: the components of a package, the fields of one of them, and so on.
typedef struct saved_things {
    arena *arena;
    diagnostics *diagnostics;
    const char *kind; // "component"
    dictionary names; // to the earlier thing
} saved_things;

typedef struct saved_thing {
    const char *name;
    span span;
    const saved_name *saved;
} saved_thing;

static void report_same(saved_things *things, const saved_thing *thing, const saved_thing *earlier)
{
    const saved_thing *renamed = thing->saved->was != NULL ? thing : earlier;
    const saved_thing *other = renamed == thing ? earlier : thing;
    diagnostic_error(things->diagnostics, CODE_SAVED_TWICE, renamed->saved->span,
                     "%ss '%s' and '%s' are both saved as '%s'", things->kind, renamed->name, other->name,
                     renamed->saved->identity);
    diagnostic_hint(things->diagnostics, "if '%s' is new, add 'was: NAME' to it, with a name that no save has",
                    other->name);
    diagnostic_note(things->diagnostics, other->span, "'%s' is declared here", other->name);
}

static void add(saved_things *things, const char *name, span span, const saved_name *saved)
{
    if (saved->was != NULL && strcmp(saved->was, name) == 0) {
        diagnostic_error(things->diagnostics, CODE_WAS, saved->span, "'was' of %s '%s' is its present name",
                         things->kind, name);
        diagnostic_hint(things->diagnostics, "remove 'was', or write the name that it had before");
        return;
    }
    saved_thing *thing = arena_allocate(things->arena, sizeof *thing);
    *thing = (saved_thing){name, span, saved};
    const saved_thing *earlier = dictionary_add(&things->names, saved->identity, thing);
    if (earlier != NULL && (earlier->saved->was != NULL || saved->was != NULL)) // else reported as declared twice
        report_same(things, thing, earlier);
}

static saved_things begin(arena *arena, diagnostics *diagnostics, const char *kind)
{
    return (saved_things){arena, diagnostics, kind, dictionary_create(arena)};
}

static void check_fields(arena *arena, diagnostics *diagnostics, const field_list *list)
{
    saved_things things = begin(arena, diagnostics, "field");
    for (size_t i = 0; i < list->count; i++)
        add(&things, list->fields[i].name, list->fields[i].span, &list->fields[i].saved);
}

static void check_definition(arena *arena, diagnostics *diagnostics, const definition *definition)
{
    saved_things values = begin(arena, diagnostics, "value");
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *value = &definition->enumerators[i];
        add(&values, value->name, value->span, &value->saved);
    }
    check_fields(arena, diagnostics, &definition->fields);
}

static void check_components(arena *arena, diagnostics *diagnostics, const package *package)
{
    saved_things components = begin(arena, diagnostics, "component");
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        add(&components, component->name, component->span, &component->saved);
        check_fields(arena, diagnostics, &component->fields);
    }
}

static void check_world(arena *arena, diagnostics *diagnostics, const package *package)
{
    saved_things messages = begin(arena, diagnostics, "message");
    saved_things systems = begin(arena, diagnostics, "system");
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        add(&messages, message->name, message->span, &message->saved);
        check_fields(arena, diagnostics, &message->fields);
    }
    for (size_t i = 0; i < package->system_count; i++)
        add(&systems, package->systems[i]->name, package->systems[i]->span, &package->systems[i]->saved);
}

// ---- what is given up

static const component *find_component(const package *package, const char *name, bool of_saves)
{
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        if (!component->is_unsaved && strcmp(of_saves ? component->saved.identity : component->name, name) == 0)
            return component;
    }
    return NULL;
}

static const field *find_field(const field_list *list, const char *name, bool of_saves)
{
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        if (!field->is_unsaved && strcmp(of_saves ? field->saved.identity : field->name, name) == 0)
            return field;
    }
    return NULL;
}

static const enumerator *find_value(const definition *definition, const char *name, bool of_saves)
{
    for (size_t i = 0; i < definition->enumerator_count; i++) {
        const enumerator *value = &definition->enumerators[i];
        if (strcmp(of_saves ? value->saved.identity : value->name, name) == 0)
            return value;
    }
    return NULL;
}

// A walk along a path: where it stands, and what can come next.
typedef struct path_walk {
    const package *package;
    const component *component; // NULL at the beginning
    const field_list *fields;   // that come next; NULL: none
    const definition *values;   // the enum whose values come next; NULL: none
    bool is_lost;               // the schema does not know a name of the path
} path_walk;

static void enter_field(path_walk *walk, const field *field)
{
    const definition *definition = field->type.definition;
    bool has_members = definition != NULL && definition->kind == DEFINITION_STRUCT;
    walk->fields = has_members ? &definition->fields : NULL;
    walk->values = definition != NULL && definition->kind == DEFINITION_ENUM ? definition : NULL;
}

// Returns the identity of what the name stands for at this place; NULL if nothing has the name.
static const char *step_to(path_walk *walk, const char *name, bool of_saves)
{
    if (walk->component == NULL) {
        walk->component = find_component(walk->package, name, of_saves);
        walk->fields = walk->component == NULL ? NULL : &walk->component->fields;
        return walk->component == NULL ? NULL : walk->component->saved.identity;
    }
    if (walk->values != NULL) {
        const enumerator *value = find_value(walk->values, name, of_saves);
        walk->values = value == NULL ? walk->values : NULL;
        return value == NULL ? NULL : value->saved.identity;
    }
    const field *field = walk->fields == NULL ? NULL : find_field(walk->fields, name, of_saves);
    if (field != NULL)
        enter_field(walk, field);
    return field == NULL ? NULL : field->saved.identity;
}

// The name of saves goes before that of the schema: what is called `a` now may have been saved as `b`, and the other
// way round. The last name of a path must be one of saves: `removed` speaks of what they have.
static const char *step(path_walk *walk, const char *name, bool is_last)
{
    const char *identity = walk->is_lost ? NULL : step_to(walk, name, true);
    if (identity == NULL && !walk->is_lost && !is_last)
        identity = step_to(walk, name, false);
    walk->is_lost = identity == NULL;
    return walk->is_lost ? name : identity;
}

const char *saves_identity(arena *arena, const package *package, const char *path, bool *is_there)
{
    path_walk walk = {.package = package};
    text identity = text_create(arena);
    for (const char *name = path, *end; name != NULL; name = *end == '\0' ? NULL : end + 1) {
        end = name + strcspn(name, ".");
        const char *own = arena_copy(arena, name, (size_t)(end - name));
        text_append_format(&identity, "%s%s", name == path ? "" : ".", step(&walk, own, *end == '\0'));
    }
    *is_there = !walk.is_lost;
    return identity.bytes;
}

static void check_removals(arena *arena, diagnostics *diagnostics, package *package)
{
    removal *removals = arena_allocate(arena, (package->removal_count + 1) * sizeof *removals);
    for (size_t i = 0; i < package->removal_count; i++) {
        bool is_there;
        removals[i] = package->removals[i];
        removals[i].identity = saves_identity(arena, package, removals[i].path, &is_there);
        removals[i].is_declared = is_there;
        if (!is_there)
            continue;
        diagnostic_warning(diagnostics, CODE_REMOVED, removals[i].span,
                           "'%s' is in 'removed', but the schema still declares it", removals[i].path);
        diagnostic_hint(diagnostics, "remove it from 'removed'");
    }
    package->removals = removals;
}

void saves_check(arena *arena, diagnostics *diagnostics, package *package)
{
    saved_things contexts = begin(arena, diagnostics, "context");
    if (!package->has_saves)
        return;
    for (size_t i = 0; i < package->context_count; i++)
        add(&contexts, package->contexts[i]->name, package->contexts[i]->span, &package->contexts[i]->saved);
    check_components(arena, diagnostics, package);
    for (size_t i = 0; i < package->definition_count; i++)
        check_definition(arena, diagnostics, package->definitions[i]);
    check_world(arena, diagnostics, package);
    check_removals(arena, diagnostics, package);
}

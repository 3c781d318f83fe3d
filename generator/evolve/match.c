// Finds, for each thing of the schema, its counterpart in saves.
#include "evolve/private/run.h"

#include "model/names.h"

#include <inttypes.h>
#include <string.h>

// The things of one level: the components, the fields of one component, and so on.
typedef struct level {
    run *run;
    const place *place;
    lock_list *before;
    dictionary names;      // current names of nodes that are not removed
    dictionary identities; // of the things, to the things
} level;

static const char *kind_of(const place *place)
{
    static const char *const kinds[] = {"context", "component", "message", "index", "system", "component"};
    if (place->thing == NULL)
        return kinds[place->kind];
    if (place->thing->values.count > 0)
        return "value";
    return strchr(place->now, '.') == NULL ? "field" : "member";
}

// Returns the thing for messages: "component 'Health'", "field 'Health.points'".
static const char *words_for(const level *level, const thing *thing)
{
    return arena_format(level->run->arena, "%s '%s'", kind_of(level->place),
                        lock_path(level->run->arena, level->place->now, thing->name));
}

static lock_node *find_named(const level *level, const char *name)
{
    lock_node *node = (lock_node *)(uintptr_t)dictionary_find(&level->names, name);
    return node == NULL || node->is_taken ? NULL : node;
}

static lock_node *find_identity(const level *level, const char *identity)
{
    lock_node *node = lock_find(level->before, identity);
    return node == NULL || node->is_taken || !lock_is_live(node) ? NULL : node;
}

static void take(thing *thing, lock_node *node)
{
    if (node == NULL)
        return;
    node->is_taken = true;
    thing->before = node;
}

static void list_names(level *level)
{
    for (lock_node *node = level->before->first; node != NULL; node = node->next) {
        node->is_taken = false;
        if (lock_is_live(node))
            dictionary_add(&level->names, node->name, node);
    }
}

// A lock beside the schema knows identities.
static void take_known(level *level, thing *thing)
{
    lock_node *node = thing->known == NULL ? NULL : find_identity(level, thing->known);
    if (node == NULL && thing->known != NULL)
        node = find_named(level, thing->known);
    take(thing, node);
}

// The lock may already have the `was`, or the name has not changed.
static void take_settled(level *level, thing *thing)
{
    lock_node *node = find_named(level, thing->name);
    if (thing->before == NULL && node != NULL && (thing->was == NULL || strcmp(node->identity, thing->was) == 0))
        take(thing, node);
}

// The last name is tried before the first one.
static void take_renamed(level *level, thing *thing)
{
    if (thing->before != NULL || thing->was == NULL)
        return;
    lock_node *node = find_named(level, thing->was);
    if (node == NULL)
        node = find_identity(level, thing->was);
    take(thing, node);
}

// A `was` that no node has any more belongs to an earlier rename.
static void take_unchanged(level *level, thing *thing)
{
    if (thing->before == NULL && thing->was != NULL)
        take(thing, find_named(level, thing->name));
}

// A new thing that takes the former name of another one needs a `was` that no save has.
static bool is_fulfilled(const level *level, const thing *thing)
{
    const lock_node *node = thing->before;
    if (thing->was == NULL)
        return true;
    if (node == NULL)
        return lock_find(level->before, thing->name) != NULL;
    return strcmp(node->identity, thing->was) == 0 || strcmp(node->name, thing->was) == 0 ||
           strcmp(node->identity, node->name) != 0;
}

static void report_unknown(const level *level, const thing *thing)
{
    run *run = level->run;
    name_search search = name_search_begin(thing->was);
    for (const lock_node *node = level->before->first; node != NULL; node = node->next)
        if (lock_is_live(node) && (!node->is_taken || node == thing->before))
            name_search_offer(&search, node->name);
    const char *words = words_for(level, thing);
    if (run->shape->is_partial && (thing->before != NULL || search.nearest == NULL))
        return;
    if (!report(run, CODE_WAS, thing->was_span,
                arena_format(run->arena, "%s was '%s', but no save has that name", words, thing->was)))
        return;
    if (search.nearest != NULL)
        diagnostic_meant(run->diagnostics, search.nearest);
    else
        diagnostic_hint(run->diagnostics, "remove 'was', or write a name that the lock knows");
}

static void report_same(const level *level, const thing *thing, const struct thing *other)
{
    run *run = level->run;
    const char *message = arena_format(run->arena, "saves have both %s and '%s' as '%s'", words_for(level, thing),
                                       other->name, thing->identity);
    if (!report(run, CODE_SAVED_TWICE, thing->was_span.source != NULL ? thing->was_span : thing->span, message))
        return;
    diagnostic_hint(run->diagnostics,
                    "add 'was: NAME' to the new one, with a name that no save has; saves then use that name");
    diagnostic_note(run->diagnostics, other->span, "'%s' is declared here", other->name);
}

static void report_used_again(const level *level, const thing *thing)
{
    run *run = level->run;
    const char *path = lock_path(run->arena, level->place->identity, thing->identity);
    if (report(run, CODE_NAME_USED_AGAIN, thing->span,
               arena_format(run->arena, "%s is new, but saves have an older '%s', which was removed",
                            words_for(level, thing), path)))
        diagnostic_hint(run->diagnostics, "add 'was: NAME' with a name that no save has; saves then use that name");
}

// ---- members of structs and values of enums, which fields share

static const char *key_of(const run *run, const thing *thing)
{
    return arena_format(run->arena, "%" PRIxPTR, (uintptr_t)thing->saved);
}

static void report_two_names(const level *level, const thing *thing, const char *other)
{
    run *run = level->run;
    const char *words = words_for(level, thing);
    if (report(run, CODE_SAVED_TWICE, thing->span,
               arena_format(run->arena, "%s is '%s' in saves, and '%s' in those of another field", words,
                            thing->identity, other)))
        diagnostic_hint(run->diagnostics, "declare one type for each of the two fields");
}

static const char *first_identity(const level *level, const thing *thing)
{
    const char *member = thing->saved == NULL ? NULL : dictionary_find(&level->run->members, key_of(level->run, thing));
    if (member != NULL)
        return member;
    if (thing->known != NULL)
        return thing->known;
    return thing->was != NULL ? thing->was : thing->name;
}

static void identify(level *level, thing *thing)
{
    run *run = level->run;
    thing->identity = thing->before != NULL ? thing->before->identity : first_identity(level, thing);
    if (thing->saved == NULL)
        return;
    if (run->is_trial && thing->before != NULL)
        dictionary_add(&run->members, key_of(run, thing), thing->identity);
    if (run->is_trial && level->place->kind != LOCK_CONTEXT)
        return;
    const char *member = dictionary_find(&run->members, key_of(run, thing));
    if (member != NULL && strcmp(member, thing->identity) != 0)
        report_two_names(level, thing, member);
    thing->saved->identity = thing->identity;
}

// ----

// Kinds other than components and messages lose nothing if they come back.
static bool can_come_back(const place *place)
{
    bool has_values = place->kind == LOCK_COMPONENT || place->kind == LOCK_CONTEXT;
    return !has_values && place->thing == NULL;
}

static void check(level *level, thing *thing)
{
    const lock_node *node = lock_find(level->before, thing->identity);
    const struct thing *other = dictionary_add(&level->identities, thing->identity, thing);
    if (other != NULL && other != thing)
        report_same(level, thing, other);
    else if (thing->before == NULL && node != NULL && !lock_is_live(node) && !can_come_back(level->place))
        report_used_again(level, thing);
    else if (!is_fulfilled(level, thing) && level->before->first != NULL)
        report_unknown(level, thing);
}

void match_things(run *run, const place *place, thing_list *things, lock_list *before)
{
    level level = {run, place, before, dictionary_create(run->arena), dictionary_create(run->arena)};
    list_names(&level);
    for (size_t i = 0; i < things->count; i++) {
        things->things[i].before = NULL;
        take_known(&level, &things->things[i]);
    }
    for (size_t i = 0; i < things->count; i++)
        take_settled(&level, &things->things[i]);
    for (size_t i = 0; i < things->count; i++)
        take_renamed(&level, &things->things[i]);
    for (size_t i = 0; i < things->count; i++)
        take_unchanged(&level, &things->things[i]);
    for (size_t i = 0; i < things->count; i++)
        identify(&level, &things->things[i]);
    for (size_t i = 0; i < things->count; i++)
        check(&level, &things->things[i]);
}

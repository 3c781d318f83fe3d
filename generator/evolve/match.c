// Gives each thing of the schema its identity, and checks what its words say.
#include "generator/evolve/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// A new thing that takes the former name of another one needs a `was` that no save has.
static bool is_fulfilled(const level *level, const thing *thing)
{
    const lock_node *node = thing->before;
    if (thing->was == NULL)
        return true;
    if (node == NULL)
        return lock_find(level->before, thing->name) != NULL || dictionary_find(&level->names, thing->name) != NULL;
    if (strcmp(node->identity, thing->was) == 0 || strcmp(node->name, thing->was) == 0)
        return true;
    return strcmp(node->identity, node->name) != 0;
}

// What has the same name as before may have had another one in between, which the lock does not remember.
static void report_unknown(const level *level, const thing *thing)
{
    run *run = level->run;
    name_search search = name_search_begin(thing->was);
    assert(thing->was != NULL);
    for (const lock_node *node = level->before->first; node != NULL; node = node->next) {
        bool may_be_it = !node->is_taken || node == thing->before;
        if (may_be_it && lock_is_live(node))
            name_search_offer(&search, node->name);
    }
    const char *words = level_words(level, thing);
    bool is_certain = thing->before == NULL && search.nearest != NULL;
    if (run->shape->is_partial && !is_certain)
        return;
    const char *message = arena_format(run->arena, "%s was '%s', but no save has that name", words, thing->was);
    bool is_reported;
    if (thing->before != NULL)
        is_reported = report_harmless(run, CODE_WAS, thing->was_span, message);
    else
        is_reported = report(run, CODE_WAS, thing->was_span, message);
    if (!is_reported)
        return;
    if (search.nearest != NULL)
        diagnostic_meant(run->diagnostics, search.nearest);
    else
        diagnostic_hint(run->diagnostics, "remove 'was', or write a name that the lock knows");
}

static void report_same(const level *level, const thing *thing, const struct thing *other)
{
    run *run = level->run;
    const char *message = arena_format(run->arena, "saves have both %s and '%s' as '%s'", level_words(level, thing),
                                       other->name, thing->identity);
    span span = thing->span;
    assert(other != thing);
    if (thing->was_span.source != NULL)
        span = thing->was_span;
    if (!report(run, CODE_SAVED_TWICE, span, message))
        return;
    diagnostic_hint(run->diagnostics,
                    "add 'was: NAME' to the new one, with a name that no save has; saves then use that name");
    diagnostic_note(run->diagnostics, other->span, "'%s' is declared here", other->name);
}

static void report_used_again(const level *level, const thing *thing)
{
    run *run = level->run;
    const char *path = lock_path(run->arena, level->place->identity, thing->identity);
    assert(thing->before == NULL);
    if (report(run, CODE_NAME_USED_AGAIN, thing->span,
               arena_format(run->arena, "%s is new, but saves have an older '%s', which was removed",
                            level_words(level, thing), path)))
        diagnostic_hint(run->diagnostics, "add 'was: NAME' with a name that no save has; saves then use that name");
}

// ---- members of structs and values of enums, which fields share

static const char *key_of(const run *run, const thing *thing)
{
    return arena_format(run->arena, "%" PRIxPTR, (uintptr_t)thing->saved);
}

static const char *first_identity(const level *level, const thing *thing)
{
    const char *member = NULL;
    if (thing->saved != NULL)
        member = dictionary_find(&level->run->members, key_of(level->run, thing));
    if (member != NULL)
        return member;
    if (thing->known != NULL)
        return thing->known;
    if (thing->was != NULL)
        return thing->was;
    return thing->name;
}

static void identify(level *level, thing *thing)
{
    run *run = level->run;
    if (thing->before != NULL)
        thing->identity = thing->before->identity;
    else
        thing->identity = first_identity(level, thing);
    if (thing->saved == NULL)
        return;
    if (run->is_trial && thing->before != NULL)
        dictionary_add(&run->members, key_of(run, thing), thing->identity);
    if (run->is_trial && level->place->kind != LOCK_CONTEXT)
        return;
    const char *member = dictionary_find(&run->members, key_of(run, thing));
    if (member != NULL && strcmp(member, thing->identity) != 0) {
        const char *words = level_words(level, thing);
        if (report(run, CODE_SAVED_TWICE, thing->span,
                   arena_format(run->arena, "%s is '%s' in saves, and '%s' in those of another field", words,
                                thing->identity, member)))
            diagnostic_hint(run->diagnostics, "declare one type for each of the two fields");
    }
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
    bool is_used_again = thing->before == NULL && node != NULL;
    assert(thing->identity != NULL);
    if (is_used_again)
        is_used_again = !lock_is_live(node) && !can_come_back(level->place);
    if (other != NULL && other != thing)
        report_same(level, thing, other);
    else if (is_used_again)
        report_used_again(level, thing);
    else if (!is_fulfilled(level, thing) && level->before->first != NULL)
        report_unknown(level, thing);
}

void match_things(run *run, const place *place, thing_list *things, lock_list *before)
{
    level level = level_begin(run, place, things, before);
    level_find(&level);
    for (size_t i = 0; i < things->count; i++)
        identify(&level, &things->things[i]);
    for (size_t i = 0; i < things->count; i++)
        check(&level, &things->things[i]);
    level_check_words(&level);
}

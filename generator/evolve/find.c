// Finds the nodes of saves that things of the schema were.
//
// A `was` may be the last name of one node and the first name of another; the last name counts. If nothing is lost
// then, nor when first names count, both must find the same. What has the same name as before, and a `was` that nothing
// else had, has not changed: the word is from before.
//
// Invariant: the same schema finds the same nodes after its lock was written, or else its words are an error now. The
// lock has no words, so that names which are exchanged by their last names twice would be exchanged by each run.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <string.h>

// ---- levels

static const char *kind_of(const place *place)
{
    if (place->thing == NULL)
        return lock_notation_of(place->kind)->noun;
    if (place->thing->values.count > 0)
        return "value";
    return report_field_word(place);
}

const char *level_words(const level *level, const thing *thing)
{
    return arena_format(level->run->arena, "%s '%s'", kind_of(level->place),
                        lock_path(level->run->arena, level->place->now, thing->name));
}

level level_begin(run *run, const place *place, thing_list *things, lock_list *before)
{
    level level = {run, place, things, before, dictionary_create(run->arena), dictionary_create(run->arena), NULL};
    assert(things != NULL && before != NULL);
    for (lock_node *node = before->first; node != NULL; node = node->next)
        if (lock_is_live(node))
            dictionary_add(&level.names, node->name, node);
    return level;
}

// ---- one reading

static lock_node *find_named(const level *level, const char *name)
{
    lock_node *node = (lock_node *)(uintptr_t)dictionary_find(&level->names, name);
    if (node == NULL || node->is_taken)
        return NULL;
    return node;
}

static lock_node *find_identity(const level *level, const char *identity)
{
    lock_node *node = lock_find(level->before, identity);
    if (node == NULL || node->is_taken)
        return NULL;
    if (!lock_is_live(node))
        return NULL;
    return node;
}

static void take(thing *thing, lock_node *node)
{
    if (node == NULL)
        return;
    node->is_taken = true;
    thing->before = node;
}

typedef void step(level *level, thing *thing);

// A lock beside the schema knows identities.
static void take_known(level *level, thing *thing)
{
    if (thing->known == NULL)
        return;
    lock_node *node = find_identity(level, thing->known);
    if (node == NULL)
        node = find_named(level, thing->known);
    take(thing, node);
}

// The lock may already have the `was`, or the name has not changed.
static void take_settled(level *level, thing *thing)
{
    lock_node *node = find_named(level, thing->name);
    if (thing->before != NULL || node == NULL)
        return;
    if (thing->was == NULL || strcmp(node->identity, thing->was) == 0)
        take(thing, node);
}

static void take_last_name(level *level, thing *thing)
{
    if (thing->before == NULL && thing->was != NULL)
        take(thing, find_named(level, thing->was));
}

static void take_first_name(level *level, thing *thing)
{
    if (thing->before == NULL && thing->was != NULL)
        take(thing, find_identity(level, thing->was));
}

static void take_unchanged(level *level, thing *thing)
{
    if (thing->before == NULL && thing->was != NULL)
        take(thing, find_named(level, thing->name));
}

static void for_each(level *level, step *step)
{
    for (size_t i = 0; i < level->things->count; i++)
        step(level, &level->things->things[i]);
}

typedef enum reading { LAST_NAMES_FIRST, FIRST_NAMES_FIRST } reading;

static void read_words(level *level, reading reading)
{
    static step *const steps[][2] = {[LAST_NAMES_FIRST] = {take_last_name, take_first_name},
                                     [FIRST_NAMES_FIRST] = {take_first_name, take_last_name}};
    assert((size_t)reading < sizeof steps / sizeof *steps);
    for (lock_node *node = level->before->first; node != NULL; node = node->next)
        node->is_taken = false;
    for (size_t i = 0; i < level->things->count; i++)
        level->things->things[i].before = NULL;
    for_each(level, take_known);
    for_each(level, take_settled);
    for (int i = 0; i < 2; i++)
        for_each(level, steps[reading][i]);
    for_each(level, take_unchanged);
}

// ---- several readings

static bool has_words(const level *level)
{
    for (size_t i = 0; i < level->things->count; i++)
        if (level->things->things[i].was != NULL)
            return true;
    return false;
}

// Whether something of saves is left over that the schema does not give up.
static bool loses(level *level)
{
    run *run = level->run;
    bool is_lost = false;
    assert(!run->is_asking);
    run->is_asking = true;
    for (const lock_node *node = level->before->first; node != NULL && !is_lost; node = node->next) {
        bool is_left = !node->is_taken && lock_is_live(node);
        is_lost = is_left && !is_given_up(run, level->place, level->before, node);
    }
    run->is_asking = false;
    return is_lost;
}

static const lock_node **nodes_of(const level *level)
{
    const thing_list *things = level->things;
    const lock_node **nodes = arena_allocate(level->run->arena, things->count * sizeof(lock_node *) + 1);
    for (size_t i = 0; i < things->count; i++)
        nodes[i] = things->things[i].before;
    return nodes;
}

static bool differ(const level *level, const lock_node *const *others)
{
    for (size_t i = 0; i < level->things->count; i++)
        if (level->things->things[i].before != others[i])
            return true;
    return false;
}

void level_find(level *level)
{
    level->others = NULL;
    read_words(level, LAST_NAMES_FIRST);
    if (!has_words(level) || loses(level))
        return;
    read_words(level, FIRST_NAMES_FIRST);
    const lock_node **others = NULL;
    if (!loses(level))
        others = nodes_of(level);
    read_words(level, LAST_NAMES_FIRST);
    if (others != NULL && differ(level, others))
        level->others = others;
}

// ---- words that are not clear, now or after the lock was written

static const char one_by_one[] = "remove 'was' where nothing was renamed, or rename one thing before each 'kin lock'";

static void report_two(const level *level, const thing *thing, const lock_node *other)
{
    run *run = level->run;
    assert(thing->before != NULL && thing->before != other);
    if (report(run, CODE_WAS, thing->was_span,
               arena_format(run->arena, "%s was '%s': in saves it may be '%s' or '%s'", level_words(level, thing),
                            thing->was, thing->before->name, other->name)))
        diagnostic_hint(run->diagnostics, one_by_one);
}

static void report_passing(const level *level, const thing *thing)
{
    run *run = level->run;
    bool can_say = strcmp(thing->identity, thing->name) != 0 && strcmp(thing->identity, thing->was) != 0;
    assert(thing->was != NULL && thing->identity != NULL);
    if (!report(run, CODE_WAS, thing->was_span,
                arena_format(run->arena, "%s was '%s', but '%s' is another one after 'kin lock'",
                             level_words(level, thing), thing->was, thing->was)))
        return;
    if (can_say)
        diagnostic_hint(run->diagnostics, "write its first name, 'was: %s'", thing->identity);
    else
        diagnostic_hint(run->diagnostics, one_by_one);
}

// Makes the lock of the things. False if two of them have one identity, which is reported elsewhere.
static bool add_nodes(arena *arena, const thing_list *things, lock_list *list)
{
    for (size_t i = 0; i < things->count; i++) {
        lock_node *node = lock_add(arena, list, things->things[i].identity);
        if (node->has_line)
            return false;
        node->has_line = true;
        node->name = things->things[i].name;
    }
    return true;
}

static thing_list copy_things(arena *arena, const thing_list *things)
{
    thing_list copy = {arena_allocate(arena, things->count * sizeof(thing) + 1), things->count};
    for (size_t i = 0; i < things->count; i++)
        copy.things[i] = things->things[i];
    return copy;
}

static bool is_found_again(const level *after, size_t i)
{
    const thing *thing = &after->things->things[i];
    assert(i < after->things->count);
    if (thing->before == NULL || strcmp(thing->before->identity, thing->identity) != 0)
        return false;
    return after->others == NULL || thing->before == after->others[i];
}

static void check_after(const level *level)
{
    lock_list list = {NULL, NULL};
    thing_list things = copy_things(level->run->arena, level->things);
    if (!add_nodes(level->run->arena, &things, &list))
        return;
    struct level after = level_begin(level->run, level->place, &things, &list);
    level_find(&after);
    for (size_t i = 0; i < things.count; i++)
        if (things.things[i].was != NULL && !is_found_again(&after, i))
            report_passing(level, &level->things->things[i]);
}

void level_check_words(const level *level)
{
    const thing *things = level->things->things;
    bool is_asked = !level->run->is_trial && !level->run->shape->is_partial;
    if (!is_asked || !has_words(level))
        return;
    if (level->others == NULL) {
        check_after(level);
        return;
    }
    for (size_t i = 0; i < level->things->count; i++) {
        bool has_two = things[i].before != NULL && level->others[i] != NULL;
        if (has_two && things[i].before != level->others[i])
            report_two(level, &things[i], level->others[i]);
    }
}

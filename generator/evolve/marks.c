// Conditions that earlier saves did not have to meet: newly unique components, and new primary keys.
#include "evolve/private/run.h"

#include <string.h>

static void warn(run *run, span span, const char *message)
{
    if (run->is_trial)
        return;
    diagnostic_warning(run->diagnostics, CODE_NEWLY_ASKED, span, "%s", message);
    diagnostic_hint(run->diagnostics,
                    "to read such saves, add 'migrate: true' to the component and decide in its function");
}

// Returns whether saves may have all components of the key.
static bool is_key_saved(const run *run, const char *key)
{
    if (strchr(key, '.') == NULL)
        return true; // a function returns the keys
    while (*key != '\0') {
        size_t size = strcspn(key, ".");
        if (dictionary_find(&run->matched, arena_copy(run->arena, key, size)) == NULL)
            return false;
        key += strcspn(key, ",");
        key += *key == ',';
    }
    return true;
}

static bool was_in(const lock_node *before, const char *context)
{
    const lock_name *name = before == NULL || before->is_removed ? NULL : lock_find_name(&before->contexts, context);
    return name != NULL && name->name != NULL;
}

static void check_key(run *run, const thing *thing)
{
    const lock_node *before = lock_find(&run->before->nodes[LOCK_PRIMARY], thing->name);
    for (size_t i = 0; i < thing->contexts.count && is_key_saved(run, thing->name); i++) {
        const char *context = thing->contexts.names[i].identity;
        if (was_in(before, context))
            continue;
        warn(run, thing->span,
             arena_format(run->arena, "'%s' is a primary key now: saves in which it is not are refused", thing->name));
        return;
    }
}

static void check_unique(run *run, const thing *thing)
{
    const lock_node *before = lock_find(&run->before->nodes[LOCK_UNIQUE], thing->name);
    if (dictionary_find(&run->matched, thing->name) == NULL || (before != NULL && !before->is_removed))
        return;
    warn(run, thing->span,
         arena_format(run->arena, "'%s' is unique now: saves in which several entities have it are refused",
                      thing->name));
}

void marks_check(run *run)
{
    const thing_list *keys = &run->shape->kinds[LOCK_PRIMARY], *uniques = &run->shape->kinds[LOCK_UNIQUE];
    for (size_t i = 0; run->has_before && i < keys->count; i++)
        check_key(run, &keys->things[i]);
    for (size_t i = 0; run->has_before && i < uniques->count; i++)
        check_unique(run, &uniques->things[i]);
}

#include "family.h"

#include <string.h>

typedef bool set[FAMILY_ENTITIES];

void family_begin(family *family, const kin_context_info *info)
{
    memset(family, 0, sizeof *family);
    family->info = info;
    family->keyed = (kin_component_id)info->component_count;
}

static void note(const family *family, family_event event, int entity, kin_component_id id)
{
    if (family->note != NULL)
        family->note(event, entity, id);
}

void family_create(family *family, int entity)
{
    family_entity *made = &family->entities[entity];
    memset(made, 0, sizeof *made);
    made->is_alive = true;
    for (uint32_t i = 0; i < family->info->relation_count; i++)
        made->target[i] = FAMILY_NONE;
    note(family, FAMILY_CREATED, entity, 0);
}

static bool is_of(const family *family, int relation, kin_component_id id)
{
    return family->info->relations[relation].component == id;
}

static bool is_kind(const family *family, int relation, kin_on_destroy kind)
{
    return family->info->relations[relation].on_destroy == kind;
}

// ---- lists

static int place_of(const family *family, int relation, int target, int holder)
{
    int place = 0;
    while (place < family->counts[relation][target] && family->lists[relation][target][place] != holder)
        place++;
    return place;
}

static void insert(family *family, int relation, int target, int place, int holder)
{
    int *list = family->lists[relation][target], *count = &family->counts[relation][target];
    memmove(list + place + 1, list + place, (size_t)(*count - place) * sizeof *list);
    list[place] = holder;
    ++*count;
}

static void withdraw(family *family, int relation, int target, int holder)
{
    int *list = family->lists[relation][target], *count = &family->counts[relation][target];
    int place = place_of(family, relation, target, holder);
    memmove(list + place, list + place + 1, (size_t)(*count - place - 1) * sizeof *list);
    --*count;
}

static void name(family *family, int relation, int holder, int target)
{
    int *field = &family->entities[holder].target[relation];
    if (*field == target)
        return;
    if (*field != FAMILY_NONE)
        withdraw(family, relation, *field, holder);
    *field = target;
    if (target != FAMILY_NONE)
        insert(family, relation, target, family->counts[relation][target], holder);
}

static void name_all(family *family, int holder, kin_component_id id, const int *targets)
{
    for (int i = 0; i < (int)family->info->relation_count; i++)
        if (is_of(family, i, id))
            name(family, i, holder, targets == NULL ? FAMILY_NONE : targets[i]);
}

// ---- checks

static kin_status check_target(const family *family, int entity, int relation, int target)
{
    if (target == FAMILY_NONE)
        return KIN_OK;
    if (!family->entities[target].is_alive)
        return KIN_ERROR_NOT_ALIVE;
    for (int at = target; family->info->relations[relation].is_tree && at != FAMILY_NONE;
         at = family->entities[at].target[relation])
        if (at == entity)
            return KIN_ERROR_CIRCLE;
    return KIN_OK;
}

// Returns whether another entity has the component, for a key with these targets if they are not NULL.
static bool has_other(const family *family, int entity, kin_component_id id, const int *targets)
{
    for (int other = 0; other < FAMILY_ENTITIES; other++) {
        bool is_equal = other != entity && family->entities[other].is_alive && family->entities[other].has[id];
        for (int i = 0; targets != NULL && i < (int)family->info->relation_count; i++)
            is_equal = is_equal && (!is_of(family, i, id) || family->entities[other].target[i] == targets[i]);
        if (is_equal)
            return true;
    }
    return false;
}

static kin_status check(const family *family, int entity, kin_component_id id, const int *targets)
{
    kin_status status = KIN_OK;
    bool is_added = !family->entities[entity].has[id];
    if (is_added && family->info->components[id].is_unique && has_other(family, entity, id, NULL))
        return KIN_ERROR_UNIQUE;
    for (int i = 0; i < (int)family->info->relation_count && status == KIN_OK; i++)
        if (is_of(family, i, id))
            status = check_target(family, entity, i, targets[i]);
    if (status == KIN_OK && id == family->keyed && has_other(family, entity, id, targets))
        status = KIN_ERROR_DUPLICATE_KEY;
    return status;
}

// ---- changes of components

kin_status family_set(family *family, int entity, kin_component_id id, const int *targets)
{
    kin_status status = family->entities[entity].is_alive ? KIN_OK : KIN_ERROR_NOT_ALIVE;
    if (status == KIN_OK)
        status = check(family, entity, id, targets);
    if (status != KIN_OK)
        return status;
    bool had = family->entities[entity].has[id];
    family->entities[entity].has[id] = true;
    name_all(family, entity, id, targets);
    note(family, had ? FAMILY_REPLACED : FAMILY_ADDED, entity, id);
    return KIN_OK;
}

static void lose(family *family, int entity, kin_component_id id)
{
    family->entities[entity].has[id] = false;
    name_all(family, entity, id, NULL);
    note(family, FAMILY_REMOVED, entity, id);
}

kin_status family_remove(family *family, int entity, kin_component_id id)
{
    if (!family->entities[entity].is_alive)
        return KIN_ERROR_NOT_ALIVE;
    if (!family->entities[entity].has[id])
        return KIN_ERROR_NO_COMPONENT;
    lose(family, entity, id);
    return KIN_OK;
}

kin_status family_place_before(family *family, int relation, int holder, int sibling)
{
    kin_component_id id = family->info->relations[relation].component;
    if (!family->entities[holder].is_alive)
        return KIN_ERROR_NOT_ALIVE;
    if (!family->entities[holder].has[id])
        return KIN_ERROR_NO_COMPONENT;
    int target = family->entities[holder].target[relation];
    bool is_sibling = sibling == FAMILY_NONE ||
                      (family->entities[sibling].is_alive && family->entities[sibling].target[relation] == target);
    if (target == FAMILY_NONE || !is_sibling)
        return KIN_ERROR_INVALID;
    if (holder == sibling)
        return KIN_OK;
    withdraw(family, relation, target, holder);
    int place = sibling == FAMILY_NONE ? family->counts[relation][target] : place_of(family, relation, target, sibling);
    insert(family, relation, target, place, holder);
    note(family, FAMILY_REPLACED, holder, id);
    return KIN_OK;
}

// ---- destroying

// Adds what is taken along with the entities of the set.
static void complete(const family *family, set taken)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (int entity = 0; entity < FAMILY_ENTITIES; entity++)
            for (int i = 0; i < (int)family->info->relation_count; i++) {
                int target = family->entities[entity].target[i];
                bool hangs = family->entities[entity].is_alive && !family->entities[entity].is_ending &&
                             target != FAMILY_NONE && taken[target] && is_kind(family, i, KIN_ON_DESTROY_DESTROY);
                grows = grows || (hangs && !taken[entity]);
                taken[entity] = taken[entity] || hangs;
            }
    }
}

// A holder that will be destroyed with an entity that is being destroyed does not refuse.
static bool is_refused(const family *family, const set taken)
{
    set doomed;
    for (int entity = 0; entity < FAMILY_ENTITIES; entity++)
        doomed[entity] = family->entities[entity].is_alive && family->entities[entity].is_ending;
    complete(family, doomed);
    for (int entity = 0; entity < FAMILY_ENTITIES; entity++)
        for (int i = 0; i < (int)family->info->relation_count; i++) {
            int target = family->entities[entity].target[i];
            if (family->entities[entity].is_alive && !doomed[entity] && !taken[entity] && target != FAMILY_NONE &&
                taken[target] && is_kind(family, i, KIN_ON_DESTROY_REFUSE))
                return true;
        }
    return false;
}

// Returns the first holder of an entity that is destroyed with it and was not announced; FAMILY_NONE if there is none.
static int find_taken(const family *family, int entity)
{
    for (int i = 0; i < (int)family->info->relation_count; i++)
        for (int k = 0; is_kind(family, i, KIN_ON_DESTROY_DESTROY) && k < family->counts[i][entity]; k++)
            if (!family->entities[family->lists[i][entity][k]].is_ending)
                return family->lists[i][entity][k];
    return FAMILY_NONE;
}

static void empty(family *family, int relation, int holder)
{
    kin_component_id id = family->info->relations[relation].component;
    name(family, relation, holder, FAMILY_NONE);
    if (id == family->keyed && has_other(family, holder, id, family->entities[holder].target))
        lose(family, holder, id);
    else
        note(family, FAMILY_REPLACED, holder, id);
}

// Detaches the first holder of an entity. Returns false if there is none.
static bool detach_one(family *family, int entity)
{
    int relation = 0;
    while (relation < (int)family->info->relation_count && family->counts[relation][entity] == 0)
        relation++;
    if (relation == (int)family->info->relation_count)
        return false;
    int holder = family->lists[relation][entity][0];
    if (is_kind(family, relation, KIN_ON_DESTROY_REMOVE))
        lose(family, holder, family->info->relations[relation].component);
    else
        empty(family, relation, holder);
    return true;
}

static void strip(family *family, int entity)
{
    family_entity before = family->entities[entity];
    family->entities[entity].is_alive = family->entities[entity].is_ending = false;
    memset(family->entities[entity].has, 0, sizeof before.has);
    for (uint32_t id = 0; id < family->info->component_count; id++)
        name_all(family, entity, (kin_component_id)id, NULL);
    for (uint32_t id = 0; id < family->info->component_count; id++)
        if (before.has[id])
            note(family, FAMILY_REMOVED, entity, (kin_component_id)id);
    note(family, FAMILY_ENDED, entity, 0);
}

// Recursive: the family is small.
static void destroy(family *family, int entity)
{
    family->entities[entity].is_ending = true;
    note(family, FAMILY_BEGINS, entity, 0);
    for (;;) {
        int next = find_taken(family, entity);
        if (next != FAMILY_NONE)
            destroy(family, next);
        else if (!detach_one(family, entity))
            break;
    }
    strip(family, entity);
}

kin_status family_destroy(family *family, int entity, bool asks)
{
    set taken = {false};
    if (!family->entities[entity].is_alive || family->entities[entity].is_ending)
        return KIN_ERROR_NOT_ALIVE;
    taken[entity] = true;
    complete(family, taken);
    if (asks && is_refused(family, taken))
        return KIN_ERROR_REFERENCED;
    destroy(family, entity);
    return KIN_OK;
}

// Returns the first holder that was not announced; FAMILY_NONE if there is none.
static int find_holder(const family *family, int relation, int target)
{
    for (int k = 0; family->entities[target].is_alive && k < family->counts[relation][target]; k++)
        if (!family->entities[family->lists[relation][target][k]].is_ending)
            return family->lists[relation][target][k];
    return FAMILY_NONE;
}

kin_status family_destroy_holders(family *family, int relation, int target)
{
    set taken = {false};
    if (!family->entities[target].is_alive)
        return KIN_ERROR_NOT_ALIVE;
    for (int i = 0; i < family->counts[relation][target]; i++) {
        int holder = family->lists[relation][target][i];
        taken[holder] = !family->entities[holder].is_ending;
    }
    complete(family, taken);
    if (is_refused(family, taken))
        return KIN_ERROR_REFERENCED;
    for (int holder; (holder = find_holder(family, relation, target)) != FAMILY_NONE;)
        destroy(family, holder);
    return KIN_OK;
}

// ---- clones

kin_status family_clone(family *family, int source, int clone)
{
    family_entity copied = family->entities[source];
    kin_status status = KIN_OK;
    if (!copied.is_alive)
        return KIN_ERROR_NOT_ALIVE;
    if (family->keyed < family->info->component_count && copied.has[family->keyed])
        return KIN_ERROR_DUPLICATE_KEY;
    family_create(family, clone);
    for (uint32_t id = 0; id < family->info->component_count && status == KIN_OK; id++) {
        if (!copied.has[id] || family->info->components[id].is_unique)
            continue;
        status = family->entities[clone].has[id] ? KIN_ERROR_HAS_COMPONENT
                                                 : family_set(family, clone, (kin_component_id)id, copied.target);
    }
    if (status != KIN_OK && family->entities[clone].is_alive && !family->entities[clone].is_ending)
        destroy(family, clone);
    return status;
}

#include "family.h"

#include <string.h>

typedef bool set[FAMILY_ENTITIES];

static void note(const family *family, family_event event, int entity, kin_component_id id)
{
    if (family->note != NULL)
        family->note(event, entity, id);
}

void family_begin(family *family, const kin_context_info *info)
{
    memset(family, 0, sizeof *family);
    family->info = info;
}

void family_create(family *family, int entity)
{
    family_entity *made = &family->entities[entity];
    memset(made, 0, sizeof *made);
    made->is_alive = true;
    for (uint32_t i = 0; i < family->info->relation_count; i++)
        made->target[i] = FAMILY_NONE;
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

// ---- changes of components

static kin_status check(const family *family, int entity, int relation, int target)
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

kin_status family_set(family *family, int entity, kin_component_id id, const int *targets)
{
    kin_status status = KIN_OK;
    for (int i = 0; i < (int)family->info->relation_count && status == KIN_OK; i++)
        if (family->info->relations[i].component == id)
            status = check(family, entity, i, targets[i]);
    if (status != KIN_OK)
        return status;
    family->entities[entity].has[id] = true;
    for (int i = 0; i < (int)family->info->relation_count; i++)
        if (family->info->relations[i].component == id)
            name(family, i, entity, targets[i]);
    return KIN_OK;
}

void family_remove(family *family, int entity, kin_component_id id)
{
    family->entities[entity].has[id] = false;
    for (int i = 0; i < (int)family->info->relation_count; i++)
        if (family->info->relations[i].component == id)
            name(family, i, entity, FAMILY_NONE);
}

void family_clone(family *family, int source, int clone)
{
    family_create(family, clone);
    for (uint32_t id = 0; id < family->info->component_count; id++)
        if (family->entities[source].has[id] && !family->info->components[id].is_unique)
            family_set(family, clone, (kin_component_id)id, family->entities[source].target);
}

void family_place_before(family *family, int relation, int holder, int sibling)
{
    int target = family->entities[holder].target[relation];
    if (holder == sibling)
        return;
    withdraw(family, relation, target, holder);
    int place = sibling == FAMILY_NONE ? family->counts[relation][target] : place_of(family, relation, target, sibling);
    insert(family, relation, target, place, holder);
}

// ---- destroying

// Adds what is taken along with the entities of the set.
static void complete(const family *family, set taken)
{
    for (bool grows = true; grows;) {
        grows = false;
        for (int entity = 0; entity < FAMILY_ENTITIES; entity++)
            for (uint32_t i = 0; i < family->info->relation_count; i++) {
                int target = family->entities[entity].target[i];
                bool hangs = family->entities[entity].is_alive && target != FAMILY_NONE && taken[target] &&
                             family->info->relations[i].on_destroy == KIN_ON_DESTROY_DESTROY;
                grows = grows || (hangs && !taken[entity]);
                taken[entity] = taken[entity] || hangs;
            }
    }
}

static bool is_refused(const family *family, const set taken)
{
    for (int entity = 0; entity < FAMILY_ENTITIES; entity++)
        for (uint32_t i = 0; i < family->info->relation_count; i++) {
            int target = family->entities[entity].target[i];
            if (family->entities[entity].is_alive && !taken[entity] && target != FAMILY_NONE && taken[target] &&
                family->info->relations[i].on_destroy == KIN_ON_DESTROY_REFUSE)
                return true;
        }
    return false;
}

// Whether another entity has the same key as the one with this component.
static bool is_key_taken(const family *family, int entity, kin_component_id id)
{
    for (int other = 0; id == family->keyed && other < FAMILY_ENTITIES; other++) {
        bool is_equal = other != entity && family->entities[other].is_alive && family->entities[other].has[id];
        for (uint32_t i = 0; i < family->info->relation_count; i++)
            is_equal = is_equal && (family->info->relations[i].component != id ||
                                    family->entities[other].target[i] == family->entities[entity].target[i]);
        if (is_equal)
            return true;
    }
    return false;
}

static void lose(family *family, int holder, kin_component_id id)
{
    family_remove(family, holder, id);
    note(family, FAMILY_REMOVED, holder, id);
}

static void empty(family *family, int relation, int holder)
{
    kin_component_id id = family->info->relations[relation].component;
    name(family, relation, holder, FAMILY_NONE);
    if (is_key_taken(family, holder, id))
        lose(family, holder, id);
    else
        note(family, FAMILY_REPLACED, holder, id);
}

// Empties what still names an entity that will be stripped.
static void detach(family *family, int entity)
{
    for (int i = 0; i < (int)family->info->relation_count; i++)
        while (family->counts[i][entity] > 0) {
            int holder = family->lists[i][entity][0];
            if (family->info->relations[i].on_destroy == KIN_ON_DESTROY_REMOVE)
                lose(family, holder, family->info->relations[i].component);
            else
                empty(family, i, holder);
        }
}

// Returns the first holder that is destroyed with an entity and has not begun; FAMILY_NONE if there is none.
static int find_next(const family *family, int entity, const set begun)
{
    for (uint32_t i = 0; i < family->info->relation_count; i++)
        for (int k = 0;
             family->info->relations[i].on_destroy == KIN_ON_DESTROY_DESTROY && k < family->counts[i][entity]; k++)
            if (!begun[family->lists[i][entity][k]])
                return family->lists[i][entity][k];
    return FAMILY_NONE;
}

static void strip(family *family, int entity)
{
    bool had[64];
    memcpy(had, family->entities[entity].has, sizeof had);
    family->entities[entity].is_alive = false;
    for (uint32_t id = 0; id < family->info->component_count; id++)
        family_remove(family, entity, (kin_component_id)id);
    for (uint32_t id = 0; id < family->info->component_count; id++)
        if (had[id])
            note(family, FAMILY_REMOVED, entity, (kin_component_id)id);
    note(family, FAMILY_ENDED, entity, 0);
}

static void destroy(family *family, int entity, set begun)
{
    begun[entity] = true;
    note(family, FAMILY_BEGINS, entity, 0);
    for (int next; (next = find_next(family, entity, begun)) != FAMILY_NONE;)
        destroy(family, next, begun);
    detach(family, entity);
    strip(family, entity);
}

kin_status family_destroy(family *family, int entity, bool asks)
{
    set taken = {false}, begun = {false};
    taken[entity] = true;
    complete(family, taken);
    if (asks && is_refused(family, taken))
        return KIN_ERROR_REFERENCED;
    destroy(family, entity, begun);
    return KIN_OK;
}

kin_status family_destroy_holders(family *family, int relation, int target)
{
    set taken = {false}, begun = {false};
    for (int i = 0; i < family->counts[relation][target]; i++)
        taken[family->lists[relation][target][i]] = true;
    complete(family, taken);
    if (is_refused(family, taken))
        return KIN_ERROR_REFERENCED;
    while (family->counts[relation][target] > 0)
        destroy(family, family->lists[relation][target][0], begun);
    return KIN_OK;
}

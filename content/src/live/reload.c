// Reloads: the step between two generations, applied to living entities, leaf by leaf.
//
// What a leaf was by the old content is computed again: the value of its prefab, with what its instance says. Where the
// live value is still that, it becomes what the new content says; else the game has changed it, and it stays.
//
// Most of a content is as before, and is passed over: a prefab is compared once, component by component, and the
// instances of a level that has not changed are listed only where they set a component whose value has.
#include "live/live.h"

#include <kin/generated/relation.h>

#include <stdlib.h>
#include <string.h>

// What has changed between a prefab of `from` and that of the same name in `to`.
typedef struct step {
    const kin__live_prefab *old, *now; // NULL: there is none
    bool has_changed;
    bool has_changed_links;
    bool has_changed_structure; // other entities, or other components
    bool *parts;                // by part of `now`: whether its value has changed
} step;

// An instance of a placed level, in the old and the new content.
typedef struct pair {
    uint32_t place;
    const kin__instance *old, *now; // `old` is NULL for an instance that is placed now
    bool differs;                   // their texts do
} pair;

// A part to spawn below an entity.
typedef struct birth {
    kin_entity above;
    const kin__live_prefab *prefab;
    const kin__live_node *node;
    uint32_t place;
} birth;

// A place that instances have had, and the one that they have now.
typedef struct move {
    uint32_t from, to;
} move;

typedef struct reload {
    kin_content *content;
    kin__generation *from, *to;
    kin__arena arena;
    kin__instances *lists; // of levels, old and new in turn
    uint32_t list_count;
    pair *pairs; // by place
    uint32_t pair_count, pair_capacity;
    step *steps; // by prefab of `to`
    birth *births;
    uint32_t birth_count, birth_capacity;
    kin_entity *gone;
    uint32_t gone_count, gone_capacity;
    char *old, *now, *live;    // values of one component
    kin__overrides references; // of one instance, which no step applies
} reload;

// Grows a list in the arena. False when out of memory.
static bool reserve(reload *reload, void *list, uint32_t count, uint32_t *capacity, size_t size)
{
    void **elements = list;
    if (count < *capacity)
        return true;
    uint32_t larger = *capacity == 0 ? 64 : 2 * *capacity;
    void *grown = kin__arena_take(&reload->arena, larger * size);
    if (grown == NULL)
        return false;
    if (count > 0)
        memcpy(grown, *elements, count * size);
    *elements = grown;
    *capacity = larger;
    return true;
}

// Counts what a change has done, or that it was refused. Without memory, the whole step is applied again later.
static void note(reload *reload, kin_status status, uint32_t *counter, uint32_t by)
{
    if (status == KIN_OK)
        *counter += by;
    else
        reload->content->state.refused++;
    if (status == KIN_ERROR_NO_MEMORY)
        reload->arena.is_short = true;
}

// ---- what differs between prefabs

typedef struct comparing {
    const char *a, *b;
    bool differs;
} comparing;

static void compare_leaf(void *data, const kin_field_info *field, size_t offset, size_t size)
{
    comparing *comparing = data;
    if (field->type != KIN_TYPE_ENTITY &&
        !kin__leaf_is_equal(field, size, comparing->a + offset, comparing->b + offset))
        comparing->differs = true;
}

static bool differ(const kin_context_info *info, kin_component_id id, const void *a, const void *b)
{
    comparing comparing = {a, b, false};
    if (info->components[id].size > 0)
        kin__leaves_visit(info->components[id].fields, info->components[id].field_count, 0, compare_leaf, &comparing);
    return comparing.differs;
}

static bool have_same_links(const kin__live_prefab *a, const kin__live_prefab *b)
{
    if (a->link_count != b->link_count)
        return false;
    for (uint32_t i = 0; i < a->link_count; i++)
        if (a->links[i].holder->hash != b->links[i].holder->hash ||
            a->links[i].target->hash != b->links[i].target->hash || a->links[i].id != b->links[i].id ||
            a->links[i].offset != b->links[i].offset)
            return false;
    return true;
}

static bool have_same_structure(const kin__live_prefab *a, const kin__live_prefab *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const kin__live_node *x = a->nodes[i];
        const kin__live_node *y = b->nodes[i];
        bool is_same = x->hash == y->hash && x->count == y->count;
        if (!is_same || memcmp(x->ids, y->ids, x->count * sizeof *x->ids) != 0)
            return false;
    }
    return true;
}

static const kin__live_node *find_node(const kin__live_prefab *prefab, uint32_t hash)
{
    for (uint32_t i = 0; i < prefab->count; i++)
        if (prefab->nodes[i]->hash == hash)
            return prefab->nodes[i];
    return NULL;
}

// Compares the components of a prefab. False when out of memory.
static bool make_step(reload *reload, step *step)
{
    const kin_context_info *info = reload->content->info;
    const kin__live_prefab *now = step->now;
    uint32_t part = 0;
    for (uint32_t i = 0; i < now->count; i++)
        part += now->nodes[i]->count;
    step->parts = kin__arena_take(&reload->arena, part);
    if (step->parts == NULL)
        return false;
    step->has_changed_structure = !have_same_structure(step->old, now);
    step->has_changed_links = !have_same_links(step->old, now);
    step->has_changed = step->has_changed_structure || step->has_changed_links;
    part = 0;
    for (uint32_t i = 0; i < now->count; i++) {
        const kin__live_node *node = now->nodes[i];
        const kin__live_node *was = find_node(step->old, node->hash);
        for (uint32_t k = 0; k < node->count; k++, part++) {
            void **value = was == NULL ? NULL : kin__node_value(was, node->ids[k]);
            step->parts[part] = value == NULL || differ(info, node->ids[k], *value, node->values[k]);
            step->has_changed = step->has_changed || step->parts[part];
        }
    }
    return true;
}

static bool make_steps(reload *reload)
{
    reload->steps = kin__arena_take(&reload->arena, reload->to->prefab_count * sizeof *reload->steps);
    if (reload->steps == NULL)
        return false;
    for (uint32_t i = 0; i < reload->to->prefab_count; i++) {
        step *step = &reload->steps[i];
        step->now = &reload->to->prefabs[i];
        step->old = kin__generation_find_hash(reload->from, step->now->hash);
        if (step->old != NULL && !make_step(reload, step))
            return false;
    }
    return true;
}

// ---- levels that have not changed

static bool have_same_leaf(const kin__pack_leaf *a, const kin__pack_leaf *b)
{
    bool is_same = a->type == b->type && a->is_list == b->is_list && a->elements == b->elements;
    if (!is_same || a->name_count != b->name_count || strcmp(a->path, b->path) != 0)
        return false;
    for (uint32_t i = 0; i < a->name_count; i++)
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

static bool have_same_key(const reload *reload, const kin__pack_keys *old, const kin__pack_keys *now, uint32_t number)
{
    const kin__pack_key *a = &old->keys[number];
    const kin__pack_key *b = &now->keys[number];
    const kin__pack *from = &reload->from->pack;
    const kin__pack *to = &reload->to->pack;
    bool is_same = a->is_append == b->is_append && strcmp(a->part, b->part) == 0 &&
                   reload->from->components[a->component] == reload->to->components[b->component];
    return is_same && have_same_leaf(kin__pack_leaf_of(from, old->context, a), kin__pack_leaf_of(to, now->context, b));
}

// Whether values of both keys mean the same if their bytes are equal.
static bool have_same_keys(const reload *reload, uint32_t old, uint32_t now)
{
    if (old == KIN__PACK_NONE || now == KIN__PACK_NONE)
        return old == now;
    const kin__pack_keys *a = &reload->from->pack.keys[old];
    const kin__pack_keys *b = &reload->to->pack.keys[now];
    bool is_same = a->count == b->count;
    for (uint32_t i = 0; is_same && i < a->count; i++)
        is_same = have_same_key(reload, a, b, i);
    return is_same;
}

static bool have_same_name(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool have_same_text(const kin__pack_instance *a, const kin__pack_instance *b)
{
    return a->size == b->size && memcmp(a->values, b->values, a->size) == 0;
}

// The instances of a run are one after the other in the pack, with their names between them.
static bool have_same_instances(const kin__pack_run *old, const kin__pack_run *now)
{
    if (now->count == 0)
        return true;
    const kin__pack_instance *a = &old->instances[now->count - 1];
    const kin__pack_instance *b = &now->instances[now->count - 1];
    size_t size = (size_t)(b->values - now->instances[0].values) + b->size;
    bool has_same_size = (size_t)(a->values - old->instances[0].values) + a->size == size;
    return has_same_size && have_same_name(old->instances[0].name, now->instances[0].name) &&
           memcmp(old->instances[0].values, now->instances[0].values, size) == 0;
}

static bool have_same_level(const reload *reload, const kin__pack_level *old, const kin__pack_level *now);

static bool have_same_run(const reload *reload, const kin__pack_run *old, const kin__pack_run *now)
{
    const kin__pack *from = &reload->from->pack;
    const kin__pack *to = &reload->to->pack;
    bool is_level = now->prefab == KIN__PACK_NONE;
    if (old->count != now->count || (old->prefab == KIN__PACK_NONE) != is_level)
        return false;
    if (!have_same_keys(reload, old->keys, now->keys))
        return false;
    if (!is_level && strcmp(from->prefabs[old->prefab].name, to->prefabs[now->prefab].name) != 0)
        return false;
    if (is_level && !have_same_level(reload, &from->levels[old->level], &to->levels[now->level]))
        return false;
    return old->is_named == now->is_named && have_same_instances(old, now);
}

// Recursive along levels in levels, which packs limit.
static bool have_same_level(const reload *reload, const kin__pack_level *old, const kin__pack_level *now)
{
    if (old->run_count != now->run_count || strcmp(old->name, now->name) != 0)
        return false;
    for (uint32_t i = 0; i < now->run_count; i++)
        if (!have_same_run(reload, &old->runs[i], &now->runs[i]))
            return false;
    return true;
}

static step *find_step(const reload *reload, uint32_t prefab)
{
    uint32_t index = kin__generation_index(reload->to, prefab);
    return index == UINT32_MAX || reload->steps[index].old == NULL ? NULL : &reload->steps[index];
}

static bool has_changed_place(const reload *reload, const step *step)
{
    const kin_key_info *placed_by = reload->content->info->placed_by;
    return placed_by != NULL && kin__node_value(step->now->nodes[0], placed_by->component) != NULL &&
           step->parts[kin__part_of(step->now, step->now->nodes[0], placed_by->component)];
}

// A list of those instances alone whose values do not follow from their prefab's.
typedef struct choice {
    const reload *reload;
    const kin__generation *generation;
} choice;

static bool sets_changed_part(const void *data, const kin__pack_run *run)
{
    const choice *choice = data;
    const kin__generation *generation = choice->generation;
    const step *step = find_step(choice->reload, generation->prefabs[generation->of_pack[run->prefab]].hash);
    if (step == NULL || step->has_changed_structure || step->has_changed_links)
        return true;
    if (!step->has_changed || run->keys == KIN__PACK_NONE)
        return step->has_changed && has_changed_place(choice->reload, step);
    const kin__pack_keys *keys = &generation->pack.keys[run->keys];
    bool sets = has_changed_place(choice->reload, step);
    for (uint32_t i = 0; !sets && i < keys->count; i++) {
        const kin__live_node *node = kin__live_prefab_find(step->now, keys->keys[i].part);
        kin_component_id id = generation->components[keys->keys[i].component];
        sets = node == NULL || kin__node_value(node, id) == NULL || step->parts[kin__part_of(step->now, node, id)];
    }
    return sets;
}

// ---- pairs of instances

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static pair *find_pair(const reload *reload, uint32_t place)
{
    pair wanted = {.place = place};
    if (place == 0 || reload->pair_count == 0)
        return NULL;
    return bsearch(&wanted, reload->pairs, reload->pair_count, sizeof wanted, compare_pairs);
}

static bool add_pair(reload *reload, const kin__instance *old, const kin__instance *now, bool differs)
{
    if (!reserve(reload, &reload->pairs, reload->pair_count, &reload->pair_capacity, sizeof *reload->pairs))
        return false;
    reload->pairs[reload->pair_count++] = (pair){now->place, old, now, differs};
    return true;
}

// The instances of a list by place, to find one without a walk.
static pair *sort_places(reload *reload, const kin__instances *list)
{
    pair *sorted = kin__arena_take(&reload->arena, (list->count + (size_t)1) * sizeof *sorted);
    for (uint32_t i = 0; sorted != NULL && i < list->count; i++)
        sorted[i] = (pair){list->all[i].place, &list->all[i], NULL, false};
    if (sorted != NULL && list->count > 1)
        qsort(sorted, list->count, sizeof *sorted, compare_pairs);
    return sorted;
}

static const kin__instance *look_up(const pair *sorted, uint32_t count, uint32_t place)
{
    pair wanted = {.place = place};
    const pair *found = count == 0 ? NULL : bsearch(&wanted, sorted, count, sizeof wanted, compare_pairs);
    return found == NULL ? NULL : found->old;
}

static const kin__instance *look_up_same(const pair *sorted, uint32_t count, const kin__instance *instance)
{
    const kin__instance *found = look_up(sorted, count, instance->place);
    return found == NULL || found->run->prefab->hash != instance->run->prefab->hash ? NULL : found;
}

typedef struct pairing {
    reload *reload;
    const kin__instances *old, *now;
    pair *old_places, *new_places;
    bool *is_paired; // by old instance
    uint32_t *next;  // by prefab of `from`: the old instance from which on find_changed looks
    kin__instance *fresh;
    uint32_t fresh_count;
    move *moves;
    uint32_t move_count;
} pairing;

static bool prepare_pairing(pairing *pairing)
{
    reload *reload = pairing->reload;
    uint32_t old = pairing->old->count;
    uint32_t now = pairing->now->count;
    pairing->old_places = sort_places(reload, pairing->old);
    pairing->new_places = sort_places(reload, pairing->now);
    pairing->is_paired = kin__arena_take(&reload->arena, old);
    pairing->next = kin__arena_take(&reload->arena, reload->from->prefab_count * sizeof *pairing->next);
    pairing->fresh = kin__arena_take(&reload->arena, now * sizeof *pairing->fresh);
    pairing->moves = kin__arena_take(&reload->arena, now * sizeof *pairing->moves);
    return !reload->arena.is_short;
}

// Returns the next old instance of the prefab whose text is not in the new content.
static const kin__instance *find_changed(pairing *pairing, const kin__instance *instance)
{
    const step *step = find_step(pairing->reload, instance->run->prefab->hash);
    if (step == NULL)
        return NULL;
    uint32_t *next = &pairing->next[step->old - pairing->reload->from->prefabs];
    while (*next < pairing->old->count) {
        uint32_t i = (*next)++;
        const kin__instance *old = &pairing->old->all[i];
        if (pairing->is_paired[i] || old->said->name != NULL || old->run->prefab != step->old ||
            look_up_same(pairing->new_places, pairing->now->count, old) != NULL)
            continue;
        pairing->is_paired[i] = true;
        return old;
    }
    return NULL;
}

static bool instances_differ(const reload *reload, const kin__instance *old, const kin__instance *now)
{
    bool has_same_outer = old->run->outer->above == NULL && now->run->outer->above == NULL;
    return !has_same_outer || !have_same_text(old->said, now->said) ||
           !have_same_keys(reload, old->run->said->keys, now->run->said->keys);
}

static bool pair_instances(pairing *pairing)
{
    reload *reload = pairing->reload;
    for (uint32_t i = 0; i < pairing->now->count; i++) {
        const kin__instance *now = &pairing->now->all[i];
        const kin__instance *old = look_up_same(pairing->old_places, pairing->old->count, now);
        if (old != NULL)
            pairing->is_paired[old - pairing->old->all] = true;
        else if (now->said->name == NULL)
            old = find_changed(pairing, now);
        if (old != NULL && old->place != now->place)
            pairing->moves[pairing->move_count++] = (move){old->place, now->place};
        if (old == NULL)
            pairing->fresh[pairing->fresh_count++] = *now;
        if (!add_pair(reload, old, now, old != NULL && instances_differ(reload, old, now)))
            return false;
    }
    return true;
}

// ---- levels

static void destroy(reload *reload, kin_entity entity)
{
    kin_content *content = reload->content;
    if (kin_entity_is_alive(content->context, entity))
        note(reload, kin_destroy(content->context, entity), &content->state.destroyed, 1);
}

static bool note_gone(reload *reload, kin_entity entity)
{
    if (!reserve(reload, &reload->gone, reload->gone_count, &reload->gone_capacity, sizeof *reload->gone))
        return false;
    reload->gone[reload->gone_count++] = entity;
    return true;
}

static void destroy_gone(reload *reload)
{
    for (uint32_t i = 0; i < reload->gone_count; i++)
        destroy(reload, reload->gone[i]);
    reload->gone_count = 0;
}

typedef bool entity_visit(reload *reload, kin_entity entity, void *data);

// Calls with each entity that has an Origin, in ascending slot. Listeners may create others, which are not visited
// twice. False as soon as a call returns false.
static bool visit_entities(reload *reload, entity_visit *visit, void *data)
{
    kin_content *content = reload->content;
    for (uint32_t word = 0; word < kin_look_words(content->context); word++) {
        uint64_t match = kin_look_has(content->context, content->origin, word);
        KIN_EACH_BIT(bit, match)
        {
            kin_entity entity = kin_look_entity(content->context, 64 * word + bit);
            if (entity != 0 && !visit(reload, entity, data))
                return false;
        }
    }
    return true;
}

static const kin__live_origin *origin_of(const reload *reload, kin_entity entity)
{
    return kin_get(reload->content->context, entity, reload->content->origin);
}

// Whether an entity is the first one of an instance of a level.
static bool is_placed_first(const kin__live_origin *origin)
{
    return origin != NULL && origin->place != 0 && origin->part == 0;
}

// Stops at the first entity of an old instance.
static bool is_of_no_instance(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    const kin__live_origin *origin = origin_of(reload, entity);
    return !is_placed_first(origin) || look_up(pairing->old_places, pairing->old->count, origin->place) == NULL;
}

// Notes the first entities of old instances that the new content lacks.
static bool note_unpaired(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    const kin__live_origin *origin = origin_of(reload, entity);
    if (!is_placed_first(origin))
        return true;
    const kin__instance *old = look_up(pairing->old_places, pairing->old->count, origin->place);
    if (old == NULL || pairing->is_paired[old - pairing->old->all])
        return true;
    return note_gone(reload, entity);
}

static int compare_moves(const void *a, const void *b)
{
    const move *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static bool move_place(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    kin_content *content = reload->content;
    const kin__live_origin *origin = origin_of(reload, entity);
    const move wanted = {origin == NULL ? 0 : origin->place, 0};
    const move *found =
        wanted.from == 0 ? NULL : bsearch(&wanted, pairing->moves, pairing->move_count, sizeof wanted, compare_moves);
    if (found == NULL)
        return true;
    kin__live_origin moved = *origin;
    uint32_t count = 0;
    moved.place = found->to;
    note(reload, kin_replace(content->context, entity, content->origin, &moved), &count, 0);
    return true;
}

// Leaves out a fresh instance that lives: the step was applied before, and memory was missing later.
static bool leave_out(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    const kin__live_origin *origin = origin_of(reload, entity);
    const kin__instance *fresh =
        origin == NULL || origin->part != 0 ? NULL : look_up(pairing->new_places, pairing->fresh_count, origin->place);
    if (fresh != NULL)
        pairing->fresh[fresh - pairing->fresh].run = NULL;
    return true;
}

static bool place_fresh(pairing *pairing)
{
    reload *reload = pairing->reload;
    kin_content *content = reload->content;
    uint32_t entities = 0;
    uint32_t count = 0;
    if (pairing->fresh_count == 0)
        return true;
    pairing->new_places = sort_places(reload, &(kin__instances){.all = pairing->fresh, .count = pairing->fresh_count});
    if (pairing->new_places == NULL)
        return false;
    visit_entities(reload, leave_out, pairing);
    for (uint32_t i = 0; i < pairing->fresh_count; i++)
        if (pairing->fresh[i].run != NULL) {
            entities += pairing->fresh[i].run->prefab->count;
            pairing->fresh[count++] = pairing->fresh[i];
        }
    kin_status status =
        count == 0 ? KIN_OK
                   : kin__instances_place(content, reload->to, pairing->fresh, count, "reload a level of content");
    note(reload, status, &content->state.spawned, entities);
    return true;
}

// Pairs the instances of a level that is placed, destroys those that are gone, and places new ones.
static bool reload_changed_level(reload *reload, const kin__instances *old, const kin__instances *now)
{
    pairing pairing = {.reload = reload, .old = old, .now = now};
    if (!prepare_pairing(&pairing))
        return false;
    if (visit_entities(reload, is_of_no_instance, &pairing))
        return true; // the level is not placed
    if (!pair_instances(&pairing) || !visit_entities(reload, note_unpaired, &pairing))
        return false;
    destroy_gone(reload);
    if (pairing.move_count > 0) {
        qsort(pairing.moves, pairing.move_count, sizeof *pairing.moves, compare_moves);
        visit_entities(reload, move_place, &pairing);
    }
    return place_fresh(&pairing);
}

static bool reload_level(reload *reload, const kin__pack_level *was, const kin__pack_level *is)
{
    kin_content *content = reload->content;
    kin__instances *old = &reload->lists[reload->list_count++];
    kin__instances *now = &reload->lists[reload->list_count++];
    bool is_same = have_same_level(reload, was, is);
    const choice of_old = {reload, reload->from};
    const choice of_now = {reload, reload->to};
    kin__run_filter *filter = is_same ? sets_changed_part : NULL;
    bool is_listed = kin__instances_list(content, reload->from, was, filter, &of_old, old);
    is_listed = kin__instances_list(content, reload->to, is, filter, &of_now, now) && is_listed;
    if (!is_listed || !is_same)
        return is_listed && reload_changed_level(reload, old, now);
    bool is_added = true;
    for (uint32_t i = 0; is_added && i < now->count; i++)
        is_added = add_pair(reload, &old->all[i], &now->all[i], false);
    return is_added;
}

static bool reload_levels(reload *reload)
{
    uint32_t count = reload->to->pack.level_count;
    reload->lists = kin__arena_take(&reload->arena, (2 * (size_t)count + 1) * sizeof *reload->lists);
    if (reload->lists == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const kin__pack_level *is = &reload->to->pack.levels[i];
        const kin__pack_level *was = kin__level_find(reload->from, is->name);
        if (is->context == reload->to->context && was != NULL && !reload_level(reload, was, is))
            return false;
    }
    if (reload->pair_count > 1)
        qsort(reload->pairs, reload->pair_count, sizeof *reload->pairs, compare_pairs);
    return true;
}

// ---- one entity

// One component of an entity, in the old and the new content.
typedef struct change {
    kin_entity entity;
    kin_component_id id;
    uint32_t old_place, now_place; // of the component in `was` and `is`
    uint32_t first_part;           // of `is`
    const step *step;
    const pair *pair; // NULL: of no instance, or of one that says nothing about changed components
    const kin__live_node *was, *is;
    bool has_old, has_now;
} change;

typedef struct single {
    uint32_t part;
    char *value;
} single;

static void *place_in_single(void *data, const kin__value_step *step)
{
    const single *single = data;
    return step->part == single->part ? single->value : NULL;
}

// Writes the value of a prefab's component to `room`, with what the instance says. NULL: the instance cannot be read.
static const void *apply_instance(reload *reload, const kin__generation *generation, const kin__instance *instance,
                                  const single *single, const void *value, size_t size)
{
    kin__why why = {KIN_OK, ""};
    kin__value_target target = {place_in_single, (void *)(uintptr_t)single, &reload->references, &reload->arena};
    memcpy(single->value, value, size);
    reload->references.count = 0;
    bool is_read = kin__instance_run_resolve(reload->content, generation, instance->run, &why) &&
                   kin__instance_write(reload->content, instance, &target, &why);
    return is_read ? single->value : NULL;
}

// Returns the value that a component has by a content: that of the prefab, with what the instance says.
static const void *expect(reload *reload, const kin__generation *generation, const kin__instance *instance,
                          const kin__live_prefab *prefab, const kin__live_node *node, uint32_t place, char *room)
{
    const void *value = node->values[place];
    if (instance == NULL)
        return value;
    const single single = {kin__first_part_of(prefab, node) + place, room};
    return apply_instance(reload, generation, instance, &single, value,
                          reload->content->info->components[node->ids[place]].size);
}

typedef struct merging {
    const char *old, *now;
    char *live;
    uint32_t written, kept;
} merging;

static void merge_leaf(void *data, const kin_field_info *field, size_t offset, size_t size)
{
    merging *merging = data;
    const char *old = merging->old + offset, *now = merging->now + offset;
    char *live = merging->live + offset;
    if (field->type == KIN_TYPE_ENTITY || kin__leaf_is_equal(field, size, old, now))
        return;
    if (kin__leaf_is_equal(field, size, live, now))
        return;
    if (!kin__leaf_is_equal(field, size, live, old)) {
        merging->kept++;
        return;
    }
    memcpy(live, now, size);
    merging->written++;
}

static void merge_component(reload *reload, kin_entity entity, kin_component_id id, const void *old, const void *now)
{
    kin_content *content = reload->content;
    const kin_component_info *info = &content->info->components[id];
    merging merging = {old, now, reload->live, 0, 0};
    if (!kin_look_read(content->context, entity, id, reload->live))
        return;
    kin__leaves_visit(info->fields, info->field_count, 0, merge_leaf, &merging);
    content->state.kept += merging.kept;
    if (merging.written == 0)
        return;
    note(reload, kin_replace(content->context, entity, id, reload->live), &content->state.written, merging.written);
}

static void add_component(reload *reload, kin_entity entity, kin_component_id id, const void *value)
{
    kin_content *content = reload->content;
    bool is_flag = content->info->components[id].size == 0;
    if (kin_has(content->context, entity, id))
        return;
    kin_status status =
        is_flag ? kin_set_flag(content->context, entity, id, true) : kin_add(content->context, entity, id, value);
    note(reload, status, &content->state.added, 1);
}

static void remove_component(reload *reload, kin_entity entity, kin_component_id id)
{
    kin_content *content = reload->content;
    bool is_flag = content->info->components[id].size == 0;
    if (!kin_has(content->context, entity, id))
        return;
    kin_status status =
        is_flag ? kin_set_flag(content->context, entity, id, false) : kin_remove(content->context, entity, id);
    note(reload, status, &content->state.removed, 1);
}

static bool may_differ(const change *change)
{
    bool has_changed = change->step->parts[change->first_part + change->now_place];
    return has_changed || (change->pair != NULL && change->pair->differs);
}

static void change_component(reload *reload, const change *change)
{
    kin_content *content = reload->content;
    const step *step = change->step;
    const pair *pair = change->pair;
    bool has_value = content->info->components[change->id].size > 0;
    bool has_changed = change->has_now && may_differ(change);
    const void *old = NULL;
    const void *now = NULL;
    if (!change->has_now) {
        remove_component(reload, change->entity, change->id);
        return;
    }
    if (change->has_old && (!has_changed || !has_value))
        return;
    if (change->has_old)
        old = expect(reload, reload->from, pair == NULL ? NULL : pair->old, step->old, change->was, change->old_place,
                     reload->old);
    if (has_value)
        now = expect(reload, reload->to, pair == NULL ? NULL : pair->now, step->now, change->is, change->now_place,
                     reload->now);
    if ((has_value && now == NULL) || (change->has_old && old == NULL))
        content->state.refused++;
    else if (change->has_old)
        merge_component(reload, change->entity, change->id, old, now);
    else
        add_component(reload, change->entity, change->id, now);
}

// As change_components, for a prefab that has the components of before.
static void change_values(reload *reload, change *change)
{
    const kin__live_node *node = change->is;
    change->has_old = change->has_now = true;
    for (uint32_t i = 0; i < node->count; i++) {
        change->old_place = change->now_place = i;
        change->id = node->ids[i];
        if (may_differ(change) && change->id != reload->content->origin)
            change_component(reload, change);
    }
}

// Changes the components of an entity in ascending order of their ids.
static void change_components(reload *reload, change *change)
{
    const kin__live_node *old = change->was;
    const kin__live_node *now = change->is;
    uint32_t *i = &change->old_place;
    uint32_t *k = &change->now_place;
    while (*i < old->count || *k < now->count) {
        change->has_old = *i < old->count && (*k == now->count || old->ids[*i] <= now->ids[*k]);
        change->has_now = *k < now->count && (*i == old->count || now->ids[*k] <= old->ids[*i]);
        change->id = change->has_old ? old->ids[*i] : now->ids[*k];
        if (change->id != reload->content->origin)
            change_component(reload, change);
        *i += change->has_old;
        *k += change->has_now;
    }
}

// Notes the parts that the new content adds below an entity.
static bool note_births(reload *reload, const change *change, uint32_t place)
{
    const kin__live_prefab *now = change->step->now;
    for (uint32_t i = change->is->number + 1; i < now->count; i++) {
        if (now->nodes[i]->parent != change->is || find_node(change->step->old, now->nodes[i]->hash) != NULL)
            continue;
        if (!reserve(reload, &reload->births, reload->birth_count, &reload->birth_capacity, sizeof *reload->births))
            return false;
        reload->births[reload->birth_count++] = (birth){change->entity, now, now->nodes[i], place};
    }
    return true;
}

static bool change_entity(reload *reload, kin_entity entity, void *data)
{
    const kin__live_origin *origin = origin_of(reload, entity);
    const step **last = data;
    if (origin == NULL)
        return true;
    if (*last == NULL || (*last)->now->hash != origin->prefab)
        *last = find_step(reload, origin->prefab);
    change change = {.entity = entity, .step = *last};
    if (change.step == NULL)
        return true;
    change.pair = find_pair(reload, origin->place);
    if (change.pair != NULL && change.pair->old == NULL)
        return true;
    if (!change.step->has_changed && (change.pair == NULL || !change.pair->differs))
        return true;
    change.was = find_node(change.step->old, origin->part);
    change.is = find_node(change.step->now, origin->part);
    if (change.was == NULL)
        return true;
    if (change.is == NULL)
        return note_gone(reload, entity);
    uint32_t place = origin->place; // the address ends with the first change
    change.first_part = kin__first_part_of(change.step->now, change.is);
    if (change.step->has_changed_structure)
        change_components(reload, &change);
    else
        change_values(reload, &change);
    return note_births(reload, &change, place);
}

// ---- entities that others name

// A field of an entity that names another one, by a content.
typedef struct naming {
    kin_entity holder, first; // the first of the holder's instance
    uint32_t prefab;
    kin_component_id id;
    size_t offset;
} naming;

kin_entity kin__first_of(const kin_content *content, kin_entity entity, kin__live_origin origin)
{
    for (int depth = 0; origin.part != 0 && depth < KIN__PACK_DEPTH_LIMIT; depth++) {
        kin_entity above = 0;
        for (uint32_t i = 0; above == 0 && i < content->info->relation_count; i++) {
            const kin_relation_info *relation = &content->info->relations[i];
            const char *value = relation->is_tree ? kin_get(content->context, entity, relation->component) : NULL;
            if (value != NULL)
                memcpy(&above, value + relation->field->offset, sizeof above);
        }
        const kin__live_origin *of = above == 0 ? NULL : kin_get(content->context, above, content->origin);
        if (of == NULL || of->prefab != origin.prefab)
            return 0;
        entity = above;
        origin = *of;
    }
    return entity;
}

static const kin__live_link *find_link(const kin__live_prefab *prefab, const kin__live_node *node, const naming *naming)
{
    for (uint32_t i = 0; i < prefab->link_count; i++) {
        const kin__live_link *link = &prefab->links[i];
        if (link->holder == node && link->id == naming->id && link->offset == naming->offset)
            return link;
    }
    return NULL;
}

static const kin__override *find_override(const kin__overrides *overrides, const kin__live_node *node,
                                          const naming *naming)
{
    for (uint32_t i = 0; i < overrides->count; i++) {
        const kin__override *override = &overrides->all[i];
        if (override->node == node->number && override->id == naming->id && override->offset == naming->offset)
            return override;
    }
    return NULL;
}

// Returns the part of the holder's own instance.
static kin_entity own_part(const reload *reload, const naming *naming, uint32_t part)
{
    return part == 0 ? naming->first : kin__find_part_of(reload->content, naming->first, naming->prefab, part);
}

// Returns whom a field names by a content: what the instance says, or its prefab. 0: no entity.
static kin_entity find_named(const reload *reload, const naming *naming, const kin__instance *instance,
                             const kin__overrides *overrides, const kin__live_prefab *prefab,
                             const kin__live_node *node)
{
    const kin__override *override = find_override(overrides, node, naming);
    const kin__live_link *link = find_link(prefab, node, naming);
    if (override == NULL)
        return link == NULL ? 0 : own_part(reload, naming, link->target->hash);
    if (override->part == NULL)
        return 0;
    uint32_t part = override->part[0] == '\0' ? 0 : kin__name_hash(override->part);
    if (override->instance == NULL)
        return own_part(reload, naming, part);
    return kin__find_place(reload->content, kin__place_of(instance->run->outer, override->instance), part);
}

// The references of the holder's instance, in the old and the new content.
typedef struct references {
    const pair *pair; // NULL: of no instance that says something about them
    kin__overrides old, now;
} references;

static void *place_reference(void *data, const kin__value_step *step)
{
    return !step->from->is_list && step->to.field->type == KIN_TYPE_ENTITY ? data : NULL;
}

static bool list_references(reload *reload, const kin__generation *generation, const kin__instance *instance,
                            kin__overrides *overrides)
{
    kin__why why = {KIN_OK, ""};
    kin__value_target target = {place_reference, reload->live, overrides, &reload->arena};
    return kin__instance_run_resolve(reload->content, generation, instance->run, &why) &&
           kin__values_apply(&instance->run->steps, instance->said->values, instance->said->size, &target, &why);
}

// Where the handle is still what the old content named, it becomes what the new one names.
static void change_named(reload *reload, const naming *naming, kin_entity was, kin_entity is)
{
    kin_content *content = reload->content;
    kin_entity live;
    if (was == is || !kin_look_read(content->context, naming->holder, naming->id, reload->live))
        return;
    memcpy(&live, reload->live + naming->offset, sizeof live);
    bool has_ended = was == 0 && live != 0 && !kin_entity_is_alive(content->context, live);
    if (live == is)
        return;
    if (live != was && !has_ended) {
        content->state.kept++;
        return;
    }
    memcpy(reload->live + naming->offset, &is, sizeof is);
    note(reload, kin_replace(content->context, naming->holder, naming->id, reload->live), &content->state.written, 1);
}

// What sets a field, before or now. A field is looked at for the first of them that does.
typedef enum source { NEW_LINK, NEW_REFERENCE, OLD_LINK, OLD_REFERENCE } source;

static source first_source(const naming *naming, const references *references, const change *change)
{
    if (find_link(change->step->now, change->is, naming) != NULL)
        return NEW_LINK;
    if (find_override(&references->now, change->is, naming) != NULL)
        return NEW_REFERENCE;
    return find_link(change->step->old, change->was, naming) != NULL ? OLD_LINK : OLD_REFERENCE;
}

static void change_field(reload *reload, const naming *naming, const references *references, const change *change,
                         source source)
{
    const pair *pair = references->pair;
    if (first_source(naming, references, change) != source)
        return;
    kin_entity was =
        find_named(reload, naming, pair == NULL ? NULL : pair->old, &references->old, change->step->old, change->was);
    kin_entity is =
        find_named(reload, naming, pair == NULL ? NULL : pair->now, &references->now, change->step->now, change->is);
    change_named(reload, naming, was, is);
}

static void change_fields(reload *reload, naming *naming, const references *references, const change *change,
                          bool is_now)
{
    const kin__live_prefab *prefab = is_now ? change->step->now : change->step->old;
    const kin__live_node *node = is_now ? change->is : change->was;
    const kin__overrides *overrides = is_now ? &references->now : &references->old;
    for (uint32_t i = 0; i < prefab->link_count; i++) {
        naming->id = prefab->links[i].id;
        naming->offset = prefab->links[i].offset;
        if (prefab->links[i].holder == node)
            change_field(reload, naming, references, change, is_now ? NEW_LINK : OLD_LINK);
    }
    for (uint32_t i = 0; i < overrides->count; i++) {
        naming->id = overrides->all[i].id;
        naming->offset = overrides->all[i].offset;
        if (overrides->all[i].node == node->number)
            change_field(reload, naming, references, change, is_now ? NEW_REFERENCE : OLD_REFERENCE);
    }
}

static bool change_references(reload *reload, kin_entity entity, void *data)
{
    const kin__live_origin *origin = origin_of(reload, entity);
    const step *step = origin == NULL ? NULL : find_step(reload, origin->prefab);
    references references = {.pair = step == NULL ? NULL : find_pair(reload, origin->place)};
    const pair *pair = references.pair;
    bool is_new = pair != NULL && pair->old == NULL;
    bool may_differ = step != NULL && (step->has_changed_links || (pair != NULL && pair->differs));
    (void)data;
    if (is_new || !may_differ)
        return true;
    change change = {.entity = entity, .step = step, .pair = references.pair};
    change.was = find_node(step->old, origin->part);
    change.is = find_node(step->now, origin->part);
    naming naming = {entity, kin__first_of(reload->content, entity, *origin), origin->prefab, 0, 0};
    bool is_listed =
        references.pair == NULL || (list_references(reload, reload->from, references.pair->old, &references.old) &&
                                    list_references(reload, reload->to, references.pair->now, &references.now));
    bool is_there = change.was != NULL && change.is != NULL && naming.first != 0;
    if (is_listed && is_there) {
        change_fields(reload, &naming, &references, &change, true);
        change_fields(reload, &naming, &references, &change, false);
    }
    if (!is_listed)
        reload->content->state.refused++;
    return true;
}

static bool may_change_references(const reload *reload)
{
    bool may = false;
    for (uint32_t i = 0; !may && i < reload->to->prefab_count; i++)
        may = reload->steps[i].has_changed_links;
    for (uint32_t i = 0; !may && i < reload->pair_count; i++)
        may = reload->pairs[i].differs;
    return may;
}

// ---- new parts

// Creates a part. Returns 0 after counting it as refused.
static kin_entity create_part(reload *reload, const birth *birth)
{
    kin_content *content = reload->content;
    const kin__live_node *node = birth->node;
    const kin_relation_info *relation = &content->info->relations[node->relation];
    kin__part *parts = kin__arena_take(&reload->arena, (node->count + 1) * sizeof *parts);
    const void **values = kin__arena_take(&reload->arena, (node->count + 1) * sizeof *values);
    if (parts == NULL || values == NULL) {
        note(reload, KIN_ERROR_NO_MEMORY, NULL, 0);
        return 0;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        size_t size = content->info->components[node->ids[i]].size;
        char *value = size == 0 ? NULL : kin__arena_copy(&reload->arena, node->values[i], size);
        parts[i] = (kin__part){node->ids[i], (uint32_t)size, NULL};
        values[i] = value;
        if (value != NULL && node->ids[i] == relation->component)
            memcpy(value + relation->field->offset, &birth->above, sizeof birth->above);
        if (value != NULL && node->ids[i] == content->origin)
            ((kin__live_origin *)(void *)value)->place = birth->place;
    }
    kin_entity made = reload->arena.is_short ? 0 : kin__create_with(content->context, node->count, parts, values);
    kin_status status = reload->arena.is_short ? KIN_ERROR_NO_MEMORY : content->context->core->last_status;
    note(reload, made != 0 ? KIN_OK : status, &content->state.spawned, 1);
    return made;
}

// Spawns a part with all below it, or what is missing of it. Recursive, as deep as packs allow.
static void bear(reload *reload, const birth *birth)
{
    kin_content *content = reload->content;
    const kin__live_node *node = birth->node;
    if (!kin_entity_is_alive(content->context, birth->above)) {
        content->state.refused++;
        return;
    }
    kin_entity part = kin__find_part_of(content, birth->above, birth->prefab->hash, node->hash);
    if (part == 0)
        part = create_part(reload, birth);
    for (uint32_t i = node->number + 1; part != 0 && i < birth->prefab->count; i++)
        if (birth->prefab->nodes[i]->parent == node)
            bear(reload, &(struct birth){part, birth->prefab, birth->prefab->nodes[i], birth->place});
}

// ---- values

static void reload_unique(reload *reload, const kin__pack_unique *unique)
{
    kin_content *content = reload->content;
    kin_component_id id = reload->to->components[unique->component];
    const kin_component_info *info = &content->info->components[id];
    const kin__pack_unique *was = kin__generation_unique(reload->from, id);
    kin_entity carrier = content->context->carriers[id];
    kin__why why = {KIN_OK, ""};
    info->write_default(reload->old);
    info->write_default(reload->now);
    bool is_read = (was == NULL || kin__unique_apply(content, reload->from, was, reload->old, &why)) &&
                   kin__unique_apply(content, reload->to, unique, reload->now, &why);
    if (!is_read) {
        content->state.refused++;
    } else if (carrier != 0) {
        merge_component(reload, carrier, id, reload->old, reload->now);
    } else if (was == NULL) {
        bool is_made = kin__content_make_carrier(content, id, reload->now) != 0;
        note(reload, is_made ? KIN_OK : content->context->core->last_status, &content->state.added, 1);
    }
}

// ---- all

static bool prepare(reload *reload)
{
    const kin_context_info *info = reload->content->info;
    size_t most = 0;
    for (uint32_t i = 0; i < info->component_count; i++)
        most = kin__max_size(most, info->components[i].size);
    reload->old = kin__arena_take(&reload->arena, most);
    reload->now = kin__arena_take(&reload->arena, most);
    reload->live = kin__arena_take(&reload->arena, most);
    return !reload->arena.is_short && make_steps(reload);
}

static bool apply(reload *reload)
{
    const step *last = NULL;
    if (!prepare(reload) || !reload_levels(reload) || !visit_entities(reload, change_entity, &last))
        return false;
    destroy_gone(reload);
    for (uint32_t i = 0; i < reload->birth_count; i++)
        bear(reload, &reload->births[i]);
    if (may_change_references(reload) && !visit_entities(reload, change_references, NULL))
        return false;
    for (uint32_t i = 0; i < reload->to->pack.unique_count; i++)
        if (reload->to->pack.uniques[i].context == reload->to->context)
            reload_unique(reload, &reload->to->pack.uniques[i]);
    return !reload->arena.is_short;
}

bool kin__reload_apply(kin_content *content, kin__generation *from, kin__generation *to)
{
    reload reload = {.content = content, .from = from, .to = to, .arena = {.memory = &content->memory}};
    kin_content_state *state = &content->state;
    state->written = state->kept = state->added = state->removed = 0;
    state->spawned = state->destroyed = state->refused = 0;
    bool is_applied = apply(&reload);
    if (!is_applied) {
        kin__why why = {KIN_ERROR_NO_MEMORY, ""};
        kin__content_refuse(content, "reload content", &why);
    }
    for (uint32_t i = 0; i < reload.list_count; i++)
        kin__arena_release(&reload.lists[i].arena);
    kin__arena_release(&reload.arena);
    return is_applied;
}

// Reloads: the step between two generations, applied to living entities, leaf by leaf.
//
// What a leaf was by the old content is computed again: the value of its prefab, with what its instance says. Where the
// live value is still that, it becomes what the new content says; else the game has changed it, and it stays.
//
// Most of a content is as before, and is passed over: a prefab is compared once, component by component, and the
// instances of a level that has not changed are listed only where they set a component whose value has.
#include "live/live.h"

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

static bool are_same_link(const kin__live_link *a, const kin__live_link *b)
{
    if (a->id != b->id || a->offset != b->offset)
        return false;
    return a->holder->hash == b->holder->hash && a->target->hash == b->target->hash;
}

static bool have_same_links(const kin__live_prefab *a, const kin__live_prefab *b)
{
    if (a->link_count != b->link_count)
        return false;
    for (uint32_t i = 0; i < a->link_count; i++)
        if (!are_same_link(&a->links[i], &b->links[i]))
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

// Returns whether a component of a node has another value than before, or is new. `was` may be NULL.
static bool has_new_value(const kin_context_info *info, const kin__live_node *was, const kin__live_node *node,
                          uint32_t place)
{
    kin_component_id id = node->ids[place];
    if (was == NULL)
        return true;
    void **value = kin__node_value(was, id);
    return value == NULL || differ(info, id, *value, node->values[place]);
}

// Compares the components of a prefab. False when out of memory.
static bool make_step(reload *reload, step *step)
{
    const kin__live_prefab *now = step->now;
    KIN_ASSERT(step->old->hash == now->hash);
    step->parts = kin__arena_take(&reload->arena, kin__live_part_count(now));
    if (step->parts == NULL)
        return false;
    step->has_changed_structure = !have_same_structure(step->old, now);
    step->has_changed_links = !have_same_links(step->old, now);
    step->has_changed = step->has_changed_structure || step->has_changed_links;
    uint32_t part = 0;
    for (uint32_t i = 0; i < now->count; i++) {
        const kin__live_node *node = now->nodes[i];
        const kin__live_node *was = kin__live_prefab_find_hash(step->old, node->hash);
        for (uint32_t k = 0; k < node->count; k++, part++) {
            step->parts[part] = has_new_value(reload->content->info, was, node, k);
            step->has_changed = step->has_changed || step->parts[part];
        }
    }
    KIN_ASSERT(part == kin__live_part_count(now));
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

// Returns the step of a prefab that both contents have; NULL if there is none.
static step *find_step(const reload *reload, uint32_t prefab)
{
    uint32_t index = kin__generation_index(reload->to, prefab);
    if (index == UINT32_MAX || reload->steps[index].old == NULL)
        return NULL;
    return &reload->steps[index];
}

static bool has_changed_place(const reload *reload, const step *step)
{
    const kin_key_info *placed_by = reload->content->info->placed_by;
    const kin__live_node *first = step->now->nodes[0];
    if (placed_by == NULL || kin__node_value(first, placed_by->component) == NULL)
        return false;
    return step->parts[kin__part_of(step->now, first, placed_by->component)];
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
    if (!step->has_changed)
        return false;
    if (has_changed_place(choice->reload, step))
        return true;
    if (run->keys == KIN__PACK_NONE)
        return false;
    const kin__pack_keys *keys = &generation->pack.keys[run->keys];
    for (uint32_t i = 0; i < keys->count; i++) {
        const kin__live_node *node = kin__live_prefab_find(step->now, keys->keys[i].part);
        kin_component_id id = generation->components[keys->keys[i].component];
        if (node == NULL || kin__node_value(node, id) == NULL)
            return true;
        if (step->parts[kin__part_of(step->now, node, id)])
            return true;
    }
    return false;
}

// ---- pairs of instances

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a;
    const pair *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

// Returns the pair of an instance's place; NULL if there is none, or it is 0.
static pair *find_pair(const reload *reload, uint32_t place)
{
    pair wanted = {.place = place};
    if (place == 0 || reload->pair_count == 0)
        return NULL;
    return bsearch(&wanted, reload->pairs, reload->pair_count, sizeof wanted, compare_pairs);
}

static bool add_pair(reload *reload, const kin__instance *old, const kin__instance *now, bool differs)
{
    pair *grown =
        kin__arena_grow(&reload->arena, reload->pairs, reload->pair_count, &reload->pair_capacity, sizeof *grown);
    if (grown == NULL)
        return false;
    KIN_ASSERT(now != NULL && (old != NULL || !differs));
    reload->pairs = grown;
    reload->pairs[reload->pair_count++] = (pair){now->place, old, now, differs};
    return true;
}

// The instances of a list by place, to find one without a walk.
static pair *sort_places(reload *reload, const kin__instances *list)
{
    pair *sorted = kin__arena_take(&reload->arena, (list->count + (size_t)1) * sizeof *sorted);
    if (sorted == NULL)
        return NULL;
    for (uint32_t i = 0; i < list->count; i++)
        sorted[i] = (pair){list->all[i].place, &list->all[i], NULL, false};
    if (list->count > 1)
        qsort(sorted, list->count, sizeof *sorted, compare_pairs);
    return sorted;
}

static const kin__instance *look_up(const pair *sorted, uint32_t count, uint32_t place)
{
    pair wanted = {.place = place};
    if (count == 0)
        return NULL;
    const pair *found = bsearch(&wanted, sorted, count, sizeof wanted, compare_pairs);
    return found == NULL ? NULL : found->old;
}

// Looks up the instance of the same place and prefab.
static const kin__instance *look_up_same(const pair *sorted, uint32_t count, const kin__instance *instance)
{
    const kin__instance *found = look_up(sorted, count, instance->place);
    if (found == NULL || found->run->prefab->hash != instance->run->prefab->hash)
        return NULL;
    return found;
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

// Whether an old instance may become one of the same prefab: it has no name, and its text is not in the new content.
static bool may_become(const pairing *pairing, uint32_t number, const kin__live_prefab *prefab)
{
    const kin__instance *old = &pairing->old->all[number];
    if (pairing->is_paired[number] || old->said->name != NULL)
        return false;
    return old->run->prefab == prefab && look_up_same(pairing->new_places, pairing->now->count, old) == NULL;
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
        if (!may_become(pairing, i, step->old))
            continue;
        pairing->is_paired[i] = true;
        return &pairing->old->all[i];
    }
    return NULL;
}

static bool have_same_text(const kin__pack_instance *a, const kin__pack_instance *b)
{
    return a->size == b->size && memcmp(a->values, b->values, a->size) == 0;
}

static bool instances_differ(const reload *reload, const kin__instance *old, const kin__instance *now)
{
    bool is_moved = old->run->outer->above != NULL || now->run->outer->above != NULL;
    if (is_moved || !have_same_text(old->said, now->said))
        return true;
    return !kin__keys_are_same(reload->from, reload->to, old->run->said->keys, now->run->said->keys);
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
        bool differs = false;
        if (old == NULL) {
            pairing->fresh[pairing->fresh_count++] = *now;
        } else {
            differs = instances_differ(reload, old, now);
            if (old->place != now->place)
                pairing->moves[pairing->move_count++] = (move){old->place, now->place};
        }
        if (!add_pair(reload, old, now, differs))
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
    kin_entity *grown =
        kin__arena_grow(&reload->arena, reload->gone, reload->gone_count, &reload->gone_capacity, sizeof *grown);
    if (grown == NULL)
        return false;
    reload->gone = grown;
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

// Stops at the first entity of an old instance.
static bool is_of_no_instance(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    const kin__live_origin *origin = kin__origin_of(reload->content, entity);
    if (!kin__is_placed_first(origin))
        return true;
    return look_up(pairing->old_places, pairing->old->count, origin->place) == NULL;
}

// Notes the first entities of old instances that the new content lacks.
static bool note_unpaired(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    const kin__live_origin *origin = kin__origin_of(reload->content, entity);
    if (!kin__is_placed_first(origin))
        return true;
    const kin__instance *old = look_up(pairing->old_places, pairing->old->count, origin->place);
    if (old == NULL || pairing->is_paired[old - pairing->old->all])
        return true;
    return note_gone(reload, entity);
}

static int compare_moves(const void *a, const void *b)
{
    const move *x = a;
    const move *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static bool move_place(reload *reload, kin_entity entity, void *data)
{
    const pairing *pairing = data;
    kin_content *content = reload->content;
    const kin__live_origin *origin = kin__origin_of(content, entity);
    if (origin == NULL || origin->place == 0)
        return true;
    const move wanted = {origin->place, 0};
    const move *found = bsearch(&wanted, pairing->moves, pairing->move_count, sizeof wanted, compare_moves);
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
    const kin__live_origin *origin = kin__origin_of(reload->content, entity);
    if (origin == NULL || origin->part != 0)
        return true;
    const kin__instance *fresh = look_up(pairing->new_places, pairing->fresh_count, origin->place);
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
    kin_status status = KIN_OK;
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
    if (count > 0)
        status = kin__instances_place(content, reload->to, pairing->fresh, count, "reload a level of content");
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
    bool is_same = kin__level_is_same(reload->from, reload->to, was, is);
    const choice of_old = {reload, reload->from};
    const choice of_now = {reload, reload->to};
    kin__run_filter *filter = is_same ? sets_changed_part : NULL;
    bool is_listed = kin__instances_list(content, reload->from, was, filter, &of_old, old);
    is_listed = kin__instances_list(content, reload->to, is, filter, &of_now, now) && is_listed;
    if (!is_listed)
        return false;
    if (!is_same)
        return reload_changed_level(reload, old, now);
    KIN_ASSERT(old->count == now->count);
    for (uint32_t i = 0; i < now->count; i++)
        if (!add_pair(reload, &old->all[i], &now->all[i], false))
            return false;
    return true;
}

static bool reload_levels(reload *reload)
{
    uint32_t count = reload->to->pack.level_count;
    reload->lists = kin__arena_take(&reload->arena, (2 * (size_t)count + 1) * sizeof *reload->lists);
    if (reload->lists == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const kin__pack_level *is = &reload->to->pack.levels[i];
        if (is->context != reload->to->context)
            continue;
        const kin__pack_level *was = kin__level_find(reload->from, is->name);
        if (was != NULL && !reload_level(reload, was, is))
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

// One of the two contents.
typedef enum content_side { SIDE_OLD, SIDE_NOW } content_side;

// Returns what a content has of a pair, which may be NULL: of no instance.
static const kin__instance *instance_of(const pair *pair, content_side side)
{
    if (pair == NULL)
        return NULL;
    return side == SIDE_OLD ? pair->old : pair->now;
}

typedef struct single {
    uint32_t part;
    char *value;
} single;

static void *place_in_single(void *data, const kin__value_step *step)
{
    const single *single = data;
    return step->part == single->part ? single->value : NULL;
}

// Writes the value that a prefab gives a component, and what the instance says, to the room of a content. NULL: the
// instance cannot be read.
static const void *apply_instance(reload *reload, const change *change, content_side side, const void *value)
{
    kin__why why = {KIN_OK, ""};
    const kin__instance *instance = instance_of(change->pair, side);
    const kin__generation *generation = reload->from;
    single single = {kin__first_part_of(change->step->old, change->was) + change->old_place, reload->old};
    if (side == SIDE_NOW) {
        generation = reload->to;
        single = (struct single){change->first_part + change->now_place, reload->now};
    }
    kin__value_target target = {place_in_single, &single, &reload->references, &reload->arena};
    memcpy(single.value, value, reload->content->info->components[change->id].size);
    reload->references.count = 0;
    if (!kin__instance_run_resolve(reload->content, generation, instance->run, &why))
        return NULL;
    if (!kin__instance_write(reload->content, instance, &target, &why))
        return NULL;
    return single.value;
}

// Returns the value that a component has by a content: that of the prefab, with what the instance says. NULL if that
// cannot be read.
static const void *expect(reload *reload, const change *change, content_side side)
{
    const void *value = change->is->values[change->now_place];
    if (side == SIDE_OLD)
        value = change->was->values[change->old_place];
    if (change->pair == NULL)
        return value;
    return apply_instance(reload, change, side, value);
}

typedef struct merging {
    const char *old, *now;
    char *live;
    uint32_t written, kept;
} merging;

static void merge_leaf(void *data, const kin_field_info *field, size_t offset, size_t size)
{
    merging *merging = data;
    const char *old = merging->old + offset;
    const char *now = merging->now + offset;
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

// `value` is NULL for a flag.
static void add_component(reload *reload, kin_entity entity, kin_component_id id, const void *value)
{
    kin_content *content = reload->content;
    kin_status status;
    if (kin_has(content->context, entity, id))
        return;
    if (content->info->components[id].size == 0)
        status = kin_set_flag(content->context, entity, id, true);
    else
        status = kin_add(content->context, entity, id, value);
    note(reload, status, &content->state.added, 1);
}

static void remove_component(reload *reload, kin_entity entity, kin_component_id id)
{
    kin_content *content = reload->content;
    kin_status status;
    if (!kin_has(content->context, entity, id))
        return;
    if (content->info->components[id].size == 0)
        status = kin_set_flag(content->context, entity, id, false);
    else
        status = kin_remove(content->context, entity, id);
    note(reload, status, &content->state.removed, 1);
}

static bool may_differ(const change *change)
{
    bool has_changed = change->step->parts[change->first_part + change->now_place];
    return has_changed || (change->pair != NULL && change->pair->differs);
}

// Changes the value of a component that both contents have.
static void change_value(reload *reload, const change *change)
{
    const void *old = expect(reload, change, SIDE_OLD);
    const void *now = expect(reload, change, SIDE_NOW);
    if (old == NULL || now == NULL)
        reload->content->state.refused++;
    else
        merge_component(reload, change->entity, change->id, old, now);
}

// Adds a component that the new content alone has.
static void add_new_component(reload *reload, const change *change)
{
    const void *now = NULL;
    if (reload->content->info->components[change->id].size > 0) {
        now = expect(reload, change, SIDE_NOW);
        if (now == NULL) {
            reload->content->state.refused++;
            return;
        }
    }
    add_component(reload, change->entity, change->id, now);
}

static void change_component(reload *reload, const change *change)
{
    bool has_value = reload->content->info->components[change->id].size > 0;
    KIN_ASSERT(change->has_old || change->has_now);
    if (!change->has_now)
        remove_component(reload, change->entity, change->id);
    else if (!change->has_old)
        add_new_component(reload, change);
    else if (has_value && may_differ(change))
        change_value(reload, change);
}

// As change_components, for a prefab that has the components of before.
static void change_values(reload *reload, change *change)
{
    const kin__live_node *node = change->is;
    KIN_ASSERT(change->was->count == node->count);
    change->has_old = true;
    change->has_now = true;
    for (uint32_t i = 0; i < node->count; i++) {
        change->old_place = i;
        change->now_place = i;
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
        uint32_t old_id = *i < old->count ? old->ids[*i] : UINT32_MAX;
        uint32_t now_id = *k < now->count ? now->ids[*k] : UINT32_MAX;
        change->has_old = old_id <= now_id;
        change->has_now = now_id <= old_id;
        change->id = (kin_component_id)kin__min_32(old_id, now_id);
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
        if (now->nodes[i]->parent != change->is)
            continue;
        if (kin__live_prefab_find_hash(change->step->old, now->nodes[i]->hash) != NULL)
            continue;
        birth *grown = kin__arena_grow(&reload->arena, reload->births, reload->birth_count, &reload->birth_capacity,
                                       sizeof *grown);
        if (grown == NULL)
            return false;
        reload->births = grown;
        reload->births[reload->birth_count++] = (birth){change->entity, now, now->nodes[i], place};
    }
    return true;
}

static bool change_entity(reload *reload, kin_entity entity, void *data)
{
    const kin__live_origin *origin = kin__origin_of(reload->content, entity);
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
    bool says_other = change.pair != NULL && change.pair->differs;
    if (!change.step->has_changed && !says_other)
        return true;
    change.was = kin__live_prefab_find_hash(change.step->old, origin->part);
    change.is = kin__live_prefab_find_hash(change.step->now, origin->part);
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

static const kin__live_link *find_link(const kin__live_prefab *prefab, const kin__live_node *node, const naming *naming)
{
    for (uint32_t i = 0; i < prefab->link_count; i++) {
        const kin__live_link *link = &prefab->links[i];
        bool is_component = link->holder == node && link->id == naming->id;
        if (is_component && link->offset == naming->offset)
            return link;
    }
    return NULL;
}

static const kin__override *find_override(const kin__overrides *overrides, const kin__live_node *node,
                                          const naming *naming)
{
    for (uint32_t i = 0; i < overrides->count; i++) {
        const kin__override *override = &overrides->all[i];
        bool is_component = override->node == node->number && override->id == naming->id;
        if (is_component && override->offset == naming->offset)
            return override;
    }
    return NULL;
}

// Returns the part of the holder's own instance.
static kin_entity own_part(const reload *reload, const naming *naming, uint32_t part)
{
    if (part == 0)
        return naming->first;
    return kin__find_part_of(reload->content, naming->first, naming->prefab, part);
}

// The references of the holder's instance, in the old and the new content.
typedef struct references {
    const pair *pair; // NULL: of no instance that says something about them
    kin__overrides old, now;
} references;

// What one of the contents says about the holder.
typedef struct saying {
    const kin__instance *instance; // NULL: of no instance
    const kin__overrides *overrides;
    const kin__live_prefab *prefab;
    const kin__live_node *node;
} saying;

static saying saying_of(const references *references, const change *change, content_side side)
{
    saying saying = {.instance = instance_of(references->pair, side)};
    if (side == SIDE_OLD) {
        saying.overrides = &references->old;
        saying.prefab = change->step->old;
        saying.node = change->was;
    } else {
        saying.overrides = &references->now;
        saying.prefab = change->step->now;
        saying.node = change->is;
    }
    return saying;
}

// Returns the entity that a field names by a content: what the instance says, or its prefab. 0: no entity.
static kin_entity find_named(const reload *reload, const naming *naming, const saying *saying)
{
    const kin__override *override = find_override(saying->overrides, saying->node, naming);
    if (override == NULL) {
        const kin__live_link *link = find_link(saying->prefab, saying->node, naming);
        return link == NULL ? 0 : own_part(reload, naming, link->target->hash);
    }
    if (override->part == NULL)
        return 0;
    uint32_t part = kin__part_hash(override->part);
    if (override->instance == NULL)
        return own_part(reload, naming, part);
    return kin__find_place(reload->content, kin__place_of(saying->instance->run->outer, override->instance), part);
}

static void *place_reference(void *data, const kin__value_step *step)
{
    bool is_reference = !step->from->is_list && step->to.field->type == KIN_TYPE_ENTITY;
    return is_reference ? data : NULL;
}

static bool list_references(reload *reload, const kin__generation *generation, const kin__instance *instance,
                            kin__overrides *overrides)
{
    kin__why why = {KIN_OK, ""};
    kin__value_target target = {place_reference, reload->live, overrides, &reload->arena};
    if (!kin__instance_run_resolve(reload->content, generation, instance->run, &why))
        return false;
    return kin__values_apply(&instance->run->steps, instance->said->values, instance->said->size, &target, &why);
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
    if (find_link(change->step->old, change->was, naming) != NULL)
        return OLD_LINK;
    return OLD_REFERENCE;
}

static void change_field(reload *reload, const naming *naming, const references *references, const change *change,
                         source source)
{
    if (first_source(naming, references, change) != source)
        return;
    saying old = saying_of(references, change, SIDE_OLD);
    saying now = saying_of(references, change, SIDE_NOW);
    change_named(reload, naming, find_named(reload, naming, &old), find_named(reload, naming, &now));
}

static void change_fields(reload *reload, naming *naming, const references *references, const change *change,
                          content_side side)
{
    const saying saying = saying_of(references, change, side);
    const kin__overrides *overrides = saying.overrides;
    for (uint32_t i = 0; i < saying.prefab->link_count; i++) {
        const kin__live_link *link = &saying.prefab->links[i];
        naming->id = link->id;
        naming->offset = link->offset;
        if (link->holder == saying.node)
            change_field(reload, naming, references, change, side == SIDE_OLD ? OLD_LINK : NEW_LINK);
    }
    for (uint32_t i = 0; i < overrides->count; i++) {
        naming->id = overrides->all[i].id;
        naming->offset = overrides->all[i].offset;
        if (overrides->all[i].node == saying.node->number)
            change_field(reload, naming, references, change, side == SIDE_OLD ? OLD_REFERENCE : NEW_REFERENCE);
    }
}

// Lists the references that an instance has by both contents. False if one of them cannot be read.
static bool list_both_references(reload *reload, references *references)
{
    const pair *pair = references->pair;
    if (pair == NULL)
        return true;
    if (!list_references(reload, reload->from, pair->old, &references->old))
        return false;
    return list_references(reload, reload->to, pair->now, &references->now);
}

static bool may_differ_in_references(const step *step, const pair *pair)
{
    if (pair == NULL)
        return step->has_changed_links;
    return pair->old != NULL && (step->has_changed_links || pair->differs);
}

static bool change_references(reload *reload, kin_entity entity, void *data)
{
    const kin__live_origin *origin = kin__origin_of(reload->content, entity);
    (void)data;
    if (origin == NULL)
        return true;
    const step *step = find_step(reload, origin->prefab);
    if (step == NULL)
        return true;
    references references = {.pair = find_pair(reload, origin->place)};
    if (!may_differ_in_references(step, references.pair))
        return true;
    change change = {.entity = entity, .step = step, .pair = references.pair};
    change.was = kin__live_prefab_find_hash(step->old, origin->part);
    change.is = kin__live_prefab_find_hash(step->now, origin->part);
    naming naming = {entity, kin__first_of(reload->content, entity, *origin), origin->prefab, 0, 0};
    if (!list_both_references(reload, &references)) {
        reload->content->state.refused++;
        return true;
    }
    bool is_in_both = change.was != NULL && change.is != NULL;
    if (is_in_both && naming.first != 0) {
        change_fields(reload, &naming, &references, &change, SIDE_NOW);
        change_fields(reload, &naming, &references, &change, SIDE_OLD);
    }
    return true;
}

static bool may_change_references(const reload *reload)
{
    for (uint32_t i = 0; i < reload->to->prefab_count; i++)
        if (reload->steps[i].has_changed_links)
            return true;
    for (uint32_t i = 0; i < reload->pair_count; i++)
        if (reload->pairs[i].differs)
            return true;
    return false;
}

// ---- new parts

// Returns the value of a new part's component: that of the prefab, below its parent and at its place. NULL for a flag,
// or when out of memory.
static const void *birth_value(reload *reload, const birth *birth, uint32_t number)
{
    const kin_content *content = reload->content;
    const kin__live_node *node = birth->node;
    const kin_relation_info *relation = &content->info->relations[node->relation];
    kin_component_id id = node->ids[number];
    size_t size = content->info->components[id].size;
    if (size == 0)
        return NULL;
    char *value = kin__arena_copy(&reload->arena, node->values[number], size);
    if (value == NULL)
        return NULL;
    if (id == relation->component)
        memcpy(value + relation->field->offset, &birth->above, sizeof birth->above);
    if (id == content->origin)
        ((kin__live_origin *)(void *)value)->place = birth->place;
    return value;
}

// Creates a part. Returns 0 after counting it as refused.
static kin_entity create_part(reload *reload, const birth *birth)
{
    kin_content *content = reload->content;
    const kin__live_node *node = birth->node;
    kin__part *parts = kin__arena_take(&reload->arena, (node->count + 1) * sizeof *parts);
    const void **values = kin__arena_take(&reload->arena, (node->count + 1) * sizeof *values);
    bool has_room = parts != NULL && values != NULL;
    for (uint32_t i = 0; has_room && i < node->count; i++) {
        parts[i] = (kin__part){node->ids[i], (uint32_t)content->info->components[node->ids[i]].size, NULL};
        values[i] = birth_value(reload, birth, i);
    }
    if (reload->arena.is_short) {
        note(reload, KIN_ERROR_NO_MEMORY, NULL, 0);
        return 0;
    }
    kin_entity made = kin__create_with(content->context, node->count, parts, values);
    kin_status status = made != 0 ? KIN_OK : content->context->core->last_status;
    note(reload, status, &content->state.spawned, 1);
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
    if (part == 0)
        return;
    for (uint32_t i = node->number + 1; i < birth->prefab->count; i++)
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
    bool is_read = was == NULL || kin__unique_apply(content, reload->from, was, reload->old, &why);
    is_read = is_read && kin__unique_apply(content, reload->to, unique, reload->now, &why);
    if (!is_read) {
        content->state.refused++;
    } else if (carrier != 0) {
        merge_component(reload, carrier, id, reload->old, reload->now);
    } else if (was == NULL) {
        kin_entity made = kin__content_make_carrier(content, id, reload->now);
        note(reload, made != 0 ? KIN_OK : content->context->core->last_status, &content->state.added, 1);
    }
}

// ---- all

static bool prepare(reload *reload)
{
    size_t largest = kin__largest_value(reload->content->info);
    reload->old = kin__arena_take(&reload->arena, largest);
    reload->now = kin__arena_take(&reload->arena, largest);
    reload->live = kin__arena_take(&reload->arena, largest);
    return !reload->arena.is_short && make_steps(reload);
}

static bool apply(reload *reload)
{
    const step *last = NULL;
    if (!prepare(reload) || !reload_levels(reload))
        return false;
    if (!visit_entities(reload, change_entity, &last))
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
    state->written = 0;
    state->kept = 0;
    state->added = 0;
    state->removed = 0;
    state->spawned = 0;
    state->destroyed = 0;
    state->refused = 0;
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

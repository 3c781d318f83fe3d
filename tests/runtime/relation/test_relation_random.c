// Relations against a second implementation (family.h): random operations, with statuses and all lists compared. Every
// second time they go through the generated functions, which make most changes inline.
#include "context/validate.h"
#include "family.h"
#include "suites.h"

#include <kin/reflect.h>
#include <kinship/kinship.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10000, SEEDS = 4, VALUE_SIZE = 128 };

static clan_context *clan;
static const kin_context_info *info;
static family model;
static kin_entity entities[FAMILY_ENTITIES];
static uint64_t state;
static kin_status reported;
static bool is_typed;

static int draw(int below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)below);
}

static void note_error(const kin_error *error, void *user)
{
    (void)user;
    reported = error->status;
}

static void begin(void)
{
    clan = clan_context_create(&(kin_context_options){.on_error = note_error});
    info = kin_context_info_of(&clan->base);
    family_begin(&model, info);
    model.keyed = kin_component_find(info, "Likes");
    memset(entities, 0, sizeof entities);
}

static void end(void)
{
    clan_context_destroy(clan);
}

// ---- comparing

// Like ck_assert, which is slow in the millions.
#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("line %d: not %s", __LINE__, #condition);                                                     \
    } while (0)

static int number_of(kin_entity entity)
{
    for (int i = 0; i < FAMILY_ENTITIES; i++)
        if (entities[i] == entity && model.entities[i].is_alive)
            return i;
    return FAMILY_NONE;
}

static void compare_list(uint32_t relation, int target)
{
    const kin_context *context = &clan->base;
    kin_entity holders[FAMILY_ENTITIES], previous = 0;
    uint32_t count = kin__relation_copy(context, relation, entities[target], holders, FAMILY_ENTITIES);
    SAME((int)count == model.counts[relation][target]);
    SAME(kin__relation_count(context, relation, entities[target]) == count);
    for (uint32_t i = 0; i < count; i++) {
        SAME(number_of(holders[i]) == model.lists[relation][target][i]);
        SAME(kin__relation_previous(context, relation, holders[i]) == previous);
        previous = holders[i];
        SAME(kin__relation_next(context, relation, previous) == (i + 1 < count ? holders[i + 1] : 0));
    }
    SAME(kin__relation_first(context, relation, entities[target]) == (count == 0 ? 0 : holders[0]));
    SAME(kin__relation_last(context, relation, entities[target]) == previous);
}

static void compare_tree(uint32_t relation, int entity)
{
    uint32_t depth = 0;
    int root = entity;
    for (; model.entities[root].target[relation] != FAMILY_NONE; root = model.entities[root].target[relation])
        depth++;
    SAME(kin__relation_root(&clan->base, relation, entities[entity]) == entities[root]);
    SAME(kin__relation_depth(&clan->base, relation, entities[entity]) == depth);
    SAME(kin__relation_contains(&clan->base, relation, entities[root], entities[entity]));
}

static void compare_entity(int entity)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        SAME(kin_has(&clan->base, entities[entity], (kin_component_id)id) == model.entities[entity].has[id]);
    for (uint32_t i = 0; i < info->relation_count; i++) {
        compare_list(i, entity);
        if (info->relations[i].is_tree)
            compare_tree(i, entity);
    }
}

static void compare(void)
{
    for (int entity = 0; entity < FAMILY_ENTITIES; entity++) {
        SAME(kin_entity_is_alive(&clan->base, entities[entity]) == model.entities[entity].is_alive);
        if (model.entities[entity].is_alive)
            compare_entity(entity);
    }
}

// ---- operations

static int draw_target(void)
{
    return draw(8) == 0 ? FAMILY_NONE : draw(FAMILY_ENTITIES);
}

#define TYPED(component, type)                                                                                         \
    static kin_status set_##component(clan_entity entity, const void *value)                                           \
    {                                                                                                                  \
        type copy;                                                                                                     \
        memcpy(&copy, value, sizeof copy);                                                                             \
        return clan_has_##component(clan, entity) ? clan_replace_##component(clan, entity, copy)                       \
                                                  : clan_add_##component(clan, entity, copy);                          \
    }                                                                                                                  \
    static kin_status remove_##component(clan_entity entity)                                                           \
    {                                                                                                                  \
        return clan_remove_##component(clan, entity);                                                                  \
    }

TYPED(child_of, ChildOf)
TYPED(works_for, WorksFor)
TYPED(rides_on, RidesOn)
TYPED(follows, Follows)
TYPED(shadow, Shadow)
TYPED(lease, Lease)

static const struct {
    kin_component_id id;
    kin_status (*set)(clan_entity entity, const void *value);
    kin_status (*remove)(clan_entity entity);
} typed[] = {
    {CLAN_CHILD_OF, set_child_of, remove_child_of}, {CLAN_WORKS_FOR, set_works_for, remove_works_for},
    {CLAN_RIDES_ON, set_rides_on, remove_rides_on}, {CLAN_FOLLOWS, set_follows, remove_follows},
    {CLAN_SHADOW, set_shadow, remove_shadow},       {CLAN_LEASE, set_lease, remove_lease},
};
enum { TYPED_COUNT = sizeof typed / sizeof *typed };

static kin_status set(kin_entity entity, kin_component_id id, const void *value)
{
    for (int i = 0; i < TYPED_COUNT && is_typed; i++)
        if (typed[i].id == id)
            return typed[i].set(clan_entity_of(entity), value);
    return kin_replace(&clan->base, entity, id, value);
}

static kin_status take(kin_entity entity, kin_component_id id)
{
    for (int i = 0; i < TYPED_COUNT && is_typed; i++)
        if (typed[i].id == id)
            return typed[i].remove(clan_entity_of(entity));
    return kin_remove(&clan->base, entity, id);
}

// Keys of the index over Likes may be taken, and the unique Crown too: the model does not have these rules.
static void set_component(int entity)
{
    kin_component_id id = info->relations[draw((int)info->relation_count)].component;
    _Alignas(max_align_t) char value[VALUE_SIZE];
    int targets[FAMILY_RELATIONS];
    info->components[id].write_default(value);
    for (uint32_t i = 0; i < info->relation_count; i++) {
        targets[i] = draw_target();
        if (info->relations[i].component == id && targets[i] != FAMILY_NONE)
            memcpy(value + info->relations[i].field->offset, &entities[targets[i]], sizeof(kin_entity));
        if (targets[i] != FAMILY_NONE && entities[targets[i]] == 0)
            targets[i] = FAMILY_NONE; // an entity that never was: handle 0
    }
    kin_status status = set(entities[entity], id, value);
    if (status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_UNIQUE)
        return;
    SAME(status == family_set(&model, entity, id, targets));
}

static void place(int entity)
{
    uint32_t relation = (uint32_t)draw((int)info->relation_count);
    int sibling = draw_target(), target = model.entities[entity].target[relation];
    kin_status status = kin__relation_place_before(&clan->base, relation, entities[entity],
                                                   sibling == FAMILY_NONE ? 0 : entities[sibling]);
    bool is_sibling = target != FAMILY_NONE &&
                      (sibling == FAMILY_NONE || (entities[sibling] == 0) ||
                       (model.entities[sibling].is_alive && model.entities[sibling].target[relation] == target));
    SAME((status == KIN_OK) == is_sibling);
    if (is_sibling)
        family_place_before(&model, (int)relation, entity,
                            sibling == FAMILY_NONE || entities[sibling] == 0 ? FAMILY_NONE : sibling);
}

static void clone(int source, int clone)
{
    kin_component_id likes = kin_component_find(info, "Likes");
    if (model.entities[clone].is_alive || model.entities[source].has[likes])
        return; // the index over Likes forbids clones
    entities[clone] = kin_clone(&clan->base, entities[source]);
    ck_assert_uint_ne(entities[clone], 0);
    family_clone(&model, source, clone);
}

static void operate_on(int entity)
{
    switch (draw(12)) {
    case 0:
        ck_assert_int_eq(kin_destroy(&clan->base, entities[entity]), family_destroy(&model, entity, true));
        break;
    case 1: {
        int relation = draw((int)info->relation_count);
        ck_assert_int_eq(kin__relation_destroy_holders(&clan->base, (uint32_t)relation, entities[entity]),
                         family_destroy_holders(&model, relation, entity));
        break;
    }
    case 2:
        clone(entity, draw(FAMILY_ENTITIES));
        break;
    case 3:
    case 4:
        place(entity);
        break;
    case 5: {
        kin_component_id id = info->relations[draw((int)info->relation_count)].component;
        if (kin_has(&clan->base, entities[entity], id)) {
            ck_assert_int_eq(take(entities[entity], id), KIN_OK);
            family_remove(&model, entity, id);
        }
        break;
    }
    default:
        set_component(entity);
        break;
    }
}

static void operate(int step)
{
    int entity = draw(FAMILY_ENTITIES);
    if (model.entities[entity].is_alive) {
        operate_on(entity);
    } else {
        entities[entity] = kin_create(&clan->base);
        family_create(&model, entity);
    }
    if (step % 2000 == 1999) {
        ck_assert_int_eq(clan_destroy_all_entities(clan), KIN_OK);
        for (int i = 0; i < FAMILY_ENTITIES; i++)
            if (model.entities[i].is_alive)
                family_destroy(&model, i, false);
    }
    if (step % 500 == 0)
        kin_context_trim(&clan->base);
}

START_TEST(rel_01_random_operations_leave_what_a_second_implementation_has)
{
    state = (uint64_t)_i;
    is_typed = _i % 2 != 0;
    for (int step = 0; step < STEPS; step++) {
        operate(step);
        compare();
        if (step % 256 == 0)
            ck_assert(kin__context_is_valid(&clan->base));
    }
}
END_TEST

Suite *runtime_relation_random_suite(void)
{
    Suite *suite = suite_create("runtime_relation_random");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, rel_01_random_operations_leave_what_a_second_implementation_has, 0, SEEDS);
    suite_add_tcase(suite, tests);
    return suite;
}

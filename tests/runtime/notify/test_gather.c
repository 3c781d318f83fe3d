// What collectors collect is the same where only they watch a component (gather.h), and beside listeners. Two contexts
// go through the same random changes; one of them has a listener for each event of each group.

#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <check.h>
#include <relay/relay.h>
#include <stdlib.h>
#include <wide/wide.h>

enum { TWINS = 2, GROUPS = 4, COLLECTORS = 3, IDS = 5, ENTITIES = 40, CHANGES = 600 };

// Contexts with rows of one and of two words.
static const struct {
    kin_component_id ids[IDS];
} shapes[] = {{{0, 1, 2, 4, 5}}, {{0, 1, 63, 64, 69}}};

static kin_context *twins[TWINS];
static kin_group *groups[TWINS][GROUPS];
static kin_collector *collectors[TWINS][COLLECTORS];
static kin_entity entities[ENTITIES];
static const kin_component_id *ids;
static uint64_t state;
static int owner;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % limit;
}

// ---- the contexts

static kin_matcher random_matcher(void)
{
    static const kin_rule_kind kinds[] = {KIN_RULE_ALL, KIN_RULE_ALL, KIN_RULE_ANY, KIN_RULE_NONE, KIN_RULE_ONLY};
    kin_matcher matcher = {.count = 1 + below(2)};
    for (uint32_t i = 0; i < matcher.count; i++) {
        matcher.rules[i] = (kin_rule){.kind = (uint16_t)kinds[below(5)], .count = (uint16_t)(1 + below(2))};
        for (uint32_t k = 0; k < matcher.rules[i].count; k++)
            matcher.rules[i].ids[k] = ids[below(IDS)];
    }
    return matcher;
}

// The first twin has no listeners.
static void make_groups(void)
{
    for (uint32_t i = 0; i < GROUPS; i++) {
        kin_matcher matcher = random_matcher();
        for (uint32_t twin = 0; twin < TWINS; twin++)
            groups[twin][i] = kin_context_group(twins[twin], matcher);
        kin_group_subscribe(groups[1][i], KIN_ADDED_OR_REMOVED, ignore_change, NULL);
        kin_group_subscribe(groups[1][i], KIN_MODIFIED, ignore_change, NULL);
    }
}

static void make_collectors(void)
{
    static const kin_group_event events[] = {KIN_ADDED, KIN_REMOVED, KIN_ADDED_OR_REMOVED, KIN_MODIFIED};
    for (uint32_t i = 0; i < COLLECTORS; i++) {
        uint32_t count = 1 + below(2), numbers[2] = {below(GROUPS), below(GROUPS)};
        kin_group_event chosen[2] = {events[below(4)], events[below(4)]};
        for (uint32_t twin = 0; twin < TWINS; twin++) {
            kin_trigger triggers[2] = {{groups[twin][numbers[0]], chosen[0]}, {groups[twin][numbers[1]], chosen[1]}};
            collectors[twin][i] = kin_collector_create(triggers, count);
        }
    }
}

static void begin(uint32_t shape, uint64_t seed)
{
    kin_context_options options = {.on_error = ignore_error};
    for (uint32_t twin = 0; twin < TWINS; twin++)
        twins[twin] = shape == 0 ? &relay_context_create(&options)->base : &more_context_create(&options)->base;
    ids = shapes[shape].ids;
    state = seed * 2654435769u;
    for (uint32_t i = 0; i < ENTITIES; i++)
        entities[i] = 0;
    make_groups();
    make_collectors();
}

static void end(uint32_t shape)
{
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        for (uint32_t i = 0; i < COLLECTORS; i++)
            kin_collector_destroy(collectors[twin][i]);
        if (shape == 0)
            relay_context_destroy((relay_context *)twins[twin]);
        else
            more_context_destroy((more_context *)twins[twin]);
    }
}

// ---- changes

static void change_component(kin_context *context, kin_entity entity, kin_component_id id, uint32_t kind)
{
    static const uint64_t value[20] = {1};
    const void *given = context->info->components[id].size > 0 ? value : NULL;
    if (kind < 4)
        kin_add(context, entity, id, given);
    else if (kind < 6)
        kin_remove(context, entity, id);
    else if (kind < 8 && given != NULL)
        kin_replace(context, entity, id, given);
    else
        kin__component_touch(context, entity, id);
}

static void change_holder(uint32_t twin, kin_entity entity, uint32_t kind, uint32_t number)
{
    if (kind == 0)
        kin_collector_clear(collectors[twin][number % COLLECTORS]);
    else if (kind == 1)
        kin__entity_retain(twins[twin], entity, &owner);
    else if (kind == 2)
        kin__entity_release(twins[twin], entity, &owner);
    else if (number == 0)
        kin_group_destroy_entities(groups[twin][kind % GROUPS]);
}

// The twins give equal handles, as long as equal slots are free.
static void create(uint32_t place)
{
    for (uint32_t twin = 0; twin < TWINS; twin++) {
        kin_entity entity = kin__entity_create(twins[twin]);
        ck_assert(twin == 0 || entity == entities[place]);
        entities[place] = entity;
    }
}

static void change(void)
{
    uint32_t place = below(ENTITIES), kind = below(10), action = below(20), holder = below(6), number = below(20);
    kin_component_id id = ids[below(IDS)];
    if (!kin_entity_is_alive(twins[0], entities[place]) && action > 1) {
        create(place);
        return;
    }
    for (uint32_t twin = 0; twin < TWINS; twin++)
        if (action < 2)
            change_holder(twin, entities[place], holder, number);
        else if (action < 4)
            kin__entity_destroy_fast(twins[twin], entities[place]);
        else
            change_component(twins[twin], entities[place], id, kind);
}

// ---- comparing

static void compare(void)
{
    for (uint32_t i = 0; i < COLLECTORS; i++) {
        uint32_t count = 0, other_count = 0;
        const kin_entity *collected = kin_collector_entities(collectors[0][i], &count);
        const kin_entity *others = kin_collector_entities(collectors[1][i], &other_count);
        ck_assert_uint_eq(count, other_count);
        for (uint32_t k = 0; k < count; k++)
            ck_assert_uint_eq(collected[k], others[k]);
    }
    ck_assert_uint_eq(kin_context_retained_count(twins[0]), kin_context_retained_count(twins[1]));
    ck_assert_uint_eq(kin_context_reusable_count(twins[0]), kin_context_reusable_count(twins[1]));
}

START_TEST(col_02_the_same_is_collected_with_and_without_listeners)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        begin((uint32_t)_i, seed);
        for (uint32_t i = 0; i < CHANGES; i++) {
            change();
            compare();
        }
        ck_assert(kin__context_is_valid(twins[0]) && kin__context_is_valid(twins[1]));
        end((uint32_t)_i);
    }
}
END_TEST

Suite *runtime_gather_suite(void)
{
    Suite *suite = suite_create("runtime_gather");
    TCase *tests = tcase_create("gather");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, col_02_the_same_is_collected_with_and_without_listeners, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

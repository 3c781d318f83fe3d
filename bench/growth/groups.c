// Growth by groups: adding and removing a component that many groups name, with and without listeners.
//
// Each group names Health and three of 26 other components, which no entity has. A group that requires all three
// matches no entity; a group that excludes them matches every entity with Health.

#include "growth.h"
#include "kin/store.h"

enum { SIZES = 4, MOST = 1000, ENTITIES = 1000, TURNS = 9, KINDS = 26 };

static const uint32_t sizes[SIZES] = {1, 10, 100, MOST};

typedef struct crowd {
    kin_store base;
    kin_group *groups[MOST];
    uint32_t group_count;
    uint64_t calls;
} crowd;

// Settings of the next world: the number of groups, and the kind of rule for their three components.
static uint32_t group_count;
static uint16_t rule_kind;
static bool have_listeners;

static void count_call(const kin_change *change, void *user)
{
    (void)change;
    ++*(uint64_t *)user;
}

// Returns the matcher of the group `number`. Different numbers have different sets of three components.
static kin_matcher matcher_of(uint32_t number)
{
    kin_matcher matcher = KIN_MATCHER(KIN_ALL(GAME_HEALTH));
    kin_rule rule = {.kind = rule_kind, .count = 3};
    for (uint32_t a = 0, left = number; a < KINDS; a++)
        for (uint32_t b = a + 1; b < KINDS; b++)
            for (uint32_t c = b + 1; c < KINDS; c++)
                if (left-- == 0) {
                    const uint32_t chosen[3] = {a, b, c};
                    for (uint32_t i = 0; i < 3; i++)
                        rule.ids[i] = (kin_component_id)(GAME_KIND_A + chosen[i]);
                }
    matcher.rules[matcher.count++] = rule;
    return matcher;
}

static void *create(uint32_t count)
{
    crowd *made = kin_store_create(count, sizeof *made);
    made->group_count = group_count;
    for (uint32_t i = 0; i < count; i++)
        made->base.handles[i] = game_create_entity(made->base.game);
    for (uint32_t i = 0; i < group_count; i++) {
        made->groups[i] = game_group(made->base.game, matcher_of(i));
        if (have_listeners)
            kin_group_subscribe(made->groups[i], KIN_ADDED_OR_REMOVED, count_call, &made->calls);
    }
    return made;
}

static void toggle(void *user)
{
    const kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_add_health(world->game, world->handles[i], (Health){1});
    for (uint32_t i = 0; i < world->count; i++)
        game_remove_health(world->game, world->handles[i]);
}

static void count_all(void *user)
{
    crowd *crowd = user;
    for (uint32_t i = 0; i < crowd->group_count; i++)
        crowd->base.sum += kin_group_count(crowd->groups[i]);
}

static void find_first(void *user)
{
    crowd *crowd = user;
    kin_matcher matcher = matcher_of(0);
    for (uint32_t i = 0; i < crowd->base.count; i++)
        crowd->base.sum += game_group(crowd->base.game, matcher) == crowd->groups[0];
}

static void print(const char *what, const char *unit, const side_work *work, bool by_group)
{
    double figures[SIZES];
    for (uint32_t size = 0; size < SIZES; size++) {
        group_count = sizes[size];
        double operations = by_group ? group_count : ENTITIES;
        figures[size] = measure_work(work, ENTITIES, 1, TURNS).median / operations;
    }
    growth_print_line(what, unit, figures, SIZES);
}

void growth_groups(void)
{
    static const side_work toggled = {"toggle", create, NULL, toggle, kin_sum_of_work, kin_store_destroy};
    static const side_work counted = {"count", create, toggle, count_all, kin_sum_of_work, kin_store_destroy};
    static const side_work found = {"find", create, NULL, find_first, kin_sum_of_work, kin_store_destroy};
    growth_print_head("groups that name a component", sizes, SIZES);
    rule_kind = KIN_RULE_NONE;
    print("add and remove it, no listener", "ns/pair", &toggled, false);
    have_listeners = true;
    print("a listener on each, all match", "ns/pair", &toggled, false);
    rule_kind = KIN_RULE_ALL;
    print("a listener on each, none matches", "ns/pair", &toggled, false);
    have_listeners = false;
    print("count of each after changes", "ns/group", &counted, true);
    print("find a group by its matcher", "ns/call", &found, false);
}

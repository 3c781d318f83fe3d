// Groups that watch a component on Kin, without listeners and with one each.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

enum { GROUPS = 32, FLAGS = 5 };

typedef struct watch {
    uint32_t count;
    game_context *game;
    game_entity *handles;
    kin_group *groups[GROUPS];
    uint64_t calls, sum;
} watch;

static void add_flags(game_context *game, game_entity entity, uint32_t flags)
{
    static kin_status (*const set[FLAGS])(game_context *, game_entity, bool) = {game_set_f0, game_set_f1, game_set_f2,
                                                                                game_set_f3, game_set_f4};
    for (uint32_t b = 0; b < FLAGS; b++)
        set[b](game, entity, (flags >> b & 1) != 0);
}

static void *create_plain(uint32_t count)
{
    watch *made = calloc(1, sizeof *made);
    made->count = count;
    made->game = game_context_create(NULL);
    made->handles = calloc(count, sizeof *made->handles);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_position(made->game, made->handles[i], workload_position(i));
        game_add_velocity(made->game, made->handles[i], workload_velocity(i));
        game_add_data(made->game, made->handles[i], (Data){1.0f});
        add_flags(made->game, made->handles[i], i % GROUPS);
    }
    return made;
}

static void destroy_watch(void *user)
{
    watch *watch = user;
    game_context_destroy(watch->game);
    free(watch->handles);
    free(watch);
}

static void add_all(watch *watch)
{
    for (uint32_t i = 0; i < watch->count; i++)
        game_add_health(watch->game, watch->handles[i], (Health){workload_health(i)});
}

static void remove_all(void *user)
{
    watch *watch = user;
    for (uint32_t i = 0; i < watch->count; i++)
        game_remove_health(watch->game, watch->handles[i]);
}

// ---- k

static void toggle(void *user)
{
    add_all(user);
    __asm__ volatile("" ::: "memory");
    remove_all(user);
}

static uint64_t nothing(void *user)
{
    (void)user;
    return 0;
}

// ---- l, l2

// All of Health and the flags of the bits of `flags`; `exactly` those flags.
static kin_matcher matcher_of(uint32_t flags, bool exactly)
{
    kin_matcher matcher = {.count = 1, .rules = {{.kind = KIN_RULE_ALL, .count = 1, .ids = {GAME_HEALTH}}}};
    kin_rule none = {.kind = KIN_RULE_NONE};
    for (uint32_t b = 0; b < FLAGS; b++) {
        kin_rule *rule = (flags >> b & 1) != 0 ? &matcher.rules[0] : &none;
        rule->ids[rule->count++] = (kin_component_id)(GAME_F0 + b);
    }
    if (exactly && none.count > 0)
        matcher.rules[matcher.count++] = none;
    return matcher;
}

static void count_call(const kin_change *change, void *user)
{
    (void)change;
    ++*(uint64_t *)user;
}

static watch *create_groups(uint32_t count, bool exactly)
{
    watch *made = create_plain(count);
    for (uint32_t m = 0; m < GROUPS; m++)
        made->groups[m] = game_group(made->game, matcher_of(m, exactly));
    return made;
}

static void *create_unheard(uint32_t count)
{
    return create_groups(count, false);
}

static void *create_heard(uint32_t count)
{
    watch *made = create_groups(count, false);
    for (uint32_t m = 0; m < GROUPS; m++)
        kin_group_subscribe(made->groups[m], KIN_ADDED_OR_REMOVED, count_call, &made->calls);
    return made;
}

static uint64_t sum_counts(const watch *watch)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < GROUPS; m++)
        sum += kin_group_count(watch->groups[m]);
    return sum;
}

static void toggle_watched(void *user)
{
    watch *watch = user;
    add_all(watch);
    watch->sum = sum_counts(watch);
    remove_all(watch);
    watch->sum += sum_counts(watch);
}

static uint64_t sum_of_counts(void *user)
{
    return ((watch *)user)->sum;
}

static uint64_t sum_of_counts_and_calls(void *user)
{
    const watch *watch = user;
    return watch->sum + watch->calls;
}

// ---- l.one: both sides are Kin's

static void *create_apart(uint32_t count)
{
    watch *made = create_groups(count, true);
    for (uint32_t m = 0; m < GROUPS; m++)
        kin_group_subscribe(made->groups[m], KIN_ADDED, count_call, &made->calls);
    return made;
}

static void prepare_add(void *user)
{
    const watch *watch = user;
    if (game_has_health(watch->game, watch->handles[0]))
        remove_all(user);
}

static void add_unheard(void *user)
{
    watch *watch = user;
    add_all(watch);
    watch->calls += watch->count;
}

static void add_heard(void *user)
{
    add_all(user);
}

static uint64_t sum_of_calls(void *user)
{
    return ((watch *)user)->calls;
}

const side_row kin_watch_rows[SIDE_WATCH_ROWS] = {
    {"k", "add and remove a component", "pair", 20, 100, create_plain, NULL, toggle, nothing, destroy_watch},
    {"l", "32 groups watch", "pair", 1, 100, create_unheard, NULL, toggle_watched, sum_of_counts, destroy_watch},
    {"l.k", "the same, by hand: none", "pair", 5, 100, create_unheard, NULL, toggle_watched, sum_of_counts,
     destroy_watch},
    {"l2", "32 groups with a listener", "pair", 1, 100, create_heard, NULL, toggle_watched, sum_of_counts_and_calls,
     destroy_watch},
};

const side_row kin_alone_rows[SIDE_ONE_ROWS] = {
    {"l.one", "add; one of 32 groups tells", "add", 1, 100, create_plain, prepare_add, add_unheard, sum_of_calls,
     destroy_watch},
};

const side_row kin_one_rows[SIDE_ONE_ROWS] = {
    {"l.one", "add; one of 32 groups tells", "add", 1, 100, create_apart, prepare_add, add_heard, sum_of_calls,
     destroy_watch},
};

// Random commands against a second, naive implementation: a list of what was recorded, carried out by direct calls on
// an equal context. State, handles, events, errors and dropped commands are the same. KIN_STEPS is the number of
// commands.
#include "runtime/support/commands_case.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>

enum { MOST_COMMANDS = 40, MOST_KNOWN = 48, MOST_SOLDIERS = 200, DEFAULT_STEPS = 3000 };

typedef enum order_kind {
    ORDER_CREATE,
    ORDER_SPAWN_GUARD,
    ORDER_SPAWN_CAPTAIN,
    ORDER_DESTROY,
    ORDER_ADD_POWER,
    ORDER_REPLACE_POST,
    ORDER_REMOVE_POST,
    ORDER_SET,
    ORDER_CLEAR,
    ORDER_SERVE,
    ORDER_AIM,
    ORDER_STASH,
    ORDER_RESTORE,
    ORDER_BADGE,
    ORDER_KINDS
} order_kind;

// An entity of an order: a handle, or the number of one that the buffer creates, counted from 1.
typedef struct name {
    army_entity handle; // what is recorded
    uint32_t coming;
} name;

typedef struct order {
    order_kind kind;
    name entity, other;
    int32_t value;
    bool was_alive;
} order;

static order orders[MOST_COMMANDS];
static army_entity known[MOST_KNOWN], coming[MOST_COMMANDS], made[MOST_COMMANDS];
static uint32_t order_count, known_count, coming_count, made_count, dropped;
static uint64_t state;

static uint32_t below(uint32_t end)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % end;
}

static void know(army_entity entity)
{
    uint32_t place = known_count < MOST_KNOWN ? known_count++ : below(MOST_KNOWN);
    known[place] = entity;
}

static name choose(void)
{
    if (coming_count > 0 && below(3) == 0) {
        uint32_t number = below(coming_count);
        return (name){coming[number], number + 1};
    }
    return (name){known[below(known_count)], 0};
}

// ---- recording

static void record_making(const order *order)
{
    army_commands *c = fixture.commands;
    coming[coming_count++] = order->kind == ORDER_CREATE        ? army_commands_create_entity(c)
                             : order->kind == ORDER_SPAWN_GUARD ? army_commands_spawn_guard(c)
                                                                : army_commands_spawn_captain(c);
}

static kin_status record_change(const order *order)
{
    army_commands *c = fixture.commands;
    army_entity entity = order->entity.handle, other = order->other.handle;
    switch (order->kind) {
    case ORDER_DESTROY:
        return army_commands_destroy_entity(c, entity);
    case ORDER_ADD_POWER:
        return army_commands_add_power(c, entity, (Power){order->value});
    case ORDER_REPLACE_POST:
        return army_commands_replace_post(c, entity, (Post){(float)order->value, 0});
    case ORDER_REMOVE_POST:
        return army_commands_remove_post(c, entity);
    case ORDER_SERVE:
        return army_commands_replace_serves(c, entity, (Serves){other});
    case ORDER_AIM:
        return army_commands_replace_aim(c, entity, (Aim){other});
    case ORDER_STASH:
        return army_commands_stash_mood(c, entity);
    case ORDER_RESTORE:
        return army_commands_restore_mood(c, entity);
    case ORDER_BADGE:
        return army_commands_replace_badge(c, entity, (Badge){(uint32_t)order->value % 9});
    default:
        return army_commands_set_burning(c, entity, order->kind == ORDER_SET);
    }
}

static void record(void)
{
    order_count = 1 + below(MOST_COMMANDS);
    coming_count = 0;
    for (uint32_t i = 0; i < order_count; i++) {
        order *order = &orders[i];
        *order = (struct order){.kind = (order_kind)below(ORDER_KINDS), .value = (int32_t)below(100)};
        order->entity = choose();
        order->other = choose();
        if (order->kind <= ORDER_SPAWN_CAPTAIN)
            record_making(order);
        else
            ck_assert_int_eq(record_change(order), KIN_OK);
    }
}

// ---- the naive implementation

static army_entity resolve(name name)
{
    return name.coming > 0 && name.coming <= made_count ? made[name.coming - 1] : name.handle;
}

static army_entity make(army_context *army, order_kind kind)
{
    if (kind == ORDER_CREATE)
        return army_create_entity(army);
    return kind == ORDER_SPAWN_GUARD ? army_spawn_guard(army) : army_spawn_captain(army);
}

static kin_status change(army_context *army, const order *order, army_entity entity)
{
    army_entity other = resolve(order->other);
    switch (order->kind) {
    case ORDER_DESTROY:
        return army_destroy_entity(army, entity);
    case ORDER_ADD_POWER:
        return army_add_power(army, entity, (Power){order->value});
    case ORDER_REPLACE_POST:
        return army_replace_post(army, entity, (Post){(float)order->value, 0});
    case ORDER_REMOVE_POST:
        return army_remove_post(army, entity);
    case ORDER_SERVE:
        return army_replace_serves(army, entity, (Serves){other});
    case ORDER_AIM:
        return army_replace_aim(army, entity, (Aim){other});
    case ORDER_STASH:
        return army_stash_mood(army, entity);
    case ORDER_RESTORE:
        return army_restore_mood(army, entity);
    case ORDER_BADGE:
        return army_replace_badge(army, entity, (Badge){(uint32_t)order->value % 9});
    default:
        return army_set_burning(army, entity, order->kind == ORDER_SET);
    }
}

// Returns the status; KIN_OK for what is dropped.
static kin_status carry_out(army_context *army, const order *order)
{
    if (order->kind <= ORDER_SPAWN_CAPTAIN) {
        uint32_t errors = fixture.other_errors.count;
        made[made_count] = make(army, order->kind);
        bool is_made = !army_entity_equals(made[made_count++], ARMY_NO_ENTITY);
        uint32_t last = fixture.other_errors.count - 1;
        return is_made || fixture.other_errors.count == errors || last >= ERROR_LIMIT
                   ? KIN_OK
                   : fixture.other_errors.entries[last].status;
    }
    army_entity entity = resolve(order->entity);
    bool is_from_here = order->entity.coming > 0 && order->entity.coming <= made_count;
    if ((is_from_here || order->was_alive) && !army_entity_is_alive(army, entity)) {
        dropped++;
        return KIN_OK;
    }
    return change(army, order, entity);
}

static kin_status play_naively(void)
{
    army_context *army = fixture.other;
    kin_status first = KIN_OK;
    made_count = dropped = 0;
    for (uint32_t i = 0; i < order_count; i++)
        orders[i].was_alive = army_entity_is_alive(army, orders[i].entity.handle);
    for (uint32_t i = 0; i < order_count; i++) {
        kin_status status = carry_out(army, &orders[i]);
        first = first == KIN_OK ? status : first;
    }
    return first;
}

// ---- the game

// Destroys an entity that depends on the one that changed, in the context of the change.
static void destroy_another(const kin_change *change, void *user)
{
    army_context *army = user;
    army_entity victim = known[(change->entity >> 24) * 7 % known_count];
    if (army_entity_is_alive(army, victim))
        army_destroy_entity(army, victim);
}

// Commands create more entities than they destroy, and comparing takes time by entity.
static void dismiss_crowd(army_context *army)
{
    if (army_entity_count(army) > MOST_SOLDIERS)
        army_destroy_all_entities(army);
}

static void refill(army_context *army, bool is_first)
{
    dismiss_crowd(army);
    while (army_entity_count(army) < CASE_SOLDIERS) {
        army_entity entity = army_create_entity(army);
        army_add_mood(army, entity, (Mood){1});
        if (is_first)
            know(entity);
    }
}

static void play_round(void)
{
    record();
    kin_status expected = play_naively(), found = army_commands_play(fixture.commands);
    ck_assert_str_eq(kin_status_name(found), kin_status_name(expected));
    ck_assert_uint_eq(army_commands_dropped(fixture.commands), dropped);
    for (uint32_t i = 0; i < coming_count; i++) {
        ck_assert(army_entity_equals(army_commands_made(fixture.commands, coming[i]), made[i]));
        know(made[i]);
    }
    commands_case_compare();
    refill(fixture.army, true);
    refill(fixture.other, false);
}

// Without listeners; with listeners that look; with one that destroys, too.
START_TEST(cmd_01_random_commands_are_direct_calls_of_a_naive_implementation)
{
    const char *text = getenv("KIN_STEPS");
    uint64_t fallback = getenv("KIN_SWEEP_COUNTS") == NULL ? DEFAULT_STEPS : DEFAULT_STEPS / 20;
    uint64_t steps = text == NULL ? fallback : strtoull(text, NULL, 10);
    state = 977 + (uint64_t)_i;
    known_count = 0;
    commands_case_begin();
    for (uint32_t i = 0; i < CASE_SOLDIERS; i++)
        know(fixture.soldiers[i]);
    if (_i > 0)
        commands_case_watch();
    if (_i > 1) {
        kin_group_subscribe(army_burning_group(fixture.army), KIN_ADDED, destroy_another, fixture.army);
        kin_group_subscribe(army_burning_group(fixture.other), KIN_ADDED, destroy_another, fixture.other);
    }
    for (uint64_t done = 0; done < steps; done += order_count)
        play_round();
    commands_case_end();
}
END_TEST

Suite *runtime_commands_random_suite(void)
{
    Suite *suite = suite_create("runtime_commands_random");
    TCase *tests = tcase_create("commands_random");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, cmd_01_random_commands_are_direct_calls_of_a_naive_implementation, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

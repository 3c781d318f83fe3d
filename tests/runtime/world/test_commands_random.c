// Random commands against a second, naive implementation: a list of what was recorded, carried out by direct calls on
// an equal context. State, handles, events, errors and dropped commands are the same. KIN_STEPS is the number of
// commands.
#include "runtime/support/commands_case.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMMANDS = 40, MOST_KNOWN = 48, MOST_SOLDIERS = 200, SQUAD_SIZE = 4, DEFAULT_STEPS = 3000 };

typedef enum order_kind {
    ORDER_CREATE,
    ORDER_SPAWN_GUARD,
    ORDER_SPAWN_CAPTAIN,
    ORDER_SPAWN_GUARD_WITH,
    ORDER_SPAWN_BARD_WITH,
    ORDER_SPAWN_SQUAD_WITH,
    ORDER_SPAWN_SQUAD_PARTS, // makes SQUAD_SIZE entities
    LAST_MAKING = ORDER_SPAWN_SQUAD_PARTS,
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
static army_entity known[MOST_KNOWN], coming[MOST_COMMANDS * SQUAD_SIZE], made[MOST_COMMANDS * SQUAD_SIZE];
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

// ---- values of spawns

static army_guard_value guard_value(const order *order)
{
    return (army_guard_value){.post = {(float)order->value, 3}, .given = {.post = order->value % 3 > 0}};
}

static army_squad_value squad_value(const order *order, army_entity other)
{
    return (army_squad_value){
        .post = {1, (float)order->value}, .aim = {other}, .given = {.post = order->value % 2 > 0, .aim = true}};
}

// The value reads from these arrays. Every second has all values, some a list that is refused in no call.
static char bard_text[8];
static int32_t bard_numbers[4];
static army_entity bard_members[2];

static army_bard_value bard_value(const order *order, army_entity other)
{
    uint32_t value = (uint32_t)order->value;
    memcpy(bard_text, "abcdefg", sizeof bard_text);
    bard_text[value % sizeof bard_text] = '\0';
    bard_numbers[0] = bard_numbers[3] = order->value;
    bard_members[0] = bard_members[1] = other;
    army_bard_value bard = {.title = {bard_text}, .aim = {other}, .armor = {value * 2.5}, .drift = {.length = 9}};
    bard.band = (Band){.numbers = {bard_numbers, value % 5}, .members = {bard_members, value % 3}, .name = bard_text};
    bard.given.title = bard.given.band = value % 2 > 0;
    bard.given.aim = bard.given.armor = value % 5 > 0;
    bard.given.drift = value % 7 > 3;
    return bard;
}

// Fills what a value pointed to, of which commands have copies.
static void forget_values(void)
{
    memset(bard_text, 'x', sizeof bard_text - 1);
    memset(bard_numbers, 0x55, sizeof bard_numbers);
    memset(bard_members, 0x55, sizeof bard_members);
}

// ---- recording

static void record_parts(void)
{
    army_squad_parts parts;
    army_entity squad = army_commands_spawn_squad_parts(fixture.commands, &parts);
    ck_assert(army_entity_equals(squad, parts.entity));
    memcpy(&coming[coming_count], &parts, sizeof parts);
    coming_count += SQUAD_SIZE;
}

static army_entity record_making(const order *order)
{
    army_commands *c = fixture.commands;
    army_entity other = order->other.handle;
    switch (order->kind) {
    case ORDER_CREATE:
        return army_commands_create_entity(c);
    case ORDER_SPAWN_GUARD:
        return army_commands_spawn_guard(c);
    case ORDER_SPAWN_CAPTAIN:
        return army_commands_spawn_captain(c);
    case ORDER_SPAWN_GUARD_WITH:
        return army_commands_spawn_guard_with(c, guard_value(order));
    case ORDER_SPAWN_BARD_WITH:
        return army_commands_spawn_bard_with(c, bard_value(order, other));
    default:
        return army_commands_spawn_squad_with(c, squad_value(order, other));
    }
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
        if (order->kind == ORDER_SPAWN_SQUAD_PARTS)
            record_parts();
        else if (order->kind <= LAST_MAKING)
            coming[coming_count++] = record_making(order);
        else
            ck_assert_int_eq(record_change(order), KIN_OK);
        forget_values();
    }
}

// ---- the naive implementation

static army_entity resolve(name name)
{
    return name.coming > 0 && name.coming <= made_count ? made[name.coming - 1] : name.handle;
}

static army_entity make(army_context *army, const order *order)
{
    army_entity other = resolve(order->other);
    switch (order->kind) {
    case ORDER_CREATE:
        return army_create_entity(army);
    case ORDER_SPAWN_GUARD:
        return army_spawn_guard(army);
    case ORDER_SPAWN_CAPTAIN:
        return army_spawn_captain(army);
    case ORDER_SPAWN_GUARD_WITH:
        return army_spawn_guard_with(army, guard_value(order));
    case ORDER_SPAWN_BARD_WITH:
        return army_spawn_bard_with(army, bard_value(order, other));
    case ORDER_SPAWN_SQUAD_WITH:
        return army_spawn_squad_with(army, squad_value(order, other));
    default:
        return army_spawn_squad_parts(army, (army_squad_parts *)&made[made_count]);
    }
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
    if (order->kind <= LAST_MAKING) {
        uint32_t errors = fixture.other_errors.count;
        army_entity entity = make(army, order);
        bool is_made = !army_entity_equals(entity, ARMY_NO_ENTITY);
        made[made_count] = entity;
        made_count += order->kind == ORDER_SPAWN_SQUAD_PARTS ? SQUAD_SIZE : 1;
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

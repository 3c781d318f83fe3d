// Events against a naive model: the same random changes are made in both, inside of listeners too, and both have to
// make the same calls. The model walks plain lists and forgets nothing; of the context it is told only the handles.
#include "event_case.h"
#include "suites.h"

#include <kin/delivery.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 400, HOOKS = 600, EARS = 4, SYSTEMS = 2, EVENTS = SELF_PLACE_REMOVED + 1, ROUNDS = 150 };

typedef struct model_entity {
    kin_entity handle;
    bool alive, has;
    int32_t value, last; // last: when the component was lost
} model_entity;

typedef struct model_hook {
    uint32_t entity, event, ear;
    bool ended;
} model_hook;

typedef struct model_list {
    uint32_t count, entities[ENTITIES];
} model_list;

static model_entity entities[ENTITIES];
static model_hook hooks[HOOKS];
static model_list collected[SYSTEMS][EVENTS];
static bool running[SYSTEMS][EVENTS];
static uint32_t entity_count, made_count, hook_count; // made_count: of the handles, how many the model has used

static kin_systems *systems[SYSTEMS];
static ear ears[EARS];
static bool modelling; // else the context is at work
static uint64_t random_state;
static uint32_t left; // changes that listeners may still make in this round
static char text[1 << 16];

static uint32_t roll(uint32_t count)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % count;
}

static bool is_removed(uint32_t event)
{
    return event == ANY_PLACE_REMOVED || event == SELF_PLACE_REMOVED;
}

static bool is_any(uint32_t event)
{
    return event != SELF_PLACE && event != SELF_PLACE_REMOVED;
}

// ---- the model

static void collect(uint32_t entity, bool removed)
{
    for (uint32_t i = 0; i < SYSTEMS * EVENTS; i++) {
        model_list *list = &collected[i / EVENTS][i % EVENTS];
        bool there = is_removed(i % EVENTS) != removed;
        for (uint32_t k = 0; k < list->count; k++)
            there = there || list->entities[k] == entity;
        if (!there)
            list->entities[list->count++] = entity;
    }
}

static void lose(uint32_t entity)
{
    if (!entities[entity].has)
        return;
    entities[entity].has = false;
    entities[entity].last = entities[entity].value;
    collect(entity, true);
}

static void model_destroy(uint32_t entity)
{
    entities[entity].alive = false;
    for (uint32_t i = 0; i < hook_count; i++)
        hooks[i].ended = hooks[i].ended || hooks[i].entity == entity;
    lose(entity);
}

static int compare_hooks(const void *left_hook, const void *right_hook)
{
    uint32_t first = *(const uint32_t *)left_hook, second = *(const uint32_t *)right_hook;
    uint32_t one = kin_entity_slot(entities[hooks[first].entity].handle),
             two = kin_entity_slot(entities[hooks[second].entity].handle);
    return one != two ? (one < two ? -1 : 1) : first < second ? -1 : first > second;
}

static void act(void);

static void write_call(uint32_t ear, kin_entity entity, int32_t value)
{
    size_t size = strlen(text);
    ck_assert_uint_lt(size + 64, sizeof text);
    snprintf(text + size, sizeof text - size, "%s%u=%d ", ears[ear].label, kin_entity_slot(entity), value);
}

static void model_deliver_one(uint32_t event, uint32_t entity)
{
    uint32_t order[HOOKS], count = 0;
    for (uint32_t i = 0; i < hook_count; i++)
        if (!hooks[i].ended && hooks[i].event == event && (is_any(event) || hooks[i].entity == entity))
            order[count++] = i;
    qsort(order, count, sizeof *order, compare_hooks);
    for (uint32_t i = 0; i < count; i++) {
        if (hooks[order[i]].ended)
            continue;
        const model_entity *told = &entities[entity];
        if (told->has == is_removed(event))
            return;
        write_call(hooks[order[i]].ear, told->handle, is_removed(event) ? told->last : told->value);
        act();
    }
}

static void model_deliver(uint32_t number)
{
    for (uint32_t event = 0; event < EVENTS; event++) {
        if (running[number][event])
            continue;
        running[number][event] = true;
        model_list taken = collected[number][event];
        collected[number][event].count = 0;
        for (uint32_t i = 0; i < taken.count; i++)
            model_deliver_one(event, taken.entities[i]);
        running[number][event] = false;
    }
}

// ---- both

static kin_entity handle_of(uint32_t entity)
{
    return entities[entity].handle;
}

static bool is_alive(uint32_t entity)
{
    return modelling ? entities[entity].alive : kin_entity_is_alive(evented(), handle_of(entity));
}

static bool has_place(uint32_t entity)
{
    return modelling ? entities[entity].has : kin_has(evented(), handle_of(entity), SOLO_PLACE);
}

// The context makes the handles, and the model uses them in the same order.
static void make(void)
{
    if (modelling) {
        ck_assert_uint_lt(made_count, entity_count);
        entities[made_count++].alive = true;
    } else {
        entities[entity_count++].handle = solo_create_entity(evented_solo).id;
    }
}

static void put(uint32_t entity, int32_t value)
{
    if (modelling) {
        entities[entity].has = true;
        entities[entity].value = value;
        collect(entity, false);
    } else {
        solo_replace_place(evented_solo, solo_entity_of(handle_of(entity)), (Place){value});
    }
}

static void take(uint32_t entity)
{
    if (modelling)
        lose(entity);
    else
        solo_remove_place(evented_solo, solo_entity_of(handle_of(entity)));
}

static void destroy(uint32_t entity)
{
    if (modelling)
        model_destroy(entity);
    else
        solo_destroy_entity(evented_solo, solo_entity_of(handle_of(entity)));
}

static void hang(uint32_t entity, uint32_t event, uint32_t number)
{
    if (modelling)
        hooks[hook_count++] = (model_hook){entity, event, number, false};
    else
        listen(handle_of(entity), event, &ears[number]);
}

// Takes the earliest off; nothing when there is none, which the context refuses.
static void unhang(uint32_t entity, uint32_t event, uint32_t number)
{
    if (!modelling) {
        kin__event_listener_remove(evented(), handle_of(entity), event, ear_function(), &ears[number]);
        error_log_clear(&event_errors);
        return;
    }
    for (uint32_t i = 0; i < hook_count; i++)
        if (!hooks[i].ended && hooks[i].entity == entity && hooks[i].event == event && hooks[i].ear == number) {
            hooks[i].ended = true;
            return;
        }
}

static void deliver(uint32_t number)
{
    if (modelling)
        model_deliver(number);
    else
        kin_systems_execute(systems[number], 1);
}

static void clear(uint32_t number)
{
    if (!modelling)
        kin_systems_clear_reactive(systems[number]);
    for (uint32_t event = 0; modelling && event < EVENTS; event++)
        collected[number][event].count = 0;
}

static void change_living(uint32_t entity)
{
    uint32_t choice = roll(16), event = roll(EVENTS), number = roll(EARS);
    if (choice < 5)
        put(entity, (int32_t)roll(1000));
    else if (choice < 9 && has_place(entity))
        take(entity);
    else if (choice < 11)
        destroy(entity);
    else if (choice < 14)
        hang(entity, event, number);
    else
        unhang(entity, event, number);
}

static void change(void)
{
    uint32_t count = modelling ? made_count : entity_count, choice = roll(40);
    if (choice == 0)
        deliver(roll(SYSTEMS));
    else if (choice == 1)
        clear(roll(SYSTEMS));
    else if ((choice < 8 && count < ENTITIES) || count == 0)
        make();
    else {
        uint32_t recent = count < 12 ? count : 12, entity = count - 1 - roll(recent);
        if (is_alive(entity))
            change_living(entity);
    }
}

// What a listener does, the same in both.
static void act(void)
{
    for (uint32_t i = roll(3); i > 0 && left > 0; i--) {
        left--;
        change();
    }
}

static void act_in_context(ear *ear, kin_context *context, kin_entity entity)
{
    (void)ear, (void)context, (void)entity;
    act();
}

static void play_round(void)
{
    left = 30;
    for (uint32_t i = 0; i < 12; i++)
        change();
    deliver(0);
    deliver(1);
}

START_TEST(the_same_changes_make_the_same_calls_as_in_a_naive_model)
{
    static char told[sizeof text];
    static const char *const labels[EARS] = {"a", "b", "c", "d"};
    for (uint32_t i = 0; i < EARS; i++)
        ears[i] = (ear){.label = labels[i], .act = act_in_context};
    systems[0] = event_systems;
    systems[1] = kin__event_systems(evented());
    for (uint32_t i = 0; i < ROUNDS && entity_count + 50 < ENTITIES && hook_count + 50 < HOOKS; i++) {
        uint64_t seed = (uint64_t)_i * 1000 + i;
        modelling = false;
        random_state = seed;
        play_round();
        snprintf(told, sizeof told, "%s", heard());
        modelling = true;
        random_state = seed;
        text[0] = '\0';
        play_round();
        ck_assert_str_eq(told, text);
        ck_assert_uint_eq(made_count, entity_count);
    }
    kin_systems_destroy(systems[1]);
}
END_TEST

Suite *runtime_event_model_suite(void)
{
    Suite *suite = suite_create("runtime_event_model");
    TCase *tests = tcase_create("model");
    tcase_add_checked_fixture(tests, events_begin_solo, events_end);
    tcase_add_loop_test(tests, the_same_changes_make_the_same_calls_as_in_a_naive_model, 0, 20);
    suite_add_tcase(suite, tests);
    return suite;
}

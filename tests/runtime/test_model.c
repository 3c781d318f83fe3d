// The runtime against the rules, by random operations. A difference prints the seed, how many operations it takes, and
// the last of them; KIN_MODEL_SEED and KIN_MODEL_OPERATIONS run it again, or others.

#include "model.h"
#include "suites.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HANDLE_COUNT = 40, // known to a side: more than can be alive, so that none of those is forgotten
    MAX_ENTITIES = 24,
    MAX_SUBSCRIPTIONS = 20,
    MAX_DEPTH = 4,
    MAX_INNER = 40, // operations inside one
    LOG_LIMIT = 1 << 14
};

// What the operations are drawn from. Both sides draw the same as long as the worlds are the same.
struct model_side {
    const model_world *world;
    void *self;
    uint64_t random;
    kin_entity handles[HANDLE_COUNT];
    int32_t subscriptions[MAX_SUBSCRIPTIONS], subscription_count, next_subscription;
    bool collectors[MODEL_COLLECTORS];
    uint32_t depth, inner;
    model_record log[LOG_LIMIT];
    uint32_t log_count;
};

// ---- matchers

kin_matcher model_matcher(int32_t number)
{
    enum { A, B, BIG, C, F, G };
    switch (number) {
    case 0:
        return KIN_MATCHER(KIN_ALL(A));
    case 1:
        return KIN_MATCHER(KIN_ANY(A, B));
    case 2:
        return KIN_MATCHER(KIN_NONE(A));
    case 3:
        return KIN_MATCHER(KIN_ALL(A, B), KIN_NONE(F));
    case 4:
        return KIN_MATCHER(KIN_ONLY(A, F));
    case 5:
        return KIN_MATCHER(KIN_ANY(A, B, C), KIN_ANY(F, G));
    case 6:
        return KIN_MATCHER(KIN_ALL(BIG));
    case 7:
        return KIN_MATCHER(KIN_NONE(B, F));
    case 8:
        return KIN_MATCHER(KIN_ALL(F), KIN_NONE(G, BIG));
    case 9:
        return KIN_MATCHER(KIN_ONLY(C));
    case 10:
        return KIN_MATCHER(KIN_ANY(A, G), KIN_NONE(C));
    case 11:
        return KIN_MATCHER(KIN_ONLY(A), KIN_ONLY(B));
    case 12:
        return KIN_MATCHER(KIN_ALL(B, C, BIG));
    default:
        return KIN_MATCHER(KIN_ANY(F, G), KIN_ANY(A, F));
    }
}

// ---- drawing

// xorshift64*; Vigna, 2014.
static uint32_t draw(model_side *side, uint32_t end)
{
    uint64_t x = side->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    side->random = x;
    return (uint32_t)((x * 2685821657736338717u) >> 33) % end;
}

static kin_entity draw_entity(model_side *side)
{
    if (draw(side, 50) == 0)
        return draw(side, 2) == 0 ? 0 : (kin_entity)draw(side, 1000) << 24 | draw(side, 2000);
    kin_entity entity = 0;
    for (int i = 0; i < 4 && !side->world->is_alive(side->self, entity); i++) // mostly the living
        entity = side->handles[draw(side, HANDLE_COUNT)];
    return entity;
}

static const struct {
    model_code code;
    uint32_t weight;
} weights[] = {
    {MODEL_CREATE, 110},     {MODEL_DESTROY, 60},       {MODEL_ADD, 220},         {MODEL_REPLACE, 180},
    {MODEL_REMOVE, 140},     {MODEL_TOUCH, 50},         {MODEL_EDIT, 20},         {MODEL_DESTROY_ALL, 2},
    {MODEL_RESET, 4},        {MODEL_MAKE_GROUP, 5},     {MODEL_DESTROY_GROUP, 8}, {MODEL_SUBSCRIBE, 40},
    {MODEL_UNSUBSCRIBE, 30}, {MODEL_MAKE_COLLECTOR, 8}, {MODEL_END_COLLECTOR, 6}, {MODEL_ACTIVATE, 12},
    {MODEL_DEACTIVATE, 10},  {MODEL_CLEAR, 24},
};

static model_code draw_code(model_side *side)
{
    uint32_t sum = 0, i = 0;
    for (uint32_t k = 0; k < MODEL_CODE_COUNT; k++)
        sum += weights[k].weight;
    uint32_t rest = draw(side, sum);
    for (; rest >= weights[i].weight; i++)
        rest -= weights[i].weight;
    return weights[i].code;
}

// Fills in what watches what. False when there is none, or no room for one more.
static bool draw_watcher(model_side *side, model_operation *operation)
{
    int32_t collector = (int32_t)draw(side, MODEL_COLLECTORS);
    switch (operation->code) {
    case MODEL_SUBSCRIBE:
        operation->value = side->next_subscription;
        return side->subscription_count < MAX_SUBSCRIPTIONS;
    case MODEL_UNSUBSCRIBE:
        if (side->subscription_count > 0)
            operation->number = side->subscriptions[draw(side, (uint32_t)side->subscription_count)];
        return side->subscription_count > 0;
    case MODEL_MAKE_COLLECTOR:
        operation->value = collector;
        return !side->collectors[collector];
    case MODEL_END_COLLECTOR:
    case MODEL_ACTIVATE:
    case MODEL_DEACTIVATE:
    case MODEL_CLEAR:
        operation->number = collector;
        return side->collectors[collector];
    default:
        return true;
    }
}

static bool draw_operation(model_side *side, model_operation *operation)
{
    *operation = (model_operation){.code = draw_code(side),
                                   .entity = draw_entity(side),
                                   .component = (int32_t)draw(side, MODEL_COMPONENTS),
                                   .value = (int32_t)draw(side, 1000),
                                   .number = (int32_t)draw(side, MODEL_MATCHERS),
                                   .other = (int32_t)draw(side, MODEL_MATCHERS),
                                   .event = (kin_group_event)draw(side, 4)};
    if (operation->code == MODEL_EDIT && operation->component != 0)
        operation->component = 2;
    return draw_watcher(side, operation);
}

// ---- applying

static void remember_entity(model_side *side, kin_entity entity)
{
    uint32_t place = draw(side, HANDLE_COUNT);
    while (side->world->is_alive(side->self, side->handles[place]))
        place = (place + 1) % HANDLE_COUNT;
    side->handles[place] = entity;
}

// Before the operation: inside of it, its listeners may be the next to draw.
static void remember_watcher(model_side *side, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_SUBSCRIBE:
        side->subscriptions[side->subscription_count++] = side->next_subscription++;
        break;
    case MODEL_UNSUBSCRIBE:
        for (int32_t i = 0; i < side->subscription_count; i++)
            if (side->subscriptions[i] == operation->number)
                side->subscriptions[i] = side->subscriptions[--side->subscription_count];
        break;
    case MODEL_MAKE_COLLECTOR:
        side->collectors[operation->value] = true;
        break;
    case MODEL_END_COLLECTOR:
        side->collectors[operation->number] = false;
        break;
    default:
        break;
    }
}

static void operate(model_side *side)
{
    model_operation operation;
    if (!draw_operation(side, &operation))
        return;
    model_log(side, (model_record){.kind = MODEL_OPERATION,
                                   .place = (int32_t)operation.code,
                                   .entity = operation.entity,
                                   .component = operation.component,
                                   .value = operation.value,
                                   .number = operation.number,
                                   .previous = operation.other});
    remember_watcher(side, &operation);
    uint64_t result = side->world->apply(side->self, &operation);
    if (operation.code == MODEL_CREATE && result != 0)
        remember_entity(side, result);
    model_log(side, (model_record){.kind = MODEL_STATUS,
                                   .entity = operation.code == MODEL_CREATE ? result : 0,
                                   .number = operation.code == MODEL_CREATE ? 0 : (int32_t)result});
}

void model_log(model_side *side, model_record record)
{
    if (side->log_count == LOG_LIMIT)
        ck_abort_msg("one operation logs too much");
    side->log[side->log_count++] = record;
}

void model_call(model_side *side, model_record record)
{
    model_log(side, record);
    if (side->depth == MAX_DEPTH || side->inner >= MAX_INNER || draw(side, 100) >= 20)
        return;
    side->depth++;
    for (uint32_t left = 1 + draw(side, 3); left > 0; left--, side->inner++)
        operate(side);
    side->depth--;
}

// ---- comparing

static const char *const kinds[] = {"OPERATION", "status", "error", "call", "entity", "member", "collected", "count"};
static const char *const codes[] = {"create",        "destroy",    "add",         "replace",        "remove",
                                    "touch",         "edit",       "destroy_all", "reset",          "make_group",
                                    "destroy_group", "subscribe",  "unsubscribe", "make_collector", "end_collector",
                                    "activate",      "deactivate", "clear"};

static void print_record(const char *world, const model_record *record)
{
    fprintf(stderr, "  %s %s %s entity %" PRIu64 "/%u component %d number %d previous %d value %d place %d\n", world,
            kinds[record->kind], record->kind == MODEL_OPERATION ? codes[record->place] : "",
            kin_entity_creation_index(record->entity), kin_entity_slot(record->entity), record->component,
            record->number, record->previous, record->value, record->place);
}

static bool is_different(const model_record *a, const model_record *b)
{
    return a->entity != b->entity || a->kind != b->kind || a->number != b->number || a->component != b->component ||
           a->previous != b->previous || a->value != b->value || a->place != b->place;
}

// The place of the first difference; -1 when there is none.
static int64_t compare(const model_side *real, const model_side *naive)
{
    uint32_t count = real->log_count < naive->log_count ? real->log_count : naive->log_count;
    for (uint32_t i = 0; i < count; i++)
        if (is_different(&real->log[i], &naive->log[i]))
            return i;
    return real->log_count == naive->log_count ? -1 : (int64_t)count;
}

static void print_difference(const model_side *real, const model_side *naive, int64_t place)
{
    for (int64_t i = 0; i < place; i++)
        print_record("both ", &real->log[i]);
    for (int64_t i = place; i < place + 8; i++) {
        if (i < real->log_count)
            print_record("real ", &real->log[i]);
        if (i < naive->log_count)
            print_record("naive", &naive->log[i]);
    }
}

static void begin_side(model_side *side, const model_world *world, uint64_t seed)
{
    memset(side, 0, sizeof *side);
    side->world = world;
    side->random = seed * 0x9E3779B97F4A7C15u + 1;
    side->self = world->begin(side, MAX_ENTITIES);
}

static void take_turn(model_side *side)
{
    side->log_count = side->inner = 0;
    operate(side);
    side->world->show(side->self);
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void run(uint64_t seed, uint64_t operations)
{
    static model_side real, naive;
    begin_side(&real, &model_real, seed);
    begin_side(&naive, &model_naive, seed);
    for (uint64_t i = 1; i <= operations; i++) {
        take_turn(&real);
        take_turn(&naive);
        int64_t place = compare(&real, &naive);
        if (place < 0)
            continue;
        fprintf(stderr, "seed %" PRIu64 ": different at operation %" PRIu64 ", the shortest prefix that fails\n", seed,
                i);
        print_difference(&real, &naive, place);
        ck_abort_msg("run again with KIN_MODEL_SEED=%" PRIu64 " KIN_MODEL_OPERATIONS=%" PRIu64, seed, i);
    }
    real.world->end(real.self);
    naive.world->end(naive.self);
}

START_TEST(the_runtime_does_what_the_rules_say)
{
    run(number_from("KIN_MODEL_SEED", (uint64_t)_i), number_from("KIN_MODEL_OPERATIONS", 10000));
}
END_TEST

Suite *runtime_model_suite(void)
{
    Suite *suite = suite_create("runtime_model");
    TCase *tests = tcase_create("model");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, the_runtime_does_what_the_rules_say, 1, 11);
    suite_add_tcase(suite, tests);
    return suite;
}

// Shared values against a second implementation, which finds equal values and free numbers by looking at all: random
// operations, some of them within listeners, with statuses, addresses, numbers and counts compared; snapshots against
// copies of the second implementation. KIN_STEPS says how many.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <gallery/gallery.h>

#include <kin/memory.h>
#include <kin/reflect.h>
#include <kin/snapshot.h>

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 120000, SEEDS = 4, ENTITIES = 14, NUMBERS = 96, NONE = -1, DEEPEST = 3, MOMENTS = 4 };

// The values of one component that are stored.
typedef struct stored {
    bool is_used;
    uint32_t holders;
    const void *address; // NULL: not known yet
    Material material;
    Label label;
} stored;

// What the second implementation has at the moment of a snapshot.
typedef struct moment {
    kin_snapshot *snapshot; // NULL: none
    salon_entity entities[ENTITIES];
    int numbers[2][ENTITIES];
    stored values[2][NUMBERS];
} moment;

CASE(salon)

static salon_entity entities[ENTITIES];
static int numbers[2][ENTITIES]; // of Material and of Label
static stored values[2][NUMBERS];
static moment moments[MOMENTS];
static uint64_t state;
static int depth;    // of operations
static int unsteady; // operations under way that write several components one after the other

static const kin_component_id ids[] = {SALON_MATERIAL, SALON_LABEL};

// Like ck_assert, which is slow in the millions.
#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("line %d: not %s", __LINE__, #condition);                                                     \
    } while (0)

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void begin(void)
{
    salon_begin_with(&(kin_context_options){.on_error = ignore_error});
    memset(values, 0, sizeof values);
    memset(moments, 0, sizeof moments);
    for (int i = 0; i < ENTITIES; i++) {
        entities[i] = salon_create_entity(salon);
        numbers[0][i] = numbers[1][i] = NONE;
    }
    depth = unsteady = 0;
}

static void end(void)
{
    SAME(kin__context_is_valid(&salon->base));
    for (int i = 0; i < MOMENTS; i++)
        kin_snapshot_destroy(moments[i].snapshot);
    salon_end();
}

// ---- the second implementation

static bool are_texts_equal(const char *text, const char *other)
{
    return text == NULL || other == NULL ? text == other : strcmp(text, other) == 0;
}

static bool are_equal(int kind, const stored *value, const stored *other)
{
    if (kind == 0)
        return value->material.mesh == other->material.mesh &&
               memcmp(&value->material.tint, &other->material.tint, sizeof value->material.tint) == 0;
    return value->label.size == other->label.size && are_texts_equal(value->label.text, other->label.text) &&
           memcmp(&value->label.weight, &other->label.weight, sizeof value->label.weight) == 0;
}

// Returns the number of the value: that of an equal one, or the lowest that is free.
static int take(int kind, const stored *value)
{
    int lowest = NONE;
    for (int number = NUMBERS - 1; number >= 0; number--) {
        if (!values[kind][number].is_used)
            lowest = number;
        else if (are_equal(kind, &values[kind][number], value))
            return number;
    }
    SAME(lowest != NONE);
    values[kind][lowest] = *value;
    values[kind][lowest].is_used = true;
    return lowest;
}

static void hold(int kind, int at, int number)
{
    numbers[kind][at] = number;
    if (number != NONE)
        values[kind][number].holders++;
}

static void let_go(int kind, int at)
{
    int number = numbers[kind][at];
    if (number != NONE)
        values[kind][number].holders--;
    numbers[kind][at] = NONE;
}

// After the outermost operation: frees the numbers of values that nobody has.
static void settle(void)
{
    for (int kind = 0; depth == 0 && kind < 2; kind++)
        for (int number = 0; number < NUMBERS; number++)
            if (values[kind][number].is_used && values[kind][number].holders == 0)
                values[kind][number] = (stored){.is_used = false};
}

// ---- comparing

static stored stored_of(int kind, const void *address)
{
    stored value = {.address = address};
    if (kind == 0)
        value.material = *(const Material *)address;
    else
        value.label = *(const Label *)address;
    return value;
}

static void check_entity(int kind, int at)
{
    const void *address = kin_get(&salon->base, entities[at].id, ids[kind]);
    int number = numbers[kind][at];
    SAME((address != NULL) == (number != NONE));
    if (address == NULL)
        return;
    stored *expected = &values[kind][number], found = stored_of(kind, address);
    SAME(expected->address == NULL || expected->address == address);
    expected->address = address;
    SAME(are_equal(kind, &found, expected));
}

static int next_held(int kind, int number)
{
    while (number < NUMBERS && values[kind][number].holders == 0)
        number++;
    return number;
}

static void check_materials(void)
{
    int number = 0;
    salon_material_values it = salon_material_values_iterate(salon);
    while (salon_material_values_next(&it)) {
        number = next_held(0, number);
        SAME(number < NUMBERS && it.count == values[0][number].holders && it.value == values[0][number].address);
        number++;
    }
    SAME(next_held(0, number) == NUMBERS);
}

static void check_labels(void)
{
    int number = 0;
    salon_label_values it = salon_label_values_iterate(salon);
    while (salon_label_values_next(&it)) {
        number = next_held(1, number);
        SAME(number < NUMBERS && it.count == values[1][number].holders && it.value == values[1][number].address);
        number++;
    }
    SAME(next_held(1, number) == NUMBERS);
}

static void check(void)
{
    for (int at = 0; unsteady == 0 && at < ENTITIES; at++) {
        check_entity(0, at);
        check_entity(1, at);
    }
    if (unsteady > 0)
        return;
    check_materials();
    check_labels();
}

// ---- operations

static const float floats[] = {0.0f, -0.0f, 1.5f, NAN, INFINITY};
static const char *const texts[] = {NULL, "", "a", "b", "a text that is longer than a few words of memory"};

// Draws a value, with padding of any bytes.
static stored draw_value(int kind)
{
    stored value;
    memset(&value, (int)draw(256), sizeof value);
    value.holders = 0;
    value.address = NULL;
    if (kind == 0) {
        value.material.mesh = draw(3);
        value.material.tint = (Vec3){floats[draw(5)], floats[draw(2)], 0};
    } else {
        value.label.size = (uint8_t)draw(2);
        value.label.text = texts[draw(5)];
        value.label.weight = floats[draw(4)];
    }
    return value;
}

static const void *bytes_of(int kind, const stored *value)
{
    return kind == 0 ? (const void *)&value->material : (const void *)&value->label;
}

static bool is_alive(int at)
{
    return salon_entity_is_alive(salon, entities[at]);
}

// The value stays with the caller: its texts are copied.
static stored given(int kind, int at)
{
    int number = numbers[kind][at];
    return draw(6) == 0 && number != NONE ? stored_of(kind, kin_get(&salon->base, entities[at].id, ids[kind]))
                                          : draw_value(kind);
}

// The second implementation keeps the texts of the first in its values.
static stored with_own_texts(int kind, const stored *value)
{
    stored copy = *value;
    for (int i = 0; kind == 1 && i < 5; i++)
        if (are_texts_equal(texts[i], value->label.text))
            copy.label.text = texts[i];
    copy.address = NULL;
    copy.holders = 0;
    return copy;
}

static void add(int at)
{
    int kind = (int)draw(2);
    stored value = draw_value(kind);
    bool may = is_alive(at) && numbers[kind][at] == NONE;
    if (may)
        hold(kind, at, take(kind, &value));
    SAME((kin_add(&salon->base, entities[at].id, ids[kind], bytes_of(kind, &value)) == KIN_OK) == may);
}

static void replace(int at)
{
    int kind = (int)draw(2);
    bool may = is_alive(at);
    stored value = may ? given(kind, at) : draw_value(kind);
    stored own = with_own_texts(kind, &value);
    if (may) {
        int number = take(kind, &own);
        let_go(kind, at);
        hold(kind, at, number);
    }
    SAME((kin_replace(&salon->base, entities[at].id, ids[kind], bytes_of(kind, &value)) == KIN_OK) == may);
}

static void remove_one(int at)
{
    int kind = (int)draw(2);
    bool may = is_alive(at) && numbers[kind][at] != NONE;
    let_go(kind, at);
    SAME((kin_remove(&salon->base, entities[at].id, ids[kind]) == KIN_OK) == may);
}

static void destroy(int at)
{
    bool may = is_alive(at);
    let_go(0, at);
    let_go(1, at);
    SAME((salon_destroy_entity(salon, entities[at]) == KIN_OK) == may);
}

// Writes the components one after the other, with the calls of listeners between them.
static void clone(int at)
{
    int source = (int)draw(ENTITIES), took[2];
    if (is_alive(at) || !is_alive(source))
        return;
    for (int kind = 0; kind < 2; kind++)
        took[kind] = numbers[kind][source];
    unsteady++;
    salon_entity made = salon_clone_entity(salon, entities[source]);
    unsteady--;
    SAME(made.id != 0);
    if (is_alive(at)) {
        SAME(salon_destroy_entity(salon, made) == KIN_OK);
        return;
    }
    entities[at] = made;
    hold(0, at, took[0]);
    hold(1, at, took[1]);
}

static void spawn(int at)
{
    stored value = {.material = {.mesh = 3, .tint = {.y = 1.5f}}, .label = {.text = "stone"}};
    if (is_alive(at))
        return;
    int took[2] = {take(0, &value), take(1, &value)};
    unsteady++;
    salon_entity made = salon_spawn_statue(salon);
    unsteady--;
    SAME(made.id != 0);
    if (is_alive(at)) {
        SAME(salon_destroy_entity(salon, made) == KIN_OK);
        return;
    }
    entities[at] = made;
    hold(0, at, took[0]);
    hold(1, at, took[1]);
}

static void trim(int at)
{
    (void)at;
    kin_context_trim(&salon->base);
}

static void destroy_all(int at)
{
    if (depth > 1 || at > 0)
        return;
    unsteady++; // and no listener operates
    for (int i = 0; i < ENTITIES; i++) {
        let_go(0, i);
        let_go(1, i);
    }
    SAME((draw(2) == 0 ? salon_destroy_all_entities(salon) : salon_context_reset(salon)) == KIN_OK);
    memset(entities, 0, sizeof entities);
    unsteady--;
}

// Values that nobody has at the moment are not there afterwards.
static void save(int at)
{
    moment *moment = &moments[at % MOMENTS];
    if (depth > 1)
        return;
    SAME(salon_save(salon, &moment->snapshot) == KIN_OK);
    memcpy(moment->entities, entities, sizeof entities);
    memcpy(moment->numbers, numbers, sizeof numbers);
    memcpy(moment->values, values, sizeof values);
}

// The numbers come back, and values may have other addresses.
static void go_back(int at)
{
    const moment *moment = &moments[at % MOMENTS];
    if (depth > 1 || moment->snapshot == NULL)
        return;
    SAME(salon_restore(salon, moment->snapshot, KIN_RESTORE_EXACTLY) == KIN_OK);
    memcpy(entities, moment->entities, sizeof entities);
    memcpy(numbers, moment->numbers, sizeof numbers);
    memcpy(values, moment->values, sizeof values);
    for (int number = 0; number < NUMBERS; number++)
        values[0][number].address = values[1][number].address = NULL;
}

static void forget(int at)
{
    if (draw(4) > 0)
        return;
    kin_snapshot_destroy(moments[at % MOMENTS].snapshot);
    moments[at % MOMENTS].snapshot = NULL;
}

static void (*const operations[])(int at) = {add,     add,        add,         replace, replace, replace,
                                             replace, remove_one, remove_one,  destroy, clone,   clone,
                                             spawn,   trim,       destroy_all, save,    go_back, forget};

static void operate(void)
{
    depth++;
    operations[draw(sizeof operations / sizeof *operations)]((int)draw(ENTITIES));
    depth--;
    settle();
}

// Reads both values to their ends, operates, and reads them again.
static void operate_inside(const kin_change *change, void *user)
{
    int kind = change->component == SALON_MATERIAL ? 0 : 1;
    stored before[2], after;
    const void *shown[] = {change->previous, change->value};
    (void)user;
    if (change->component != SALON_MATERIAL && change->component != SALON_LABEL)
        return;
    for (int i = 0; i < 2; i++)
        if (shown[i] != NULL) {
            stored value = stored_of(kind, shown[i]);
            before[i] = with_own_texts(kind, &value);
        }
    check();
    for (int i = 0; unsteady == 0 && depth < DEEPEST && draw(4) == 0 && i < 2; i++)
        operate();
    for (int i = 0; i < 2; i++)
        if (shown[i] != NULL) {
            after = stored_of(kind, shown[i]);
            SAME(are_equal(kind, &after, &before[i]));
        }
}

// The sweep makes each request for memory fail: fewer steps are enough there.
START_TEST(shr_03_snp_01_shared_values_are_those_of_a_second_implementation_after_the_same_operations)
{
    uint64_t steps = environment_steps(getenv("KIN_SWEEP_COUNTS") == NULL ? STEPS : STEPS / 60, SEEDS);
    state = environment_seed((uint32_t)_i, SEEDS) + 1;
    if (_i % 2 == 1)
        kin_context_subscribe(&salon->base, KIN_COMPONENT_CHANGED, operate_inside, NULL);
    for (uint64_t i = 0; i < steps; i++) {
        operate();
        check();
        if (i % 512 == 0)
            SAME(kin__context_is_valid(&salon->base));
    }
    guard_check(&memory);
}
END_TEST

Suite *runtime_shared_random_suite(void)
{
    Suite *suite = suite_create("runtime_shared_random");
    TCase *tests = tcase_create("shared_random");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(
        tests, shr_03_snp_01_shared_values_are_those_of_a_second_implementation_after_the_same_operations, 0, SEEDS);
    suite_add_tcase(suite, tests);
    return suite;
}

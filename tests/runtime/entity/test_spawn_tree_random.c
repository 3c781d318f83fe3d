// Blueprints with children against plain calls: what a spawn makes equals what create and add make by hand, whatever
// listens, whichever slots are free, and whichever allocation fails.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "store/store.h"
#include "suites.h"

#include <garage/garage.h>
#include <kin/reflect.h>

#include <check.h>
#include <string.h>

enum { STEPS = 3000, PAIRS = 40, MOST_PARTS = 8, MOST_BYTES = 64 };

static kin_context *context;
static const kin_context_info *info;
static uint64_t state;
static kin_entity pairs[PAIRS][2]; // spawned, and made by hand
static uint32_t error_count;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

// Like ck_assert, which is slow in the millions.
#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg("line %d: not %s", __LINE__, #condition);                                                     \
    } while (0)

static void count_error(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
    error_count++;
}

// ---- by hand

static kin_entity make_entity(const kin_blueprint_info *from, const kin_relation_info *relation, kin_entity parent)
{
    _Alignas(max_align_t) char values[MOST_PARTS][MOST_BYTES];
    void *places[MOST_PARTS];
    kin_entity entity = kin_create(context);
    ck_assert_uint_le(from->component_count, MOST_PARTS);
    for (uint32_t i = 0; i < from->component_count; i++)
        places[i] = values[i];
    if (from->write_values != NULL)
        from->write_values(places);
    for (uint32_t i = 0; i < from->component_count; i++) {
        kin_component_id id = from->components[i];
        if (relation != NULL && relation->component == id)
            memcpy(values[i] + relation->field->offset, &parent, sizeof parent);
        SAME(info->components[id].size <= MOST_BYTES);
        SAME(kin_add(context, entity, id, info->components[id].size == 0 ? NULL : values[i]) == KIN_OK);
    }
    return entity;
}

static kin_entity make_by_hand(const kin_blueprint_info *blueprint)
{
    kin_entity made[32];
    ck_assert_uint_lt(blueprint->descendant_count, 32);
    made[0] = make_entity(blueprint, NULL, 0);
    for (uint32_t i = 0; i < blueprint->descendant_count; i++) {
        const kin_child_info *child = &info->children[blueprint->descendants[i].child];
        made[i + 1] =
            make_entity(&child->entity, &info->relations[child->relation], made[blueprint->descendants[i].parent]);
    }
    return made[0];
}

// ---- comparing

static bool fields_are_equal(const kin_field_info *field, const char *left, const char *right)
{
    const char *texts[2];
    if (field->type == KIN_TYPE_ENTITY)
        return (memcmp(left, &(kin_entity){0}, field->size) == 0) ==
               (memcmp(right, &(kin_entity){0}, field->size) == 0);
    if (field->type != KIN_TYPE_STRING)
        return memcmp(left, right, field->size) == 0;
    memcpy(&texts[0], left, sizeof texts[0]);
    memcpy(&texts[1], right, sizeof texts[1]);
    return texts[0] == NULL || texts[1] == NULL ? texts[0] == texts[1] : strcmp(texts[0], texts[1]) == 0;
}

static void compare_components(kin_entity spawned, kin_entity made)
{
    _Alignas(max_align_t) char values[2][MOST_BYTES];
    for (uint32_t id = 0; id < info->component_count; id++) {
        const kin_component_info *component = &info->components[id];
        bool has = kin__has(context, spawned, (kin_component_id)id, context->row_words);
        SAME(has == kin__has(context, made, (kin_component_id)id, context->row_words));
        if (!has || component->size == 0)
            continue;
        kin__value_read(context, kin_entity_slot(spawned), (kin_component_id)id, values[0]);
        kin__value_read(context, kin_entity_slot(made), (kin_component_id)id, values[1]);
        for (uint32_t i = 0; i < component->field_count; i++) {
            size_t offset = component->fields[i].offset;
            SAME(fields_are_equal(&component->fields[i], values[0] + offset, values[1] + offset));
        }
    }
}

// Compares two trees of entities, in the order of their children.
static void compare(kin_entity spawned, kin_entity made)
{
    compare_components(spawned, made);
    for (uint32_t i = 0; i < info->relation_count; i++) {
        kin_entity left = kin__relation_first(context, i, spawned), right = kin__relation_first(context, i, made);
        while (left != 0 && right != 0) {
            compare(left, right);
            left = kin__relation_next(context, i, left);
            right = kin__relation_next(context, i, right);
        }
        SAME(left == 0 && right == 0);
    }
}

// ---- steps

static uint32_t draw_blueprint(void)
{
    static const char *const names[2][6] = {{"Car", "Truck", "Convoy", "Shelf", "Wheel", "BigWheel"},
                                            {"Cart", "Pallet", "Cart", "Cart", "Cart", "Pallet"}};
    const char *name = names[info == &depot_info][draw(6)];
    uint32_t number = 0;
    while (strcmp(info->blueprints[number].name, name) != 0)
        number++;
    return number;
}

static kin_status spawn_many(uint32_t number, uint32_t count, kin_entity *roots)
{
    kin__batch batch = {.count = count, .entities = roots};
    return context->blueprints[number].tree == NULL ? kin__spawn_many(context, number, &batch)
                                                    : kin__spawn_trees(context, number, &batch);
}

static void keep(kin_entity spawned, kin_entity made)
{
    uint32_t place = draw(PAIRS);
    for (uint32_t i = 0; i < 2; i++)
        if (pairs[place][i] != 0)
            SAME(kin_destroy(context, pairs[place][i]) == KIN_OK);
    compare(spawned, made);
    pairs[place][0] = spawned;
    pairs[place][1] = made;
}

// Sometimes the memory is refused; then nothing may have changed.
static void spawn(void)
{
    uint32_t number = draw_blueprint(), count = draw(4) == 0 ? 1 + draw(5) : 1;
    uint32_t before = kin__entity_count(context), errors = error_count, calls = call_count;
    kin_entity roots[5];
    if (draw(3) == 0)
        guard_fail(&memory, 1 + draw(6), draw(2) == 0);
    kin_status status = KIN_OK;
    if (count > 1 || draw(2) == 0)
        status = spawn_many(number, count, roots);
    else
        roots[0] = kin_spawn(context, number);
    guard_fail(&memory, 0, false);
    if (status != KIN_OK || roots[0] == 0) {
        SAME(error_count == errors + 1 && call_count == calls && kin__entity_count(context) == before);
        SAME(roots[0] == 0);
        return;
    }
    SAME(kin__entity_count(context) == before + count * (1 + info->blueprints[number].descendant_count));
    for (uint32_t i = 0; i < count; i++)
        keep(roots[i], make_by_hand(&info->blueprints[number]));
}

static kin_subscription watching;
static bool is_watching;

static void toggle_listener(void)
{
    if (is_watching)
        kin_unsubscribe(watching);
    else if (draw(2) == 0)
        watching = kin_context_subscribe(context, KIN_COMPONENT_CHANGED, count_call, NULL);
    else
        watching = kin_group_subscribe(kin_context_group(context, KIN_MATCHER(KIN_ALL(0, 1))), KIN_ADDED_OR_REMOVED,
                                       count_call, NULL);
    is_watching = !is_watching;
}

static void reset(void)
{
    SAME(kin__context_reset(context) == KIN_OK);
    memset(pairs, 0, sizeof pairs);
}

static void step(void)
{
    switch (draw(40)) {
    case 0:
        toggle_listener();
        break;
    case 1:
        if (draw(20) == 0)
            reset();
        break;
    case 2:
        kin_context_trim(context);
        break;
    default:
        spawn();
    }
}

START_TEST(random_spawns_equal_plain_calls)
{
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = count_error};
    context = _i % 2 == 0 ? &fleet_context_create(&options)->base : &depot_context_create(&options)->base;
    info = kin_context_info_of(context);
    state = (uint64_t)_i;
    is_watching = false;
    memset(pairs, 0, sizeof pairs);
    for (uint32_t i = 0; i < STEPS; i++) {
        step();
        if (i % 64 == 0)
            SAME(kin__context_is_valid(context));
    }
    kin__context_destroy(context);
    guard_end(&memory);
}
END_TEST

Suite *runtime_spawn_tree_random_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_tree_random");
    TCase *random = tcase_create("random");
    tcase_set_timeout(random, 240);
    tcase_add_loop_test(random, random_spawns_equal_plain_calls, 0, 6);
    suite_add_tcase(suite, random);
    return suite;
}

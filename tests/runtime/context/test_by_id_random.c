// Random edits by id (kin/reflect.h) leave a context equal to the same edits by typed functions (RFL-01).
#include "entity/entity.h"
#include "runtime/support/drops.h"
#include "runtime/support/guard.h"
#include "runtime/support/support.h"
#include "suites.h"
#include <closet/closet.h>
#include <kin/reflect.h>
#include <relay/relay.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDITS = 100000, MOST = 40, TEXT_SIZE = 4096, LOG_SIZE = 1 << 16, LARGEST = 256 };

// ---- two contexts: one is edited by the typed functions, the other by id

typedef struct side {
    closet_context *closet;
    guard memory;
    error_log errors;
    closet_entity entities[MOST]; // dead and alive
    kin_collector *collector;
    char journal[LOG_SIZE]; // the calls of listeners since the last comparison
    size_t size;
    char drops[256];
} side;

static side typed, by_id;

static void on_change(const kin_change *change, void *user)
{
    side *to = user;
    char before[300], after[300];
    kin_component_describe(change->context, change->component, change->previous, before, sizeof before);
    kin_component_describe(change->context, change->component, change->value, after, sizeof after);
    size_t free = sizeof to->journal - to->size;
    int length =
        snprintf(to->journal + to->size, free, "%llu %s %s\n", (unsigned long long)change->entity, before, after);
    to->size += length < 0 || (size_t)length >= free ? 0 : (size_t)length;
}

static void side_begin(side *made)
{
    kin_context_options options = {.allocator = guard_begin(&made->memory),
                                   .on_error = error_log_append,
                                   .error_user = &made->errors,
                                   .hash_seed = 1};
    made->closet = closet_context_create(&options);
    made->size = 0;
    memset(made->entities, 0, sizeof made->entities);
    kin_group *const groups[] = {
        closet_cells_group(made->closet), closet_coats_group(made->closet),
        closet_group(made->closet, KIN_MATCHER(KIN_ANY(CLOSET_COIN, CLOSET_TRUNK))),
        closet_group(made->closet, KIN_MATCHER(KIN_ALL(CLOSET_TRAIL), KIN_NONE(CLOSET_LOCKED)))};
    for (uint32_t i = 0; i < 4; i++) {
        kin_group_subscribe(groups[i], KIN_ADDED_OR_REMOVED, on_change, made);
        kin_group_subscribe(groups[i], KIN_MODIFIED, on_change, made);
    }
    made->collector = kin_collector_create(&(kin_trigger){groups[0], KIN_ADDED_OR_REMOVED}, 1);
}

static void side_end(side *ended)
{
    ck_assert(kin__context_is_valid(&ended->closet->base));
    kin_collector_destroy(ended->collector);
    drops();
    closet_context_destroy(ended->closet);
    guard_end(&ended->memory);
}

// A component of an entity, and the number from which its value is made.
typedef struct edit {
    uint32_t verb, place, id, number;
} edit;

static const char *text_of(uint32_t number)
{
    static char text[16];
    snprintf(text, sizeof text, "n%u", number);
    return number % 7 == 0 ? NULL : text;
}

static Trunk trunk_of(uint32_t number)
{
    Trunk trunk = {.name = text_of(number)};
    trunk.weights[number % 40] = (int32_t)number;
    return trunk;
}

#define TYPED(component, ...)                                                                                          \
    (edit->verb == 0   ? closet_add_##component(closet, entity, (__VA_ARGS__))                                         \
     : edit->verb == 1 ? closet_replace_##component(closet, entity, (__VA_ARGS__))                                     \
                       : closet_remove_##component(closet, entity))

static kin_status edit_typed(closet_context *closet, closet_entity entity, const edit *edit)
{
    int32_t number = (int32_t)edit->number;
    switch (edit->id) {
    case CLOSET_CELL:
        return TYPED(cell, (Cell){number, -number});
    case CLOSET_COAT:
        return TYPED(coat, (Coat){text_of(edit->number), number});
    case CLOSET_COIN:
        return TYPED(coin, (Coin){{number}});
    case CLOSET_CROWN:
        return TYPED(crown, (Crown){number});
    case CLOSET_LABEL:
        return TYPED(label, (Label){text_of(edit->number)});
    case CLOSET_NUMBER:
        return TYPED(number, (Number){number});
    case CLOSET_TRAIL:
        return TYPED(trail, (Trail){(float)number / 2, (uint8_t)number});
    case CLOSET_TRUNK:
        return TYPED(trunk, trunk_of(edit->number));
    default:
        return closet_set_locked(closet, entity, edit->verb < 2);
    }
}

#define VALUE(type, ...)                                                                                               \
    do {                                                                                                               \
        type made = __VA_ARGS__;                                                                                       \
        memcpy(value, &made, sizeof made);                                                                             \
    } while (0)

static void make_value(const edit *edit, void *value)
{
    int32_t number = (int32_t)edit->number;
    if (edit->id == CLOSET_CELL)
        VALUE(Cell, {number, -number});
    else if (edit->id == CLOSET_COAT)
        VALUE(Coat, {text_of(edit->number), number});
    else if (edit->id == CLOSET_COIN)
        VALUE(Coin, {{number}});
    else if (edit->id == CLOSET_CROWN)
        VALUE(Crown, {number});
    else if (edit->id == CLOSET_LABEL)
        VALUE(Label, {text_of(edit->number)});
    else if (edit->id == CLOSET_NUMBER)
        VALUE(Number, {number});
    else if (edit->id == CLOSET_TRAIL)
        VALUE(Trail, {(float)number / 2, (uint8_t)number});
    else if (edit->id == CLOSET_TRUNK)
        VALUE(Trunk, trunk_of(edit->number));
}

static kin_status edit_by_id(kin_context *context, kin_entity entity, const edit *edit)
{
    alignas(max_align_t) char value[LARGEST] = {0};
    kin_component_id id = (kin_component_id)edit->id;
    make_value(edit, value);
    if (id == CLOSET_LOCKED)
        return kin_set_flag(context, entity, id, edit->verb < 2);
    if (edit->verb == 0)
        return kin_add(context, entity, id, value);
    return edit->verb == 1 ? kin_replace(context, entity, id, value) : kin_remove(context, entity, id);
}

static void keep_drops(side *at)
{
    snprintf(at->drops, sizeof at->drops, "%s", drops());
}

// Creates an entity, or clones that of a place, for the place after it.
static void make_both(const edit *edit)
{
    uint32_t next = (edit->place + 1) % MOST;
    closet_entity source = typed.entities[edit->place];
    if (closet_entity_is_alive(typed.closet, typed.entities[next]))
        return;
    typed.entities[next] =
        edit->verb == 4 ? closet_create_entity(typed.closet) : closet_clone_entity(typed.closet, source);
    by_id.entities[next].id =
        edit->verb == 4 ? kin_create(&by_id.closet->base) : kin_clone(&by_id.closet->base, source.id);
    ck_assert_uint_eq(typed.entities[next].id, by_id.entities[next].id);
}

// Edits a component, or destroys the entity, in both contexts.
static void edit_both(const edit *edit)
{
    closet_entity one = typed.entities[edit->place], two = by_id.entities[edit->place];
    drops();
    kin_status first = edit->verb < 3 ? edit_typed(typed.closet, one, edit) : closet_destroy_entity(typed.closet, one);
    keep_drops(&typed);
    kin_status second =
        edit->verb < 3 ? edit_by_id(&by_id.closet->base, two.id, edit) : kin_destroy(&by_id.closet->base, two.id);
    keep_drops(&by_id);
    ck_assert_int_eq(first, second);
    ck_assert_str_eq(typed.drops, by_id.drops);
}

static void compare_all(void)
{
    static char one[TEXT_SIZE], two[TEXT_SIZE];
    uint32_t first = 0, second = 0;
    for (uint32_t i = 0; i < MOST; i++) {
        kin_describe_entity(&typed.closet->base, typed.entities[i].id, one, sizeof one);
        kin_describe_entity(&by_id.closet->base, by_id.entities[i].id, two, sizeof two);
        ck_assert_str_eq(one, two);
    }
    ck_assert_str_eq(typed.journal, by_id.journal);
    ck_assert_uint_lt(typed.size, LOG_SIZE - 1);
    const kin_entity *collected = kin_collector_entities(typed.collector, &first);
    const kin_entity *others = kin_collector_entities(by_id.collector, &second);
    ck_assert_uint_eq(first, second);
    for (uint32_t i = 0; i < first; i++)
        ck_assert_uint_eq(collected[i], others[i]);
    kin_collector_clear(typed.collector);
    kin_collector_clear(by_id.collector);
    typed.size = by_id.size = 0;
    typed.journal[0] = by_id.journal[0] = '\0';
    error_log_clear(&typed.errors);
    error_log_clear(&by_id.errors);
}

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)state * below >> 32);
}

START_TEST(rfl_01_random_edits_by_id_leave_a_context_equal_to_typed_ones)
{
    static const uint32_t verbs[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 5};
    state = 1;
    side_begin(&typed);
    side_begin(&by_id);
    // The sweep makes each request for memory fail, in a process of its own: fewer edits are enough there.
    uint32_t count = getenv("KIN_SWEEP_COUNTS") == NULL ? EDITS : EDITS / 50;
    for (uint32_t i = 0; i < count; i++) {
        edit edit = {verbs[draw(sizeof verbs / sizeof *verbs)], draw(MOST), draw(CLOSET_COMPONENT_COUNT), draw(50)};
        if (edit.verb < 4)
            edit_both(&edit);
        else
            make_both(&edit);
        ck_assert_uint_eq(typed.errors.count, by_id.errors.count);
        if (i % 100 == 99)
            compare_all();
    }
    side_end(&typed);
    side_end(&by_id);
}
END_TEST

Suite *runtime_by_id_random_suite(void)
{
    Suite *suite = suite_create("runtime_by_id_random");
    TCase *both = tcase_create("both");
    tcase_set_timeout(both, 60);
    tcase_add_test(both, rfl_01_random_edits_by_id_leave_a_context_equal_to_typed_ones);
    suite_add_tcase(suite, both);
    return suite;
}

// Lists against plain arrays: random operations, with statuses and elements compared; snapshots against copies of the
// arrays. KIN_STEPS says how many.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <satchel/satchel.h>

#include <kin/memory.h>
#include <kin/snapshot.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 1000000, SEEDS = 4, ENTITIES = 12, MOST = 300, MOMENTS = 4 };

// A list of the second implementation.
typedef struct array {
    bool exists; // the component, and with it the list
    uint32_t count;
    uint16_t elements[MOST];
} array;

// What the second implementation has at the moment of a snapshot.
typedef struct moment {
    kin_snapshot *snapshot; // NULL: none
    shop_entity entities[ENTITIES];
    array words[ENTITIES], books[ENTITIES];
} moment;

CASE(shop)

static shop_entity entities[ENTITIES];
static array words[ENTITIES], books[ENTITIES]; // Memo.words, Shelf.books
static moment moments[MOMENTS];
static uint64_t state;
static kin_status reported;

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

static void note_error(const kin_error *error, void *user)
{
    (void)user;
    reported = error->status;
}

static void begin(void)
{
    shop_begin_with(&(kin_context_options){.on_error = note_error});
    memset(words, 0, sizeof words);
    memset(books, 0, sizeof books);
    memset(moments, 0, sizeof moments);
    for (int i = 0; i < ENTITIES; i++)
        entities[i] = shop_create_entity(shop);
}

static void end(void)
{
    SAME(kin__context_is_valid(&shop->base));
    for (int i = 0; i < MOMENTS; i++)
        kin_snapshot_destroy(moments[i].snapshot);
    shop_end();
}

// ---- comparing

static void check_words(const Memo *memo, const array *expected)
{
    SAME((memo != NULL) == expected->exists);
    if (memo == NULL)
        return;
    SAME(memo->words.count == expected->count);
    SAME(expected->count == 0 || memcmp(memo->words.at, expected->elements, expected->count * sizeof(uint16_t)) == 0);
}

static void check_books(const Shelf *shelf, const array *expected)
{
    SAME((shelf != NULL) == expected->exists);
    if (shelf == NULL)
        return;
    SAME(shelf->books.count == expected->count);
    for (uint32_t i = 0; i < expected->count; i++)
        SAME(shelf->books.at[i] == expected->elements[i]);
}

static void check(uint32_t at)
{
    check_words(shop_get_memo(shop, entities[at]), &words[at]);
    check_books(shop_get_shelf(shop, entities[at]), &books[at]);
}

// ---- the second implementation

static kin_status insert(array *array, uint32_t index, uint16_t element)
{
    if (!array->exists)
        return KIN_ERROR_NO_COMPONENT;
    if (index > array->count)
        return KIN_ERROR_INVALID;
    for (uint32_t i = array->count++; i > index; i--)
        array->elements[i] = array->elements[i - 1];
    array->elements[index] = element;
    return KIN_OK;
}

static kin_status erase(array *array, uint32_t index)
{
    if (!array->exists)
        return KIN_ERROR_NO_COMPONENT;
    if (index >= array->count)
        return KIN_ERROR_INVALID;
    array->count--;
    for (uint32_t i = index; i < array->count; i++)
        array->elements[i] = array->elements[i + 1];
    return KIN_OK;
}

static kin_status resize(array *array, uint32_t count)
{
    if (!array->exists)
        return KIN_ERROR_NO_COMPONENT;
    for (uint32_t i = array->count; i < count; i++)
        array->elements[i] = 0;
    array->count = count;
    return KIN_OK;
}

static void fill(array *array)
{
    array->exists = true;
    array->count = draw(4) == 0 ? draw(MOST / 2) : draw(6);
    for (uint32_t i = 0; i < array->count; i++)
        array->elements[i] = (uint16_t)draw(1000);
}

// ---- operations on one entity, with half of them on each list

static void push(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    uint16_t element = (uint16_t)draw(1000);
    if (array->count == MOST)
        return;
    kin_status status = is_words ? shop_push_memo_words(shop, entities[at], element)
                                 : shop_push_shelf_books(shop, entities[at], element);
    SAME(status == insert(array, array->count, element));
}

static void insert_one(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    uint32_t index = draw(array->count + 2);
    uint16_t element = (uint16_t)draw(1000);
    if (array->count == MOST)
        return;
    kin_status status = is_words ? shop_insert_memo_words(shop, entities[at], index, element)
                                 : shop_insert_shelf_books(shop, entities[at], index, element);
    SAME(status == insert(array, index, element));
}

static void erase_one(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    uint32_t index = draw(array->count + 1);
    kin_status status =
        is_words ? shop_erase_memo_words(shop, entities[at], index) : shop_erase_shelf_books(shop, entities[at], index);
    SAME(status == erase(array, index));
}

static void resize_one(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    uint32_t count = draw(8) == 0 ? draw(MOST) : draw(10);
    kin_status status = is_words ? shop_resize_memo_words(shop, entities[at], count)
                                 : shop_resize_shelf_books(shop, entities[at], count);
    SAME(status == resize(array, count));
}

static void edit_one(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    uint32_t count, index = draw(MOST);
    uint16_t *edited_words = is_words ? shop_edit_memo_words(shop, entities[at], &count) : NULL;
    uint32_t *edited_books = is_words ? NULL : shop_edit_shelf_books(shop, entities[at], &count);
    SAME(count == array->count);
    if (index >= count)
        return;
    array->elements[index] = 7;
    if (is_words)
        edited_words[index] = 7;
    else
        edited_books[index] = 7;
    kin_status status = is_words ? shop_touch_memo(shop, entities[at]) : shop_touch_shelf(shop, entities[at]);
    SAME(status == KIN_OK);
}

static void replace(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    uint32_t wide[MOST];
    fill(array);
    for (uint32_t i = 0; i < array->count; i++)
        wide[i] = array->elements[i];
    Memo memo = {.words = {array->elements, array->count}, .label = draw(2) == 0 ? "label" : NULL};
    Shelf shelf = {.row = draw(3), .books = {wide, array->count}};
    kin_status status =
        is_words ? shop_replace_memo(shop, entities[at], memo) : shop_replace_shelf(shop, entities[at], shelf);
    SAME(status == KIN_OK);
}

static void remove_one(uint32_t at, bool is_words)
{
    array *array = is_words ? &words[at] : &books[at];
    kin_status status = is_words ? shop_remove_memo(shop, entities[at]) : shop_remove_shelf(shop, entities[at]);
    SAME(status == (array->exists ? KIN_OK : KIN_ERROR_NO_COMPONENT));
    array->exists = false;
    array->count = 0;
}

static void stash(uint32_t at, bool is_words)
{
    if (!is_words || shop_stash_memo(shop, entities[at]) != KIN_OK)
        return;
    check_words(shop_get_memo(shop, entities[at]), &(array){.exists = false});
    SAME(shop_restore_memo(shop, entities[at]) == KIN_OK);
}

// Destroys one entity, and makes a clone of another one in its place.
static void clone(uint32_t at, bool is_words)
{
    uint32_t source = draw(ENTITIES);
    (void)is_words;
    if (source == at)
        return;
    SAME(shop_destroy_entity(shop, entities[at]) == KIN_OK);
    entities[at] = shop_clone_entity(shop, entities[source]);
    words[at] = words[source];
    books[at] = books[source];
}

static void trim(uint32_t at, bool is_words)
{
    (void)at;
    if (is_words && draw(8) == 0)
        kin_context_trim(&shop->base);
}

static void save(uint32_t at, bool is_words)
{
    moment *moment = &moments[at % MOMENTS];
    if (!is_words)
        return;
    SAME(shop_save(shop, &moment->snapshot) == KIN_OK);
    memcpy(moment->entities, entities, sizeof entities);
    memcpy(moment->words, words, sizeof words);
    memcpy(moment->books, books, sizeof books);
}

static void go_back(uint32_t at, bool is_words)
{
    const moment *moment = &moments[at % MOMENTS];
    if (!is_words || moment->snapshot == NULL)
        return;
    SAME(shop_restore(shop, moment->snapshot, KIN_RESTORE_EXACTLY) == KIN_OK);
    memcpy(entities, moment->entities, sizeof entities);
    memcpy(words, moment->words, sizeof words);
    memcpy(books, moment->books, sizeof books);
    for (uint32_t i = 0; i < ENTITIES; i++)
        check(i);
}

static void forget(uint32_t at, bool is_words)
{
    if (!is_words || draw(4) > 0)
        return;
    kin_snapshot_destroy(moments[at % MOMENTS].snapshot);
    moments[at % MOMENTS].snapshot = NULL;
}

static void (*const operations[])(uint32_t at, bool is_words) = {
    push,     push,    push,       push,  push,  insert_one, insert_one, erase_one, erase_one, resize_one,
    edit_one, replace, remove_one, stash, clone, trim,       save,       go_back,   forget};

// Pushes inside of every eighth change of a memo, until its list has moved, and compares what the call was given before
// and after that.
static void operate_inside(const kin_change *change, void *user)
{
    static bool is_nested;
    (void)user;
    if (is_nested || draw(8) > 0 || change->component != SHOP_MEMO || change->value == NULL)
        return;
    is_nested = true;
    const Memo *memo = change->value;
    uint32_t count = memo->words.count;
    uint16_t copy[MOST];
    if (count > 0)
        memcpy(copy, memo->words.at, count * sizeof *copy);
    for (uint32_t i = 0; i < 400; i++)
        shop_push_memo_words(shop, (shop_entity){change->entity}, 1);
    SAME(memo->words.count == count && (count == 0 || memcmp(memo->words.at, copy, count * sizeof *copy) == 0));
    if (shop_has_memo(shop, (shop_entity){change->entity}))
        shop_resize_memo_words(shop, (shop_entity){change->entity}, count);
    is_nested = false;
}

START_TEST(lst_03_snp_01_lists_are_what_plain_arrays_are_after_the_same_operations)
{
    uint64_t steps = environment_steps(STEPS, SEEDS);
    state = environment_seed((uint32_t)_i, SEEDS) + 1;
    kin_context_subscribe(&shop->base, KIN_COMPONENT_CHANGED, operate_inside, NULL);
    for (uint64_t i = 0; i < steps; i++) {
        uint32_t at = draw(ENTITIES);
        operations[draw(sizeof operations / sizeof *operations)](at, draw(2) == 0);
        check(at);
    }
    for (uint32_t i = 0; i < ENTITIES; i++)
        check(i);
    guard_check(&memory);
}
END_TEST

Suite *runtime_list_random_suite(void)
{
    Suite *suite = suite_create("runtime_list_random");
    TCase *tests = tcase_create("list_random");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, lst_03_snp_01_lists_are_what_plain_arrays_are_after_the_same_operations, 0, SEEDS);
    suite_add_tcase(suite, tests);
    return suite;
}

// Ordered indices while anything changes, beside a sorted array (FND). Changes happen between the steps of walks and in
// listeners; the array is made from the components of living entities whenever it is compared.
//
//   KIN_STEPS  how many random steps the game takes
#include "runtime/support/case.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <ladder/ladder.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 220, WALKS = 6, DEEPEST = 3, STRING = 64, STEPS = 60000, CHECKED = 500 };

CASE(rack)

static uint32_t state, depth;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

// ---- values

// What the components of an entity say, or a look-up.
typedef struct values {
    const char *text;
    Score score;
    Sprite sprite;
    char mark[6];
} values;

static const char *draw_text(void)
{
    static const char *const texts[] = {NULL,
                                        "",
                                        "a",
                                        "ab",
                                        "b",
                                        "\xff",
                                        "0123456789012345678901234567890123456789012345678901234567890ab",
                                        "0123456789012345678901234567890123456789012345678901234567890abc",
                                        "0123456789012345678901234567890123456789012345678901234567890abd",
                                        "0123456789012345678901234567890123456789012345678901234567890ac"};
    return texts[draw(sizeof texts / sizeof *texts)];
}

static float draw_depth(void)
{
    static const float depths[] = {0, -0.0F, 1, -1, 1e30F, -1e30F, INFINITY, -INFINITY, NAN, 1e-40F};
    return draw(2) == 0 ? depths[draw(sizeof depths / sizeof *depths)] : (float)draw(40) - 20;
}

static values draw_values(void)
{
    values drawn = {.text = draw_text(),
                    .score = {(int32_t)draw(12) - 6, (int32_t)draw(9)},
                    .sprite = {(int16_t)(draw(5) - 2), draw_depth()}};
    if (draw(9) == 0)
        drawn.score.points = draw(2) == 0 ? INT32_MIN : INT32_MAX;
    for (uint32_t i = draw(6); i > 0; i--)
        drawn.mark[i - 1] = "ax\x80"[draw(3)];
    return drawn;
}

// ---- keys

enum { BY_POINTS, BY_DEPTH, BY_TITLE, INDICES };

// A key of any index: text descending, then the others ascending.
typedef struct key {
    unsigned char text[STRING];
    int64_t number;
    double real;
    char mark[6];
    uint32_t slot;
    kin_entity entity;
} key;

static double ordered_depth(float depth)
{
    if (isnan(depth))
        return -INFINITY; // behind the greatest number, and so first in descending order
    return isinf(depth) ? copysign(1e300, -depth) : -(double)depth;
}

static key key_of(uint32_t index, const values *values)
{
    key made = {.number = index == BY_DEPTH ? values->sprite.layer : values->score.points};
    if (index == BY_DEPTH)
        made.real = ordered_depth(values->sprite.depth);
    if (index != BY_TITLE)
        return made;
    size_t size = values->text == NULL ? 0 : strlen(values->text);
    memcpy(made.text, values->text == NULL ? "" : values->text, size < STRING ? size : STRING - 1);
    made.text[STRING - 1] = size >= STRING;
    memcpy(made.mark, values->mark, sizeof made.mark);
    return made;
}

static int compare_keys(const key *a, const key *b)
{
    int order = memcmp(b->text, a->text, sizeof a->text);
    if (order == 0)
        order = (a->number > b->number) - (a->number < b->number);
    if (order == 0)
        order = (a->real > b->real) - (a->real < b->real);
    return order != 0 ? order : memcmp(a->mark, b->mark, sizeof a->mark);
}

static int compare(const void *a, const void *b)
{
    const key *left = a;
    const key *right = b;
    int order = compare_keys(left, right);
    return order != 0 ? order : (left->slot > right->slot) - (left->slot < right->slot);
}

// ---- the sorted array

static key sorted[MOST * 4];
static uint32_t sorted_count;

static bool matches(uint32_t index, rack_entity entity)
{
    if (index == BY_DEPTH)
        return rack_has_sprite(rack, entity) && !rack_is_hidden(rack, entity);
    return rack_has_score(rack, entity) && (index == BY_POINTS || rack_has_title(rack, entity));
}

static values values_of(rack_entity entity)
{
    values found = {.text = NULL};
    if (rack_has_score(rack, entity))
        found.score = *rack_get_score(rack, entity);
    if (rack_has_sprite(rack, entity))
        found.sprite = *rack_get_sprite(rack, entity);
    if (rack_has_title(rack, entity)) {
        found.text = rack_get_title(rack, entity)->text;
        memcpy(found.mark, rack_get_title(rack, entity)->mark, sizeof found.mark);
    }
    return found;
}

static void sort(uint32_t index)
{
    uint32_t count;
    const rack_entity *entities = rack_entities(rack, &count);
    ck_assert_uint_le(count, MOST * 4);
    sorted_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!matches(index, entities[i]))
            continue;
        values values = values_of(entities[i]);
        sorted[sorted_count] = key_of(index, &values);
        sorted[sorted_count].slot = kin_entity_slot(entities[i].id);
        sorted[sorted_count++].entity = entities[i].id;
    }
    qsort(sorted, sorted_count, sizeof *sorted, compare);
}

// ---- the functions of all indices

typedef union iter {
    rack_score_points_iter points;
    rack_by_depth_iter depth;
    rack_by_title_iter title;
} iter;

#define POINTS(v) (v)->score.points
#define DEPTH(v)  (v)->sprite.layer, (v)->sprite.depth
#define TITLE(v)  (v)->text, (v)->score.points, (v)->mark

#define FUNCTIONS(name, index, VALUES)                                                                                 \
    static void name##_begin(iter *it, bool is_last)                                                                   \
    {                                                                                                                  \
        it->name = is_last ? rack_##index##_from_last(rack) : rack_##index##_begin(rack);                              \
    }                                                                                                                  \
    static void name##_from(iter *it, const values *from)                                                              \
    {                                                                                                                  \
        it->name = rack_##index##_from(rack, VALUES(from));                                                            \
    }                                                                                                                  \
    static void name##_range(iter *it, const values *low, const values *high)                                          \
    {                                                                                                                  \
        it->name = rack_##index##_range(rack, VALUES(low), VALUES(high));                                              \
    }                                                                                                                  \
    static kin_entity name##_step(iter *it, bool goes_on)                                                              \
    {                                                                                                                  \
        bool found = goes_on ? rack_##index##_next(&it->name) : rack_##index##_previous(&it->name);                    \
        ck_assert(found == (it->name.entity.id != 0));                                                                 \
        return it->name.entity.id;                                                                                     \
    }                                                                                                                  \
    static kin_entity name##_end(bool is_last)                                                                         \
    {                                                                                                                  \
        return (is_last ? rack_##index##_last(rack) : rack_##index##_first(rack)).id;                                  \
    }                                                                                                                  \
    static uint32_t name##_rank(const values *below)                                                                   \
    {                                                                                                                  \
        return rack_##index##_count_below(rack, VALUES(below));                                                        \
    }

FUNCTIONS(points, score_points, POINTS)
FUNCTIONS(depth, by_depth, DEPTH)
FUNCTIONS(title, by_title, TITLE)

static const struct {
    void (*begin)(iter *it, bool is_last);
    void (*from)(iter *it, const values *from);
    void (*range)(iter *it, const values *low, const values *high);
    kin_entity (*step)(iter *it, bool goes_on);
    kin_entity (*end)(bool is_last);
    uint32_t (*rank)(const values *below);
} functions[INDICES] = {{points_begin, points_from, points_range, points_step, points_end, points_rank},
                        {depth_begin, depth_from, depth_range, depth_step, depth_end, depth_rank},
                        {title_begin, title_from, title_range, title_step, title_end, title_rank}};

// ---- walks

// Where a walk stands: behind all keys below `at`, and behind `at` itself if `is_after`.
typedef struct walk {
    iter iter;
    uint32_t index;
    bool is_begun, is_first, is_last, is_entry, is_range, is_fresh;
    key at, low, high;
} walk;

static walk walks[WALKS];

static void begin_walk(walk *begun)
{
    values low = draw_values();
    values high = draw_values();
    uint32_t index = draw(INDICES);
    *begun = (walk){.index = index, .is_begun = true, .at = key_of(index, &low)};
    switch (draw(4)) {
    case 0:
        begun->is_first = true;
        functions[index].begin(&begun->iter, false);
        return;
    case 1:
        begun->is_last = true;
        functions[index].begin(&begun->iter, true);
        return;
    case 2:
        functions[index].from(&begun->iter, &low);
        return;
    default:
        begun->is_range = begun->is_fresh = true;
        begun->low = begun->at;
        begun->high = key_of(index, &high);
        functions[index].range(&begun->iter, &low, &high);
    }
}

static bool is_in_range(const walk *walk, const key *key)
{
    return !walk->is_range || (compare_keys(key, &walk->low) >= 0 && compare_keys(key, &walk->high) <= 0);
}

// Whether a key is ahead of the walk.
static bool is_ahead(const walk *walk, const key *key)
{
    if (walk->is_first || walk->is_last || walk->is_fresh)
        return !walk->is_last;
    return walk->is_entry ? compare(key, &walk->at) > 0 : compare_keys(key, &walk->at) >= 0;
}

static bool is_behind(const walk *walk, const key *key)
{
    if (walk->is_first || walk->is_last || walk->is_fresh)
        return !walk->is_first;
    return walk->is_entry ? compare(key, &walk->at) < 0 : compare_keys(key, &walk->at) < 0;
}

static const key *expect_step(const walk *walk, bool goes_on)
{
    const key *found = NULL;
    sort(walk->index);
    for (uint32_t i = 0; i < sorted_count; i++) {
        const key *key = &sorted[i];
        if (!is_in_range(walk, key) || !(goes_on ? is_ahead(walk, key) : is_behind(walk, key)))
            continue;
        if (goes_on)
            return key;
        found = key;
    }
    return found;
}

static void step_walk(void)
{
    walk *walk = &walks[draw(WALKS)];
    bool goes_on = draw(3) > 0;
    if (!walk->is_begun || draw(40) == 0)
        begin_walk(walk);
    const key *expected = expect_step(walk, goes_on);
    kin_entity found = functions[walk->index].step(&walk->iter, goes_on);
    ck_assert_uint_eq(found, expected == NULL ? 0 : expected->entity);
    if (expected == NULL)
        return;
    walk->at = *expected;
    walk->is_first = walk->is_last = walk->is_fresh = false;
    walk->is_entry = true;
}

static void check_index(uint32_t index)
{
    iter it;
    values below = draw_values();
    key key = key_of(index, &below);
    uint32_t rank = 0;
    sort(index);
    functions[index].begin(&it, false);
    for (uint32_t i = 0; i < sorted_count; i++)
        ck_assert_uint_eq(functions[index].step(&it, true), sorted[i].entity);
    ck_assert_uint_eq(functions[index].step(&it, true), 0);
    functions[index].begin(&it, true);
    for (uint32_t i = sorted_count; i-- > 0;)
        ck_assert_uint_eq(functions[index].step(&it, false), sorted[i].entity);
    ck_assert_uint_eq(functions[index].step(&it, false), 0);
    while (rank < sorted_count && compare_keys(&sorted[rank], &key) < 0)
        rank++;
    ck_assert_uint_eq(functions[index].rank(&below), rank);
    ck_assert_uint_eq(functions[index].end(false), sorted_count == 0 ? 0 : sorted[0].entity);
    ck_assert_uint_eq(functions[index].end(true), sorted_count == 0 ? 0 : sorted[sorted_count - 1].entity);
}

// ---- changes

static kin_snapshot *snapshot;

static rack_entity any_entity(void)
{
    uint32_t count;
    const rack_entity *entities = rack_entities(rack, &count);
    return count == 0 ? RACK_NO_ENTITY : entities[draw(count)];
}

#define PUT(component, entity, value)                                                                                  \
    (rack_has_##component(rack, entity) ? rack_replace_##component(rack, entity, value)                                \
                                        : rack_add_##component(rack, entity, value))

static void change_component(rack_entity entity)
{
    values drawn = draw_values();
    Title title = {.text = drawn.text};
    memcpy(title.mark, drawn.mark, sizeof title.mark);
    switch (draw(4)) {
    case 0:
        if (rack_has_score(rack, entity))
            drawn.score.points = (int32_t)((uint32_t)rack_get_score(rack, entity)->points + draw(3) - 1);
        PUT(score, entity, drawn.score);
        break;
    case 1:
        PUT(sprite, entity, drawn.sprite);
        break;
    case 2:
        PUT(title, entity, title);
        break;
    default:
        PUT(score, entity, drawn.score);
    }
}

static void remove_component(rack_entity entity)
{
    if (rack_has_score(rack, entity) && draw(2) == 0)
        rack_remove_score(rack, entity);
    else if (rack_has_sprite(rack, entity) && draw(2) == 0)
        rack_remove_sprite(rack, entity);
    else if (rack_has_title(rack, entity))
        rack_remove_title(rack, entity);
}

static void rare_change(void)
{
    switch (draw(12)) {
    case 0:
        rack_context_reset(rack);
        break;
    case 1:
        rack_destroy_all_entities(rack);
        break;
    case 2:
    case 3:
    case 4:
        if (depth == 0)
            rack_save(rack, &snapshot);
        break;
    case 5:
    case 6:
    case 7:
        if (depth == 0 && snapshot != NULL)
            rack_restore(rack, snapshot, draw(2) == 0 ? KIN_RESTORE_ANEW : KIN_RESTORE_EXACTLY);
        break;
    default:
        if (depth == 0)
            kin_context_trim(&rack->base);
    }
}

static void change(void)
{
    rack_entity entity = any_entity();
    uint32_t count = rack_entity_count(rack);
    uint32_t drawn = draw(200);
    if (count == 0 || (count < MOST && drawn < 30)) {
        entity = draw(3) == 0 && count > 0 ? rack_clone_entity(rack, entity) : rack_create_entity(rack);
        change_component(entity);
    } else if (drawn < 50) {
        rack_destroy_entity(rack, entity);
    } else if (drawn < 70) {
        remove_component(entity);
    } else if (drawn < 80) {
        rack_set_hidden(rack, entity, !rack_is_hidden(rack, entity));
    } else if (drawn < 84) {
        if (rack_has_score(rack, entity))
            rack_touch_score(rack, entity);
    } else if (drawn == 84) {
        rare_change();
    } else {
        change_component(entity);
    }
}

static void react(const kin_change *made, void *user)
{
    (void)made, (void)user;
    if (depth == DEEPEST || draw(4) > 0)
        return;
    depth++;
    step_walk();
    change();
    step_walk();
    depth--;
}

static void subscribe(void)
{
    static const kin_group_event events[] = {KIN_ADDED, KIN_REMOVED, KIN_MODIFIED};
    for (uint32_t i = 0; i < 3; i++) {
        kin_group_subscribe(rack_scores_group(rack), events[i], react, NULL);
        kin_group_subscribe(rack_sprites_group(rack), events[i], react, NULL);
    }
}

START_TEST(fnd_01_walks_are_those_of_a_sorted_array_whatever_changes)
{
    uint64_t steps = getenv("KIN_SWEEP_COUNTS") != NULL ? 300 : environment_steps(STEPS, 1);
    state = (uint32_t)environment_seed(1, 2);
    snapshot = NULL;
    depth = 0;
    memset(walks, 0, sizeof walks);
    rack_begin_with(&(kin_context_options){.on_error = ignore_error});
    subscribe();
    for (uint64_t i = 0; i < steps; i++) {
        change();
        step_walk();
        step_walk();
        if (draw(CHECKED) == 0)
            ck_assert(kin__context_is_valid(&rack->base));
        if (draw(CHECKED / 10) == 0)
            check_index(draw(INDICES));
    }
    for (uint32_t index = 0; index < INDICES; index++)
        check_index(index);
    kin_snapshot_destroy(snapshot);
    rack_end();
}
END_TEST

Suite *runtime_ordered_random_suite(void)
{
    Suite *suite = suite_create("runtime_ordered_random");
    TCase *tests = tcase_create("ordered_random");
    tcase_add_test(tests, fnd_01_walks_are_those_of_a_sorted_array_whatever_changes);
    suite_add_tcase(suite, tests);
    return suite;
}

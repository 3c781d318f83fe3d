// Random snapshots, merged by Kin and by a second implementation that only creates, adds and moves with the functions
// of the user, in the order that MRG-02 says. Both must give equal contexts and equal calls.
#include "entity/entity.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <caravan/caravan.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, MOST_ROUNDS = 300, OPERATIONS = 100, LOG = 4096 };

typedef struct entry {
    char event;
    kin_entity entity;
    kin_component_id id;
} entry;

typedef struct journal {
    uint32_t count;
    entry entries[LOG];
} journal;

static uint64_t state;
static bool has_badges; // shared values that name entities: made again when listeners create other entities
static error_log errors;
static journal journals[2];
static camp_entity all[MOST];

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

static camp_entity any(void)
{
    return all[draw(MOST)];
}

// ---- the source

static void add_plain(camp_context *camp, camp_entity entity)
{
    static const char *const names[] = {"Ada", "Bo", "Cy", NULL};
    if (draw(2) == 0)
        camp_add_spot(camp, entity, (Spot){(int32_t)draw(9), 1});
    if (draw(3) == 0)
        camp_add_band(camp, entity, (Band){(int32_t)draw(3)});
    if (draw(9) == 0)
        (void)camp_add_name(camp, entity, (Name){names[draw(4)]});
    if (draw(20) == 0)
        (void)camp_add_chief(camp, entity, (Chief){3});
    if (draw(4) == 0)
        camp_add_trail(camp, entity, (Trail){2});
    camp_set_lit(camp, entity, draw(3) == 0);
}

static void add_references(camp_context *camp, camp_entity entity)
{
    camp_entity list[] = {any(), any(), any()};
    Tie tie = {any(), {{0}, {0}}};
    if (draw(2) == 0)
        (void)camp_add_child_of(camp, entity, (ChildOf){any()});
    if (draw(2) == 0)
        (void)camp_add_follows(camp, entity, (Follows){any()});
    if (draw(5) == 0)
        (void)camp_add_friend(camp, entity, (Friend){any(), {0}});
    if (draw(5) == 0)
        camp_add_bound(camp, entity, (Bound){{{any(), {{0}, {0}}}, tie}, "rope"});
    if (draw(5) == 0)
        camp_add_guests(camp, entity, (Guests){{list, draw(4)}, {&tie, draw(2)}, any().id});
    if (draw(5) == 0 && has_badges)
        camp_add_badge(camp, entity, (Badge){all[draw(3)], "smith"});
    if (draw(5) == 0)
        camp_add_chest(camp, entity, (Chest){any(), "oak"});
    if (draw(5) == 0)
        camp_add_wave(camp, entity, (Wave){any(), 1});
}

static void fill(camp_context *camp, uint32_t count)
{
    memset(all, 0, sizeof all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = camp_create_entity(camp);
    for (uint32_t i = 0; i < count; i++)
        add_plain(camp, all[i]);
    for (uint32_t i = 0; i < count; i++)
        add_references(camp, all[draw(count)]);
    for (uint32_t i = 0; i < count; i++) {
        camp_entity child = any(), sibling = camp_children_first(camp, camp_get_child_of(camp, child) == NULL
                                                                           ? CAMP_NO_ENTITY
                                                                           : camp_get_child_of(camp, child)->parent);
        if (sibling.id != 0 && camp_get_child_of(camp, child)->parent.id != 0)
            camp_children_place_before(camp, child, sibling);
    }
    for (uint32_t i = 0; i < count / 5; i++)
        (void)camp_destroy_entity(camp, any());
    error_log_clear(&errors);
}

// ---- calls

static void note(const kin_change *change, char event, journal *journal)
{
    ck_assert_uint_lt(journal->count, LOG);
    journal->entries[journal->count++] = (entry){event, change->entity, change->component};
}

static void note_created(const kin_change *change, void *user)
{
    note(change, 'c', user);
}

static void note_added(const kin_change *change, void *user)
{
    note(change, '+', user);
}

static void note_modified(const kin_change *change, void *user)
{
    note(change, '*', user);
}

static void note_removed(const kin_change *change, void *user)
{
    note(change, '-', user);
}

static void watch(camp_context *camp, journal *journal)
{
    journal->count = 0;
    kin_context_subscribe(&camp->base, KIN_ENTITY_CREATED, note_created, journal);
    for (kin_component_id id = 0; id < CAMP_COMPONENT_COUNT; id++) {
        kin_group *group = camp_group(camp, KIN_MATCHER(KIN_ALL(id)));
        kin_group_subscribe(group, KIN_ADDED, note_added, journal);
        kin_group_subscribe(group, KIN_MODIFIED, note_modified, journal);
        kin_group_subscribe(group, KIN_REMOVED, note_removed, journal);
    }
}

// Listeners that do the same in both contexts.
static void create_more(const kin_change *change, void *user)
{
    (void)user;
    if (kin_entity_creation_index(change->entity) % 7 == 3)
        (void)camp_create_entity(camp_context_of(change->context));
}

static void destroy_some(const kin_change *change, void *user)
{
    (void)user;
    if (kin_entity_slot(change->entity) % 11 == 3)
        (void)camp_destroy_entity(camp_context_of(change->context), camp_entity_of(change->entity));
}

static void disturb(camp_context *camp)
{
    kin_context_subscribe(&camp->base, KIN_ENTITY_CREATED, create_more, NULL);
    kin_group_subscribe(camp_bands_group(camp), KIN_ADDED, destroy_some, NULL);
}

// ---- the second implementation

typedef struct naive {
    camp_context *from, *to;
    uint32_t count;
    camp_entity sources[MOST], copies[MOST];
    kin_status status;
} naive;

static camp_entity copy_of(const naive *naive, kin_entity entity)
{
    for (uint32_t i = 0; i < naive->count; i++)
        if (naive->sources[i].id == entity)
            return naive->copies[i];
    return CAMP_NO_ENTITY;
}

static Tie copy_tie(const naive *naive, Tie tie)
{
    return (Tie){copy_of(naive, tie.to.id), {{0}, {0}}};
}

static kin_status add_guests(const naive *naive, camp_entity to, const Guests *guests)
{
    camp_entity list[3];
    Tie ties[1];
    for (uint32_t i = 0; i < guests->list.count; i++)
        list[i] = copy_of(naive, guests->list.at[i].id);
    for (uint32_t i = 0; i < guests->ties.count; i++)
        ties[i] = copy_tie(naive, guests->ties.at[i]);
    return camp_add_guests(
        naive->to, to,
        (Guests){{list, guests->list.count}, {ties, guests->ties.count}, copy_of(naive, guests->any).id});
}

static kin_status add_naming(const naive *naive, kin_component_id id, camp_entity from, camp_entity to)
{
    camp_context *source = naive->from, *target = naive->to;
    Wave wave;
    switch (id) {
    case CAMP_BADGE:
        return camp_add_badge(target, to, (Badge){copy_of(naive, camp_get_badge(source, from)->of.id), "smith"});
    case CAMP_BOUND:
        return camp_add_bound(target, to,
                              (Bound){{copy_tie(naive, camp_get_bound(source, from)->ties[0]),
                                       copy_tie(naive, camp_get_bound(source, from)->ties[1])},
                                      "rope"});
    case CAMP_CHEST:
        return camp_add_chest(target, to, (Chest){copy_of(naive, camp_get_chest(source, from)->owner.id), "oak"});
    case CAMP_CHILD_OF:
        return camp_add_child_of(target, to, (ChildOf){copy_of(naive, camp_get_child_of(source, from)->parent.id)});
    case CAMP_FOLLOWS:
        return camp_add_follows(target, to, (Follows){copy_of(naive, camp_get_follows(source, from)->leader.id)});
    case CAMP_FRIEND:
        return camp_add_friend(target, to, (Friend){copy_of(naive, camp_get_friend(source, from)->who.id), {0}});
    case CAMP_GUESTS:
        return add_guests(naive, to, camp_get_guests(source, from));
    default:
        ck_assert(camp_read_wave(source, from, &wave));
        return camp_add_wave(target, to, (Wave){copy_of(naive, wave.next.id), wave.height});
    }
}

static kin_status add_one(const naive *naive, kin_component_id id, camp_entity from, camp_entity to)
{
    switch (id) {
    case CAMP_BAND:
        return camp_add_band(naive->to, to, *camp_get_band(naive->from, from));
    case CAMP_CHIEF:
        return camp_add_chief(naive->to, to, *camp_get_chief(naive->from, from));
    case CAMP_LIT:
        return kin_add(&naive->to->base, to.id, CAMP_LIT, NULL);
    case CAMP_NAME:
        return camp_add_name(naive->to, to, *camp_get_name(naive->from, from));
    case CAMP_SPOT:
        return camp_add_spot(naive->to, to, *camp_get_spot(naive->from, from));
    case CAMP_TRAIL:
        return KIN_OK;
    default:
        return add_naming(naive, id, from, to);
    }
}

// Puts the holders of one target in the order of the source, from the last to the first.
static void order(const naive *naive, camp_entity target, bool are_children)
{
    camp_entity holders[MOST];
    uint32_t count = are_children ? camp_copy_children(naive->from, target, holders, MOST)
                                  : camp_copy_followers(naive->from, target, holders, MOST);
    bool ascending = true;
    for (uint32_t i = 1; i < count; i++)
        ascending = ascending && kin_entity_slot(holders[i - 1].id) < kin_entity_slot(holders[i].id);
    for (uint32_t i = count; !ascending && i-- > 1;) {
        camp_entity holder = copy_of(naive, holders[i - 1].id), sibling = copy_of(naive, holders[i].id);
        if (!camp_entity_is_alive(naive->to, holder) || !camp_entity_is_alive(naive->to, sibling))
            continue;
        if (are_children && camp_children_next(naive->to, holder).id != sibling.id)
            camp_children_place_before(naive->to, holder, sibling);
        if (!are_children && camp_followers_next(naive->to, holder).id != sibling.id)
            camp_followers_place_before(naive->to, holder, sibling);
    }
}

static void add_all(naive *naive)
{
    for (uint32_t i = 0; i < naive->count; i++)
        for (kin_component_id id = 0; id < CAMP_COMPONENT_COUNT; id++) {
            camp_entity copy = naive->copies[i];
            if (naive->status != KIN_OK || !camp_entity_is_alive(naive->to, copy) ||
                !kin_has(&naive->from->base, naive->sources[i].id, id))
                continue;
            naive->status = add_one(naive, id, naive->sources[i], copy);
        }
}

static kin_status merge_naively(camp_context *from, camp_context *to)
{
    static naive naive;
    const camp_entity *sources = camp_entities(from, &naive.count);
    naive.from = from;
    naive.to = to;
    naive.status = KIN_OK;
    for (uint32_t i = 0; i < naive.count; i++)
        naive.sources[i] = sources[i];
    for (uint32_t i = 0; i < naive.count; i++)
        naive.copies[i] = camp_create_entity(to);
    add_all(&naive);
    for (uint32_t i = 0; naive.status == KIN_OK && i < naive.count; i++)
        order(&naive, naive.sources[i], true);
    for (uint32_t i = 0; naive.status == KIN_OK && i < naive.count; i++)
        order(&naive, naive.sources[i], false);
    for (uint32_t i = naive.count; naive.status != KIN_OK && i-- > 0;)
        if (camp_entity_is_alive(to, naive.copies[i]))
            camp_destroy_entity(to, naive.copies[i]);
    error_log_clear(&errors);
    return naive.status;
}

// ---- the comparison

static camp_context *create(uint64_t first)
{
    return camp_context_create(&(kin_context_options){
        .on_error = error_log_append, .error_user = &errors, .first_creation_index = first, .hash_seed = 1});
}

// Equal calls for both contexts.
static void prepare(camp_context *target, uint64_t seed, journal *journal)
{
    camp_entity here[6];
    state = seed;
    for (int i = 0; i < 6; i++)
        here[i] = camp_create_entity(target);
    if (draw(3) == 0)
        camp_add_name(target, here[0], (Name){"Bo"});
    if (draw(9) == 0)
        camp_add_chief(target, here[5], (Chief){1});
    for (int i = 1; i < 5; i += 2)
        camp_destroy_entity(target, here[i]);
    watch(target, journal);
}

static void compare_holders(camp_context *one, camp_context *other)
{
    uint32_t count;
    const camp_entity *entities = camp_entities(one, &count);
    for (uint32_t i = 0; i < count; i++) {
        camp_entity first[MOST], second[MOST];
        uint32_t children = camp_copy_children(one, entities[i], first, MOST);
        ck_assert_uint_eq(camp_copy_children(other, entities[i], second, MOST), children);
        ck_assert_mem_eq(first, second, children * sizeof *first);
        uint32_t followers = camp_copy_followers(one, entities[i], first, MOST);
        ck_assert_uint_eq(camp_copy_followers(other, entities[i], second, MOST), followers);
        ck_assert_mem_eq(first, second, followers * sizeof *first);
    }
}

static void check_equal(camp_context *one, camp_context *other)
{
    kin_snapshot *first = NULL, *second = NULL;
    ck_assert_int_eq(camp_save(one, &first), KIN_OK);
    ck_assert_int_eq(camp_save(other, &second), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(first, second, NULL, NULL), 0);
    ck_assert_uint_eq(kin_snapshot_hash(first), kin_snapshot_hash(second));
    kin_snapshot_destroy(first);
    kin_snapshot_destroy(second);
    compare_holders(one, other);
    ck_assert_uint_eq(journals[0].count, journals[1].count);
    for (uint32_t i = 0; i < journals[0].count; i++) {
        ck_assert_int_eq(journals[0].entries[i].event, journals[1].entries[i].event);
        ck_assert_uint_eq(journals[0].entries[i].entity, journals[1].entries[i].entity);
        ck_assert_uint_eq(journals[0].entries[i].id, journals[1].entries[i].id);
    }
}

typedef struct outcomes {
    uint32_t done, refused, undone;
} outcomes;

static void merge_into_both(const kin_snapshot *snapshot, camp_context *from, camp_context *const *both,
                            outcomes *outcomes)
{
    kin_snapshot *before = NULL, *after = NULL;
    ck_assert_int_eq(camp_save(both[0], &before), KIN_OK);
    kin_status status = camp_merge(both[0], snapshot, NULL);
    error_log_clear(&errors);
    ck_assert(kin__context_is_valid(&both[0]->base));
    if (status == KIN_OK || journals[0].count > 0) {
        ck_assert_int_eq(merge_naively(from, both[1]), status);
        check_equal(both[0], both[1]);
    } else {
        ck_assert_int_eq(camp_save(both[0], &after), KIN_OK);
        ck_assert_uint_eq(kin_snapshot_hash(before), kin_snapshot_hash(after));
    }
    *(status == KIN_OK ? &outcomes->done : journals[0].count > 0 ? &outcomes->undone : &outcomes->refused) += 1;
    kin_snapshot_destroy(before);
    kin_snapshot_destroy(after);
}

static void play(uint64_t seed, bool disturbs, outcomes *outcomes)
{
    kin_snapshot *snapshot = NULL;
    camp_context *from = create(1), *both[] = {create(500), create(500)};
    state = seed;
    fill(from, 1 + draw(MOST));
    ck_assert_int_eq(camp_save(from, &snapshot), KIN_OK);
    for (int i = 0; i < 2; i++) {
        prepare(both[i], seed, &journals[i]);
        if (disturbs)
            disturb(both[i]);
    }
    merge_into_both(snapshot, from, both, outcomes);
    kin_snapshot_destroy(snapshot);
    camp_context_destroy(from);
    for (int i = 0; i < 2; i++)
        camp_context_destroy(both[i]);
}

// As many as the operations that a run of all tests allows the models.
static uint32_t count_rounds(void)
{
    const char *operations = getenv("KIN_MODEL_OPERATIONS");
    long rounds = operations == NULL ? MOST_ROUNDS : atol(operations) / OPERATIONS;
    return rounds < MOST_ROUNDS ? (uint32_t)rounds : MOST_ROUNDS;
}

START_TEST(mrg_02_random_merges_are_those_of_the_second_implementation)
{
    outcomes outcomes = {0, 0, 0};
    uint32_t rounds = count_rounds();
    has_badges = _i == 0;
    for (uint64_t seed = 1; seed <= rounds; seed++)
        play(seed * 7919, _i == 1, &outcomes);
    ck_assert(outcomes.done > 0 && outcomes.refused > 0);
    ck_assert(_i == 0 ? outcomes.undone == 0 : outcomes.undone >= rounds / 20);
}
END_TEST

Suite *runtime_merge_random_suite(void)
{
    Suite *suite = suite_create("runtime_merge_random");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, mrg_02_random_merges_are_those_of_the_second_implementation, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

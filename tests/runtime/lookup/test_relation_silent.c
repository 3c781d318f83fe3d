// Cascades of which nobody is notified, against the same cascades with a listener of each kind: they destroy the same
// entities in the same order. The order shows in the slots that new entities get.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <kinship/kinship.h>

#include <check.h>

enum { ENTITIES = 40, LINKS = 60, ROUNDS = 20, SEEDS = 100 };

typedef struct side {
    clan_context *clan;
    clan_entity entities[ENTITIES];
    uint64_t state;
    uint32_t calls;
} side;

static int draw(side *side, int below)
{
    side->state = side->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((side->state >> 33) % (uint64_t)below);
}

static void count_side_call(const kin_change *change, void *user)
{
    (void)change;
    ((side *)user)->calls++;
}

static void begin(side *side, int seed, bool is_loud)
{
    *side = (struct side){.state = (uint64_t)seed};
    side->clan = clan_context_create(&(kin_context_options){.on_error = ignore_error});
    if (!is_loud)
        return;
    kin_context_subscribe(&side->clan->base, KIN_COMPONENT_CHANGED, count_side_call, side);
    kin_context_subscribe(&side->clan->base, KIN_ENTITY_WILL_BE_DESTROYED, count_side_call, side);
    kin_context_subscribe(&side->clan->base, KIN_ENTITY_WAS_DESTROYED, count_side_call, side);
}

static void create_missing(side *side)
{
    for (int i = 0; i < ENTITIES; i++)
        if (!clan_entity_is_alive(side->clan, side->entities[i]))
            side->entities[i] = clan_create_entity(side->clan);
}

// Lets one entity name another. Refused, it does nothing. Components that are stored apart or are the key of an index
// are rare: their loss is never silent.
static void link_two(side *side)
{
    clan_context *clan = side->clan;
    clan_entity entity = side->entities[draw(side, ENTITIES)], target = side->entities[draw(side, ENTITIES)];
    switch (draw(side, 24)) {
    case 0:
        clan_replace_route(clan, entity, (Route){.owner = target, .from = entity});
        break;
    case 1:
        clan_replace_likes(clan, entity, (Likes){.who = target, .whom = entity});
        break;
    case 2:
        clan_replace_flock(clan, entity, (Flock){.head = target});
        break;
    case 3:
        clan_replace_marked(clan, entity, (Marked){target});
        break;
    case 4:
    case 5:
    case 6:
        clan_replace_shadow(clan, entity, (Shadow){target});
        break;
    case 7:
    case 8:
        clan_replace_works_for(clan, entity, (WorksFor){target});
        break;
    case 9:
        clan_retain_entity(clan, entity, side);
        break;
    case 10:
    case 11:
        clan_replace_loan(clan, entity, (Loan){.lender = target, .debtor = side->entities[draw(side, ENTITIES)]});
        break;
    default:
        clan_replace_child_of(clan, entity, (ChildOf){target});
        break;
    }
}

static void play(side *side)
{
    create_missing(side);
    for (int i = 0; i < LINKS; i++)
        link_two(side);
    for (int i = 0; i < 4; i++)
        clan_destroy_entity(side->clan, side->entities[draw(side, ENTITIES)]);
    ck_assert(kin__context_is_valid(&side->clan->base));
}

START_TEST(rel_10_silent_cascades_end_the_same_entities_in_the_same_order)
{
    side silent, loud;
    begin(&silent, _i, false);
    begin(&loud, _i, true);
    for (int round = 0; round < ROUNDS; round++) {
        play(&silent);
        play(&loud);
        for (int i = 0; i < ENTITIES; i++)
            if (silent.entities[i].id != loud.entities[i].id || clan_entity_is_alive(silent.clan, silent.entities[i]) !=
                                                                    clan_entity_is_alive(loud.clan, loud.entities[i]))
                ck_abort_msg("round %d: entity %d", round, i);
    }
    ck_assert_uint_eq(silent.calls, 0);
    ck_assert_uint_gt(loud.calls, 0);
    clan_context_destroy(silent.clan);
    clan_context_destroy(loud.clan);
}
END_TEST

// ---- deaths that look silent

static clan_context *clan;

static clan_entity child_of(clan_entity parent)
{
    clan_entity entity = clan_create_entity(clan);
    clan_add_child_of(clan, entity, (ChildOf){parent});
    return entity;
}

START_TEST(rel_10_a_listener_of_a_group_is_notified_of_each_holder)
{
    side listener = {.calls = 0};
    clan = clan_context_create(NULL);
    kin_matcher both = KIN_MATCHER(KIN_ALL(CLAN_CHILD_OF, CLAN_ORDER)), one = KIN_MATCHER(KIN_ALL(CLAN_CHILD_OF));
    kin_group_subscribe(kin_context_group(&clan->base, _i == 0 ? both : one), KIN_REMOVED, count_side_call, &listener);
    clan_entity root = clan_create_entity(clan);
    for (int i = 0; i < 6; i++) {
        clan_entity child = child_of(i == 3 ? child_of(root) : root);
        if (i % 2 == 0)
            clan_add_order(clan, child, (Order){i});
    }
    ck_assert_int_eq(clan_destroy_entity(clan, root), KIN_OK);
    ck_assert_uint_eq(listener.calls, _i == 0 ? 3 : 7);
    ck_assert_uint_eq(clan_entity_count(clan), 0);
    ck_assert(kin__context_is_valid(&clan->base));
    clan_context_destroy(clan);
}
END_TEST

static clan_entity loan_between(clan_entity lender, clan_entity debtor)
{
    clan_entity loan = clan_create_entity(clan);
    clan_add_loan(clan, loan, (Loan){.lender = lender, .debtor = debtor, .bail = debtor});
    return loan;
}

START_TEST(rel_10_a_holder_of_several_relations_leaves_the_list_of_each)
{
    clan = clan_context_create(NULL);
    clan_entity rich = clan_create_entity(clan), poor = clan_create_entity(clan), other = clan_create_entity(clan);
    clan_entity first = loan_between(poor, rich), kept = loan_between(other, rich);
    loan_between(rich, poor);
    loan_between(poor, poor);
    loan_between(other, poor);
    ck_assert_int_eq(clan_destroy_entity(clan, poor), KIN_OK);
    ck_assert(!clan_entity_is_alive(clan, first) && clan_entity_is_alive(clan, kept));
    ck_assert_uint_eq(clan_entity_count(clan), 3);
    ck_assert_uint_eq(clan_debts_count(clan, rich), 1);
    ck_assert(clan_entity_equals(clan_debts_first(clan, rich), kept) && clan_loans_count(clan, rich) == 0);
    ck_assert(clan_entity_equals(clan_loans_first(clan, other), kept) && clan_loans_count(clan, other) == 1);
    ck_assert(kin__context_is_valid(&clan->base));
    clan_context_destroy(clan);
}
END_TEST

static void destroy_target(const kin_change *change, void *user)
{
    (void)change;
    ck_assert_int_eq(clan_destroy_entity(clan, *(clan_entity *)user), KIN_OK);
}

// The rider is the last that names the horse, which is being destroyed. When its field is emptied, a listener destroys
// the shed, of which both a cat and the horse are shadows: the cat dies silently, and behind it in the list is the
// horse.
START_TEST(rel_11_an_inner_cascade_leaves_what_the_outer_one_destroys)
{
    clan = clan_context_create(NULL);
    clan_entity horse = clan_create_entity(clan), rider = clan_create_entity(clan), cat = clan_create_entity(clan);
    clan_entity shed = clan_create_entity(clan);
    clan_add_shadow(clan, cat, (Shadow){shed});
    clan_add_shadow(clan, horse, (Shadow){shed});
    clan_add_follows(clan, rider, (Follows){horse});
    kin_group *riders = kin_context_group(&clan->base, KIN_MATCHER(KIN_ALL(CLAN_FOLLOWS)));
    kin_group_subscribe(riders, KIN_MODIFIED, destroy_target, &shed);
    ck_assert_int_eq(clan_destroy_entity(clan, horse), KIN_OK);
    ck_assert(!clan_entity_is_alive(clan, horse) && !clan_entity_is_alive(clan, shed));
    ck_assert(!clan_entity_is_alive(clan, cat) && clan_entity_is_alive(clan, rider));
    ck_assert_uint_eq(clan_entity_count(clan), 1);
    ck_assert(kin__context_is_valid(&clan->base));
    clan_context_destroy(clan);
}
END_TEST

Suite *runtime_relation_silent_suite(void)
{
    Suite *suite = suite_create("runtime_relation_silent");
    TCase *tests = tcase_create("silent");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, rel_10_silent_cascades_end_the_same_entities_in_the_same_order, 0, SEEDS);
    tcase_add_loop_test(tests, rel_10_a_listener_of_a_group_is_notified_of_each_holder, 0, 2);
    tcase_add_test(tests, rel_10_a_holder_of_several_relations_leaves_the_list_of_each);
    tcase_add_test(tests, rel_11_an_inner_cascade_leaves_what_the_outer_one_destroys);
    suite_add_tcase(suite, tests);
    return suite;
}

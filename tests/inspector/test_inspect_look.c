// Looking: a game with the busiest viewer does the same as one without.
#include "inspect_case.h"
#include "suites.h"

#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include <hive/hive.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UPDATES = 300, CITIZENS = 40 };

static uint32_t game_state, viewer_state;

static uint32_t random_below(uint32_t *state, uint32_t bound)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % bound;
}

// What a game leaves: its entities as text, and how often it asked for memory.
typedef struct outcome {
    char text[64 * 1024];
    uint64_t requests;
    uint32_t groups, collectors;
} outcome;

static void play_update(void)
{
    kin_context *people = &town->contexts->people->base;
    for (uint32_t i = 0; i < 8; i++) {
        kin_entity entity = kin_look_entity(people, random_below(&game_state, CITIZENS));
        uint32_t what = random_below(&game_state, 5);
        if (entity == 0)
            town_citizen((int32_t)what);
        else if (what == 0)
            kin_destroy(people, entity);
        else if (what == 1)
            people_set_asleep(town->contexts->people, people_entity_of(entity),
                              !people_is_asleep(town->contexts->people, people_entity_of(entity)));
        else
            people_replace_age(town->contexts->people, people_entity_of(entity), (Age){.years = (int32_t)what});
    }
    town_world_update(town, 0.25);
}

// Asks for everything that changes nothing.
static void look(void)
{
    static const char *const questions[][2] = {
        {"kin.hello", "{}"},
        {"schema.get", "{'context':'people'}"},
        {"entities.query", "{'context':'people','query':'Age & !Asleep where years > 1','fields':['Age','Name']}"},
        {"entities.query", "{'context':'people','query':'in citizens order by years','fields':['Age.years']}"},
        {"entities.query", "{'context':'people','query':'Step | Purse','fields':['Step','Purse']}"},
        {"entities.get", "{'context':'people','entity':'1:0'}"},
        {"entities.explain", "{'context':'people','entity':'1:0','group':'citizens'}"},
        {"groups.list", "{'context':'people'}"},
        {"uniques.list", "{'context':'people'}"},
        {"indices.list", "{'context':'people'}"},
        {"collectors.list", "{'context':'people'}"},
        {"memory.report", "{'context':'people'}"},
        {"time.get", "{}"},
    };
    for (uint32_t i = 0; i < 5; i++) {
        const char *const *question = questions[random_below(&viewer_state, sizeof questions / sizeof *questions)];
        inspect_ask(question[0], question[1]);
    }
}

static void play(outcome *outcome, bool is_viewed)
{
    kin_inspector_options options = inspect_options();
    game_state = 5;
    viewer_state = 11;
    town_begin();
    if (is_viewed)
        inspector = kin_inspect(town_world_base(town), &options);
    for (int i = 0; i < UPDATES; i++) {
        play_update();
        if (is_viewed)
            look();
    }
    kin_context *people = &town->contexts->people->base;
    size_t used = (size_t)snprintf(outcome->text, sizeof outcome->text, "%s\n", log_text());
    for (uint32_t slot = 0; slot < 64 * kin_look_words(people); slot++)
        if (kin_look_entity(people, slot) != 0)
            used += kin_describe_entity(people, kin_look_entity(people, slot), outcome->text + used,
                                        sizeof outcome->text - used);
    outcome->requests = town_memory.request_count;
    outcome->groups = kin_context_groups(people, NULL, 0);
    outcome->collectors = kin_context_collectors(people, NULL, 0);
    town_end();
    guard_end(&inspect_memory);
}

START_TEST(ins_02_a_game_with_a_viewer_does_the_same_as_one_without)
{
    static outcome alone, viewed;
    play(&alone, false);
    play(&viewed, true);
    ck_assert_str_eq(alone.text, viewed.text);
    ck_assert_uint_eq(alone.requests, viewed.requests);
    ck_assert_uint_eq(alone.groups, viewed.groups);
    ck_assert_uint_eq(alone.collectors, viewed.collectors);
    ck_assert_uint_gt(strlen(alone.text), 1000);
}
END_TEST

// ---- names and relations

static void ask_and_expect(kin_inspector *asked, const char *method, const char *parameters, const char *expected)
{
    static char answer[8192];
    const char *request = inspect_quoted(parameters);
    char text[1024];
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, request);
    kin_inspector_request(asked, text, strlen(text), answer, sizeof answer);
    ck_assert_msg(strstr(answer, inspect_quoted(expected)) != NULL, "%s\nis not in\n%s", expected, answer);
}

// Returns the text with the handle of the entity in place of its '#'.
static const char *about(const char *text, hive_bees_entity entity)
{
    static char made[4][256];
    static int next;
    char *about = made[next++ % 4];
    int head = (int)strcspn(text, "#");
    snprintf(about, sizeof made[0], "%.*s%" PRIu64 ":%" PRIu32 "%s", head, text, kin_entity_creation_index(entity.id),
             kin_entity_slot(entity.id), text + head + 1);
    return about;
}

START_TEST(ins_72_entities_are_named_by_what_they_were_spawned_from_and_children_are_in_order)
{
    hive_bees_context *bees = hive_bees_context_create(NULL);
    kin_inspector_options options = inspect_options();
    kin_inspector *asked = kin_inspector_create(&options);
    hive_bees_queen_parts queen;
    kin_inspector_add(asked, &bees->base, NULL);
    hive_bees_spawn_queen_parts(bees, &queen);
    hive_bees_spawn_egg(bees);
    hive_bees_entity empty = hive_bees_create_entity(bees);
    hive_bees_entity first = queen.first.entity;
    hive_bees_entity second = queen.second.entity;
    ask_and_expect(asked, "entities.query", "{'names':true,'query':'Position & Energy'}", "'name':'Queen'");
    ask_and_expect(asked, "entities.query", "{'names':true,'query':'ChildOf'}", "'name':'Queen.first'");
    ask_and_expect(asked, "entities.query", "{'names':true,'query':'ChildOf'}", "'name':'Queen.second'");
    ask_and_expect(asked, "entities.query", "{'names':true,'query':'Egg & !ChildOf'}", "'name':'Egg'");
    ask_and_expect(asked, "entities.query", "{'names':true,'query':'!Energy'}",
                   about("'rows':[{'e':'#','v':{}}]", empty));
    ask_and_expect(asked, "relations.list", about("{'entity':'#'}", queen.entity),
                   about("'count':2,'holders':[{'e':'#','name':'Queen.first'},", first));
    ck_assert_int_eq(hive_bees_brood_place_before(bees, second, first), KIN_OK);
    ask_and_expect(asked, "relations.list", about("{'entity':'#'}", queen.entity),
                   about("'holders':[{'e':'#'", second));
    ask_and_expect(asked, "relations.list", about("{'entity':'#'}", first),
                   about("'above':[{'e':'#','name':'Queen'}]", queen.entity));
    ask_and_expect(asked, "relations.list", "{'entity':'77:1'}", "has no such living entity");
    kin_inspector_destroy(asked);
    hive_bees_context_destroy(bees);
}
END_TEST

Suite *inspect_look_suite(void)
{
    Suite *suite = suite_create("inspect_look");
    TCase *tests = tcase_create("inspect_look");
    tcase_add_test(tests, ins_02_a_game_with_a_viewer_does_the_same_as_one_without);
    tcase_add_test(tests, ins_72_entities_are_named_by_what_they_were_spawned_from_and_children_are_in_order);
    suite_add_tcase(suite, tests);
    return suite;
}

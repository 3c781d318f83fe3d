// Queries: terms, conditions, orders, and what is wrong with them.
#include "inspect_case.h"
#include "suites.h"

#include "query/query.h"

#include <kinship/kinship.h>
#include <stage/stage.h>
#include <stage/stage_world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Five entities in slots 0 to 4.
//
//   slot   AllNumbers (i32, f64, flag)   Name      Links     flags
//   0      5, 0.5, true                  "orc a"   to 1      Movable
//   1      -5, NaN, false                "orc b"             Marked
//   2                                    "elf"               Movable Marked
//   3      2147483647, 1e300, true
//   4
static void number(kin_entity entity, int32_t i32, double f64, bool flag)
{
    my_AllNumbers numbers = my_all_numbers_default();
    numbers.i32 = i32;
    numbers.f64 = f64;
    numbers.flag = flag;
    my_game_add_all_numbers(game, my_game_entity_of(entity), numbers);
}

static void name(kin_entity entity, const char *value)
{
    my_Name named = my_name_default();
    named.value = value;
    named.nothing = NULL;
    my_game_add_name(game, my_game_entity_of(entity), named);
}

static void begin(void)
{
    kin_entity e[5];
    inspect_begin();
    for (int i = 0; i < 5; i++)
        e[i] = my_game_create_entity(game).id;
    number(e[0], 5, 0.5, true);
    number(e[1], -5, (double)NAN, false);
    number(e[3], 2147483647, 1e300, true);
    name(e[0], "orc a");
    name(e[1], "orc b");
    name(e[2], "elf");
    my_Links links = my_links_default();
    links.own = my_game_entity_of(e[1]);
    my_game_add_links(game, my_game_entity_of(e[0]), links);
    my_game_set_movable(game, my_game_entity_of(e[0]), true);
    my_game_set_marked(game, my_game_entity_of(e[1]), true);
    my_game_set_movable(game, my_game_entity_of(e[2]), true);
    my_game_set_marked(game, my_game_entity_of(e[2]), true);
}

// Returns the slots that match, such as "0 2".
static const char *slots(const char *query)
{
    static char text[256];
    char parameters[2048];
    snprintf(parameters, sizeof parameters, "{'context':'game','query':'%s'}", query);
    const char *at = inspect_ask("entities.query", parameters);
    if (strncmp(at, "error", 5) == 0)
        return at;
    text[0] = '\0';
    while ((at = strstr(at, "{\"e\":\"")) != NULL) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%d", used > 0 ? " " : "", atoi(strchr(at + 6, ':') + 1));
        at += 6;
    }
    return text;
}

static const struct {
    const char *query, *slots;
} matches[] = {
    {"", "0 1 2 3 4"},
    {"*", "0 1 2 3 4"},
    {"Name", "0 1 2"},
    {"!Name", "3 4"},
    {"Name & AllNumbers", "0 1"},
    {"Name, AllNumbers", "0 1"},
    {"Name | AllNumbers", "0 1 2 3"},
    {"!(Name | AllNumbers)", "4"},
    {"!!Name", "0 1 2"},
    {"Name & !AllNumbers", "2"},
    {"AllNumbers | Name & Marked", "0 1 2 3"},
    {"(AllNumbers | Name) & Marked", "1 2"},
    {"only(Name, Movable, Marked)", "2"},
    {"only(AllNumbers)", "3"},
    {"in lone", "0 1 2 3 4"},
    {"in lone & Marked", "1 2"},
    {"#3", "2"},
    {"3:2", "2"},
    {"3:1", ""},
    {"`Name`", "0 1 2"},
    {"AllNumbers where i32 = 5", "0"},
    {"AllNumbers where AllNumbers.i32 == 5", "0"},
    {"AllNumbers where i32 < 0", "1"},
    {"AllNumbers where i32 <= 5", "0 1"},
    {"AllNumbers where i32 >= 2147483647", "3"},
    {"AllNumbers where i32 < 18446744073709551615", "0 1 3"},
    {"AllNumbers where u64 > -1", "0 1 3"},
    {"AllNumbers where u64 = 18446744073709551615", "0 1 3"},
    {"AllNumbers where u64 = 18446744073709551614", ""},
    {"AllNumbers where i64 = -9223372036854775808", "0 1 3"},
    {"AllNumbers where f64 < 1", "0"},
    {"AllNumbers where f64 != 0.5", "1 3"},
    {"AllNumbers where f64 = f64", "0 3"},
    {"AllNumbers where f64 != f64", "1"},
    {"AllNumbers where f64 > 1e299", "3"},
    {"AllNumbers where i32 > f64", "0"},
    {"AllNumbers where flag = true", "0 3"},
    {"AllNumbers where !flag = true", "1"},
    {"AllNumbers where flag = false & i32 < 0", "1"},
    {"AllNumbers where flag = false | i32 > 5", "1 3"},
    {"Name where value ~ \\\"orc*\\\"", "0 1"},
    {"Name where value ~ \\\"?l?\\\"", "2"},
    {"Name where value ~ \\\"*b\\\"", "1"},
    {"Name where value ~ \\\"orc?\\\\\\\\a\\\"", "0"},
    {"Name where value = \\\"elf\\\"", "2"},
    {"Name where value > \\\"elf\\\"", "0 1"},
    {"Name where nothing is null", "0 1 2"},
    {"Name where value is null", ""},
    {"Links where own = 2:1", "0"},
    {"Links where any is null", "0"},
    {"Name where !AllNumbers.i32 = 5", "1"},
    {"Name where AllNumbers.i32 = 5 | Name.value = \\\"elf\\\"", "0 2"},
    {"* where AllNumbers.i32 != 5", "1 3"},
    {"AllNumbers order by i32", "1 0 3"},
    {"AllNumbers order by i32 desc", "3 0 1"},
    {"AllNumbers order by f64", "0 3 1"},
    {"AllNumbers order by f64 desc", "3 0 1"},
    {"Name where value ~ \\\"orc*\\\" order by value desc", "1 0"},
    {"order by AllNumbers.i32", "1 0 3"},
};

START_TEST(ins_40_a_query_finds_what_it_says)
{
    ck_assert_msg(strcmp(slots(matches[_i].query), matches[_i].slots) == 0, "%s\nfinds\n%s\nnot\n%s", matches[_i].query,
                  slots(matches[_i].query), matches[_i].slots);
}
END_TEST

static const struct {
    const char *query, *answer;
} mistakes[] = {
    {"Name & Maked", "error -32602: game has no component 'Maked' {'at':7,'length':5,'did_you_mean':['Marked']}"},
    {"Name &", "error -32602: expected the name of a component at the end {'at':6,'length':0}"},
    {"Name Marked", "error -32602: expected an operator, 'where', 'order by' or the end {'at':5,'length':6}"},
    {"Name and Marked",
     "error -32602: expected an operator, 'where', 'order by' or the end; write & for it {'at':5,'length':3}"},
    {"(Name OR Marked)", "error -32602: expected ')'; write | for it {'at':6,'length':2}"},
    {"AllNumbers where i32 = 1 or i32 = 2",
     "error -32602: expected an operator, 'where', 'order by' or the end; write | for it {'at':25,'length':2}"},
    {"(Name", "error -32602: expected ')' at the end {'at':5,'length':0}"},
    {"in lne", "error -32602: game declares no group 'lne' {'at':3,'length':3,'did_you_mean':['lone']}"},
    {"Name where valu = 1",
     "error -32602: no component of the query has a field 'valu'; write a component and a field, such as Health.points "
     "{'at':11,'length':4,'did_you_mean':['value']}"},
    {"Name where value = 1", "error -32602: 'value' cannot be compared with this {'at':11,'length':5}"},
    {"Name where value = \\u0027x\\u0027",
     "error -32602: expected a value; texts need double quotes {'at':19,'length':1}"},
    {"Name where value = valu", "error -32602: no component of the query has a field 'valu'; texts need double quotes "
                                "{'at':19,'length':4,'did_you_mean':['value']}"},
    {"Name where value ~ orc",
     "error -32602: no component of the query has a field 'orc'; texts need double quotes {'at':19,'length':3}"},
    {"AllNumbers where flag < true", "error -32602: 'flag' has no order; use = or != {'at':17,'length':4}"},
    {"AllNumbers where i32 ~ 5", "error -32602: '~' compares texts {'at':17,'length':3}"},
    {"AllNumbers where i32", "error -32602: expected a comparison, such as = or < {'at':20,'length':0}"},
    {"AllNumbers where i32 is null", "error -32602: 'i32' is never null {'at':17,'length':3}"},
    {"AllNumbers where i32 = 18446744073709551616", "error -32602: the number is out of range {'at':23,'length':20}"},
    {"AllNumbers where f64 = 1e999", "error -32602: the number is out of range {'at':23,'length':5}"},
    {"Boxed where level = Lo", "error -32602: 'Lo' is no value of Level {'at':20,'length':2,'did_you_mean':['Low']}"},
    {"Boxed where box = 1", "error -32602: 'box' is no single value; name one in it {'at':12,'length':3}"},
    {"Boxed where box.inner.side = Red", "error -33107: 'side' is hidden by its schema {'at':22,'length':4}"},
    {"Arrays where numbers[4] = 1", "error -32602: 'numbers' has 4 elements {'at':21,'length':1}"},
    {"Pos2D & Name where at.z = 1", "error -32602: there is no field 'z' here {'at':22,'length':1}"},
    {"Score, Title where Name.value = \\\"x", "error -32602: the closing quote is missing {'at':32,'length':2}"},
    {"!", "error -32602: expected the name of a component at the end {'at':1,'length':0}"},
    {"only()", "error -32602: game has no component ')' {'at':5,'length':1}"},
    {"5", "error -32602: expected ':' at the end {'at':1,'length':0}"},
    {"1099511627776:1", "error -32602: expected a creation index below 2^40 {'at':0,'length':13}"},
};

// ---- terms of targets
//
//   slot   names                    flags and others
//   0                               Name Order
//   1      0 as parent
//   2      1 as parent              Order
//   3      2 as whom, 0 as who
//   4      nothing as parent

static clan_context *make_family(void)
{
    clan_context *clan = clan_context_create(NULL);
    clan_entity e[5];
    ck_assert_ptr_nonnull(clan);
    for (int i = 0; i < 5; i++)
        e[i] = clan_create_entity(clan);
    clan_add_name(clan, e[0], (Name){"root"});
    clan_add_order(clan, e[0], (Order){1});
    clan_add_child_of(clan, e[1], (ChildOf){e[0]});
    clan_add_child_of(clan, e[2], (ChildOf){e[1]});
    clan_add_order(clan, e[2], (Order){2});
    clan_add_likes(clan, e[3], (Likes){.who = e[0], .whom = e[2]});
    clan_add_child_of(clan, e[4], (ChildOf){CLAN_NO_ENTITY});
    return clan;
}

static const struct {
    const char *query, *slots; // or how the mistake begins
} target_terms[] = {
    {"ChildOf.(Order)", "1"},
    {"ChildOf.(*)", "1 2"},
    {"ChildOf & !ChildOf.(*)", "4"},
    {"ChildOf.parent.(!Order)", "2"},
    {"ChildOf.(ChildOf.(Name))", "2"},
    {"ChildOf.(Name | ChildOf) & Order", "2"},
    {"Likes.who.(Name) & Likes.whom.(ChildOf.(ChildOf))", "3"},
    {"Likes.who.(Name & Order), Likes.whom.(Name)", ""},
    {"!Likes.who.(Name) where number = 2", "no component of the query has a field 'number'"},
    {"Order, !ChildOf.(Name) where number < 3", "0 2"},
    {"ChildOf.(#1) | ChildOf.(2:1)", "1 2"},
    {"ChildOf.(Order) where number = 1", "no component of the query has a field 'number'"},
    {"Likes.(Name)", "'Likes' has several relations; write one, such as Likes.who.(...)"},
    {"Likes.amount.(Name)", "'amount' is no relation"},
    {"Likes.whm.(Name)", "there is no field 'whm' here"},
    {"Order.(Name)", "'Order' has no relation, a field that names an entity of clan"},
    {"ChildOf.parent", "expected '.' at the end"},
    {"ChildOf.parent.Order", "expected '('"},
    {"ChildOf.(Order", "expected ')' at the end"},
    {"ChildOf.()", "expected the name of a component"},
};

START_TEST(fnd_30_a_term_of_a_target_finds_its_holders)
{
    clan_context *clan = make_family();
    static kin__query query;
    kin__mistake mistake;
    char found[200] = "";
    void *scratch = malloc(kin__query_scratch(&clan_info));
    ck_assert_ptr_nonnull(scratch);
    if (!kin__query_parse(&query, &clan_info, target_terms[_i].query, &mistake)) {
        snprintf(found, strlen(target_terms[_i].slots) + 1, "%s", mistake.message);
    } else {
        uint64_t match = kin__query_word(&query, &clan->base, 0, scratch);
        for (int i = 0; i < 64; i++)
            if ((match >> i & 1) != 0)
                snprintf(found + strlen(found), 8, "%s%d", found[0] != '\0' ? " " : "", i);
    }
    ck_assert_msg(strcmp(found, target_terms[_i].slots) == 0, "%s: %s", target_terms[_i].query, found);
    free(scratch);
    clan_context_destroy(clan);
}
END_TEST

START_TEST(ins_44_a_mistake_has_its_place)
{
    ck_assert_str_eq(inspect_quoted(slots(mistakes[_i].query)), inspect_quoted(mistakes[_i].answer));
}
END_TEST

START_TEST(ins_41_a_field_of_several_components_needs_its_component)
{
    expect_in_answer("entities.query", "{'context':'game','query':'Name & Title where value = 1'}",
                     "several components have a field 'value': write one of Name.value, Title.value");
    ck_assert_str_eq(slots("Name & !Title where value = \\\"elf\\\""), "2");
}
END_TEST

// A query of `count` times one text, and then another one.
static const char *repeated(const char *text, int count, const char *end)
{
    static char query[4096];
    query[0] = '\0';
    for (int i = 0; i < count; i++)
        strcat(query, text);
    return strcat(query, end);
}

START_TEST(ins_44_a_query_has_limits)
{
    ck_assert_str_eq(slots(repeated("!", 64, "Name")), "0 1 2");
    ck_assert_ptr_nonnull(strstr(slots(repeated("!", 65, "Name")), "at most 64 operators"));
    ck_assert_str_eq(slots(repeated("(", 16, "Name))))))))))))))))")), "0 1 2");
    ck_assert_ptr_nonnull(strstr(slots(repeated("(", 17, "Name)))))))))))))))))")), "at most 16 deep"));
    ck_assert_str_eq(slots(repeated(" ", 1020, "Name")), "0 1 2");
    ck_assert_ptr_nonnull(strstr(slots(repeated(" ", 1021, "Name")), "at most 1024 bytes"));
    ck_assert_ptr_nonnull(strstr(slots(repeated("!", 1024, "")), "at most 64 operators"));
    ck_assert_str_eq(slots(repeated("Name|", 64, "Name")), "0 1 2");
    ck_assert_ptr_nonnull(strstr(slots(repeated("Name|", 65, "Name")), "at most 64 operators"));
}
END_TEST

START_TEST(ins_51_pages_neither_skip_nor_repeat)
{
    expect_answer("entities.query", "{'context':'game','limit':2}",
                  "{'frame':[0,0],'total':5,'next':'2','rows':[{'e':'1:0','label':'orc a','v':{}},"
                  "{'e':'2:1','label':'orc b','v':{}}]}");
    expect_answer("entities.query", "{'context':'game','limit':2,'after':'2'}",
                  "{'frame':[0,0],'total':5,'next':'4','rows':[{'e':'3:2','label':'elf','v':{}},{'e':'4:3','v':{}}]}");
    kin_destroy(&game->base, (kin_entity)4 << 24 | 3);
    expect_answer("entities.query", "{'context':'game','limit':2,'after':'4'}",
                  "{'frame':[0,0],'total':4,'next':null,'rows':[{'e':'5:4','v':{}}]}");
    expect_answer("entities.query", "{'context':'game','limit':0}", "{'frame':[0,0],'total':4,'next':null,'rows':[]}");
    expect_answer("entities.query", "{'context':'game','after':'x'}",
                  "error -32602: 'after' must be the 'next' of an earlier answer ");
    expect_answer("entities.query", "{'context':'game','limit':1001}", "error -33102: 'limit' must be from 0 to 1000 ");
}
END_TEST

START_TEST(rows_have_the_fields_that_are_asked_for)
{
    expect_answer(
        "entities.query",
        "{'context':'game','query':'#1','fields':['Name.value','AllNumbers.i32','Movable','Links.own','Boxed']}",
        "{'frame':[0,0],'total':1,'next':null,'rows':[{'e':'1:0','label':'orc a','v':{'Name.value':'orc a',"
        "'AllNumbers.i32':5,'Movable':true,'Links.own':'2:1'}}]}");
    expect_answer("entities.query", "{'context':'game','fields':['Nam']}",
                  "error -32602: no component of the query has a field 'Nam'; write a component and a field, such as "
                  "Health.points ");
    expect_answer("entities.query", "{'context':'game','fields':['Texts.none']}",
                  "error -33107: 'none' is hidden by its schema ");
    expect_answer("entities.query", "{'context':'game','fields':['Frozen']}",
                  "error -33107: 'Frozen' is hidden by its schema ");
}
END_TEST

START_TEST(order_by_keeps_the_first_of_many)
{
    for (int i = 0; i < 3000; i++)
        number(my_game_create_entity(game).id, (i * 7919) % 3001 + 100, 0, true);
    ck_assert_str_eq(slots("AllNumbers where i32 >= 100 order by i32 desc"), slots("AllNumbers order by i32 desc"));
    expect_in_answer("entities.query",
                     "{'context':'game','query':'AllNumbers order by i32','limit':4,"
                     "'fields':['AllNumbers.i32']}",
                     "'v':{'AllNumbers.i32':-5}},{");
    const char *answer = inspect_ask("entities.query", "{'context':'game','query':'AllNumbers where i32 > 50 order by "
                                                       "i32','limit':4,'fields':['AllNumbers.i32']}");
    int last = 0;
    for (int i = 0; i < 4; i++) {
        answer = strstr(answer, "AllNumbers.i32\":") + strlen("AllNumbers.i32\":");
        ck_assert_int_gt(atoi(answer), last);
        last = atoi(answer);
    }
    ck_assert_int_eq(last, 103);
}
END_TEST

START_TEST(rows_of_an_order_that_do_not_fit_are_cut)
{
    static char value[4001];
    memset(value, 'x', sizeof value - 1);
    for (int i = 0; i < 300; i++)
        name(my_game_create_entity(game).id, value);
    expect_in_answer("entities.query", "{'context':'game','query':'Name order by value','fields':['Name'],'limit':300}",
                     "'total':303,'next':null,'cut':true,'rows':[{");
    expect_in_answer("entities.query", "{'context':'game','query':'Name order by value','fields':['Name'],'limit':3}",
                     "'total':303,'next':null,'rows':[{");
}
END_TEST

static const struct {
    const char *text, *pattern;
    bool is_like;
} likes[] = {
    {"", "*", true},         {"a", "", false},        {"\u00e4", "?", true},       {"\u00e4b", "?b", true},
    {"\u00e4", "??", false}, {"b\u00e4", "*?", true}, {"\u00e4xyz", "*??z", true}, {"a*b", "a\\*b", true},
    {"axb", "a\\*b", false}, {"a?b", "a\\?b", true},  {"axb", "a\\?b", false},     {"a\\b", "a\\\\b", true},
    {"a\\", "a\\", true},    {"aab", "*ab", true},
};

START_TEST(ins_40_a_pattern_is_of_characters)
{
    ck_assert_msg(kin__compare_like(likes[_i].text, likes[_i].pattern) == likes[_i].is_like, "%s ~ %s", likes[_i].text,
                  likes[_i].pattern);
}
END_TEST

// Returns the seconds of the processor that a text without the pattern takes, at least a hundredth.
static double cost_of_pattern(const char *text, size_t letters)
{
    char pattern[1003] = "*";
    memset(pattern + 1, 'a', letters);
    pattern[letters + 1] = 'b';
    clock_t began = clock();
    ck_assert(!kin__compare_like(text, pattern));
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    return seconds < 0.01 ? 0.01 : seconds;
}

START_TEST(ins_40_the_cost_of_a_pattern_does_not_grow_with_its_length)
{
    enum { SIZE = 1024 * 1024 };
    char *text = malloc(SIZE + 1);
    memset(text, 'a', SIZE);
    text[SIZE] = '\0';
    ck_assert(cost_of_pattern(text, 1000) < 10 * cost_of_pattern(text, 10));
    free(text);
}
END_TEST

START_TEST(ins_42_long_texts_of_two_paths_are_compared_whole)
{
    char text[2][301];
    memset(text, 'x', sizeof text);
    text[0][300] = text[1][300] = '\0';
    my_Name named = {.value = text[0], .none = text[1]};
    my_game_add_name(game, my_game_create_entity(game), named);
    ck_assert_str_eq(slots("Name where value = none"), "5");
}
END_TEST

START_TEST(fnd_30_a_group_has_the_entities_for_which_its_questions_hold)
{
    stage_world *stage = stage_world_create(NULL, NULL);
    ck_assert_int_eq(kin_inspector_add_world(inspector, stage_world_base(stage)), KIN_OK);
    scene_context *scene = stage->contexts->scene;
    scene_entity ice = scene_create_entity(scene), part = scene_create_entity(scene);
    scene_add_part_of(scene, part, (PartOf){ice, 0});
    expect_in_answer("entities.get", "{'context':'scene','entity':'2:1'}", "'groups':[]");
    expect_in_answer(
        "entities.explain", "{'context':'scene','entity':'2:1','group':'frozen_parts'}",
        "'matches':false,'says':'it meets all rules of frozen_parts, but not what it asks about a relation'");
    expect_in_answer("entities.query", "{'context':'scene','query':'in frozen_parts'}", "'rows':[]");
    scene_set_frozen(scene, ice, true);
    expect_in_answer("entities.get", "{'context':'scene','entity':'2:1'}", "'groups':['frozen_parts']");
    expect_in_answer("entities.explain", "{'context':'scene','entity':'2:1','group':'frozen_parts'}",
                     "'matches':true,'says':'it meets all rules of frozen_parts'");
    expect_in_answer("entities.query", "{'context':'scene','query':'in frozen_parts'}", "'rows':[{'e':'2:1'");
    expect_in_answer("schema.get", "{'context':'scene'}",
                     "{'name':'armed','doc':null,'order':'by_depth','asks':['held_by PartOf.whole']}");
    stage_world_destroy(stage);
}
END_TEST

START_TEST(fnd_04_the_order_of_a_group_is_shown)
{
    stage_world *stage = stage_world_create(NULL, NULL);
    ck_assert_int_eq(kin_inspector_add_world(inspector, stage_world_base(stage)), KIN_OK);
    expect_in_answer("schema.get", "{'context':'scene'}",
                     "{'name':'sprites','doc':'What is drawn.','order':'by_depth'}");
    expect_in_answer("groups.list", "{'context':'scene'}", "'listeners':0,'order':'by_depth'}");
    expect_in_answer("systems.list", "{'world':'stage'}", "'context':'scene','group':'plain','order':'by_depth'");
    expect_in_answer("systems.list", "{'world':'stage'}", "'event':'added_or_removed'}],'order':'by_depth'");
    stage_world_destroy(stage);
}
END_TEST

Suite *inspect_query_suite(void)
{
    Suite *suite = suite_create("inspect_query");
    TCase *tests = tcase_create("inspect_query");
    tcase_add_checked_fixture(tests, begin, inspect_end);
    tcase_add_loop_test(tests, ins_40_a_query_finds_what_it_says, 0, sizeof matches / sizeof *matches);
    tcase_add_loop_test(tests, fnd_30_a_term_of_a_target_finds_its_holders, 0,
                        (int)(sizeof target_terms / sizeof *target_terms));
    tcase_add_test(tests, fnd_30_a_group_has_the_entities_for_which_its_questions_hold);
    tcase_add_test(tests, fnd_04_the_order_of_a_group_is_shown);
    tcase_add_loop_test(tests, ins_44_a_mistake_has_its_place, 0, sizeof mistakes / sizeof *mistakes);
    tcase_add_test(tests, ins_41_a_field_of_several_components_needs_its_component);
    tcase_add_test(tests, ins_44_a_query_has_limits);
    tcase_add_test(tests, ins_51_pages_neither_skip_nor_repeat);
    tcase_add_test(tests, rows_have_the_fields_that_are_asked_for);
    tcase_add_test(tests, order_by_keeps_the_first_of_many);
    tcase_add_test(tests, rows_of_an_order_that_do_not_fit_are_cut);
    tcase_add_loop_test(tests, ins_40_a_pattern_is_of_characters, 0, sizeof likes / sizeof *likes);
    tcase_add_test(tests, ins_40_the_cost_of_a_pattern_does_not_grow_with_its_length);
    tcase_add_test(tests, ins_42_long_texts_of_two_paths_are_compared_whole);
    suite_add_tcase(suite, tests);
    return suite;
}

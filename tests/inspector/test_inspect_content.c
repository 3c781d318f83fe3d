// Content in the inspector: its files and errors, names instead of handles, and saving back.
#include "inspect_case.h"
#include "suites.h"

#include "generator/content/content.h"
#include "generator/scratch.h"
#include "shell.h"

#include <fort/fort.h>
#include <fort/fort_content.h>
#include <kin/content_edit.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static game_context *fort;
static kin_content *content;

static const char yaml[] = "content: 1\nprefabs: { Fast: { extends: Cannon, Health: { points: 150 } } } # fast\n"
                           "levels: { valley: { place: [{ Fast: { as: north_gun } }] } }\n";

static void ignore(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
}

static void begin_with(kin_inspector_options options)
{
    static const kin_context_info *const contexts[] = {&game_info};
    kin_context_options quiet = {.on_error = ignore};
    scratch_create();
    scratch_write("empty/none.yaml", "content: 1\n");
    const char *path = scratch_path("empty");
    diagnostics faults = diagnostics_create(scratch_arena());
    kin__pack *pack =
        content_compile(scratch_arena(), &faults, (content_schema){contexts, 1}, (content_paths){&path, 1});
    text bytes = text_create(scratch_arena());
    content_append_file(pack, &bytes);
    fort = game_context_create(&quiet);
    content = kin_content_open_bytes(&fort->base, bytes.bytes, bytes.size, NULL);
    inspector = kin_inspector_create(&options);
    ck_assert_int_eq(kin_inspector_add(inspector, &fort->base, NULL), KIN_OK);
}

static void begin(void)
{
    begin_with(inspect_options());
}

static void begin_live(void)
{
    kin_inspector_options options = inspect_live_options();
    options.quiet = true;
    begin_with(options);
}

static void end(void)
{
    kin_inspector_destroy(inspector);
    game_context_destroy(fort);
    guard_end(&inspect_memory);
    scratch_destroy();
}

static game_entity watch_and_place(void)
{
    static const kin_content_watch_options options = {.is_quiet = true};
    scratch_write("files/all.yaml", yaml);
    ck_assert_int_eq(kin_content_watch(content, scratch_path("files"), &options), KIN_OK);
    ck_assert_int_eq(game_place_level(fort, "valley"), KIN_OK);
    return game_find_placed(fort, "valley/north_gun");
}

// The handle as viewers write it, with more parameters.
static const char *about(game_entity entity, const char *more)
{
    return arena_format(scratch_arena(), "{'entity':'%u:%u'%s}", (unsigned)kin_entity_creation_index(entity.id),
                        (unsigned)kin_entity_slot(entity.id), more);
}

START_TEST(cnt_23_the_inspector_shows_files_and_their_errors)
{
    expect_in_answer("content.status", "{}", "'content':true,'folder':null");
    watch_and_place();
    expect_in_answer("content.status", "{}",
                     arena_format(scratch_arena(), "'files':['%s'],'prefabs':['Fast'],'levels':['valley']",
                                  scratch_path("files/all.yaml")));
    expect_in_answer("content.status", "{}", "'error':null,'errors':[],");
    scratch_write("files/all.yaml", "content: 1\nprefabs: { Fast: { extends: Canon } }\n");
    kin_content_poll(content);
    expect_in_answer("content.status", "{}", "'line':2,'column':29");
    expect_in_answer("content.status", "{}", "'fix':'Cannon'");
    scratch_write("files/all.yaml", yaml);
    kin_content_poll(content);
    expect_in_answer("content.status", "{}", "'error':null,'errors':[],");
}
END_TEST

START_TEST(names_of_content_stand_beside_handles)
{
    game_entity gun = watch_and_place();
    expect_in_answer("entities.get", about(gun, ""), "'name':'valley/north_gun'");
    expect_in_answer("entities.get", about(game_find_part(fort, gun, "head.left"), ""),
                     "'name':'valley/north_gun.head.left'");
    expect_in_answer("entities.query", "{'query':'Gun','names':true}", "'name':'valley/north_gun.head'");
    game_entity fast = game_spawn_named(fort, "Fast", NULL);
    expect_in_answer("entities.get", about(game_find_part(fort, fast, "head"), ""), "'name':'Fast.head'");
}
END_TEST

START_TEST(cnt_30_a_viewer_saves_what_it_has_changed)
{
    game_entity gun = watch_and_place();
    expect_in_answer("content.diff", about(gun, ""),
                     "'name':'valley/north_gun','level':'valley','values':false,'differences':[]");
    inspect_ask("components.set", about(gun, ",'path':'Health.points','value':77"));
    expect_in_answer("content.diff", about(gun, ""), "'part':'','path':'Health.points','given':'150','value':'77'");
    expect_in_answer("content.save", about(gun, ",'to':'prefab'"), "'saved':1");
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "Health: { points: 77 } } } # fast\n"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    expect_in_answer("content.diff", about(gun, ""), "'differences':[]");
    inspect_ask("components.set", about(gun, ",'path':'Health.points','value':5"));
    expect_in_answer("content.save", about(gun, ",'to':'instance'"), "'saved':1");
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "{ as: north_gun, Health: { points: 5 } }"));
}
END_TEST

START_TEST(cnt_30_a_viewer_chooses_what_it_saves_and_sees_what_was_not)
{
    game_entity gun = watch_and_place();
    inspect_ask("components.set", about(gun, ",'path':'Health.points','value':77"));
    inspect_ask("components.set", about(gun, ",'path':'Local.at.x','value':5"));
    expect_in_answer("content.save", about(gun, ",'to':'prefab','fields':['Healt']"), "did you mean 'Health'?");
    expect_in_answer("content.save", about(gun, ",'to':'prefab','fields':[7]"), "must be an array of strings");
    expect_in_answer("content.save", about(gun, ",'to':'prefab','fields':['Local']"),
                     "'Local.at.x' cannot be saved there: where an instance stands is not its prefab's");
    expect_in_answer("content.save", about(gun, ",'to':'prefab','fields':['Health','Local.at.x']"),
                     "'saved':1,'left_out':[{'e':");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    expect_in_answer("content.save", about(gun, ",'to':'instance','fields':['Local.at']"), "'saved':1,'left_out':[]");
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "points: 77 } } } # fast\n"));
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "{ as: north_gun, Local: { at: { x: 5 } } }"));
}
END_TEST

START_TEST(cnt_30_instances_without_a_name_and_unique_components_are_told_apart)
{
    static const kin_content_watch_options options = {.is_quiet = true};
    uint32_t count;
    scratch_write("files/all.yaml", "content: 1\nvalues: { Battle: { money: 3 } }\n"
                                    "levels: { valley: { place: [{ Block: {} }] } }\n");
    ck_assert_int_eq(kin_content_watch(content, scratch_path("files"), &options), KIN_OK);
    ck_assert_int_eq(game_place_level(fort, "valley"), KIN_OK);
    game_entity block = *(const game_entity *)(const void *)kin_group_entities(
        kin_context_group(&fort->base, KIN_MATCHER(KIN_ALL(GAME_BOX))), &count);
    expect_in_answer("content.diff", about(block, ""),
                     "'name':'Block','level':'valley','values':false,'differences':[]");
    game_entity other = game_spawn_block(fort);
    expect_in_answer("content.diff", about(other, ""), "'name':'Block','level':null,'values':false,'differences':[]");
    game_entity carrier = {kin_context_carrier(&fort->base, GAME_BATTLE)};
    expect_in_answer("content.diff", about(carrier, ""), "'level':null,'values':true,'differences':[]");
    game_entity version = {kin_context_carrier(&fort->base, GAME_CONTENT)}; // unique, and in no values
    expect_in_answer("content.diff", about(version, ""), "'level':null,'values':false,'differences':[]");
    inspect_ask("components.set", about(carrier, ",'path':'Battle.money','value':7"));
    expect_in_answer("content.diff", about(carrier, ""), "change it there");
    expect_in_answer("content.save", about(carrier, ",'to':'prefab'"),
                     "unique components are of no instance or prefab");
}
END_TEST

START_TEST(a_viewer_spawns_prefabs)
{
    watch_and_place();
    const char *answer = inspect_ask("entities.spawn", "{'blueprint':'Fast'}");
    ck_assert_msg(strstr(answer, "\"entity\":\"") != NULL, "%s", answer);
    uint32_t count;
    kin_group_entities(kin_context_group(&fort->base, KIN_MATCHER(KIN_ALL(GAME_HEALTH))), &count);
    ck_assert_uint_eq(count, 2);
    expect_in_answer("entities.create", "{'blueprint':'Fast','components':{'Health':{'points':4}}}", "'entity':'");
    expect_in_answer("entities.spawn", "{'blueprint':'Fst'}", "Fast");
    expect_in_answer("entities.spawn", "{'blueprint':'Cannon'}", "'entity':'");
    kin_content_close(content);
    expect_in_answer("entities.spawn", "{'blueprint':'Canon'}", "has no blueprint 'Canon'");
}
END_TEST

START_TEST(cnt_30_a_viewer_goes_back_to_the_content)
{
    game_entity gun = watch_and_place();
    inspect_ask("components.set", about(gun, ",'path':'Health.points','value':77"));
    expect_in_answer("content.revert", about(gun, ""), "'reverted':1");
    ck_assert_int_eq(game_get_health(fort, gun)->points, 150);
    expect_in_answer("content.revert", about(gun, ""), "'reverted':0");
}
END_TEST

START_TEST(ins_54_each_method_of_content_answers_as_its_description_says)
{
    static const char *const methods[] = {"content.status", "content.diff", "content.save", "content.revert"};
    game_entity gun = watch_and_place();
    text lines = text_create(scratch_arena());
    text_append_format(&lines, "%s\n", inspect_ask("rpc.discover", "{}"));
    text_append_format(&lines, "content.status %s\n", inspect_ask("content.status", "{}"));
    for (size_t i = 1; i < sizeof methods / sizeof *methods; i++) {
        inspect_ask("components.set",
                    about(gun, arena_format(scratch_arena(), ",'path':'Health.points','value':%d", (int)i)));
        text_append_format(&lines, "%s %s\n", methods[i],
                           inspect_ask(methods[i], about(gun, i == 2 ? ",'to':'prefab'" : "")));
    }
    scratch_write("answers", lines.bytes);
    const char *command = "if python3 -c 'import jsonschema' 2> /dev/null; then python3 -W ignore "
                          "tests/inspector/answers.py content. < '%s'; else echo ok; fi";
    ck_assert_str_eq(shell_expect(scratch_arena(), arena_format(scratch_arena(), command, scratch_path("answers"))),
                     "ok\n");
}
END_TEST

// ---- from a terminal

static atomic_bool is_asked;
static arena asking;
static const char *command_of_viewer;
static shell_result said;

static void *ask_from_terminal(void *data)
{
    said = shell_run(&asking, command_of_viewer);
    atomic_store(&is_asked, true);
    return data;
}

// Runs kin-inspect while the game goes on. Returns what it writes.
static const char *from_terminal(const char *words, int status)
{
    pthread_t thread;
    double delta = 0;
    const char *address = kin_inspector_address(inspector);
    command_of_viewer = arena_format(&asking, "%s/bin/kin-inspect --url '%s' %s", shell_build(), address, words);
    atomic_store(&is_asked, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, ask_from_terminal, NULL), 0);
    while (!atomic_load(&is_asked)) {
        kin_inspector_frame(inspector, &delta);
        if (content != NULL)
            kin_content_poll(content);
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    pthread_join(thread, NULL);
    ck_assert_msg(said.status == status, "%s", said.output);
    return said.output;
}

START_TEST(cnt_30_a_terminal_saves_what_it_has_changed)
{
    if (access(arena_format(&asking, "%s/bin/kin-inspect", shell_build()), X_OK) != 0) {
        printf("skipped: what needs kin-inspect\n");
        return;
    }
    game_entity gun = watch_and_place();
    const char *handle = arena_format(scratch_arena(), "%u:%u", (unsigned)kin_entity_creation_index(gun.id),
                                      (unsigned)kin_entity_slot(gun.id));
    from_terminal(arena_format(scratch_arena(), "set %s Health.points 64", handle), 0);
    ck_assert_ptr_nonnull(strstr(from_terminal(arena_format(scratch_arena(), "differences %s", handle), 0),
                                 "\t\tHealth.points\t150\t64\n"));
    ck_assert_ptr_nonnull(strstr(from_terminal("spawn Fast", 0), "entity\t"));
    from_terminal("spawn Fst", 1);
    from_terminal(arena_format(scratch_arena(), "save %s --to prefab --fields Gun", handle), 1);
    ck_assert_str_eq(from_terminal(arena_format(scratch_arena(), "save %s", handle), 2),
                     "kin-inspect: save needs --to instance, prefab, or the name of a new prefab\n");
    ck_assert_ptr_nonnull(
        strstr(from_terminal(arena_format(scratch_arena(), "save %s --to prefab", handle), 0), "saved\t1\n"));
    ck_assert_ptr_nonnull(strstr(scratch_read("files/all.yaml"), "Health: { points: 64 } } } # fast\n"));
    const char *path = scratch_path("files/all.yaml");
    ck_assert_str_eq(from_terminal("content", 0),
                     arena_format(scratch_arena(), "folder\t%s\nfiles\t%s\nprefabs\tFast\nlevels\tvalley\n",
                                  scratch_path("files"), path));
    scratch_write("files/all.yaml", "content: 1\nprefabs: { Fast: { extends: Canon } }\n");
    ck_assert_ptr_nonnull(strstr(from_terminal("content", 0),
                                 arena_format(scratch_arena(),
                                              "%s:2:29: error: no prefab or blueprint is named 'Canon'; did you mean "
                                              "'Cannon'? [K1601]\n",
                                              path)));
    from_terminal(arena_format(scratch_arena(), "set %s Health.points 1", handle), 0);
    ck_assert_ptr_nonnull(
        strstr(from_terminal(arena_format(scratch_arena(), "revert %s", handle), 0), "reverted\t1\n"));
    kin_content_close(content);
    content = NULL;
    from_terminal("content", 4);
    arena_release(&asking);
}
END_TEST

START_TEST(what_cannot_be_saved_says_why)
{
    game_entity plain = game_create_entity(fort);
    expect_in_answer("content.diff", about(plain, ""), "is not watched; call kin_content_watch");
    expect_in_answer("content.save", about(plain, ",'to':'prefab'"), "is not watched; call kin_content_watch");
    game_entity gun = watch_and_place();
    expect_in_answer("content.diff", about(plain, ""), "'name':null,'level':null,'values':false,'differences':[]");
    expect_in_answer("content.save", about(plain, ",'to':'prefab'"), "the entity is of no prefab or blueprint");
    expect_in_answer("content.save", about(gun, ""), "to");
    expect_in_answer("content.save", about(gun, ",'to':''"), "say where");
    expect_in_answer("content.revert", "{'entity':'77:1'}", "has no such living entity");
    kin_content_close(content);
    expect_in_answer("content.status", "{}", "'content':false");
    expect_in_answer("content.save", about(gun, ",'to':'prefab'"), "has no content; kin_content_open opens one");
}
END_TEST

Suite *inspect_content_suite(void)
{
    Suite *suite = suite_create("inspect_content");
    TCase *cases = tcase_create("content");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, cnt_23_the_inspector_shows_files_and_their_errors);
    tcase_add_test(cases, names_of_content_stand_beside_handles);
    tcase_add_test(cases, cnt_30_a_viewer_saves_what_it_has_changed);
    tcase_add_test(cases, cnt_30_a_viewer_chooses_what_it_saves_and_sees_what_was_not);
    tcase_add_test(cases, cnt_30_instances_without_a_name_and_unique_components_are_told_apart);
    tcase_add_test(cases, a_viewer_spawns_prefabs);
    tcase_add_test(cases, cnt_30_a_viewer_goes_back_to_the_content);
    tcase_add_test(cases, ins_54_each_method_of_content_answers_as_its_description_says);
    tcase_add_test(cases, what_cannot_be_saved_says_why);
    suite_add_tcase(suite, cases);
    TCase *live = tcase_create("terminal");
    tcase_set_timeout(live, 60);
    tcase_add_checked_fixture(live, begin_live, end);
    tcase_add_test(live, cnt_30_a_terminal_saves_what_it_has_changed);
    suite_add_tcase(suite, live);
    return suite;
}

// Watching the files of content (CNT-23): changes are applied in polls, and errors leave the content of before.
#include "generator/content/content.h"
#include "generator/scratch.h"
#include "runtime/support/case.h"
#include "shell.h"
#include "suites.h"

#include <fort/fort.h>
#include <fort/fort_content.h>
#include <kin/content_edit.h>

#include <check.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

CASE(game)

static kin_content *content;
static uint32_t reloads;
static kin_content_state reloaded; // of the last call of on_reload

static void note_reload(const kin_content_state *state, void *user)
{
    ck_assert_ptr_eq(user, &reloads);
    reloaded = *state;
    reloads++;
}

static text pack_of_nothing(void)
{
    static const kin_context_info *const contexts[] = {&game_info};
    scratch_write("empty/none.yaml", "content: 1\n");
    const char *path = scratch_path("empty");
    diagnostics faults = diagnostics_create(scratch_arena());
    kin__pack *pack =
        content_compile(scratch_arena(), &faults, (content_schema){contexts, 1}, (content_paths){&path, 1});
    text bytes = text_create(scratch_arena());
    ck_assert_ptr_nonnull(pack);
    content_append_file(pack, &bytes);
    return bytes;
}

static void begin(void)
{
    kin_content_options options = {.on_reload = note_reload, .user = &reloads};
    reloads = 0;
    scratch_create();
    game_begin();
    text pack = pack_of_nothing();
    content = kin_content_open_bytes(&game->base, pack.bytes, pack.size, &options);
    ck_assert_ptr_nonnull(content);
    ck_assert_int_eq(mkdir(scratch_path("files"), 0700), 0);
}

static void end(void)
{
    game_end();
    scratch_destroy();
}

static const kin_content_watch_options quiet = {.is_quiet = true};

static kin_status watch(void)
{
    return kin_content_watch(content, scratch_path("files"), &quiet);
}

// Writes a file of the folder as a whole, as editors do.
static void write_content(const char *name, const char *yaml)
{
    scratch_write(arena_format(scratch_arena(), "files/%s.new", name),
                  arena_format(scratch_arena(), "content: 1\n%s", yaml));
    ck_assert_int_eq(rename(scratch_path(arena_format(scratch_arena(), "files/%s.new", name)),
                            scratch_path(arena_format(scratch_arena(), "files/%s", name))),
                     0);
}

static kin_content_state state_of(void)
{
    kin_content_state state;
    kin_content_report(content, &state);
    return state;
}

static int32_t points_of(game_entity entity)
{
    return game_get_health(game, entity)->points;
}

#define GUN(points) "prefabs: { Gun1: { extends: Cannon, Health: { points: " points " } } }\n"

// ---- changes

START_TEST(cnt_20_a_poll_applies_a_file_that_has_changed)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    ck_assert_uint_eq(state_of().file_count, 1);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    ck_assert_int_eq(points_of(gun), 150);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(reloads, 1);
    write_content("guns.yaml", GUN("160"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 160);
    ck_assert_uint_eq(reloads, 2);
    ck_assert_uint_eq(reloaded.written, 1);
}
END_TEST

START_TEST(cnt_20_a_file_that_is_written_in_place_is_seen_when_it_is_closed)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    FILE *file = fopen(scratch_path("files/guns.yaml"), "wb");
    fputs("content: 1\nprefabs:", file);
    fflush(file);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 150);
    fputs(" { Gun1: { extends: Cannon, Health: { points: 170 } } }\n", file);
    fclose(file);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 170);
}
END_TEST

START_TEST(cnt_01_new_files_and_folders_join_the_content)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    ck_assert_int_eq(mkdir(scratch_path("files/deep"), 0700), 0);
    scratch_write("files/deep/more/other.yaml", "content: 1\nprefabs: { Gun2: { extends: Gun1 } }\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(state_of().file_count, 2);
    scratch_write("files/deep/more/other.yaml",
                  "content: 1\nprefabs: { Gun3: { extends: Gun1 }, Gun2: { extends: Gun1 } }\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(state_of().prefab_count, 3);
    scratch_write("files/notes.txt", "no content");
    scratch_write("files/.hidden.yaml", "content: 1\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(reloads, 3);
}
END_TEST

START_TEST(cnt_01_an_included_file_elsewhere_is_watched_also_if_it_is_missing)
{
    write_content("guns.yaml", "include: [../elsewhere/base.txt]\nprefabs: { Gun2: { extends: Gun1 } }\n");
    ck_assert_int_eq(mkdir(scratch_path("elsewhere"), 0700), 0);
    ck_assert_refused(&errors, watch(), KIN_ERROR_INVALID);
    ck_assert_uint_eq(state_of().error_count, 1);
    kin_content_poll(content); // the folder of the missing file is watched from now on
    error_log_clear(&errors);
    scratch_write("elsewhere/base.txt", "content: 1\n" GUN("150"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun2", NULL);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    scratch_write("elsewhere/base.txt", "content: 1\n" GUN("180"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 180);
}
END_TEST

// Without inotify: a walk that compares, five times a second.
START_TEST(cnt_20_a_walk_sees_changes_too)
{
    static const kin_content_watch_options walks = {.walks = true, .is_quiet = true};
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(symlink(".", scratch_path("files/circle")), 0);
    ck_assert_int_eq(kin_content_watch(content, scratch_path("files"), &walks), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    for (int points = 151; points < 154; points++) {
        write_content("guns.yaml", arena_format(scratch_arena(), GUN("%d"), points));
        for (int i = 0; i < 400 && points_of(gun) != points; i++) {
            ck_assert_int_eq(kin_content_poll(content), KIN_OK);
            nanosleep(&(struct timespec){0, 5000000}, NULL);
        }
        ck_assert_int_eq(points_of(gun), points);
    }
    uint32_t before = reloads;
    for (int i = 0; i < 60; i++) {
        ck_assert_int_eq(kin_content_poll(content), KIN_OK);
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    ck_assert_uint_eq(reloads, before);
}
END_TEST

START_TEST(cnt_01_a_circle_of_symbolic_links_ends)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(symlink("..", scratch_path("files/up")), 0);
    ck_assert_int_eq(symlink(".", scratch_path("files/here")), 0);
    ck_assert_int_eq(watch(), KIN_OK);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
}
END_TEST

// ---- errors

START_TEST(cnt_23_an_error_leaves_the_content_of_before_until_it_is_fixed)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    write_content("guns.yaml", "prefabs: { Gun1: { extends: Cannon, heed: {}, Health: { points: 2000 } } }\n");
    ck_assert_refused(&errors, kin_content_poll(content), KIN_ERROR_INVALID);
    kin_content_state state = state_of();
    const char *path = scratch_path("files/guns.yaml");
    ck_assert_uint_eq(state.error_count, 2);
    ck_assert_str_eq(
        state.errors,
        arena_format(scratch_arena(),
                     "%s:2:37: error: 'Gun1' has no part or knob 'heed' [K1604]\n"
                     "    2 | prefabs: { Gun1: { extends: Cannon, heed: {}, Health: { points: 2000 } } }\n"
                     "      |                                     ^^^^ did you mean 'head'?\n"
                     "%s:2:65: error: 2000 is outside the range of 'Health.points' [K0422]\n"
                     "    2 | prefabs: { Gun1: { extends: Cannon, heed: {}, Health: { points: 2000 } } }\n"
                     "      |                                                                 ^^^^ write a "
                     "number from 0 to 1000\n",
                     path, path));
    ck_assert_ptr_nonnull(strstr(state.errors_json, "\"code\": \"K1604\""));
    ck_assert_ptr_nonnull(strstr(state.errors_json, "\"fix\": \"head\""));
    ck_assert_ptr_nonnull(strstr(state.error, "2 errors in '"));
    ck_assert_uint_eq(reloads, 2);
    ck_assert_uint_eq(reloaded.error_count, 2);
    ck_assert_int_eq(points_of(gun), 150);
    ck_assert_int_eq(points_of(game_spawn_named(game, "Gun1", NULL)), 150);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK); // nothing has changed: they are not reported again
    ck_assert_uint_eq(state_of().error_count, 2);
    write_content("guns.yaml", GUN("160"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 160);
    ck_assert_ptr_null(state_of().errors);
    ck_assert_ptr_null(state_of().errors_json);
    ck_assert_ptr_null(state_of().error);
}
END_TEST

START_TEST(cnt_23_a_file_that_vanished_is_an_error)
{
    write_content("guns.yaml", GUN("150"));
    write_content("other.yaml", "prefabs: { Gun2: { extends: Cannon } }\nlevels: { one: { place: [] } }\n");
    ck_assert_int_eq(watch(), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    remove(scratch_path("files/other.yaml"));
    ck_assert_refused(&errors, kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(state_of().errors, "other.yaml' is gone, and prefab 'Gun2' with it"));
    ck_assert_uint_ne(game_spawn_named(game, "Gun2", NULL).id, 0);
    // What it said is in another file: it was renamed.
    write_content("renamed.yaml", "prefabs: { Gun2: { extends: Cannon } }\nlevels: { one: { place: [] } }\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_eq(state_of().file_count, 2);
    // A file that is being written may be empty.
    scratch_write("files/guns.yaml", "");
    ck_assert_refused(&errors, kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_int_eq(points_of(gun), 150);
    // It is meant.
    ck_assert_int_eq(watch(), KIN_OK);
    ck_assert_uint_eq(state_of().prefab_count, 1);
}
END_TEST

START_TEST(cnt_23_a_file_that_vanished_is_named_beside_the_errors_of_others)
{
    write_content("guns.yaml", GUN("150"));
    write_content("other.yaml", "prefabs: { Gun2: { extends: Gun1 } }\nlevels: { one: { place: [{ Gun1: {} }] } }\n");
    ck_assert_int_eq(watch(), KIN_OK);
    remove(scratch_path("files/guns.yaml"));
    ck_assert_refused(&errors, kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_uint_eq(state_of().error_count, 3);
    ck_assert_ptr_nonnull(strstr(state_of().errors, "no prefab or blueprint is named 'Gun1'"));
    ck_assert_ptr_nonnull(strstr(state_of().errors, "guns.yaml' is gone, and what it says with it"));
    ck_assert_ptr_nonnull(strstr(state_of().errors_json, "guns.yaml' is gone"));
    ck_assert_ptr_nonnull(strstr(state_of().error, "guns.yaml' is gone; 3 errors in "));
    write_content("guns.yaml", GUN("170"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_ptr_null(state_of().error);
    // An error that has nothing to do with a file is alone.
    write_content("guns.yaml", "prefabs: { Gun1: { extends: Canon } }\n");
    ck_assert_refused(&errors, kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_ptr_null(strstr(state_of().errors, "is gone"));
}
END_TEST

START_TEST(cnt_23_a_folder_that_vanished_is_an_error_until_it_returns)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    ck_assert_int_eq(rename(scratch_path("files"), scratch_path("away")), 0);
    ck_assert_refused(&errors, kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(state_of().errors, "[K0101]"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_uint_ne(state_of().error_count, 0);
    ck_assert_int_eq(rename(scratch_path("away"), scratch_path("files")), 0);
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_ptr_null(state_of().error);
    write_content("guns.yaml", GUN("170"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 170);
}
END_TEST

// The messages are those of kin check.
START_TEST(cnt_02_a_game_that_watches_says_what_kin_check_says)
{
    glob_t files;
    size_t compared = 0;
    ck_assert_int_eq(glob("tests/bad/content/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        const char *expected = arena_format(scratch_arena(), "%.*s.expected", (int)strlen(path) - 5, path);
        const char *wrong = shell_read(scratch_arena(), path);
        if (strncmp(wrong, "# schema: ", 10) == 0 || strncmp(wrong, "# lock: ", 8) == 0)
            continue; // a watch has one path
        ck_assert_refused(&errors, kin_content_watch(content, path, &quiet), KIN_ERROR_INVALID);
        ck_assert_str_eq(state_of().errors, shell_read(scratch_arena(), expected));
        compared++;
    }
    ck_assert_uint_ge(compared, 80);
    globfree(&files);
}
END_TEST

// ---- calls

START_TEST(watching_twice_looks_at_the_second_folder)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    scratch_write("second/guns.yaml", "content: 1\n" GUN("190"));
    ck_assert_int_eq(kin_content_watch(content, scratch_path("second"), NULL), KIN_OK);
    ck_assert_int_eq(points_of(gun), 190);
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(kin_content_poll(content), KIN_OK);
    ck_assert_int_eq(points_of(gun), 190);
}
END_TEST

static void watch_in_listener(const kin_change *change, void *user)
{
    (void)change;
    *(kin_status *)user = watch();
}

START_TEST(watching_is_refused_without_a_content_or_folder_and_in_a_listener)
{
    kin_status status = KIN_OK;
    static const kin_context_info *const none[1];
    kin_content_watch_options empty = {.contexts = none};
    ck_assert_int_eq(kin_content_watch(NULL, "files", NULL), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_watch(content, NULL, NULL), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_watch(content, "", NULL), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_content_watch(content, "files", &empty), KIN_ERROR_INVALID);
    kin_group_subscribe(game_guns_group(game), KIN_ADDED, watch_in_listener, &status);
    game_spawn_cannon(game);
    ck_assert_int_eq(status, KIN_ERROR_INVALID);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

static void reenter(const kin_content_state *state, void *user)
{
    (void)state;
    (void)user;
    ck_assert_int_eq(kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_int_eq(watch(), KIN_ERROR_INVALID);
    kin_content_close(content); // is ignored
    reloads++;
}

START_TEST(on_reload_cannot_poll_watch_or_close_its_content)
{
    kin_content_options options = {.on_reload = reenter};
    text pack = pack_of_nothing();
    kin_content_close(content);
    content = kin_content_open_bytes(&game->base, pack.bytes, pack.size, &options);
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    write_content("guns.yaml", "prefabs: { Gun1: { extends: Canon } }\n");
    ck_assert_int_eq(kin_content_poll(content), KIN_ERROR_INVALID);
    ck_assert_uint_eq(reloads, 2);
    ck_assert_uint_eq(errors.count, 5);
    error_log_clear(&errors);
}
END_TEST

START_TEST(each_request_for_memory_may_be_refused_while_watching)
{
    write_content("guns.yaml", GUN("150"));
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t n = 1; status != KIN_OK; n++) {
        ck_assert_uint_lt(n, 2000);
        guard_fail(&memory, n, false);
        status = watch();
        guard_fail(&memory, 0, false);
        error_log_clear(&errors);
        if (status != KIN_OK)
            ck_assert_int_eq(status, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_uint_eq(state_of().prefab_count, 1);
}
END_TEST

static uint32_t open_files(void)
{
    uint32_t count = 0;
    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

// The linker takes these for calloc, which arenas call.
static int callocs_left = -1; // before one fails; negative: none does

void *__wrap_calloc(size_t count, size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    if (callocs_left >= 0 && callocs_left-- == 0)
        return NULL;
    return __real_calloc(count, size);
}

START_TEST(cnt_23_a_game_without_memory_goes_on_with_the_content_of_before)
{
    write_content("guns.yaml", GUN("150"));
    ck_assert_int_eq(watch(), KIN_OK);
    game_entity gun = game_spawn_named(game, "Gun1", NULL);
    text many = text_create(scratch_arena());
    text_append_string(&many, GUN("160") "levels:\n  many:\n    place:\n");
    for (int i = 0; i < 3000; i++)
        text_append_format(&many, "      - Gun1: { at: [%d, 0, 4] }\n", i);
    write_content("guns.yaml", many.bytes);
    uint32_t open = open_files();
    int refused = 0;
    for (kin_status status = KIN_ERROR_NO_MEMORY; status != KIN_OK; refused++) {
        ck_assert_int_lt(refused, 200);
        ck_assert_int_eq(points_of(gun), 150);
        callocs_left = refused;
        status = kin_content_poll(content);
        callocs_left = -1;
        ck_assert_uint_eq(open_files(), open);
        if (status != KIN_OK)
            ck_assert_refused(&errors, status, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_int_gt(refused, 4);
    ck_assert_int_eq(points_of(gun), 160);
}
END_TEST

Suite *content_watch_suite(void)
{
    Suite *suite = suite_create("content_watch");
    TCase *cases = tcase_create("watch");
    tcase_add_checked_fixture(cases, begin, end);
    tcase_add_test(cases, cnt_20_a_poll_applies_a_file_that_has_changed);
    tcase_add_test(cases, cnt_20_a_file_that_is_written_in_place_is_seen_when_it_is_closed);
    tcase_add_test(cases, cnt_01_new_files_and_folders_join_the_content);
    tcase_add_test(cases, cnt_01_an_included_file_elsewhere_is_watched_also_if_it_is_missing);
    tcase_add_test(cases, cnt_20_a_walk_sees_changes_too);
    tcase_add_test(cases, cnt_01_a_circle_of_symbolic_links_ends);
    tcase_add_test(cases, cnt_23_an_error_leaves_the_content_of_before_until_it_is_fixed);
    tcase_add_test(cases, cnt_23_a_file_that_vanished_is_an_error);
    tcase_add_test(cases, cnt_23_a_file_that_vanished_is_named_beside_the_errors_of_others);
    tcase_add_test(cases, cnt_23_a_folder_that_vanished_is_an_error_until_it_returns);
    tcase_add_test(cases, cnt_02_a_game_that_watches_says_what_kin_check_says);
    tcase_add_test(cases, watching_twice_looks_at_the_second_folder);
    tcase_add_test(cases, watching_is_refused_without_a_content_or_folder_and_in_a_listener);
    tcase_add_test(cases, on_reload_cannot_poll_watch_or_close_its_content);
    tcase_add_test(cases, each_request_for_memory_may_be_refused_while_watching);
    tcase_add_test(cases, cnt_23_a_game_without_memory_goes_on_with_the_content_of_before);
    suite_add_tcase(suite, cases);
    return suite;
}

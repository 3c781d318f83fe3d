// Watching files that have prefabs of two contexts: each content takes those of its own.
#include "generator/content/content.h"
#include "generator/scratch.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <wharf/wharf.h>
#include <wharf/wharf_content.h>

#include <kin/content_edit.h>

#include <check.h>

static const kin_context_info *const contexts[] = {&hull_info, &pier_info};
static const kin_content_watch_options both = {.contexts = contexts, .context_count = 2, .is_quiet = true};

// Writes the file, and returns its pack.
static text write_content(const char *yaml)
{
    scratch_write("files/all.yaml", yaml);
    const char *path = scratch_path("files");
    diagnostics faults = diagnostics_create(scratch_arena());
    kin__pack *pack =
        content_compile(scratch_arena(), &faults, (content_schema){contexts, 2}, (content_paths){&path, 1});
    text bytes = text_create(scratch_arena());
    ck_assert_ptr_nonnull(pack);
    content_append_file(pack, &bytes);
    return bytes;
}

#define PREFABS(load)                                                                                                  \
    "content: 1\nprefabs: { Big: { context: pier, Crane: { load: " load " } }, Tall: { context: hull, Mast: {} } }\n"

START_TEST(cnt_01_files_of_several_contexts_are_one_set)
{
    static error_log errors;
    kin_context_options reported = {.on_error = error_log_append, .error_user = &errors};
    text pack = write_content(PREFABS("70"));
    pier_context *pier = pier_context_create(&reported);
    hull_context *hull = hull_context_create(&reported);
    kin_content *of_pier = kin_content_open_bytes(&pier->base, pack.bytes, pack.size, NULL);
    kin_content *of_hull = kin_content_open_bytes(&hull->base, pack.bytes, pack.size, NULL);
    ck_assert_int_eq(kin_content_watch(of_pier, scratch_path("files"), &both), KIN_OK);
    ck_assert_int_eq(kin_content_watch(of_hull, scratch_path("files"), &both), KIN_OK);
    pier_entity crane = pier_spawn_named(pier, "Big", NULL);
    ck_assert_int_eq(pier_get_crane(pier, crane)->load, 70);
    ck_assert_uint_ne(hull_spawn_named(hull, "Tall", NULL).id, 0);
    write_content(PREFABS("80"));
    ck_assert_int_eq(kin_content_poll(of_pier), KIN_OK);
    ck_assert_int_eq(kin_content_poll(of_hull), KIN_OK);
    ck_assert_int_eq(pier_get_crane(pier, crane)->load, 80);
    pier_replace_crane(pier, crane, (Crane){90});
    ck_assert_int_eq(kin_content_save(of_pier, crane.id, "prefab"), KIN_OK);
    ck_assert_str_eq(scratch_read("files/all.yaml"), PREFABS("90"));
    // The tables of the content's own context alone do not have the other one.
    kin_content_watch_options quiet = {.is_quiet = true};
    ck_assert_refused(&errors, kin_content_watch(of_pier, scratch_path("files"), &quiet), KIN_ERROR_INVALID);
    pier_context_destroy(pier);
    hull_context_destroy(hull);
}
END_TEST

Suite *content_watch_contexts_suite(void)
{
    Suite *suite = suite_create("content_watch_contexts");
    TCase *cases = tcase_create("contexts");
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, cnt_01_files_of_several_contexts_are_one_set);
    suite_add_tcase(suite, cases);
    return suite;
}

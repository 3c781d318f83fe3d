// Memory: the runtime's suites once more, with each request for memory failing once (tests/sweep), and whether that has
// covered every function that may need memory.
#include "shell.h"
#include "suites.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

static const char *in_build(const char *path)
{
    return arena_format(&memory, "%s/%s", shell_build(), path);
}

// The allocators of the tests detect leaks themselves, much faster than the address sanitizer. The flood of keys is
// left out: it measures probes of large tables, and each of its changes would compare the whole context. So are tests
// that refuse memory themselves, to large worlds, long games, and what runs compilers.
START_TEST(err_01_every_test_holds_when_each_request_for_memory_has_failed_once)
{
    static const char command[] =
        "env -u CK_RUN_SUITE -u CK_RUN_CASE -u CK_XML_LOG_FILE_NAME -u CK_TAP_LOG_FILE_NAME -u CK_FORK "
        "ASAN_OPTIONS=detect_leaks=0 CK_TIMEOUT_MULTIPLIER=30 KIN_MODEL_OPERATIONS=2000 KIN_SWEEP_COUNTS=%s %s "
        "runtime_ net_frame -runtime_index_flood -runtime_world_snapshot_memory -runtime_commands_listener "
        "-runtime_same "
        "-runtime_serial -runtime_branches -runtime_jobs_compile 2>&1";
    shell_expect(&memory,
                 arena_format(&memory, command, in_build("tests/sweep/counts"), in_build("tests/sweep/check")));
}
END_TEST

// Functions that listeners cannot call, or only with a snapshot that was saved before.
static bool is_refused_in_listeners(const char *name)
{
    return strcmp(name, "kin__context_save") == 0 || strcmp(name, "kin__context_restore") == 0 ||
           strncmp(name, "kin_frame_", strlen("kin_frame_")) == 0;
}

START_TEST(every_function_that_may_need_memory_was_refused_it_also_in_listeners)
{
    char name[64];
    int may_fail, size;
    unsigned calls, refused, nested;
    for (const char *line = shell_read(&memory, in_build("tests/sweep/counts")); *line != '\0'; line += size) {
        ck_assert_int_eq(sscanf(line, "%63s %d %u %u %u %n", name, &may_fail, &calls, &refused, &nested, &size), 5);
        if (may_fail && (refused == 0 || (nested == 0 && !is_refused_in_listeners(name))))
            ck_abort_msg("%s was refused memory %u times, %u of them in listeners", name, refused, nested);
    }
}
END_TEST

START_TEST(every_function_that_is_swept_was_called)
{
    const char *counts = shell_read(&memory, in_build("tests/sweep/counts"));
    char name[64];
    int size;
    for (const char *line = shell_read(&memory, in_build("tests/sweep/names")); *line != '\0'; line += size) {
        ck_assert_int_eq(sscanf(line, "%63s %*s %n", name, &size), 1);
        if (strstr(counts, arena_format(&memory, "%s ", name)) == NULL)
            ck_abort_msg("%s was called by no test", name);
    }
}
END_TEST

// Functions that only query, and functions that other swept functions call.
static const char *const unswept[] = {
    "kin__collect_entity",
    "kin__component_has_stashed",
    "kin_content_face_of",
    "kin_network_face_of",
    "kin_blueprint_set_value",
    "kin_blueprint_value",
    "kin_prefab_entity_count",
    "kin_prefab_info_of",
    "kin_prefab_release",
    "kin_prefab_swap",
    "kin_prefab_value",
    "kin__context_may_end",
    "kin__entity_count",
    "kin__get_general",
    "kin__grid_box",
    "kin__grid_near",
    "kin__grid_nearest",
    "kin__grid_next",
    "kin__grid_pairs_next",
    "kin__grid_pairs_within",
    "kin__group_accepts",
    "kin__index_find_bytes",
    "kin__index_find_given",
    "kin__index_find_string",
    "kin__index_find_text",
    "kin__index_refresh",
    "kin__iterator_next",
    "kin__iterator_next_accepted",
    "kin__iterator_next_block",
    "kin__iterator_next_block_split",
    "kin__iterator_next_split",
    "kin__matcher_make",
    "kin__ordered_begin",
    "kin__ordered_end",
    "kin__ordered_from",
    "kin__ordered_range",
    "kin__ordered_rank",
    "kin__ordered_step",
    "kin__piece_begin",
    "kin__piece_chunks",
    "kin__piece_count",
    "kin__playback_begin",
    "kin__playback_end",
    "kin__playback_make",
    "kin__playback_next",
    "kin__playback_spawn",
    "kin__relation_contains",
    "kin__relation_copy",
    "kin__relation_count",
    "kin__relation_depth",
    "kin__relation_find_above",
    "kin__relation_first",
    "kin__relation_last",
    "kin__relation_next",
    "kin__relation_previous",
    "kin__relation_root",
    "kin__relation_walk_next",
    "kin__rule_make",
    "kin__rule_tag",
    "kin__settle",
    "kin__subscription_scope",
    "kin__tree_begin",
    "kin__tree_begin_job",
    "kin__tree_move_checked",
    "kin__tree_skip",
    "kin_clone_report",
    "kin_collector_contains",
    "kin_collector_count",
    "kin_collector_is_active",
    "kin_collector_name",
    "kin_collector_trace",
    "kin_collector_trace_of",
    "kin_collector_triggers",
    "kin_component_changes",
    "kin_component_describe",
    "kin_component_find",
    "kin_component_memory",
    "kin_context_abandon",
    "kin_context_carrier",
    "kin_context_catch_errors",
    "kin_context_chunk_count",
    "kin_context_collectors",
    "kin_context_counts",
    "kin_context_groups",
    "kin_context_info_of",
    "kin_context_journal",
    "kin_context_memory",
    "kin_context_pools",
    "kin_context_retained_count",
    "kin_context_reusable_count",
    "kin_context_watch_errors",
    "kin_describe_entity",
    "kin_describe_matcher",
    "kin_difference_describe",
    "kin_entity_components",
    "kin_entity_is_alive",
    "kin_field_read",
    "kin_group_contains",
    "kin_group_context",
    "kin_group_count",
    "kin_group_listener_count",
    "kin_group_matcher",
    "kin_group_name",
    "kin_has",
    "kin_index_count",
    "kin_index_lost",
    "kin_index_walk",
    "kin_journal_next",
    "kin_journal_write",
    "kin_look_alive",
    "kin_look_entity",
    "kin_look_has",
    "kin_look_is_member",
    "kin_look_read",
    "kin_look_row",
    "kin_look_words",
    "kin_matches",
    "kin_record_previous",
    "kin_record_value",
    "kin_role_name",
    "kin__snapshot_compare_chunk",
    "kin_snapshot_compare",
    "kin_snapshot_count",
    "kin_snapshot_slot_count",
    "kin_status_name",
    "kin_systems_abandon",
    "kin_systems_parallel",
    "kin_systems_print_profile",
    "kin_systems_timing_at",
    "kin_systems_walk",
    "kin_type_name",
    "kin_version",
    "kin_world_abandon",
    "kin_world_context",
    "kin_world_info_of",
    "kin_world_is_open",
    "kin_world_set_probe",
    "kin_world_systems",
    "kin_world_tick",
};

// Functions to which suites refuse memory themselves: runtime_world_memory and runtime_profile, as most errors of
// worlds are reported by functions that return nothing, and the suites of functions that tools call outside of
// listeners. Recording reports nothing: runtime_commands_memory refuses memory to it.
static bool is_refused_elsewhere(const char *name)
{
    static const char *const names[] = {"kin_systems_profile",    "kin_systems_timing",     "kin_systems_dropped",
                                        "kin_collector_set_name", "kin_context_archetypes", "kin_systems_count_changes",
                                        "kin_snapshot_hash",      "kin_systems_set_probe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return strncmp(name, "kin__world_", strlen("kin__world_")) == 0 ||
           strncmp(name, "kin__command", strlen("kin__command")) == 0;
}

static bool is_unswept(const char *name)
{
    for (size_t i = 0; i < sizeof unswept / sizeof *unswept; i++)
        if (strcmp(unswept[i], name) == 0)
            return true;
    return is_refused_elsewhere(name);
}

START_TEST(every_exported_function_is_swept_or_known_to_need_nothing)
{
    const char *names = shell_read(&memory, in_build("tests/sweep/names"));
    const char *command = "nm -D --defined-only %s | awk '{ print $3 }'";
    const char *exported = shell_expect(&memory, arena_format(&memory, command, in_build("lib/libkin.so")));
    char name[64];
    int size;
    for (; *exported != '\0'; exported += size) {
        ck_assert_int_eq(sscanf(exported, "%63s %n", name, &size), 1);
        const char *found = strstr(names, arena_format(&memory, "sweep_%s\n", name));
        if (found == NULL && !is_unswept(name))
            ck_abort_msg("%s is missing in tests/sweep/calls.c", name);
    }
}
END_TEST

Suite *sweep_suite(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tests = tcase_create("sweep");
    tcase_set_timeout(tests, 1800);
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, err_01_every_test_holds_when_each_request_for_memory_has_failed_once);
    tcase_add_test(tests, every_function_that_may_need_memory_was_refused_it_also_in_listeners);
    tcase_add_test(tests, every_function_that_is_swept_was_called);
    tcase_add_test(tests, every_exported_function_is_swept_or_known_to_need_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

// Runs every suite, or the suites that are named; `-name` leaves a suite out, and `runtime_` stands for all suites
// whose names begin with it. Check's totals are the last line. With `--list` first, prints the names of these suites.

#include "suites.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef RUNTIME_ONLY // where there may be no signals
#include <signal.h>
#include <unistd.h>
#endif

typedef Suite *make_suite(void);

static const struct {
    const char *name;
    make_suite *make;
} suites[] = {
#ifndef RUNTIME_ONLY // defined on the machines of tests/portability
    {"pool", pool_suite},
    {"content_pack", content_pack_suite},
    {"content_live", content_live_suite},
    {"content_replay", content_replay_suite},
    {"content_reload_random", content_reload_random_suite},
    {"content_compile", content_compile_suite},
    {"content_equal", content_equal_suite},
    {"content_edit", content_edit_suite},
    {"content_watch", content_watch_suite},
    {"content_watch_contexts", content_watch_contexts_suite},
    {"content_save", content_save_suite},
    {"content_lock", content_lock_suite},
    {"content_lsp", content_lsp_suite},
    {"content_tiled", content_tiled_suite},
    {"arena", arena_suite},
    {"text", text_suite},
    {"value", value_suite},
    {"source", source_suite},
    {"diagnostic", diagnostic_suite},
    {"diagnostic_json", diagnostic_json_suite},
    {"evolve", evolve_suite},
    {"evolve_lost", evolve_lost_suite},
    {"evolve_words", evolve_words_suite},
    {"explain", explain_suite},
    {"bad_run", bad_run_suite},
    {"terminal", terminal_suite},
    {"tree", tree_suite},
    {"tree_fault", tree_fault_suite},
    {"names", names_suite},
    {"scaffold", scaffold_suite},
    {"schema_circle", schema_circle_suite},
    {"schema_order", schema_order_suite},
    {"schema_read", schema_read_suite},
    {"schema_saved", schema_saved_suite},
    {"schema_relation", schema_relation_suite},
    {"schema_tree", schema_tree_suite},
    {"schema_world", schema_world_suite},
    {"schema_constant", schema_constant_suite},
    {"schema_hint", schema_hint_suite},
    {"schema_event", schema_event_suite},
    {"schema_include", schema_include_suite},
    {"reader_change", reader_change_suite},
    {"reader_cost", reader_cost_suite},
    {"yaml_suite", yaml_suite_suite},
    {"language", language_suite},
    {"language_row", language_row_suite},
    {"layout", layout_suite},
    {"json_writer", json_writer_suite},
    {"doc", doc_suite},
    {"list", list_suite},
    {"list_json", list_json_suite},
    {"init", init_suite},
    {"symbols", symbols_suite},
    {"mustache", mustache_suite},
    {"render", render_suite},
    {"lock", lock_suite},
    {"manifest", manifest_suite},
    {"diff", diff_suite},
    {"template_set", template_set_suite},
    {"cpp", cpp_suite},
    {"stamp", stamp_suite},
    {"output", output_suite},
    {"output_refusal", output_refusal_suite},
    {"output_recall", output_recall_suite},
    {"output_fault", output_fault_suite},
    {"output_kill", output_kill_suite},
    {"output_target", output_target_suite},
    {"scale", scale_suite},
    {"depfile", depfile_suite},
    {"command", command_suite},
    {"command_generate", command_generate_suite},
    {"lsp", lsp_suite},
    {"lsp_outline", lsp_outline_suite},
    {"lsp_answers", lsp_answers_suite},
    {"editors", editors_suite},
    {"lsp_broken", lsp_broken_suite},
    {"lsp_rename", lsp_rename_suite},
    {"save_moment", save_moment_suite},
    {"pack_name", pack_name_suite},
    {"save_bomb", save_bomb_suite},
    {"save_damage", save_damage_suite},
    {"save_dump", save_dump_suite},
    {"save_dump_world", save_dump_world_suite},
    {"save_file", save_file_suite},
    {"save_forged", save_forged_suite},
    {"save_frame", save_frame_suite},
    {"save_merge", save_merge_suite},
    {"save_golden", save_golden_suite},
    {"save_kill", save_kill_suite},
    {"save_read", save_read_suite},
    {"save_migrate", save_migrate_suite},
    {"save_matrix", save_matrix_suite},
    {"save_versions", save_versions_suite},
    {"save_readable", save_readable_suite},
    {"save_equal", save_equal_suite},
    {"save_record", save_record_suite},
    {"save_chapters", save_chapters_suite},
    {"save_record_version", save_record_version_suite},
    {"save_world", save_world_suite},
    {"save_world_forged", save_world_forged_suite},
    {"save_write", save_write_suite},
#endif
    {"runtime_match_one", runtime_match_one_suite},
    {"runtime_matcher", runtime_matcher_suite},
    {"runtime_xxh64", runtime_xxh64_suite},
    {"runtime_shape", runtime_shape_suite},
    {"runtime_encode_value", runtime_encode_value_suite},
    {"runtime_hash", runtime_hash_suite},
    {"runtime_compare", runtime_compare_suite},
    {"runtime_context", runtime_context_suite},
    {"runtime_context_end", runtime_context_end_suite},
    {"runtime_entity_life", runtime_entity_life_suite},
    {"runtime_entity", runtime_entity_suite},
    {"runtime_component", runtime_component_suite},
    {"runtime_component_table", runtime_component_table_suite},
    {"runtime_group", runtime_group_suite},
    {"runtime_group_event", runtime_group_event_suite},
    {"runtime_members", runtime_members_suite},
    {"runtime_patch", runtime_patch_suite},
    {"runtime_pool", runtime_pool_suite},
    {"runtime_shelf", runtime_shelf_suite},
    {"runtime_index", runtime_index_suite},
    {"runtime_index_change", runtime_index_change_suite},
    {"runtime_index_flood", runtime_index_flood_suite},
    {"runtime_index_function", runtime_index_function_suite},
    {"runtime_index_function_change", runtime_index_function_change_suite},
    {"runtime_index_string", runtime_index_string_suite},
    {"runtime_index_string_change", runtime_index_string_change_suite},
    {"runtime_iterator", runtime_iterator_suite},
    {"runtime_each_bit", runtime_each_bit_suite},
    {"runtime_maybe", runtime_maybe_suite},
    {"runtime_blueprint", runtime_blueprint_suite},
    {"runtime_boxed", runtime_boxed_suite},
    {"runtime_stash", runtime_stash_suite},
    {"runtime_spawn_owned", runtime_spawn_owned_suite},
    {"runtime_spawn_with", runtime_spawn_with_suite},
    {"runtime_create_with", runtime_create_with_suite},
    {"runtime_soa", runtime_soa_suite},
    {"runtime_canary", runtime_canary_suite},
    {"runtime_check_order", runtime_check_order_suite},
    {"runtime_spawn_many", runtime_spawn_many_suite},
    {"runtime_spawn_tree", runtime_spawn_tree_suite},
    {"runtime_spawn_tree_listener", runtime_spawn_tree_listener_suite},
    {"runtime_spawn_tree_random", runtime_spawn_tree_random_suite},
    {"runtime_prefab", runtime_prefab_suite},
    {"runtime_spawn_watch", runtime_spawn_watch_suite},
    {"runtime_spawn_order", runtime_spawn_order_suite},
    {"runtime_clone", runtime_clone_suite},
    {"runtime_clone_fast", runtime_clone_fast_suite},
    {"runtime_copy", runtime_copy_suite},
    {"runtime_ensure", runtime_ensure_suite},
    {"runtime_collector_contexts", runtime_collector_contexts_suite},
    {"runtime_collector", runtime_collector_suite},
    {"runtime_gather", runtime_gather_suite},
    {"runtime_depth", runtime_depth_suite},
    {"runtime_describe", runtime_describe_suite},
    {"runtime_determinism", runtime_determinism_suite},
    {"runtime_dispatch_subscription", runtime_dispatch_subscription_suite},
    {"runtime_dispatch", runtime_dispatch_suite},
    {"runtime_error", runtime_error_suite},
    {"runtime_escape", runtime_escape_suite},
    {"runtime_event_typed", runtime_event_typed_suite},
    {"runtime_event_values", runtime_event_values_suite},
    {"runtime_events", runtime_events_suite},
    {"runtime_event_callback", runtime_event_callback_suite},
    {"runtime_component_changed", runtime_component_changed_suite},
    {"runtime_life", runtime_life_suite},
    {"runtime_memory", runtime_memory_suite},
    {"runtime_model", model_suite},
    {"runtime_snapshot_model", snapshot_model_suite},
    {"runtime_snapshot_crowd", runtime_snapshot_crowd_suite},
    {"runtime_restore_notify", runtime_restore_notify_suite},
    {"net_frame", net_frame_suite},
    {"runtime_nesting", runtime_nesting_suite},
    {"runtime_opaque", runtime_opaque_suite},
    {"runtime_owned", runtime_owned_suite},
    {"runtime_payload", runtime_payload_suite},
    {"runtime_reactive", runtime_reactive_suite},
    {"runtime_reentry", runtime_reentry_suite},
    {"runtime_reflection", runtime_reflection_suite},
    {"runtime_saved_names", runtime_saved_names_suite},
    {"runtime_by_id", runtime_by_id_suite},
    {"runtime_by_id_random", runtime_by_id_random_suite},
    {"runtime_systems_walk", runtime_systems_walk_suite},
    {"runtime_archetypes", runtime_archetypes_suite},
    {"runtime_inventory", runtime_inventory_suite},
    {"runtime_look", runtime_look_suite},
    {"runtime_field", runtime_field_suite},
    {"runtime_hint", runtime_hint_suite},
    {"runtime_list", runtime_list_suite},
    {"runtime_list_random", runtime_list_random_suite},
    {"runtime_shared", runtime_shared_suite},
    {"runtime_merge", runtime_merge_suite},
    {"runtime_merge_contexts", runtime_merge_contexts_suite},
    {"runtime_merge_listener", runtime_merge_listener_suite},
    {"runtime_merge_random", runtime_merge_random_suite},
    {"runtime_commands", runtime_commands_suite},
    {"runtime_commands_listener", runtime_commands_listener_suite},
    {"runtime_commands_memory", runtime_commands_memory_suite},
    {"runtime_commands_random", runtime_commands_random_suite},
    {"runtime_piece", runtime_piece_suite},
    {"runtime_share", runtime_share_suite},
    {"net_session", net_session_suite},
    {"net_versions", net_versions_suite},
#ifndef RUNTIME_ONLY // recordings there are not compressed, which standbys do not read
    {"net_standby", net_standby_suite},
#endif
    {"net_transport", net_transport_suite},
#if !defined RUNTIME_ONLY && !defined TESTS_WITHOUT_NATS
    {"nats", nats_suite},
    {"nats_standby", nats_standby_suite},
#endif
#if !defined RUNTIME_ONLY && !defined TESTS_WITHOUT_ENET
    {"enet", enet_suite},
#endif
    {"runtime_share_refusals", runtime_share_refusals_suite},
    {"runtime_index_copy", runtime_index_copy_suite},
    {"runtime_off", runtime_off_suite},
    {"runtime_picked", runtime_picked_suite},
    {"runtime_ordered", runtime_ordered_suite},
    {"runtime_ordered_random", runtime_ordered_random_suite},
    {"runtime_grid", runtime_grid_suite},
    {"runtime_grid_world", runtime_grid_world_suite},
    {"runtime_grid_random", runtime_grid_random_suite},
    {"runtime_snapshot", runtime_snapshot_suite},
    {"runtime_snapshot_memory", runtime_snapshot_memory_suite},
    {"runtime_snapshot_adopt", runtime_snapshot_adopt_suite},
    {"runtime_shared_change", runtime_shared_change_suite},
    {"runtime_shared_random", runtime_shared_random_suite},
    {"runtime_list_value", runtime_list_value_suite},
    {"runtime_relation", runtime_relation_suite},
    {"runtime_relation_cascade", runtime_relation_cascade_suite},
    {"runtime_relation_feature", runtime_relation_feature_suite},
    {"runtime_relation_graph", runtime_relation_graph_suite},
    {"runtime_relation_input", runtime_relation_input_suite},
    {"runtime_relation_random", runtime_relation_random_suite},
    {"runtime_relation_silent", runtime_relation_silent_suite},
    {"runtime_walk", runtime_walk_suite},
    {"runtime_clone_tree", runtime_clone_tree_suite},
    {"runtime_tree_system", runtime_tree_system_suite},
    {"runtime_tree_random", runtime_tree_random_suite},
    {"runtime_retain", runtime_retain_suite},
    {"runtime_snapshot_replay", runtime_snapshot_replay_suite},
    {"runtime_snapshot_kept", runtime_snapshot_kept_suite},
    {"runtime_snapshot_shared", runtime_snapshot_shared_suite},
    {"runtime_mask", runtime_mask_suite},
    {"runtime_direct", runtime_direct_suite},
    {"runtime_destruction", runtime_destruction_suite},
    {"runtime_systems_enabled", runtime_systems_enabled_suite},
    {"runtime_systems", runtime_systems_suite},
    {"runtime_cleanup", runtime_cleanup_suite},
    {"runtime_trim", runtime_trim_suite},
    {"runtime_unique", runtime_unique_suite},
    {"runtime_usage", runtime_usage_suite},
    {"runtime_access", runtime_access_suite},
    {"runtime_branches", runtime_branches_suite},
    {"runtime_jobs", runtime_jobs_suite},
    {"runtime_jobs_memory", runtime_jobs_memory_suite},
    {"runtime_parallel", runtime_parallel_suite},
    {"runtime_random", runtime_random_suite},
    {"runtime_same", runtime_same_suite},
    {"runtime_serial", runtime_serial_suite},
    {"runtime_world", runtime_world_suite},
    {"runtime_world_group", runtime_world_group_suite},
    {"runtime_world_inbox", runtime_world_inbox_suite},
    {"runtime_world_info", runtime_world_info_suite},
    {"runtime_world_probe", runtime_world_probe_suite},
    {"runtime_journal", runtime_journal_suite},
    {"runtime_trace", runtime_trace_suite},
    {"runtime_system_probe", runtime_system_probe_suite},
    {"runtime_open_call", runtime_open_call_suite},
    {"runtime_world_reset", runtime_world_reset_suite},
    {"runtime_world_memory", runtime_world_memory_suite},
    {"runtime_world_manual", runtime_world_manual_suite},
    {"runtime_world_on", runtime_world_on_suite},
    {"runtime_types_plain", runtime_types_plain_suite},
    {"runtime_world_own_group", runtime_world_own_group_suite},
    {"runtime_world_time", runtime_world_time_suite},
    {"runtime_world_random", runtime_world_random_suite},
    {"runtime_world_rehearse", runtime_world_rehearse_suite},
    {"runtime_world_restore", runtime_world_restore_suite},
    {"runtime_world_snapshot", runtime_world_snapshot_suite},
    {"runtime_world_snapshot_memory", runtime_world_snapshot_memory_suite},
    {"runtime_world_snapshot_refusal", runtime_world_snapshot_refusal_suite},
    {"runtime_profile", runtime_profile_suite},
    {"runtime_event_table", runtime_event_table_suite},
    {"runtime_flag", runtime_flag_suite},
    {"runtime_flag_prefix", runtime_flag_prefix_suite},
    {"runtime_holders", runtime_holders_suite},
    {"runtime_include", runtime_include_suite},
#if !defined RUNTIME_ONLY && !defined TESTS_WITHOUT_INSPECTOR
    {"inspect_answers", inspect_answers_suite},
    {"inspect_attack", inspect_attack_suite},
    {"inspect_audit", inspect_audit_suite},
    {"inspect_command", inspect_command_suite},
    {"inspect_content", inspect_content_suite},
    {"inspect_network", inspect_network_suite},
    {"inspect_difference", inspect_difference_suite},
    {"inspect_edit", inspect_edit_suite},
    {"inspect_http", inspect_http_suite},
    {"inspect_limits", inspect_limits_suite},
    {"inspect_journal", inspect_journal_suite},
    {"inspect_look", inspect_look_suite},
    {"inspect_messages", inspect_messages_suite},
    {"inspect_page", inspect_page_suite},
    {"inspect_query", inspect_query_suite},
    {"inspect_queue", inspect_queue_suite},
    {"inspect_random", inspect_random_suite},
    {"inspect_report", inspect_report_suite},
    {"inspect_rpc", inspect_rpc_suite},
    {"inspect_snapshots", inspect_snapshots_suite},
    {"inspect_stream", inspect_stream_suite},
    {"inspect_terminal", inspect_terminal_suite},
    {"inspect_threads", inspect_threads_suite},
    {"inspect_time", inspect_time_suite},
    {"inspect_travel", inspect_travel_suite},
    {"inspect_world", inspect_world_suite},
#endif
#ifndef RUNTIME_ONLY
    {"runtime_jobs_compile", runtime_jobs_compile_suite},
    {"generated", generated_suite},
    {"strangers", strangers_suite},
    {"random_names", random_names_suite},
    {"advice", advice_suite},
    {"wrap", wrap_suite},
    {"makefile", makefile_suite},
    {"recompile", recompile_suite},
    {"completion", completion_suite},
    {"habits", habits_suite},
    {"rooms", rooms_suite},
    {"subjects", subjects_suite},
    {"gdb", gdb_suite},
    {"examples", examples_suite},
    {"play", play_suite},
    {"install", install_suite},
    {"picture", picture_suite},
    {"window", window_suite},
    {"readme", readme_suite},
    {"reference", reference_suite},
    {"docs", docs_suite},
    {"rules", rules_suite},
    {"sweep", sweep_suite},
    {"threads", threads_suite},
#endif
};

enum { SUITE_COUNT = sizeof suites / sizeof *suites };

// Whether the word is the name, or a prefix of it that ends in '_'.
static bool is_meant(const char *word, const char *name)
{
    size_t size = strlen(word);
    return strcmp(word, name) == 0 || (size > 0 && word[size - 1] == '_' && strncmp(word, name, size) == 0);
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    bool wanted = false, any = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && is_meant(argv[i] + 1, name))
            return false;
        any = any || argv[i][0] != '-';
        wanted = wanted || is_meant(argv[i], name);
    }
    return wanted || !any;
}

// An unknown suite would otherwise run nothing, and pass.
static bool is_known(const char *word)
{
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (is_meant(word + (word[0] == '-'), suites[i].name))
            return true;
    fprintf(stderr, "there is no suite %s\n", word);
    return false;
}

#ifndef RUNTIME_ONLY

// Check writes the place of each assertion that holds to a file, which took half the time of the tests. It only reads
// the last place, and only when a test has crashed: so the place is written then. The linker replaces _mark_point.
static const char *volatile last_file;
static volatile int last_line;

void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line)
{
    last_file = file;
    last_line = line;
}

static void write_last_point(int number)
{
    if (last_file != NULL)
        __real__mark_point(last_file, last_line);
    raise(number);
}

// A test is a process, which ends by exit. What the libraries of the program clean up there took as long as most tests.
static pid_t first;

_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);

_Noreturn void __wrap_exit(int status)
{
#ifndef __SANITIZE_ADDRESS__ // the sanitizer looks for leaks at exit
    if (getpid() != first) {
        fflush(NULL);
        _exit(status);
    }
#endif
    __real_exit(status);
}

static void catch_crashes(void)
{
    first = getpid();
    static const int crashes[] = {
        SIGABRT,
#ifndef __SANITIZE_ADDRESS__ // the sanitizer reports these
        SIGSEGV, SIGBUS, SIGFPE, SIGILL,
#endif
    };
    struct sigaction action = {.sa_handler = write_last_point, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}

#else

static void catch_crashes(void)
{
}

#endif

// In one process Check ends no test that hangs: after so long a signal ends them all.
enum { ONE_PROCESS_SECONDS = 1800 };

static bool is_one_process(void)
{
    const char *fork = getenv("CK_FORK");
    return fork != NULL && strcmp(fork, "no") == 0;
}

int main(int argc, char **argv)
{
    bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
    argc -= lists;
    argv += lists;
    for (int i = 1; i < argc; i++)
        if (!is_known(argv[i]))
            return EXIT_FAILURE;
    for (size_t i = 0; lists && i < SUITE_COUNT; i++)
        if (is_wanted(suites[i].name, argc, argv))
            puts(suites[i].name);
    if (lists)
        return EXIT_SUCCESS;
    catch_crashes();
    if (is_one_process())
        alarm(ONE_PROCESS_SECONDS);
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (is_wanted(suites[i].name, argc, argv))
            srunner_add_suite(runner, suites[i].make());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

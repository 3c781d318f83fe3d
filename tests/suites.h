// Suites: one a module; tests/main.c runs them all.
#ifndef KIN_TESTS_SUITES_H
#define KIN_TESTS_SUITES_H

#include <check.h>

// Of the generator.
Suite *arena_suite(void);
Suite *command_suite(void);
Suite *command_generate_suite(void);
Suite *depfile_suite(void);
Suite *diff_suite(void);
Suite *diagnostic_suite(void);
Suite *manifest_suite(void);
Suite *init_suite(void);
Suite *json_writer_suite(void);
Suite *layout_suite(void);
Suite *list_suite(void);
Suite *list_json_suite(void);
Suite *mustache_suite(void);
Suite *names_suite(void);
Suite *output_suite(void);
Suite *output_fault_suite(void);
Suite *output_kill_suite(void);
Suite *output_refusal_suite(void);
Suite *reader_change_suite(void);
Suite *reader_cost_suite(void);
Suite *schema_constant_suite(void);
Suite *schema_event_suite(void);
Suite *schema_include_suite(void);
Suite *schema_read_suite(void);
Suite *source_suite(void);
Suite *stamp_suite(void);
Suite *symbols_suite(void);
Suite *template_set_suite(void);
Suite *text_suite(void);
Suite *tree_suite(void);
Suite *tree_fault_suite(void);
Suite *value_suite(void);
Suite *yaml_suite_suite(void);

// Of the runtime.
Suite *runtime_blueprint_suite(void);
Suite *runtime_boxed_suite(void);
Suite *runtime_check_order_suite(void);
Suite *runtime_spawn_many_suite(void);
Suite *runtime_spawn_order_suite(void);
Suite *runtime_cleanup_suite(void);
Suite *runtime_clone_suite(void);
Suite *runtime_collector_contexts_suite(void);
Suite *runtime_collector_suite(void);
Suite *runtime_component_suite(void);
Suite *runtime_context_suite(void);
Suite *runtime_depth_suite(void);
Suite *runtime_describe_suite(void);
Suite *runtime_determinism_suite(void);
Suite *runtime_dispatch_subscription_suite(void);
Suite *runtime_dispatch_suite(void);
Suite *runtime_entity_life_suite(void);
Suite *runtime_entity_suite(void);
Suite *runtime_error_suite(void);
Suite *runtime_event_table_suite(void);
Suite *runtime_event_typed_suite(void);
Suite *runtime_event_values_suite(void);
Suite *runtime_events_suite(void);
Suite *runtime_group_suite(void);
Suite *runtime_index_suite(void);
Suite *runtime_index_string_suite(void);
Suite *runtime_iterator_suite(void);
Suite *runtime_life_suite(void);
Suite *runtime_match_one_suite(void);
Suite *runtime_matcher_suite(void);
Suite *runtime_memory_suite(void);
Suite *model_suite(void);
Suite *runtime_nesting_suite(void);
Suite *runtime_owned_suite(void);
Suite *runtime_payload_suite(void);
Suite *runtime_reactive_suite(void);
Suite *runtime_reflection_suite(void);
Suite *runtime_retain_suite(void);
Suite *runtime_mask_suite(void);
Suite *runtime_solo_suite(void);
Suite *runtime_strip_suite(void);
Suite *runtime_systems_enabled_suite(void);
Suite *runtime_systems_suite(void);
Suite *runtime_trim_suite(void);
Suite *runtime_unique_suite(void);
Suite *runtime_usage_suite(void);
Suite *runtime_flag_suite(void);
Suite *runtime_flag_prefix_suite(void);
Suite *runtime_include_suite(void);

// Of what is built.
Suite *examples_suite(void);
Suite *generated_suite(void);
Suite *random_names_suite(void);
Suite *advice_suite(void);
Suite *wrap_suite(void);
Suite *makefile_suite(void);
Suite *play_suite(void);
Suite *readme_suite(void);
Suite *rules_suite(void);
Suite *sweep_suite(void);
Suite *threads_suite(void);

#endif

// What does not compile in a parallel system: a call that its schema does not declare, and a job where a context
// belongs.
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

// Statements in a function with the parameters `job` and `it` of the system Drift or Fly, `world`, `bees` and `e`.
static const struct {
    const char *system, *statement;
    bool is_allowed;
} statements[] = {
    {"fly", "it->position[0].x = 1;", true},
    {"fly", "hive_fly_replace_energy(job, e, (hive_Energy){1});", true},
    {"fly", "hive_fly_get_energy(job, e);", true},
    {"fly", "it->velocity[0].x = 1;", false},                                              // not in `writes`
    {"fly", "hive_fly_get_position(job, e);", false},                                      // not in `reads`
    {"fly", "hive_fly_get_name(job, e);", false},                                          // in `changes` only
    {"fly", "((hive_Energy *)0)->value = hive_fly_get_energy(job, e)->value = 1;", false}, // a const value
    {"fly", "hive_fly_entity_with_cell_x(job, 1);", false},                                // a multi index
    {"fly", "hive_bees_set_asleep(job, e, true);", false},                                 // a direct change
    {"fly", "hive_bees_get_energy(job, e);", false},                                       // a job is no context
    {"fly", "hive_fly_replace_child_of(job, e, (hive_ChildOf){e});", false},               // not in `changes`
    {"fly", "hive_drift_user(job);", false},                                               // the job of another system
    {"drift", "hive_drift_destroy_entity(job, e);", false},                                // without `destroys`
    {"drift", "hive_drift_publish_sting(job, (hive_Sting){.amount = 1});", false},         // not in `publishes`
    {"drift", "hive_drift_spawn_egg(job);", false},                                        // not in `spawns`
    {"drift", "hive_hive_world_update(job, 1);", false},                                   // a job is no world
    {"drift", "it->velocity[0].x += 1;", true},
    {"fly", "hive_fly_season(job); hive_fly_is_unique_smoky(job); hive_fly_brood_first(job, e);", true},
    {"fly", "hive_fly_set_unique_smoky(job, true);", false}, // not in `changes`
    {"drift", "hive_drift_season(job);", false},             // not in `reads`
    {"drift", "hive_drift_brood_first(job, e);", false},     // not in `reads`
};

START_TEST(par_05_a_job_can_do_only_what_its_system_declares)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c", "clang -std=c11 -x c", "g++ -std=c++17 -x c++",
                                            "clang++ -std=c++17 -x c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        bool is_cplusplus = strstr(compilers[i], "c++") != NULL;
        if (is_cplusplus && strstr(statements[_i].statement, "){") != NULL)
            continue; // C++ has no compound literals
        const char *command = arena_format(
            &memory,
            "echo '#include \"hive/hive.h\"\n"
            "void f(hive_%s_job *job, hive_%s_iter *it, hive_bees_entity e) { (void)job; (void)it; (void)e; %s }' |"
            " %s -fsyntax-only -Iruntime/include -I%s/generated -",
            statements[_i].system, statements[_i].system, statements[_i].statement, compilers[i], shell_build());
        shell_result result = shell_run(&memory, command);
        ck_assert_msg((result.status == 0) == statements[_i].is_allowed, "%s: %s", command, result.output);
    }
}
END_TEST

// Calls of what the schema does not declare, and what the compiler says.
static const struct {
    const char *system, *statement, *sentence;
} sentences[] = {
    {"drift", "hive_drift_get_position(job, e);", "the job does not read Position of any entity"},
    {"drift", "hive_drift_edit_position(job, e);", "add Position to 'writes' of the system in the schema"},
    {"fly", "hive_fly_get_position(job, e);", "other jobs may write Position now"},
    {"drift", "hive_drift_replace_position(job, e);", "add it to 'changes' of the system in the schema"},
    {"drift", "hive_drift_destroy_entity(job, e);", "write 'destroys: true' for the system in the schema"},
    {"drift", "hive_drift_create_entity(job);", "jobs create entities by blueprints"},
    {"drift", "hive_drift_spawn_egg(job);", "the job does not spawn Egg; add it to 'spawns'"},
    {"drift", "hive_drift_publish_sting(job);", "the job does not publish Sting; add it to 'publishes'"},
    {"drift", "hive_drift_entity_with_tag_number(job);", "the job does not look up Tag.number; add it to 'looks_up'"},
    {"drift", "hive_drift_copy_entities_with_cell_x(job);", "the job does not look up Cell.x; add it to 'looks_up'"},
    {"drift", "hive_drift_by_tag_from(job);", "the job does not look up by_tag; add it to 'looks_up'"},
};

START_TEST(fnd_44_the_compiler_says_which_key_a_call_needs)
{
    static const char *const compilers[] = {"gcc -std=c11 -x c", "clang -std=c11 -x c", "g++ -std=c++17 -x c++",
                                            "clang++ -std=c++17 -x c++"};
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        const char *command = arena_format(&memory,
                                           "echo '#include \"hive/hive.h\"\n"
                                           "void f(hive_%s_job *job, hive_bees_entity e) { (void)job; (void)e; %s }' |"
                                           " %s -fsyntax-only -Iruntime/include -I%s/generated -",
                                           sentences[_i].system, sentences[_i].statement, compilers[i], shell_build());
        shell_result result = shell_run(&memory, command);
        ck_assert_msg(result.status != 0, "%s", command);
        ck_assert_msg(strstr(result.output, sentences[_i].sentence) != NULL, "%s: %s", command, result.output);
    }
}
END_TEST

Suite *runtime_jobs_compile_suite(void)
{
    Suite *suite = suite_create("runtime_jobs_compile");
    TCase *tests = tcase_create("runtime_jobs_compile");
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, par_05_a_job_can_do_only_what_its_system_declares, 0,
                        sizeof statements / sizeof *statements);
    tcase_add_loop_test(tests, fnd_44_the_compiler_says_which_key_a_call_needs, 0,
                        sizeof sentences / sizeof *sentences);
    suite_add_tcase(suite, tests);
    return suite;
}

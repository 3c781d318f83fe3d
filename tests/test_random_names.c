// Random names: random schemas made from names that generated code, the runtime and C use themselves.
// Each is either refused, or its generated code compiles with the promised flags, alternately as C11, as
// C17 and as C++17; so does its C++ face, with a file that uses everything of it.
//
// The schemas are the same in each run. KIN_RANDOM_SCHEMAS says how many, KIN_RANDOM_FIRST which is the first; a
// failure names the number of its schema.
#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/scratch.h"
#include "generator/source/source.h"
#include "random_schema.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_COUNT = 60, FACE_COUNT = 200, LEAST_ACCEPTED = 10 };

static void write_files(arena *arena, const package *package, const char *folder)
{
    diagnostics diagnostics = diagnostics_create(arena);
    view view = view_create(arena, package);
    own_template uses = {"uses.cpp", "tests/cpp/uses.cpp.mustache"};
    own_templates own = {&uses, 1};
    template_set templates;
    view_add_cpp_face(arena, &view, package);
    view_add_own(arena, &view, package, &own);
    ck_assert_int_eq(template_set_load(&diagnostics, NULL, &own, &templates), 0);
    render_stamp(arena, &templates, &view);
    const generated_file *files = render_view(&diagnostics, &templates, &view);
    ck_assert_ptr_nonnull(files);
    shell_expect(arena, arena_format(arena, "rm -rf '%s' && mkdir -p '%s/%s'", folder, folder, package->name));
    for (size_t i = 0; i < view.count; i++) {
        FILE *file = fopen(arena_format(arena, "%s/%s/%s", folder, package->name, files[i].path), "wb");
        ck_assert_ptr_nonnull(file);
        fwrite(files[i].bytes, 1, files[i].size, file);
        fclose(file);
    }
}

static const char *compilation(arena *arena, const char *folder, const char *name, uint64_t number)
{
    static const char *const compilers[] = {"gcc -std=c11",   "clang -std=c17",     "g++ -std=c++17",
                                            "gcc -std=gnu17", "clang++ -std=c++20", "gcc -std=c17"};
    const char *compiler = compilers[number % (sizeof compilers / sizeof *compilers)];
    const char *flags =
        "-fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iruntime/include -Isave/include -Itests";
    if (strstr(compiler, "++") != NULL)
        return arena_format(arena, "printf '#include \"%%s\"\\n' %s/%s.h %s/%s_save.h | %s %s -I'%s' -x c++ -", name,
                            name, name, name, compiler, flags, folder);
    return arena_format(arena, "%s %s -Wstrict-prototypes '%s/%s'/*.c", compiler, flags, folder, name);
}

static const char *face_compilation(arena *arena, const char *folder, const char *name, uint64_t number)
{
    static const char *const compilers[] = {"g++ -std=c++17", "clang++ -std=c++17 -fno-exceptions -fno-rtti",
                                            "g++ -std=c++20 -fno-exceptions -fno-rtti", "clang++ -std=c++20"};
    return arena_format(arena,
                        "%s -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror -Iruntime/include "
                        "-Itests -I'%s' '%s/%s/uses.cpp'",
                        compilers[number % (sizeof compilers / sizeof *compilers)], folder, folder, name);
}

// Whether the schema was accepted. Other faults are appended to the failures.
static bool attack(uint64_t number, text *failures, bool is_face)
{
    arena arena = {0};
    const char *schema = random_schema(&arena, number);
    diagnostics diagnostics = diagnostics_create(&arena);
    const source *source = source_from_bytes(&arena, "random.yaml", schema, strlen(schema));
    const package *package = package_read(&arena, &diagnostics, source);
    if (package != NULL) {
        const char *folder = scratch_path("out");
        write_files(&arena, package, folder);
        const char *command = is_face ? face_compilation(&arena, folder, package->name, number)
                                      : compilation(&arena, folder, package->name, number);
        shell_result result = shell_run(&arena, command);
        if (result.status != 0)
            text_append_format(failures, "schema %llu:\n%s%s", (unsigned long long)number, schema, result.output);
    }
    arena_release(&arena);
    return package != NULL;
}

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
    const char *value = getenv(variable);
    return value == NULL ? otherwise : strtoull(value, NULL, 10);
}

static void attack_all(uint64_t fewest, bool is_face)
{
    uint64_t first = number_of("KIN_RANDOM_FIRST", 0), count = number_of("KIN_RANDOM_SCHEMAS", fewest);
    arena arena = {0};
    text failures = text_create(&arena);
    size_t accepted = 0;
    for (uint64_t i = 0; i < count; i++)
        accepted += attack(first + i, &failures, is_face);
    ck_assert_msg(failures.size == 0, "%.3000s", failures.bytes); // Check prints no more than 4 KB
    arena_release(&arena);
    ck_assert_uint_ge(accepted, count < fewest ? 0 : LEAST_ACCEPTED);
}

START_TEST(a_schema_of_random_names_is_refused_or_compiles)
{
    attack_all(SCHEMA_COUNT, false);
}
END_TEST

START_TEST(the_face_of_a_schema_of_random_names_compiles)
{
    attack_all(FACE_COUNT, true);
}
END_TEST

Suite *random_names_suite(void)
{
    Suite *suite = suite_create("random_names");
    TCase *tests = tcase_create("random_names");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_add_test(tests, a_schema_of_random_names_is_refused_or_compiles);
    tcase_add_test(tests, the_face_of_a_schema_of_random_names_compiles);
    suite_add_tcase(suite, tests);
    return suite;
}

// Random names: random schemas made from names that generated code, the runtime and C use themselves.
// Each is either refused, or its generated code compiles with the promised flags, alternately as C11, as
// C17 and as C++17.
//
// The schemas are the same in each run. KIN_RANDOM_SCHEMAS says how many, KIN_RANDOM_FIRST which is the first; a
// failure names the number of its schema.
#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/source/source.h"
#include "random_schema.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_COUNT = 60, LEAST_ACCEPTED = 10 };

static void write_files(arena *arena, const package *package, const char *folder)
{
    diagnostics diagnostics = diagnostics_create(arena);
    view view = view_create(arena, package);
    template_set templates;
    ck_assert_int_eq(template_set_load(&diagnostics, NULL, &templates), 0);
    render_stamp(arena, &templates, &view);
    const generated_file *files = render_view(&diagnostics, &templates, &view);
    ck_assert_ptr_nonnull(files);
    shell_expect(arena, arena_format(arena, "rm -rf %s && mkdir -p %s/%s", folder, folder, package->name));
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
        return arena_format(arena, "printf '#include \"%%s\"\\n' %s/%s.h %s/%s_save.h | %s %s -I%s -x c++ -", name,
                            name, name, name, compiler, flags, folder);
    return arena_format(arena, "%s %s -Wstrict-prototypes %s/%s/*.c", compiler, flags, folder, name);
}

// Whether the schema was accepted. Other faults are appended to the failures.
static bool attack(uint64_t number, text *failures)
{
    arena arena = {0};
    const char *schema = random_schema(&arena, number);
    diagnostics diagnostics = diagnostics_create(&arena);
    const source *source = source_from_bytes(&arena, "random.yaml", schema, strlen(schema));
    const package *package = package_read(&arena, &diagnostics, source);
    if (package != NULL) {
        const char *folder = arena_format(&arena, "%s/random_names", shell_build());
        write_files(&arena, package, folder);
        shell_result result = shell_run(&arena, compilation(&arena, folder, package->name, number));
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

START_TEST(a_schema_of_random_names_is_refused_or_compiles)
{
    uint64_t first = number_of("KIN_RANDOM_FIRST", 0), count = number_of("KIN_RANDOM_SCHEMAS", SCHEMA_COUNT);
    arena arena = {0};
    text failures = text_create(&arena);
    size_t accepted = 0;
    for (uint64_t i = 0; i < count; i++)
        accepted += attack(first + i, &failures);
    ck_assert_str_eq(failures.bytes, "");
    arena_release(&arena);
    ck_assert_uint_ge(accepted, count < SCHEMA_COUNT ? 0 : LEAST_ACCEPTED);
}
END_TEST

Suite *random_names_suite(void)
{
    Suite *suite = suite_create("random_names");
    TCase *tests = tcase_create("random_names");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, a_schema_of_random_names_is_refused_or_compiles);
    suite_add_tcase(suite, tests);
    return suite;
}

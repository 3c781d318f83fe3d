// Random schemas with random blueprints, written also as content: what prefabs spawn is equal to what compiled
// blueprints spawn, leaf by leaf, with the same events in the same order; and random reloads give what a copy of all
// values gives.
//
// Each schema is generated, compiled and run with the program in tests/content/drawn. The schemas are the same in each
// run. KIN_RANDOM_SCHEMAS says how many, KIN_RANDOM_FIRST which is the first; a failure names the number of its schema.
#include "generator/scratch.h"
#include "random_content.h"
#include "runtime/support/environment.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>

enum { SCHEMAS = 16, VARIANTS = 7 };

static const char program[] = "%s %s -w -Iruntime/include -Icontent/include -Isave/include -I%s/generated "
                              "%s/generated/drawn/*.c tests/content/drawn/*.c %s/lib/libkin-content.a %s/lib/libkin.a "
                              "-lm -o %s/drawn";

static const char *kin(const char *arguments)
{
    return arena_format(scratch_arena(), "%s %s", getenv("KIN"), arguments);
}

static void build(const random_content *content, unsigned number)
{
    const char *folder = scratch_path("");
    scratch_write("drawn.yaml", random_content_schema(content));
    shell_result made = shell_run(scratch_arena(), kin(arena_format(scratch_arena(), "generate -q -o %s/generated %s",
                                                                    folder, scratch_path("drawn.yaml"))));
    ck_assert_msg(made.status == 0, "schema %u: %s\n%s", number, made.output, random_content_schema(content));
    shell_expect(scratch_arena(), arena_format(scratch_arena(), program, shell_compiler(), shell_flags(), folder,
                                               folder, shell_build(), shell_build(), folder));
}

// Packs a content as NAME.kinc. False if it has errors.
static bool pack(const random_content *content, const char *name)
{
    const char *yaml = arena_format(scratch_arena(), "%s.yaml", name);
    scratch_write(yaml, random_content_text(content));
    const char *arguments = arena_format(scratch_arena(), "pack -o %s.kinc %s %s", scratch_path(name),
                                         scratch_path("drawn.yaml"), scratch_path(yaml));
    return shell_run(scratch_arena(), kin(arguments)).status == 0;
}

static void run(unsigned number, const char *arguments)
{
    const char *command = arena_format(scratch_arena(), "%s/drawn %s", scratch_path(""), arguments);
    shell_result result = shell_run(scratch_arena(), command);
    ck_assert_msg(result.status == 0, "schema %u (KIN_RANDOM_FIRST=%u KIN_RANDOM_SCHEMAS=1): %s\n%s\n%s", number,
                  number, result.output, scratch_read("drawn.yaml"), scratch_read("0.yaml"));
}

// Returns the paths of the packs of a content and of variants of it that have no errors.
static const char *pack_variants(unsigned number)
{
    text paths = text_create(scratch_arena());
    for (unsigned i = 0; i <= VARIANTS; i++) {
        random_content *content = random_content_draw(scratch_arena(), number);
        const char *name = arena_format(scratch_arena(), "%u", i);
        if (i > 0)
            random_content_edit(content, i);
        if (pack(content, name))
            text_append_format(&paths, " %s.kinc", scratch_path(name));
        else
            ck_assert_msg(i > 0, "schema %u: its content has errors: %s", number, scratch_read("0.yaml"));
    }
    return paths.bytes;
}

static void try_schema(unsigned number)
{
    scratch_create();
    build(random_content_draw(scratch_arena(), number), number);
    const char *packs = pack_variants(number);
    run(number, arena_format(scratch_arena(), "equal %s", scratch_path("0.kinc")));
    run(number, arena_format(scratch_arena(), "reload %u%s", number, packs));
    scratch_destroy();
}

START_TEST(cnt_03_cnt_11_cnt_20_cnt_21_content_is_equal_to_compiled_blueprints_of_random_schemas)
{
    unsigned first = (unsigned)environment_number("KIN_RANDOM_FIRST", 0);
    unsigned count = (unsigned)environment_number("KIN_RANDOM_SCHEMAS", shell_runs_all() ? SCHEMAS : SCHEMAS / 4);
    for (unsigned i = (unsigned)_i; i < count; i += SCHEMAS)
        try_schema(first + i);
}
END_TEST

Suite *content_equal_suite(void)
{
    Suite *suite = suite_create("content_equal");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, cnt_03_cnt_11_cnt_20_cnt_21_content_is_equal_to_compiled_blueprints_of_random_schemas, 0,
                        SCHEMAS);
    suite_add_tcase(suite, tests);
    return suite;
}

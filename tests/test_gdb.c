// Gdb: what runtime/gdb/kin_gdb.py shows of a stopped program.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char schema[] =
    "kin: 1\n"
    "package: barn\n"
    "contexts: { barn: {} }\n"
    "types:\n"
    "  Kind: { values: { Cat: 3, Dog: -1 } }\n"
    "  Spot: { fields: { x: float, y: int8 } }\n"
    "components:\n"
    "  Animal: { fields: { kind: Kind, spots: \"Spot[2]\", tag: \"string[7]\", grown: bool } }\n"
    "  Name: { fields: { value: string, nick: string } }\n"
    "  Owner: { storage: boxed, fields: { target: entity<barn>, since: uint64 } }\n"
    "  Speed: { layout: soa, fields: { slow: bool, x: double, y: { type: int16 } } }\n"
    "  Bag: { fields: { bytes: \"uint8[]\", spots: \"Spot[]\" } }\n"
    "  Asleep: {}\n";

static const char source[] =
    "#include \"barn/barn.h\"\n"
    "void look_here(barn_context *barn, barn_entity cat, barn_entity dog, barn_entity gone);\n"
    "void look_here(barn_context *barn, barn_entity cat, barn_entity dog, barn_entity gone)\n"
    "{ (void)barn, (void)cat, (void)dog, (void)gone; }\n"
    "int main(void)\n"
    "{\n"
    "    barn_context *barn = barn_context_create(NULL);\n"
    "    barn_entity gone = barn_create_entity(barn), cat = barn_create_entity(barn), dog = {0};\n"
    "    for (int i = 0; i < 600; i++)\n"
    "        dog = barn_create_entity(barn);\n"
    "    barn_add_animal(barn, cat, (Animal){KIND_CAT, {{1.5f, -2}, {0, 7}}, \"a\\\"b\", true});\n"
    "    barn_add_name(barn, cat, (Name){.value = \"Tom\"});\n"
    "    barn_set_asleep(barn, cat, true);\n"
    "    barn_add_bag(barn, cat, (Bag){.spots = {(Spot[]){{0.5f, 1}, {0, 2}}, 2}});\n"
    "    barn_resize_bag_bytes(barn, cat, 18);\n"
    "    barn_add_owner(barn, dog, (Owner){cat, 1ull << 63});\n"
    "    barn_add_speed(barn, dog, (Speed){true, 0.25, -300});\n"
    "    barn_add_animal(barn, dog, (Animal){.kind = KIND_DOG});\n"
    "    barn_destroy_entity(barn, gone);\n"
    "    look_here(barn, cat, dog, gone);\n"
    "    barn_context_destroy(barn);\n"
    "    return 0;\n"
    "}\n";

#define CAT                                                                                                            \
    "Animal {kind = Cat, spots = {{x = 1.5, y = -2}, {x = 0, y = 7}}, tag = \"a\\\"b\", grown = true}, Asleep, "       \
    "Bag {bytes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, and 2 more], "                                      \
    "spots = [{x = 0.5, y = 1}, {x = 0, y = 2}]}, "                                                                    \
    "Name {value = \"Tom\", nick = NULL}"
#define DOG                                                                                                            \
    "Animal {kind = Dog, spots = {{x = 0, y = 0}, {x = 0, y = 0}}, tag = \"\", grown = false}, "                       \
    "Owner {target = entity 2 in slot 1, since = 9223372036854775808}, Speed {slow = true, x = 0.25, y = -300}"

// NULL, with a note, if gdb cannot inspect programs here.
static const char *gdb_says(const char *commands)
{
    if (!shell_has(scratch_arena(), "gdb"))
        return NULL;
    scratch_write("barn.yaml", schema);
    scratch_write("main.c", source);
    scratch_write("commands",
                  arena_format(scratch_arena(), "source runtime/gdb/kin_gdb.py\nbreak look_here\nrun\n%s", commands));
    ck_assert_int_eq(RUN("generate", "-q", "-o", scratch_path("generated"), scratch_path("barn.yaml")).status, 0);
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "%s %s -O0 -g -Iruntime/include -I'%s' '%s' '%s'/barn/*.c %s/lib/libkin.a -o '%s'",
                              shell_compiler(), shell_flags(), scratch_path("generated"), scratch_path("main.c"),
                              scratch_path("generated"), shell_build(), scratch_path("barn")));
    shell_result result =
        shell_run(scratch_arena(), arena_format(scratch_arena(), "gdb -nx -batch -x '%s' '%s' < /dev/null",
                                                scratch_path("commands"), scratch_path("barn")));
    bool is_impossible = strstr(result.output, "ptrace") != NULL;
    ck_assert_msg(is_impossible || strstr(result.output, "Breakpoint 1, look_here") != NULL, "%s", result.output);
    if (!is_impossible)
        return result.output;
    printf("skipped: what gdb shows, as it may not look into programs\n");
    return NULL;
}

static void expect_part(const char *output, const char *part)
{
    ck_assert_msg(strstr(output, part) != NULL, "no '%s' in '%s'", part, output);
}

START_TEST(entities_are_shown_by_number_and_slot)
{
    const char *output = gdb_says("print cat\nprint dog.id\nprint gone\nprint (barn_entity){0}\n");
    if (output == NULL)
        return;
    expect_part(output, "$1 = entity 2 in slot 1\n$2 = entity 602 in slot 601\n$3 = entity 1 in slot 0\n");
    expect_part(output, "$4 = no entity\n");
}
END_TEST

START_TEST(an_entity_is_shown_with_its_components_wherever_they_are_kept)
{
    const char *output = gdb_says("kin-entity barn cat\nkin-entity &barn->base dog.id\n");
    if (output == NULL)
        return;
    expect_part(output, "entity 2 in slot 1: " CAT "\n");
    expect_part(output, "entity 602 in slot 601: " DOG "\n");
}
END_TEST

START_TEST(a_context_is_shown_with_its_entities)
{
    const char *output = gdb_says("set print elements 2\nprint *barn\nprint barn->base\n");
    if (output == NULL)
        return;
    static const char shown[] =
        "context barn, 601 entities = {entity 2 in slot 1 = " CAT ", entity 3 in slot 2 = no components...}\n";
    expect_part(output, arena_format(scratch_arena(), "$1 = %s$2 = %s", shown, shown));
}
END_TEST

START_TEST(a_dead_entity_is_shown_as_dead)
{
    const char *output = gdb_says("kin-entity barn gone\n");
    if (output != NULL)
        expect_part(output, "entity 1 in slot 0 is not alive in context barn\n");
}
END_TEST

// A core dump. With sanitizers it would be too large.
START_TEST(a_core_dump_is_shown_as_well)
{
    if (strstr(shell_flags(), "-fsanitize") != NULL ||
        gdb_says(arena_format(scratch_arena(), "generate-core-file %s\n", scratch_path("core"))) == NULL)
        return;
    const char *output =
        shell_expect(scratch_arena(), arena_format(scratch_arena(),
                                                   "gdb -nx -batch -ex 'source runtime/gdb/kin_gdb.py' -ex 'print dog'"
                                                   " -ex 'kin-entity barn cat' '%s' '%s' < /dev/null",
                                                   scratch_path("barn"), scratch_path("core")));
    expect_part(output, "$1 = entity 602 in slot 601\nentity 2 in slot 1: " CAT "\n");
}
END_TEST

Suite *gdb_suite(void)
{
    Suite *suite = suite_create("gdb");
    TCase *shown = tcase_create("shown");
    tcase_set_timeout(shown, 120);
    tcase_add_checked_fixture(shown, scratch_create, scratch_destroy);
    tcase_add_test(shown, entities_are_shown_by_number_and_slot);
    tcase_add_test(shown, an_entity_is_shown_with_its_components_wherever_they_are_kept);
    tcase_add_test(shown, a_context_is_shown_with_its_entities);
    tcase_add_test(shown, a_dead_entity_is_shown_as_dead);
    tcase_add_test(shown, a_core_dump_is_shown_as_well);
    suite_add_tcase(suite, shown);
    return suite;
}

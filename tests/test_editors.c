// Editors: Neovim with kin lsp, and what needs no editor of the extension of VS Code. Skipped where they are missing.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static const char sky[] = "kin: 1\n"
                          "package: sky\n"
                          "contexts: { game: { default: true } }\n"
                          "components:\n"
                          "  Position: { fields: { x: float } }\n"
                          "  Velocity: { fields: { x: float, y: float } }\n"
                          "  Asleep: {}\n"
                          "groups:\n"
                          "  movers: { all: [Position, Velocity] }\n";

START_TEST(neovim_shows_fixes_finds_renames_and_completes)
{
    if (!shell_has(scratch_arena(), "nvim"))
        return;
    scratch_write("sky.yaml", sky);
    ck_assert_int_eq(RUN("lock", scratch_path("sky.yaml")).status, 0);
    char *wrong = strstr(arena_format(scratch_arena(), "%s", sky), "y: float");
    memcpy(wrong, "y: flaot", strlen("y: flaot"));
    scratch_write("sky.yaml", wrong - (strstr(sky, "y: float") - sky));
    const char *output = shell_expect(
        scratch_arena(), arena_format(scratch_arena(),
                                      "kin=$(realpath \"${KIN:-build/bin/kin}\"); script=$PWD/tests/editors/nvim.lua; "
                                      "cd '%s' && HOME=$PWD XDG_STATE_HOME=$PWD KIN=$kin timeout 60 nvim --headless "
                                      "-u NONE -n sky.yaml -c \"luafile $script\" 2> errors || { cat errors; exit 1; }",
                                      scratch_path("")));
    ck_assert_str_eq(output, "diagnostic: 6:38 unknown type 'flaot' for field 'y' of component 'Velocity'\n"
                             "action: Change to 'float'\n"
                             "fixed: Position: { fields: { x: float } }\n"
                             "hover: component `Velocity`\n"
                             "references: 2\n"
                             "definition: line 6\n"
                             "renamed: Speed: { was: Velocity, fields: { x: float, y: float } }\n"
                             "renamed: movers: { all: [Position, Speed] }\n"
                             "diagnostics: 0\n"
                             "completion: Asleep Position Speed\n"
                             "done\n");
}
END_TEST

START_TEST(the_extension_of_vs_code_has_all_its_parts)
{
    if (!shell_has(scratch_arena(), "node"))
        return;
    const char *output = shell_expect(scratch_arena(), "KIN=\"${KIN:-build/bin/kin}\" node packaging/vscode/test.js");
    ck_assert_str_eq(output, "vscode: documents, files and snippets are as they should be\n");
}
END_TEST

Suite *editors_suite(void)
{
    Suite *suite = suite_create("editors");
    TCase *tests = tcase_create("editors");
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, neovim_shows_fixes_finds_renames_and_completes);
    tcase_add_test(tests, the_extension_of_vs_code_has_all_its_parts);
    suite_add_tcase(suite, tests);
    return suite;
}

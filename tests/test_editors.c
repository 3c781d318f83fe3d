// Editors: Neovim, and the extension for VS Code, with kin lsp. Skipped where the editor is missing.
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

START_TEST(the_extension_for_vs_code_passes_everything_on)
{
    if (!shell_has(scratch_arena(), "node"))
        return;
    const char *output =
        shell_expect(scratch_arena(),
                     arena_format(scratch_arena(),
                                  "kin=$(realpath \"${KIN:-build/bin/kin}\"); here=$PWD; cd '%s' && timeout 60 node "
                                  "$here/tests/editors/vscode.js $here/packaging/vscode/extension.js $kin",
                                  scratch_path("")));
    ck_assert_str_eq(output, "diagnostic: unknown type 'flaot' for field 'x' of component 'Position' [K0401]\n"
                             "action: Change to 'float', float\n"
                             "diagnostics: 0\n"
                             "completion: Position,Asleep\n"
                             "hover: **component `Asleep`**\n"
                             "definition: 6\n"
                             "references: 2\n"
                             "highlights: 2\n"
                             "symbols: game,Position,Asleep,still,Move\n"
                             "prepare: Asleep\n"
                             "rename: Still,Still\n"
                             "refused: 'still' cannot be the name of a component: it must be in PascalCase\n"
                             "lenses: first in simulation\n"
                             "inlays: 4 bytes\n"
                             "other: 1, 0 warnings\n");
}
END_TEST

START_TEST(the_extension_for_vs_code_is_a_file_that_installs_offline)
{
    if (!shell_has(scratch_arena(), "python3"))
        return;
    const char *output = shell_expect(
        scratch_arena(),
        arena_format(scratch_arena(),
                     "packaging/vscode/vsix.py 1.2.3 '%s' > /dev/null && "
                     "packaging/vscode/vsix.py 1.2.3 '%s' > /dev/null && cmp '%s' '%s' && "
                     "python3 -m zipfile -e '%s' '%s' && cd '%s' && find . -type f | sort",
                     scratch_path("a.vsix"), scratch_path("b.vsix"), scratch_path("a.vsix"), scratch_path("b.vsix"),
                     scratch_path("a.vsix"), scratch_path("x"), scratch_path("x")));
    ck_assert_str_eq(output, "./[Content_Types].xml\n./extension.vsixmanifest\n./extension/LICENSE.txt\n"
                             "./extension/README.md\n./extension/extension.js\n./extension/icon.png\n"
                             "./extension/package.json\n./extension/snippets.json\n");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "cd '%s' && python3 -c \"import json, xml.dom.minidom as x; "
                              "p = json.load(open('extension/package.json')); assert p['version'] == '1.2.3'; "
                              "json.load(open('extension/snippets.json')); x.parse('extension.vsixmanifest'); "
                              "x.parse('[Content_Types].xml')\"",
                              scratch_path("x")));
}
END_TEST

Suite *editors_suite(void)
{
    Suite *suite = suite_create("editors");
    TCase *tests = tcase_create("editors");
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, neovim_shows_fixes_finds_renames_and_completes);
    tcase_add_test(tests, the_extension_for_vs_code_passes_everything_on);
    tcase_add_test(tests, the_extension_for_vs_code_is_a_file_that_installs_offline);
    suite_add_tcase(suite, tests);
    return suite;
}

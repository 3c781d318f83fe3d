// Editors: Neovim with kin lsp, and what needs no editor of the extension of VS Code. Skipped where they are missing.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <string.h>
#include <sys/stat.h>

static const char sky[] = "kin: 1\n"
                          "package: sky\n"
                          "contexts: { game: { default: true } }\n"
                          "components:\n"
                          "  Position: { fields: { x: float } }\n"
                          "  Velocity: { fields: { x: float, y: float } }\n"
                          "  Asleep: {}\n"
                          "groups:\n"
                          "  movers: { all: [Position, Velocity] }\n";

// Runs a script of tests/editors in a file of the scratch folder.
static const char *run_neovim(const char *script, const char *file)
{
    return shell_expect(scratch_arena(),
                        arena_format(scratch_arena(),
                                     "export KIN=$(realpath \"${KIN:-build/bin/kin}\"); scripts=$PWD/tests/editors; "
                                     "export CLIENT=$scripts/client.lua; cd '%s' && HOME=$PWD XDG_STATE_HOME=$PWD "
                                     "timeout 60 nvim --headless -u NONE -n %s -c \"luafile $scripts/%s\" 2> errors || "
                                     "{ cat errors; exit 1; }",
                                     scratch_path(""), file, script));
}

START_TEST(neovim_shows_fixes_finds_renames_and_completes)
{
    if (!shell_has(scratch_arena(), "nvim"))
        return;
    scratch_write("sky.yaml", sky);
    ck_assert_int_eq(RUN("lock", scratch_path("sky.yaml")).status, 0);
    char *wrong = strstr(arena_format(scratch_arena(), "%s", sky), "y: float");
    memcpy(wrong, "y: flaot", strlen("y: flaot"));
    scratch_write("sky.yaml", wrong - (strstr(sky, "y: float") - sky));
    const char *output = run_neovim("nvim.lua", "sky.yaml");
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

static const char town[] =
    "kin: 1\n"
    "package: town\n"
    "contexts: { game: { default: true, content: true } }\n"
    "components:\n"
    "  Local:  { fields: { x: float } }\n"
    "  Gun:    { doc: Shoots., fields: { interval: { type: float, default: 1, range: [0.01, 10] } } }\n"
    "  PartOf: { fields: { whole: { type: entity<game>, reverse: parts, tree: true } } }\n"
    "blueprints:\n"
    "  Barrel: { components: { Gun: { interval: 1 } } }\n"
    "  Cannon: { components: { Local: {} }, children: { head: { of: Barrel } } }\n";

static const char guns[] = "content: 1\n"
                           "prefabs:\n"
                           "  FastCannon:\n"
                           "    extends: Cannon\n"
                           "    knobs: { at: Local.x }\n"
                           "    heed: { Gun: { interval: 0.5 } }\n"
                           "  Slow: { extends: Cannon, head: { Gun: { interval: 2 } } }\n"
                           "levels:\n"
                           "  valley:\n"
                           "    place:\n"
                           "      - FastCannon: { at: 3 }\n";

START_TEST(neovim_shows_fixes_finds_renames_and_completes_in_content)
{
    if (!shell_has(scratch_arena(), "nvim"))
        return;
    scratch_write("town.yaml", town);
    ck_assert_int_eq(mkdir(scratch_path("content"), 0777), 0);
    scratch_write("content/guns.yaml", guns);
    ck_assert_str_eq(run_neovim("content.lua", "content/guns.yaml"),
                     "diagnostic: 6:5 'FastCannon' has no part or knob 'heed'\n"
                     "action: Change to 'head'\n"
                     "fixed: head: { Gun: { interval: 0.5 } }\n"
                     "hover: component `Gun`\n"
                     "references: 2\n"
                     "renamed: Rapid:\n"
                     "completion: Barrel Cannon Rapid Slow\n"
                     "definition: Cannon: { components: { Local: {} }, children: { head: { of: Barrel } } }\n"
                     "done\n");
}
END_TEST

// In a real terminal on a screen. The picture is that of the manual, apart from fonts.
START_TEST(a_picture_shows_the_editor_at_work)
{
    static const char *const needed[] = {"nvim", "xterm", "xvfb-run", "xdotool", "import"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!shell_has(scratch_arena(), needed[i]))
            return;
    const char *output =
        shell_expect(scratch_arena(), arena_format(scratch_arena(),
                                                   "tests/editors/picture.sh \"${KIN:-build/bin/kin}\" '%s' && "
                                                   "identify -format '%%m, wide %%[fx:w>800], many colours "
                                                   "%%[fx:standard_deviation>0.05]' '%s'",
                                                   scratch_path("editor.png"), scratch_path("editor.png")));
    ck_assert_ptr_nonnull(strstr(output, "unknown type 'flaot' for field 'y' of component 'Velocity'\n"));
    ck_assert_ptr_nonnull(strstr(output, "match 1 of 4\n"));
    ck_assert_ptr_nonnull(strstr(output, "PNG, wide 1, many colours 1"));
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
    tcase_add_test(tests, neovim_shows_fixes_finds_renames_and_completes_in_content);
    tcase_add_test(tests, a_picture_shows_the_editor_at_work);
    tcase_add_test(tests, the_extension_of_vs_code_has_all_its_parts);
    suite_add_tcase(suite, tests);
    return suite;
}

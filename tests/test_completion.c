// Completion: the words that each shell offers with the script that kin prints for it.
#include "generator/program.h"
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *line;    // the shell completes its last word
    const char *offered; // sorted
} cases[] = {
    {"kin c", "check completion"},
    {"kin l", "list lock lsp"},
    {"kin lock --", "--check --diagnostics --help --max-errors"},
    {"kin breaking ", "a.yaml b.lock sub"},
    {"kin dump --", "--diagnostics --hash --help --info"},
    {"kin dump n", "notes.txt"},
    {"kin pack -o n", "notes.txt"},
    {"kin --", "--help --version"},
    {"kin generate --d", "--depfile --diagnostics --diff --dry-run"},
    {"kin list --dot --s", "--schedule"},
    {"kin generate --diagnostics j", "json"},
    {"kin check --max-errors ", ""},
    {"kin check ", "a.yaml sub"},
    {"kin check sub/", "sub/b.yaml"},
    {"kin check a.yaml su", "sub"},
    {"kin doc -o n", "notes.txt"},
    {"kin generate -o ", "sub"},
    {"kin init s", "sub"},
    {"kin explain K040", "K0401 K0402 K0403 K0404 K0405 K0406 K0407 K0408 K0409"},
    {"kin completion ", "bash fish zsh"},
    {"kin help sca", "scaffold"},
    {"kin schema ", "a.yaml sub"},
};

enum { CASE_COUNT = sizeof cases / sizeof *cases };

static void begin(void)
{
    scratch_create();
    scratch_write("a.yaml", "");
    scratch_write("notes.txt", "");
    scratch_write("b.lock", "");
    scratch_write("sub/b.yaml", "");
}

typedef struct trial {
    const char *shell;
    const char *before, *after; // the code before and after the script, with the case's line as $line
} trial;

// The shell prints the words that it offers. The leak sanitizer stops threads for its search, for which zsh sometimes
// waits for ever.
static void expect_offered(int index, trial trial)
{
    if (!shell_has(scratch_arena(), trial.shell))
        return;
    char *real = realpath(program(), NULL);
    const char *script = RUN("completion", trial.shell).output;
    scratch_write("script", arena_format(scratch_arena(), "%s\n%s\n%s\n", trial.before, script, trial.after));
    const char *command = arena_format(scratch_arena(),
                                       "cd '%s' && export PATH=\"$(dirname '%s'):$PATH\" HOME=$PWD/sub line='%s' "
                                       "ASAN_OPTIONS=detect_leaks=0;"
                                       " %s script | LC_ALL=C sort -u | paste -sd' '",
                                       scratch_path(""), real, cases[index].line, trial.shell);
    free(real);
    ck_assert_str_eq(shell_expect(scratch_arena(), command),
                     arena_format(scratch_arena(), "%s\n", cases[index].offered));
}

START_TEST(bash_offers_what_can_stand_there)
{
    static const char after[] =
        "COMP_WORDS=($line); [[ $line == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
        "rm script; _kin; ((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"";
    expect_offered(_i, (trial){"bash", "", after});
}
END_TEST

// The completion of zsh works only at a terminal, so a few lines that print its words replace it.
START_TEST(zsh_offers_what_can_stand_there)
{
    static const char before[] =
        "compdef() { true; }; compadd() { shift; for word; do [[ $word == $PREFIX* ]] && print -r -- $word; done }\n"
        "_files() { for file in $PREFIX*(N); do\n"
        "    if [[ -d $file || $# == 0 || ($1 == -g && $file == $~2) ]]; then print -r -- $file; fi; done }";
    static const char after[] =
        "words=(${=line}); [[ $line == *' ' ]] && words+=(''); CURRENT=$#words; PREFIX=$words[-1]\n"
        "rm script; _kin";
    expect_offered(_i, (trial){"zsh", before, after});
}
END_TEST

START_TEST(fish_offers_what_can_stand_there)
{
    static const char after[] = "rm script; complete -C \"$line\" | string replace -r '\\t.*' '' | string trim -r -c /";
    expect_offered(_i, (trial){"fish", "", after});
}
END_TEST

START_TEST(there_is_one_for_each_of_three_shells)
{
    check_outcome(RUN("completion", "fisch"), 2, "",
                  "kin: unknown shell 'fisch'; did you mean 'fish'?\n"
                  "Supported shells are bash, zsh and fish.\n");
    check_outcome(RUN("completion"), 2, "",
                  "kin: 'completion' takes one shell: bash, zsh or fish\nTry 'kin help completion'.\n");
}
END_TEST

Suite *completion_suite(void)
{
    Suite *suite = suite_create("completion");
    TCase *shells = tcase_create("shells");
    tcase_set_timeout(shells, 60);
    tcase_add_checked_fixture(shells, begin, scratch_destroy);
    tcase_add_loop_test(shells, bash_offers_what_can_stand_there, 0, CASE_COUNT);
    tcase_add_loop_test(shells, zsh_offers_what_can_stand_there, 0, CASE_COUNT);
    tcase_add_loop_test(shells, fish_offers_what_can_stand_there, 0, CASE_COUNT);
    tcase_add_test(shells, there_is_one_for_each_of_three_shells);
    suite_add_tcase(suite, shells);
    return suite;
}

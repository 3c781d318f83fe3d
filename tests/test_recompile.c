// Recompile: the files that kin rewrites after an edit of a schema, and the objects that make then compiles again.
//
// The program of the tests has two contexts, of which two of its own files need one each, and uses kin.mk. A second
// program has one context, and a file that leaves out the world.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

static const char yard[] =
    "kin: 1\npackage: yard\n"
    "contexts: { game: { default: true }, menu: {} }\n"
    "types: { Vec2: { fields: { x: { type: float, doc: To the right. }, y: { type: float, default: 1 } } } }\n"
    "components:\n"
    "  Cell: { doc: One place., fields: { at: { type: Vec2, doc: Where it is. } } }\n"
    "  Frozen: { doc: Cold. }\n"
    "  Heap: { layout: soa, fields: { stones: { type: int32, default: 3, doc: Not counting sand. } } }\n"
    "  Choice: { contexts: [menu], unique: true, fields: { row: { type: int32, default: 2, doc: From 0. } } }\n"
    "  Name: { contexts: [game, menu], fields: { text: { type: 'string[15]', default: none, doc: To read. } } }\n"
    "  Aim: { contexts: [game], fields: { at: { type: entity<game>, on_destroy: clear } } }\n"
    "  Digger: { contexts: [game], fields: { site: { type: entity<game>, reverse: diggers } } }\n"
    "groups: { heaps: { context: game, all: [Heap] } }\n"
    "blueprints: { Pile: { context: game, components: { Cell: {}, Heap: { stones: 50 } } } }\n"
    "messages: { Open: { fields: { row: { type: int32, default: 4, doc: Of the menu. } } } }\n"
    "schedule: { work: { fixed: 0.15, max_steps: 9, children: { dawn: {}, dusk: {} } }, rest: {} }\n"
    "systems:\n"
    "  Show: { in: rest, inbox: [ { Open: { capacity: 8, full: oldest } } ] }\n"
    "  Dig: { in: dawn, group: heaps, writes: [Heap] }\n"
    "  Fill: { in: dusk, group: heaps, writes: [Heap], doc: Fills. }\n"
    "  Count: { in: rest, react: [ { group: heaps, event: added } ] }\n";

// A package with one context: its files are those of the package.
static const char small_yard[] = "kin: 1\npackage: yard\n"
                                 "contexts: { game: {} }\n"
                                 "components:\n"
                                 "  Heap: { doc: Stones., fields: { stones: { type: int32, default: 3 } } }\n"
                                 "groups: { heaps: { context: game, all: [Heap] } }\n"
                                 "schedule: { work: {} }\n"
                                 "systems:\n"
                                 "  Dig: { in: work, group: heaps, writes: [Heap], doc: Digs. }\n"
                                 "  Count: { in: work, react: [ { group: heaps, event: added } ] }\n";

static void write_program(const char *schema)
{
    scratch_write("yard.yaml", schema);
    scratch_write("Makefile", "KIN_SCHEMAS := yard.yaml\n"
                              "include kin.mk\n"
                              "CPPFLAGS += -MMD $(KIN_CPPFLAGS)\n"
                              "yard: $(patsubst %.c,%.o,$(wildcard *.c)) $(KIN_OBJECTS)\n"
                              "\t$(CC) $(CFLAGS) $^ $(KIN_LIBS) -o $@\n"
                              "-include $(wildcard *.d generated/yard/*.d)\n");
}

static void begin(void)
{
    scratch_create();
    write_program(yard);
    scratch_write("main.c", "#include \"yard/yard.h\"\n"
                            "void show_on_open(yard_world *world, const Open *message)"
                            " { (void)world; (void)message; }\n"
                            "void dig_update(yard_world *world, dig_iter *it, const kin_tick *tick)"
                            " { (void)world; (void)it; (void)tick; }\n"
                            "void fill_update(yard_world *world, fill_iter *it, const kin_tick *tick)"
                            " { (void)world; (void)it; (void)tick; }\n"
                            "void count_execute(yard_world *world, const game_entity *entities, uint32_t count)"
                            " { (void)world; (void)entities; (void)count; }\n"
                            "int main(void) { return 0; }\n");
    scratch_write("walk.c", "#include \"yard/yard_game.h\"\nvoid walk(game_context *game) { (void)game; }\n");
    scratch_write("rows.c", "#include \"yard/yard_menu.h\"\nvoid rows(menu_context *menu) { (void)menu; }\n");
}

static void begin_small(void)
{
    scratch_create();
    write_program(small_yard);
    scratch_write("main.c", "#include \"yard/yard.h\"\n"
                            "void dig_update(yard_world *world, dig_iter *it, const kin_tick *tick)"
                            " { (void)world; (void)it; (void)tick; }\n"
                            "void count_execute(yard_world *world, const game_entity *entities, uint32_t count)"
                            " { (void)world; (void)entities; (void)count; }\n"
                            "int main(void) { return 0; }\n");
    scratch_write("walk.c", "#define KIN_WITHOUT_WORLD\n#include \"yard/yard.h\"\n"
                            "void walk(game_context *game) { (void)game; }\n");
}

static const char *in_scratch(const char *command)
{
    return shell_expect(scratch_arena(), arena_format(scratch_arena(), "cd '%s'; %s", scratch_path(""), command));
}

// Runs make. Returns the objects that it compiles, by name.
static const char *compile(void)
{
    char *build = realpath(shell_build(), NULL);
    const char *command =
        arena_format(scratch_arena(),
                     MAKE "-I '%s/include' CC='%s' CFLAGS='%s -O0' > log 2>&1 || { cat log; exit 1; };"
                          " sed -n 's|.* -c -o \\([^ ]*\\)\\.o .*|\\1|p' log | sed 's|generated/yard/||' | sort |"
                          " tr '\\n' ' '",
                     build, shell_compiler(), shell_flags());
    free(build);
    return in_scratch(command);
}

// ---- which files were written: a replaced file has another inode and time

#define OUTPUTS "generated/yard/*.[ch]"

static void remember(void)
{
    in_scratch("rm -rf before; mkdir before; cp " OUTPUTS " before; stat -c '%n %i %y' " OUTPUTS " > before/written");
}

static const char *names_of_written(void)
{
    return in_scratch("stat -c '%n %i %y' " OUTPUTS " | diff before/written - |"
                      " sed -n 's|^> generated/yard/||p' | sed 's|^yard_||; s| .*||' |"
                      " sort -u | tr '\\n' ' '");
}

static const char *names_of_changed(void)
{
    return in_scratch("for file in " OUTPUTS "; do name=$(basename $file); cmp -s $file before/$name ||"
                      " echo ${name#yard_}; done | sort | tr '\\n' ' '");
}

// ---- edits

static void edit(const char *schema, const char *old, const char *new)
{
    const char *at = strstr(schema, old);
    ck_assert_ptr_nonnull(at);
    scratch_write("yard.yaml",
                  arena_format(scratch_arena(), "%.*s%s%s", (int)(at - schema), schema, new, at + strlen(old)));
}

#define ALL_OBJECTS  "main rows walk yard yard_game yard_menu yard_world "
#define GAME_OBJECTS "main walk yard yard_game yard_world "
#define MENU_OBJECTS "main rows yard yard_menu yard_world "

// A header that changes recompiles the files that include it; a changed value recompiles one file.
typedef struct change {
    const char *kind, *old, *new, *files, *objects;
} change;

static const change changes[] = {
    {"blueprint value", "{ stones: 50 }", "{ stones: 60 }", "game.c ", "yard_game "},
    {"blueprint value, now the default", "Heap: { stones: 50 }", "Heap: {}", "game.c ", "yard_game "},
    {"default", "default: 3", "default: 30", "game.c ", "yard_game "},
    {"default, now zero", "default: 3", "default: 0", "game.c ", "yard_game "},
    {"default of the other context", "default: 2", "default: 0", "menu.c ", "yard_menu "},
    {"default of a type", "default: 1 }", "default: -1 }", "game.c ", "yard_game "},
    {"default in two contexts", "default: none", "default: some", "game.c menu.c ", "yard_game yard_menu "},
    {"default of a message", "default: 4", "default: 5", "world.c ", "yard_world "},
    {"cleanup", "Frozen: { doc: Cold. }", "Frozen: { doc: Cold., cleanup: remove_component }", "game.c ", "yard_game "},
    {"fixed step", "fixed: 0.15", "fixed: 0.1", "world.c ", "yard_world "},
    {"most steps", "max_steps: 9", "max_steps: 5", "world.c ", "yard_world "},
    {"order of nodes", "dawn: {}, dusk: {}", "dusk: {}, dawn: {}", "world.c ", "yard_world "},
    {"order of systems", "in: dusk, group", "in: dawn, after: [Dig], group", "world.c ", "yard_world "},
    {"range", "type: int32, default: 3", "type: int32, range: [0, 99], default: 3", "game.c ", "yard_game "},
    {"range in a type", "y: { type: float", "y: { type: float, range: [0, 9]", "game.c ", "yard_game "},
    {"range in a message", "default: 4", "default: 4, range: [~, 9]", "world.c ", "yard_world "},
    {"inspect of a field", "Heap: { layout: soa, fields: { stones: {",
     "Heap: { layout: soa, fields: { stones: { inspect: hidden,", "game.c ", "yard_game "},
    {"inspect of a component", "Heap: {", "Heap: { inspect: read_only,", "game.c ", "yard_game "},
    {"inspect of a flag", "Frozen: { doc: Cold. }", "Frozen: { doc: Cold., inspect: hidden }", "game.c ", "yard_game "},
    {"on_destroy", "on_destroy: clear", "on_destroy: remove", "game.c ", "yard_game "},
    {"on_destroy with a reverse", "reverse: diggers", "reverse: diggers, on_destroy: clear", "game.c game.h ",
     GAME_OBJECTS},
    {"reverse", "reverse: diggers", "reverse: miners", "game.c game.h world.h ", GAME_OBJECTS},
    {"label", "menu: {}", "menu: { label: Choice.row }", "menu.c ", "yard_menu "},
    {"added node", "rest: {}", "rest: {}, night: {}", "world.c ", "yard_world "},
    {"event of a trigger", "event: added", "event: removed", "world.c ", "yard_world "},
    {"capacity of an inbox", "capacity: 8", "capacity: 16", "world.c ", "yard_world "},
    {"full inbox", "full: oldest", "full: newest", "world.c ", "yard_world "},
    {"doc of a component", "One place.", "A place.", "game.c game.h ", GAME_OBJECTS},
    {"doc of a flag", "Cold.", "Ice.", "game.c game.h ", GAME_OBJECTS},
    {"doc of a field", "Where it is.", "Where it stands.", "game.c game.h ", GAME_OBJECTS},
    {"doc of a column", "Not counting sand.", "Only whole ones.", "game.c game.h ", GAME_OBJECTS},
    {"doc of the other context", "From 0.", "From 0 on.", "menu.c menu.h ", MENU_OBJECTS},
    {"doc in two contexts", "To read.", "To be read.", "game.c game.h menu.c menu.h ", ALL_OBJECTS},
    {"doc of a message", "Of the menu.", "In the menu.", "world.c world.h ", "main yard_world "},
    {"doc of a system", "Fills.", "Fills holes.", "world.c world.h ", "main yard_world "},
    {"doc of a type", "To the right.", "Eastward.", "game.c types.h ", ALL_OBJECTS},
    {"added field", "{ at: ", "{ z: float, at: ", "game.c game.h world.h ", GAME_OBJECTS},
    {"added field of a type", "{ x: {", "{ z: float, x: {",
     "game.c game.h menu.h save.h types.h world.h yard.c yard.h ", ALL_OBJECTS},
    {"added component", "  Frozen:", "  Added: {}\n  Frozen:", "game.c game.h world.h ", GAME_OBJECTS},
    {"added field in the other context", "{ row: { type: int32, default: 2",
     "{ z: float, row: { type: int32, default: 2", "menu.c menu.h ", MENU_OBJECTS},
    {"added component in the other context", "  Choice:", "  Added: { contexts: [menu] }\n  Choice:", "menu.c menu.h ",
     MENU_OBJECTS},
};

static const change small_changes[] = {
    {"default", "default: 3", "default: 30", "yard.c ", "yard "},
    {"doc of a component", "Stones.", "Sand.", "yard.c yard.h ", "main walk yard yard_world "},
    {"doc of a system", "Digs.", "Digs holes.", "world.c world.h ", "main yard_world "},
    {"order of systems", "Count: { in: work", "Count: { before: [Dig], in: work", "world.c ", "yard_world "},
    {"added node", "work: {}", "work: {}, rest: {}", "world.c ", "yard_world "},
    {"added component", "  Heap:", "  Added: {}\n  Heap:", "world.h yard.c yard.h ", "main walk yard yard_world "},
};

static void expect_change(const char *schema, const char *all, const change *change)
{
    ck_assert_str_eq(compile(), all);
    ck_assert_str_eq(compile(), "");
    remember();
    edit(schema, change->old, change->new);
    const char *objects = compile();
    ck_assert_msg(strcmp(names_of_changed(), change->files) == 0, "%s changes %s", change->kind, names_of_changed());
    ck_assert_msg(strcmp(names_of_written(), change->files) == 0, "%s writes %s", change->kind, names_of_written());
    ck_assert_msg(strcmp(objects, change->objects) == 0, "%s compiles %s", change->kind, objects);
    ck_assert_str_eq(compile(), "");
}

START_TEST(a_change_rewrites_and_recompiles_only_what_it_touches)
{
    expect_change(yard, ALL_OBJECTS, &changes[_i]);
}
END_TEST

START_TEST(a_change_of_the_world_does_not_recompile_the_only_context)
{
    expect_change(small_yard, "main walk yard yard_world ", &small_changes[_i]);
}
END_TEST

Suite *recompile_suite(void)
{
    Suite *suite = suite_create("recompile");
    TCase *tests = tcase_create("recompile");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, begin, scratch_destroy);
    tcase_add_loop_test(tests, a_change_rewrites_and_recompiles_only_what_it_touches, 0,
                        sizeof changes / sizeof *changes);
    suite_add_tcase(suite, tests);
    tests = tcase_create("one context");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, begin_small, scratch_destroy);
    tcase_add_loop_test(tests, a_change_of_the_world_does_not_recompile_the_only_context, 0,
                        sizeof small_changes / sizeof *small_changes);
    suite_add_tcase(suite, tests);
    return suite;
}

// Each method answers as rpc.discover says.
#include "inspect_case.h"
#include "shell.h"
#include "suites.h"

#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *method, *parameters;
} asked[] = {
    {"kin.hello", "{}"},
    {"rpc.discover", "{}"},
    {"schema.get", "{'context':'people'}"},
    {"schema.get", "{'context':'game'}"},
    {"journal.start", "{'context':'people'}"},
    {"watches.add", "{'context':'people','entity':'1:0','path':'Age.years'}"},
    {"audit.start", "{'context':'people','component':'Age'}"},
    {"collectors.why", "{'context':'people','collector':'Watch'}"},
    {"plots.add", "{'context':'people','entity':'1:0','path':'Age.years'}"},
    {"plots.add", "{'context':'people','query':'Age'}"},
    {"plots.add", "{'context':'people','query':'Step where x < y'}"}, // both sides are copied
    {"marks.take", "{'context':'people'}"},
    {"marks.take", "{'context':'people','query':'Step where x < y'}"},
    {"entities.query", "{'context':'people','query':'Age'}"},
    {"entities.query", "{'context':'people','fields':['Age','Name.text'],'limit':1}"},
    {"entities.get", "{'context':'people','entity':'1:0'}"},
    {"relations.list", "{'context':'people','entity':'1:0'}"},
    {"entities.explain", "{'context':'people','entity':'1:0','group':'citizens'}"},
    {"entities.create", "{'context':'people'}"},
    {"entities.clone", "{'context':'people','entity':'1:0'}"},
    {"components.add", "{'context':'people','entity':'1:0','component':'Name','value':{'text':'ann'}}"},
    {"components.set", "{'context':'people','entity':'1:0','path':'Name.text','value':null}"},
    {"components.replace", "{'context':'people','entity':'1:0','component':'Name','value':{'text':'bob'}}"},
    {"components.remove", "{'context':'people','entity':'1:0','component':'Name'}"},
    {"entities.destroy", "{'context':'people','entity':'1:0'}"},
    {"groups.list", "{'context':'people'}"},
    {"uniques.list", "{'context':'game'}"},
    {"indices.list", "{'context':'game'}"},
    {"collectors.list", "{'context':'people'}"},
    {"systems.list", "{'world':'town'}"},
    {"network.status", "{'world':'town'}"},
    {"systems.enable", "{'world':'town','place':1,'enabled':true}"},
    {"memory.report", "{'context':'game'}"},
    {"timeline.start", "{'world':'town'}"},
    {"timeline.get", "{'world':'town'}"},
    {"entities.create", "{'context':'people','components':{'Age':{'years':3}}}"},
    {"components.set", "{'context':'people','entity':'3:2','path':'Age.years','value':4}"},
    {"journal.read", "{'context':'people'}"},
    {"watches.list", "{'context':'people'}"},
    {"audit.read", "{'context':'people'}"},
    {"collectors.why", "{'context':'people','collector':'Watch'}"},
    {"plots.read", "{'context':'people'}"},
    {"marks.diff", "{'context':'people','from':1}"},
    {"journal.stop", "{'context':'people'}"},
    {"watches.remove", "{'context':'people','watch':1}"},
    {"audit.stop", "{'context':'people','audit':1}"},
    {"plots.remove", "{'context':'people','plot':2}"},
    {"marks.drop", "{'context':'people','mark':1}"},
    {"messages.read", "{'world':'town'}"},
    {"errors.read", "{'world':'town'}"},
    {"messages.read", "{'world':'town'}"},
    {"errors.read", "{'world':'town'}"},
    {"time.get", "{'world':'town'}"},
    {"time.pause", "{'world':'town'}"},
    {"time.step", "{'world':'town','systems':1}"},
    {"time.speed", "{'world':'town','speed':2}"},
    {"time.hold", "{'world':'town','system':'Mayor'}"},
    {"time.until", "{'context':'people','query':'Asleep'}"},
    {"time.resume", "{'world':'town'}"},
    {"snapshots.list", "{'world':'town'}"},
    {"snapshots.take", "{'world':'town'}"},
    {"entities.create", "{'context':'people'}"},
    {"snapshots.diff", "{'world':'town','from':1}"},
    {"snapshots.restore", "{'world':'town','snapshot':1}"},
    {"snapshots.list", "{'world':'town'}"},
    {"snapshots.take", "{'world':'town','every':0}"},
    {"snapshots.drop", "{'world':'town'}"},
};

static char *written;
static size_t written_size;
static FILE *lines;

// What messages.read and errors.read then have to tell.
static void publish_and_fail(void)
{
    town_publish_greeting(town, (Greeting){.words = "hello"});
    town_publish_bell(town);
    kin_destroy(&town->contexts->people->base, 0);
}

static void ask_all(void)
{
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *answer = inspect_ask(asked[i].method, asked[i].parameters);
        ck_assert_msg(answer[0] == '{', "%s %s", asked[i].method, answer);
        fprintf(lines, "%s %s\n", asked[i].method, answer);
        if (strcmp(asked[i].method, "timeline.start") == 0)
            town_world_update(town, 1);
        if (strcmp(asked[i].method, "errors.read") == 0)
            publish_and_fail();
    }
}

// What the game does while it is held.
static void pump(void *user)
{
    (void)user;
    fprintf(lines, "time.get %s\n", inspect_ask("time.get", "{'world':'town'}"));
    fprintf(lines, "time.resume %s\n", inspect_ask("time.resume", "{'world':'town'}"));
}

START_TEST(ins_54_each_method_answers_as_its_description_says)
{
    arena arena = {0};
    char path[256];
    kin_inspector_options options = inspect_options();
    options.on_hold = pump;
    town_begin();
    game = my_game_context_create(NULL);
    inspector = kin_inspect(town_world_base(town), &options);
    kin_inspector_add(inspector, &game->base, NULL);
    town_citizen(30);
    lines = open_memstream(&written, &written_size);
    fprintf(lines, "%s\n", inspect_ask("rpc.discover", "{}"));
    ask_all();
    inspect_ask("time.hold", "{'world':'town','system':'Mayor'}");
    town_world_update(town, 1);
    fclose(lines);
    snprintf(path, sizeof path, "%s/kin-test-answers-%d", shell_scratch(), (int)getpid());
    FILE *file = fopen(path, "w");
    fwrite(written, 1, written_size, file);
    fclose(file);
    const char *command = arena_format(&arena,
                                       "if python3 -c 'import jsonschema' 2> /dev/null; then python3 -W ignore "
                                       "tests/inspector/answers.py < %s; else echo ok; fi",
                                       path);
    ck_assert_str_eq(shell_expect(&arena, command), "ok\n");
    unlink(path);
    free(written);
    town_end();
    guard_end(&inspect_memory);
    my_game_context_destroy(game);
    arena_release(&arena);
}
END_TEST

Suite *inspect_answers_suite(void)
{
    Suite *suite = suite_create("inspect_answers");
    TCase *tests = tcase_create("inspect_answers");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, ins_54_each_method_answers_as_its_description_says);
    suite_add_tcase(suite, tests);
    return suite;
}

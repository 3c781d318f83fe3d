// Requests that were made worse at random: the inspector answers each, and goes on.
#include "inspect_case.h"
#include "suites.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000, REQUEST_SIZE = 1024 };

static uint32_t state;

static uint32_t random_below(uint32_t bound)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % bound;
}

static const char *const seeds[] = {
    "{'jsonrpc':'2.0','id':1,'method':'kin.hello'}",
    "{'jsonrpc':'2.0','id':1,'method':'schema.get','params':{'context':'game'}}",
    "{'jsonrpc':'2.0','id':1,'method':'entities.query','params':{'context':'game','query':'Name & !Frozen | "
    "only(Links, "
    "Texts), in lone where Name.value ~ \\\"a*\\\" & !(AllNumbers.i32 <= -5 | Links.own = 1:0) order by AllNumbers.f64 "
    "desc','fields':['Name','Arrays.points[1].x','Boxed.box.corners[3]'],'limit':5,'after':'1'}}",
    "{'jsonrpc':'2.0','id':1,'method':'journal.start','params':{'context':'game','components':['Name'],'lives':true,"
    "'bytes':8192,'pinned':true}}",
    "{'jsonrpc':'2.0','id':1,'method':'journal.read','params':{'context':'game','entity':'1:0','component':'Name',"
    "'kind':'replaced','after':'3','limit':9}}",
    "{'jsonrpc':'2.0','id':1,'method':'watches.add','params':{'context':'game','entity':'1:0','path':"
    "'Arrays.points[1].x'}}",
    "{'jsonrpc':'2.0','id':1,'method':'watches.list','params':{'context':'game'}}",
    "{'jsonrpc':'2.0','id':1,'method':'watches.remove','params':{'context':'game','watch':1}}",
    "{'jsonrpc':'2.0','id':1,'method':'audit.start','params':{'context':'game','component':'Arrays','bytes':65536,"
    "'pinned':false}}",
    "{'jsonrpc':'2.0','id':1,'method':'audit.read','params':{'context':'game','audit':1}}",
    "{'jsonrpc':'2.0','id':1,'method':'audit.stop','params':{'context':'game','audit':1}}",
    "{'jsonrpc':'2.0','id':1,'method':'collectors.why','params':{'context':'game','number':0,'entity':'1:0'}}",
    "{'jsonrpc':'2.0','id':1,'method':'marks.take','params':{'context':'game','query':'Name'}}",
    "{'jsonrpc':'2.0','id':1,'method':'marks.diff','params':{'context':'game','from':1,'to':2,'limit':5}}",
    "{'jsonrpc':'2.0','id':1,'method':'marks.drop','params':{'context':'game','mark':1}}",
    "{'jsonrpc':'2.0','id':1,'method':'plots.add','params':{'context':'game','query':'AllNumbers','path':"
    "'AllNumbers.f64','of':'sum'}}",
    "{'jsonrpc':'2.0','id':1,'method':'plots.read','params':{'context':'game','plot':1,'after':1,'limit':9}}",
    "{'jsonrpc':'2.0','id':1,'method':'plots.remove','params':{'context':'game','plot':1}}",
    "{'jsonrpc':'2.0','id':1,'method':'journal.stop','params':{'context':'game'}}",
    "{'jsonrpc':'2.0','id':1,'method':'entities.get','params':{'context':'game','entity':'1:0'}}",
    "{'jsonrpc':'2.0','id':1,'method':'entities.explain','params':{'context':'game','entity':'1:0','group':'exact'}}",
    "{'jsonrpc':'2.0','id':1,'method':'components.set','params':{'context':'game','entity':'1:0','path':"
    "'Boxed.box.corners[3].x','value':1.5e3,'expect':0,'force':true}}",
    "{'jsonrpc':'2.0','id':1,'method':'components.replace','params':{'context':'game','entity':'1:0','component':"
    "'AllNumbers','value':{'flag':true,'i64':'-9223372036854775808','f32':'NaN','u8':255}}}",
    "{'jsonrpc':'2.0','id':1,'method':'components.add','params':{'context':'game','entity':'2:1','component':'Arrays',"
    "'value':{'numbers':[1,2,3,4],'sides':['Red','Blue'],'targets':['1:0',null]}}}",
    "{'jsonrpc':'2.0','id':1,'method':'components.remove','params':{'context':'game','entity':'1:0','component':'Name'}"
    "}",
    "{'jsonrpc':'2.0','id':1,'method':'entities.create','params':{'context':'game','components':{'Name':{'value':'x'},"
    "'Marked':true}}}",
    "[{'jsonrpc':'2.0','id':1,'method':'groups.list','params':{'context':'game'}},{'jsonrpc':'2.0','id':2,'method':"
    "'collectors.list','params':{'context':'input'}}]",
    "{'jsonrpc':'2.0','id':1,'method':'time.step','params':{'updates':3,'delta':0.5}}",
};

// Changes, inserts, removes, repeats or cuts some bytes.
static size_t worsen(char *request, size_t size)
{
    static const char alphabet[] = "\"\\{}[]:,()&|!.<>=~#*-0123456789eE\n\t xaN\x80\xff";
    size_t at = random_below((uint32_t)size), span = 1 + random_below(8);
    span = span < size - at ? span : size - at;
    switch (random_below(5)) {
    case 0:
        request[at] = alphabet[random_below(sizeof alphabet - 1)];
        return size;
    case 1:
        memmove(request + at, request + at + span, size - at - span);
        return size - span;
    case 2:
        if (size + span >= REQUEST_SIZE)
            return size;
        memmove(request + at + span, request + at, size - at);
        return size + span;
    case 3:
        request[at] = (char)random_below(256);
        return size;
    default:
        return random_below(20) == 0 ? at : size;
    }
}

static void play(uint64_t rounds)
{
    static char answer[64 * 1024];
    char request[REQUEST_SIZE];
    for (uint64_t i = 0; i < rounds; i++) {
        const char *seed = inspect_quoted(seeds[random_below(sizeof seeds / sizeof *seeds)]);
        size_t size = strlen(seed);
        memcpy(request, seed, size);
        for (uint32_t n = random_below(4); n > 0 && size > 1; n--)
            size = worsen(request, size);
        kin_inspector_request(inspector, request, size, answer, sizeof answer);
        ck_assert(answer[0] == '\0' || answer[0] == '{' || answer[0] == '[');
        if (my_game_entity_count(game) > 200)
            my_game_destroy_all_entities(game);
    }
}

START_TEST(ins_28_random_requests_harm_nothing)
{
    const char *rounds = getenv("KIN_INSPECT_ROUNDS");
    state = 3;
    my_game_entity one = my_game_create_entity(game);
    my_game_add_all_numbers(game, one, my_all_numbers_default());
    my_game_add_boxed(game, one, my_boxed_default());
    my_game_add_name(game, one, my_name_default());
    play(rounds == NULL ? ROUNDS : strtoull(rounds, NULL, 10));
    expect_in_answer("kin.hello", "{}", "'version'");
}
END_TEST

Suite *inspect_random_suite(void)
{
    Suite *suite = suite_create("inspect_random");
    TCase *tests = tcase_create("inspect_random");
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, inspect_begin, inspect_end);
    tcase_add_test(tests, ins_28_random_requests_harm_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

// Edits: what viewers change, and what is refused.
#include "inspect_case.h"
#include "suites.h"

#include "feature/internal.h"
#include "query/query.h"

#include "runtime/support/support.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static my_game_entity one;

static void begin(void)
{
    inspect_begin();
    one = my_game_create_entity(game);
    my_game_add_all_numbers(game, one, my_all_numbers_default());
    my_game_add_arrays(game, one, my_arrays_default());
    my_game_add_boxed(game, one, my_boxed_default());
    my_game_add_texts(game, one, my_texts_default());
    my_game_add_links(game, one, my_links_default());
    my_game_add_name(game, one, my_name_default());
}

// Values go in as text, and come out the same.
static const struct {
    const char *path, *value;
} values[] = {
    {"AllNumbers.flag", "false"},
    {"AllNumbers.i8", "127"},
    {"AllNumbers.i8", "-128"},
    {"AllNumbers.i16", "-32768"},
    {"AllNumbers.i64", "'-9223372036854775808'"},
    {"AllNumbers.i64", "'9223372036854775807'"},
    {"AllNumbers.i64", "'9007199254740993'"},
    {"AllNumbers.i64", "'-9007199254740993'"},
    {"AllNumbers.u8", "0"},
    {"AllNumbers.u16", "65535"},
    {"AllNumbers.u32", "4294967295"},
    {"AllNumbers.u64", "'18446744073709551615'"},
    {"AllNumbers.u64", "'9007199254740993'"},
    {"AllNumbers.f32", "0.1"},
    {"AllNumbers.f32", "-0.0"},
    {"AllNumbers.f32", "'NaN'"},
    {"AllNumbers.f64", "5e-324"},
    {"AllNumbers.f64", "0.1"},
    {"AllNumbers.f64", "-0.0"},
    {"AllNumbers.f64", "1.7976931348623157e308"},
    {"AllNumbers.f64", "'-Infinity'"},
    {"Texts.brief", "''"},
    {"Texts.lengthy", "'1234567890123456789012345678901'"},
    {"Arrays.numbers", "[4,3,2,-3]"},
    {"Arrays.numbers[2]", "4"},
    {"Arrays.sides", "['Red','Red']"},
    {"Arrays.sides[1]", "'Red'"},
    {"Arrays.points", "[{'x':1.5,'y':2.5},{'x':0,'y':-0.0},{'x':-1,'y':7}]"},
    {"Arrays.points[1]", "{'x':0.5,'y':0.25}"},
    {"Arrays.points[2].y", "3.25"},
    {"Arrays.targets[1]", "'1:0'"},
    {"Links.any", "null"},
    {"Links.own", "'1:0'"},
    {"Boxed.level", "'TopMost'"},
    {"Boxed.box.to", "{'x':1,'y':2}"},
    {"Boxed.box.corners[3].x", "10"},
    {"Boxed.box.inner.label", "'seven77'"},
    {"Name.value", "null"},
    {"Name.value", "''"},
    {"Name.value", "'\\u003cb>\\u2028 ä 𝄞 \\\\ \\\" \\n'"},
};

START_TEST(ins_52_each_type_of_value_goes_in_and_out_again)
{
    char parameters[512], expected[512];
    snprintf(parameters, sizeof parameters, "{'context':'game','entity':'1:0','path':'%s','value':%s,'force':true}",
             values[_i].path, values[_i].value);
    snprintf(expected, sizeof expected, "'value':%s}", values[_i].value);
    const char *answer = inspect_ask("components.set", parameters);
    ck_assert_msg(strncmp(answer, "error", 5) != 0, "%s", answer);
    snprintf(parameters, sizeof parameters, "{'context':'game','query':'#1','fields':['%s']}", values[_i].path);
    const char *shown = inspect_ask("entities.query", parameters);
    // The text of the answer was read and written by jansson, and so was this.
    json_t *given = json_loads(inspect_quoted(values[_i].value), JSON_DECODE_ANY, NULL);
    json_t *document = json_loads(shown, 0, NULL);
    json_t *row = json_array_get(json_object_get(document, "rows"), 0);
    json_t *value = json_object_get(json_object_get(row, "v"), values[_i].path);
    if (json_is_real(given))
        ck_assert_double_eq(json_real_value(given), json_number_value(value));
    else
        ck_assert_msg(json_equal(given, value) || strstr(values[_i].value, "-0.0") != NULL, "%s", shown);
    if (json_is_real(given) && json_real_value(given) == 0)
        ck_assert(signbit(json_number_value(value)));
    json_decref(given);
    json_decref(document);
}
END_TEST

static const struct {
    const char *path, *value, *answer;
} refused[] = {
    {"AllNumbers.i8", "128", "error -32602: 'i8' must be in the range of its type "},
    {"AllNumbers.i8", "-129", "error -32602: 'i8' must be in the range of its type "},
    {"AllNumbers.u8", "-1", "error -32602: 'u8' must be in the range of its type "},
    {"AllNumbers.u8", "256", "error -32602: 'u8' must be in the range of its type "},
    {"AllNumbers.i16", "'32768'", "error -32602: 'i16' must be in the range of its type "},
    {"AllNumbers.i64", "'9223372036854775808'", "error -32602: 'i64' must be in the range of its type "},
    {"AllNumbers.u64", "'18446744073709551616'", "error -32602: 'u64' must be an integer, or its digits as a string "},
    {"AllNumbers.i16", "1.5", "error -32602: 'i16' must be an integer, or its digits as a string "},
    {"AllNumbers.i16", "''", "error -32602: 'i16' must be an integer, or its digits as a string "},
    {"AllNumbers.i16", "'1 '", "error -32602: 'i16' must be an integer, or its digits as a string "},
    {"AllNumbers.f32", "1e39", "error -32602: 'f32' must be in the range of a float "},
    {"AllNumbers.f64", "'nan'", "error -32602: 'f64' must be a number, or 'NaN', 'Infinity' or '-Infinity' "},
    {"AllNumbers.flag", "1", "error -32602: 'flag' must be true or false "},
    {"AllNumbers.f32", "0.2",
     "error -33104: 'f32' is outside of its range, -0.25 to 0.1; give 'force': true (--force) to set it "},
    {"AllNumbers.f32", "'NaN'",
     "error -33104: 'f32' is outside of its range, -0.25 to 0.1; give 'force': true (--force) to set it "},
    {"AllNumbers.f64", "'NaN'",
     "error -33104: 'f64' is outside of its range, at most 1e+300; give 'force': true (--force) to set it "},
    {"AllNumbers.u32", "15",
     "error -33104: 'u32' is outside of its range, 16 to 4294967295; give 'force': true (--force) to set it "},
    {"AllNumbers.i32", "1", "error -33100: 'i32' is read-only by its schema "},
    {"Pos2D.at", "{}", "error -33100: 'Pos2D' is read-only by its schema "},
    {"Texts.brief", "'ab'", "error -32602: 'brief' must be a string of at most 1 bytes "},
    {"Texts.brief", "null", "error -32602: 'brief' must be a string of at most 1 bytes "},
    {"Texts.lengthy", "'12345678901234567890123456789012'",
     "error -32602: 'lengthy' must be a string of at most 31 bytes "},
    {"Texts.none", "''", "error -33107: 'none' is hidden by its schema {'at':6,'length':4}"},
    {"Boxed.box", "{'inner':{'side':'Red'}}", "error -33107: 'side' is hidden by its schema "},
    {"Boxed.box", "{'inner':{'sde':'Red'}}", "error -32602: the schema has no field 'sde' here "},
    {"Boxed.level", "'Lw'", "error -32602: 'level' must be a value of its enum {'did_you_mean':['Low']}"},
    {"Boxed.level", "3", "error -32602: 'level' must be a value of its enum "},
    {"Arrays.numbers", "[1,2,3]", "error -32602: 'numbers' must be an array of 4 elements "},
    {"Arrays.numbers", "{}", "error -32602: 'numbers' must be an array of 4 elements "},
    {"Arrays.numbers[4]", "1", "error -32602: 'numbers' has 4 elements {'at':15,'length':1}"},
    {"Links.any", "'1:16777216'", "error -32602: 'any' must be a handle, such as '70002:1', or null "},
    {"Links.any", "1", "error -32602: 'any' must be a handle, such as '70002:1', or null "},
    {"Looks.sprite", "null", "error -33100: 'Looks' owns opaque values: it can only be removed "},
    {"Handles.handle", "null", "error -33100: 'handle' is opaque and cannot be written "},
    {"Name", "1",
     "error -32602: no component of the query has a field 'Name'; write a component and a field, such as "
     "Health.points "},
    {"Name.value.x", "1", "error -32602: 'value' has no fields {'at':11,'length':1}"},
    {"HTTPServer.port", "1",
     "error -33003: the entity lacks HTTPServer {'status':'KIN_ERROR_NO_COMPONENT',"
     "'sentence':'the entity lacks HTTPServer'}"},
};

START_TEST(ins_28_writes_are_checked)
{
    char parameters[512];
    uint64_t before = kin_component_changes(&game->base, 0);
    snprintf(parameters, sizeof parameters, "{'context':'game','entity':'1:0','path':'%s','value':%s}",
             refused[_i].path, refused[_i].value);
    const char *answer = inspect_quoted(inspect_ask("components.set", parameters));
    ck_assert_msg(strncmp(answer, inspect_quoted(refused[_i].answer), strlen(refused[_i].answer)) == 0,
                  "%s\nand not\n%s", answer, refused[_i].answer);
    ck_assert_uint_eq(kin_component_changes(&game->base, 0), before);
}
END_TEST

static uint32_t modified;

static void note_modified(const kin_change *change, void *user)
{
    (void)user;
    (void)change;
    modified++;
}

START_TEST(ins_52_a_set_goes_through_the_runtime)
{
    kin_group *group = my_game_group(game, KIN_MATCHER(KIN_ALL(MY_GAME_ALL_NUMBERS)));
    kin_group_subscribe(group, KIN_MODIFIED, note_modified, NULL);
    modified = 0;
    expect_answer("components.set", "{'context':'game','entity':'1:0','path':'AllNumbers.i8','value':5,'expect':-128}",
                  "{'frame':0,'previous':-128,'value':5}");
    ck_assert_uint_eq(modified, 1);
    ck_assert_int_eq(my_game_get_all_numbers(game, one)->i8, 5);
    ck_assert_int_eq(my_game_get_all_numbers(game, one)->i16, -32768);
    expect_answer("components.set", "{'context':'game','entity':'1:0','path':'AllNumbers.i8','value':6,'expect':-128}",
                  "error -33103: 'i8' is 5, which is not what was expected ");
    expect_in_answer("components.set",
                     "{'context':'game','entity':'1:0','path':'Arrays.points[0]','value':{'y':9},'expect':{'x':1}}",
                     "'value':{'x':1,'y':9}");
    expect_in_answer("components.set", "{'context':'game','entity':'1:0','path':'Name.value','value':'a','expect':'b'}",
                     "-33103");
    ck_assert_uint_eq(modified, 1);
}
END_TEST

START_TEST(components_are_added_replaced_and_removed)
{
    expect_answer("components.add", "{'context':'game','entity':'1:0','component':'HTTPServer'}",
                  "{'frame':0,'previous':null,'value':{'port':80}}");
    expect_answer("components.replace", "{'context':'game','entity':'1:0','component':'HTTPServer','value':{'port':7}}",
                  "{'frame':0,'previous':{'port':80},'value':{'port':7}}");
    expect_in_answer("components.add", "{'context':'game','entity':'1:0','component':'HTTPServer'}",
                     "'status':'KIN_ERROR_HAS_COMPONENT'");
    expect_answer("components.remove", "{'context':'game','entity':'1:0','component':'HTTPServer'}",
                  "{'frame':0,'previous':{'port':7},'value':null}");
    expect_in_answer("components.remove", "{'context':'game','entity':'1:0','component':'HTTPServer'}",
                     "error -33003: game: cannot remove HTTPServer");
    expect_answer("components.add", "{'context':'game','entity':'1:0','component':'Marked','value':true}",
                  "{'frame':0,'previous':null,'value':true}");
    expect_answer("components.add", "{'context':'game','entity':'1:0','component':'Marked','value':false}",
                  "error -32602: 'Marked' is a flag: its value is true ");
    expect_answer("components.add", "{'context':'game','entity':'1:0','component':'Frozen'}",
                  "error -33107: 'Frozen' is hidden by its schema ");
    expect_answer("components.add", "{'context':'game','entity':'1:0','component':'Looks'}",
                  "error -33100: 'Looks' owns opaque values: it can only be removed ");
}
END_TEST

START_TEST(ins_53_a_refusal_of_the_runtime_comes_as_it_is)
{
    my_game_entity other = my_game_create_entity(game);
    my_game_add_http_server(game, other, my_http_server_default());
    my_game_add_title(game, other, my_title_default());
    expect_in_answer("components.add", "{'context':'game','entity':'1:0','component':'HTTPServer'}",
                     "error -33005: game: cannot add HTTPServer");
    expect_in_answer("components.add", "{'context':'game','entity':'1:0','component':'Title'}",
                     "'status':'KIN_ERROR_UNIQUE'");
    expect_in_answer("components.add", "{'context':'game','entity':'9:9','component':'Title'}", "error -33001:");
    ck_assert(!my_game_has_title(game, one));
    ck_assert_ptr_null(inspect_error.message);
}
END_TEST

// A context that is shared by threads refuses without an error.
START_TEST(ins_53_a_refusal_without_an_error_is_none_of_success)
{
    static const char *const asked[][2] = {
        {"components.add", "{'context':'game','entity':'1:0','component':'HTTPServer'}"},
        {"components.remove", "{'context':'game','entity':'1:0','component':'Name'}"},
        {"entities.create", "{'context':'game'}"},
        {"entities.clone", "{'context':'game','entity':'1:0'}"},
        {"entities.destroy", "{'context':'game','entity':'1:0'}"}};
    ck_assert_int_eq(kin_context_begin_shared(&game->base), KIN_OK);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        expect_in_answer(asked[i][0], asked[i][1],
                         "error -33009: game refuses this now, such as while threads share it "
                         "{'status':'KIN_ERROR_INVALID'");
    kin_context_end_shared(&game->base);
    expect_in_answer("entities.clone", "{'context':'game','entity':'0:0'}", "error -32602: 'entity' is no entity");
    ck_assert_uint_eq(my_game_entity_count(game), 1);
}
END_TEST

START_TEST(ins_52_an_enum_without_a_name_is_read_as_it_is_shown)
{
    expect_in_answer("components.set", "{'context':'game','entity':'1:0','path':'Boxed.level','value':3,'force':true}",
                     "'value':3}");
    expect_in_answer("components.set",
                     "{'context':'game','entity':'1:0','path':'Boxed.level','value':'Low','expect':3}",
                     "'value':'Low'}");
    expect_in_answer("components.set",
                     "{'context':'game','entity':'1:0','path':'Boxed.level','value':4294967296,'force':true}",
                     "error -32602:");
}
END_TEST

START_TEST(the_smallest_numbers_have_their_shortest_text)
{
    static const char *const set[] = {"{'jsonrpc':'2.0','id':1,'method':'components.set','params':"
                                      "{'context':'game','entity':'1:0','path':'AllNumbers.f64','value':5e-324}}",
                                      "{'jsonrpc':'2.0','id':1,'method':'components.set','params':"
                                      "{'context':'game','entity':'1:0','path':'AllNumbers.f32','value':1e-45}}"};
    ck_assert_ptr_nonnull(strstr(inspect_send(inspect_quoted(set[0])), "\"value\":5e-324}"));
    ck_assert_ptr_nonnull(strstr(inspect_send(inspect_quoted(set[1])), "\"value\":1e-45}"));
}
END_TEST

START_TEST(a_string_is_cut_between_characters)
{
    static _Alignas(16) char bytes[256];
    static const struct {
        const char *text;
        uint32_t limit, kept;
    } cuts[] = {
        {"a\u00e4", 2, 1}, {"a\u00e4", 3, 3}, {"\U0001D11E", 3, 0}, {"abc", 2, 2}, {"\x80\x80\x80\x80\x80", 4, 4}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        kin__capture capture = {.at = bytes, .capacity = sizeof bytes, .string_limit = cuts[i].limit};
        ck_assert_uint_eq(kin__captured_size_of(kin__capture_string(&capture, cuts[i].text)).kept, cuts[i].kept);
    }
}
END_TEST

START_TEST(ins_29_a_refused_key_shows_no_hidden_part)
{
    my_game_add_known(game, one, my_known_default());
    expect_answer("entities.create", "{'context':'game','components':{'Known':{'text':'x'}}}",
                  "error -33005: game: another entity has the key of Known {'status':'KIN_ERROR_DUPLICATE_KEY',"
                  "'sentence':'game: another entity has the key of Known'}");
}
END_TEST

START_TEST(entities_are_created_cloned_and_destroyed)
{
    expect_answer("entities.create",
                  "{'context':'game','components':{'Name':{'value':'new'},'Marked':true,'HTTPServer':{'port':5}}}",
                  "{'entity':'2:1','frame':0}");
    expect_in_answer("entities.get", "{'context':'game','entity':'2:1'}", "'HTTPServer':{'port':5}");
    expect_in_answer("entities.create", "{'context':'game','components':{'HTTPServer':{'port':5}}}", "error -33005:");
    ck_assert_uint_eq(my_game_entity_count(game), 2);
    expect_answer("entities.clone", "{'context':'game','entity':'1:0'}", "{'entity':'4:2','frame':0}");
    expect_answer("entities.destroy", "{'context':'game','entity':'4:2'}", "{'entity':'4:2','frame':0}");
    expect_in_answer("entities.destroy", "{'context':'game','entity':'4:2'}", "error -33001:");
    expect_answer("entities.spawn", "{'context':'game','blueprint':'nothing'}",
                  "error -32602: game has no blueprint 'nothing' ");
}
END_TEST

START_TEST(an_entity_is_shown_with_its_groups)
{
    my_game_add_looks(game, one, my_looks_default());
    my_game_set_frozen(game, one, true);
    const char *answer = inspect_ask("entities.get", "{'context':'game','entity':'1:0'}");
    static const char *const shown[] = {"'groups':['named'",
                                        "'Texts':{'brief':'?','lengthy':",
                                        "'sprite':{'opaque':'Sprite'}",
                                        "'i64':'-9223372036854775808'",
                                        "'inner':{'label':'hi'}",
                                        "'targets':[null,null]"};
    for (size_t i = 1; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(answer, inspect_quoted(shown[i])) != NULL, "%s in %s", shown[i], answer);
    ck_assert_ptr_null(strstr(answer, "none\":\"\",\"x"));
    ck_assert_ptr_null(strstr(answer, "Frozen"));
}
END_TEST

START_TEST(ins_29_hidden_values_are_in_no_answer)
{
    my_Texts texts = my_texts_default();
    strcpy(texts.none, "PASSWORD");
    my_game_replace_texts(game, one, texts);
    ck_assert_ptr_null(strstr(inspect_ask("entities.get", "{'context':'game','entity':'1:0'}"), "PASSWORD"));
    ck_assert_ptr_null(strstr(inspect_ask("entities.query", "{'context':'game','fields':['Texts']}"), "PASSWORD"));
    expect_in_answer("components.replace",
                     "{'context':'game','entity':'1:0','component':'Texts','value':{'brief':'x'}}",
                     "'value':{'brief':'x'");
    ck_assert_str_eq(my_game_get_texts(game, one)->none, "PASSWORD");
}
END_TEST

START_TEST(ins_29_hidden_values_are_in_no_capture)
{
    static _Alignas(16) char bytes[4096];
    kin__capture capture = {.at = bytes, .capacity = sizeof bytes, .string_limit = 64};
    my_Texts texts = my_texts_default();
    strcpy(texts.none, "PASSWORD");
    my_game_replace_texts(game, one, texts);
    const my_Texts *captured = kin__capture_component(&capture, &game->base, one.id, MY_GAME_TEXTS);
    ck_assert_str_eq(captured->brief, "?");
    ck_assert_str_eq(captured->none, "");
    for (size_t i = 0; i + 8 <= capture.size; i++)
        ck_assert_int_ne(memcmp(bytes + i, "PASSWORD", 8), 0);
}
END_TEST

// Their hidden and read-only fields would become zero.
START_TEST(ins_28_a_list_of_elements_with_fields_that_cannot_be_written_is_refused)
{
    static const kin_inspect_mode modes[] = {KIN_INSPECT_EDIT, KIN_INSPECT_HIDDEN, KIN_INSPECT_READ_ONLY};
    kin__method method = {.name = "test"};
    for (size_t i = 0; i < 3; i++) {
        kin_field_info deep[] = {{.name = "y", .type = KIN_TYPE_UINT8, .size = 1, .inspect = modes[i]}};
        kin_type_info inner = {.name = "Inner", .size = 1, .fields = deep, .field_count = 1};
        kin_field_info fields[] = {{.name = "x", .type = KIN_TYPE_UINT8, .size = 1},
                                   {.name = "in", .type = KIN_TYPE_STRUCT, .offset = 1, .size = 1, .of = &inner}};
        kin_type_info outer = {.name = "Outer", .size = 2, .fields = fields, .field_count = 2};
        kin_field_info list = {
            .name = "all", .type = KIN_TYPE_STRUCT, .size = 16, .of = &outer, .is_list = true, .element_size = 2};
        static _Alignas(16) char block[256], bytes[16], mask[16];
        kin__task task = {.method = &method, .capture = {.at = block, .capacity = sizeof block}};
        kin__reader reader = {&task, false, false, bytes, mask};
        json_t *value = json_loads("[{\"x\":1}]", 0, NULL);
        ck_assert_int_eq(kin__read_field(&reader, &list, value, 0, false), i == 0);
        ck_assert_int_eq(task.mistake.code, i == 0 ? 0 : KIN__CODE_READ_ONLY);
        json_decref(value);
    }
}
END_TEST

START_TEST(entities_are_explained)
{
    expect_in_answer("entities.explain", "{'context':'game','entity':'1:0','group':'everything_at_once'}",
                     "'matches':false,'says':'it lacks Pos2D, which everything_at_once asks for'");
    expect_in_answer("entities.explain", "{'context':'game','entity':'1:0','group':'lone'}",
                     "'rules':[{'kind':'none','ok':true,'components':{'Frozen':false}}],'matches':true");
    my_game_set_frozen(game, one, true);
    expect_in_answer("entities.explain", "{'context':'game','entity':'1:0','group':'lone'}",
                     "it has Frozen, which lone excludes");
    expect_in_answer("entities.explain", "{'context':'game','entity':'1:0','group':'exact'}", "it lacks");
    expect_in_answer("entities.explain", "{'context':'game','entity':'1:0','group':'nil'}", "declares no group 'nil'");
    expect_in_answer("entities.explain", "{'context':'game','entity':'1:0','group':'lne'}",
                     "{'did_you_mean':['lone']}");
}
END_TEST

static uint32_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % bound;
}

// The inspector's edits of one context, and typed calls on another one, which must be the same in the end.
START_TEST(ins_52_random_edits_equal_those_of_the_accessors)
{
    char parameters[256], shown[4096];
    my_game_context *twin = my_game_context_create(NULL);
    for (int i = 0; i < 64; i++) {
        kin_create(&twin->base);
        if (i > 0)
            kin_create(&game->base);
    }
    random_state = 7;
    for (int i = 0; i < 3000; i++) {
        uint32_t slot = 1 + random_below(63);
        my_game_entity entity = my_game_entity_of((kin_entity)(slot + 1) << 24 | slot);
        int32_t value = (int32_t)random_below(4);
        bool has = my_game_has_http_server(twin, entity);
        my_HTTPServer server = {.port = (uint16_t)(slot * 4 + (uint32_t)value)};
        if (random_below(3) == 0 && has) {
            my_game_remove_http_server(twin, entity);
            snprintf(parameters, sizeof parameters, "{'context':'game','entity':'%u:%u','component':'HTTPServer'}",
                     slot + 1, slot);
            inspect_ask("components.remove", parameters);
            continue;
        }
        my_game_replace_http_server(twin, entity, server);
        snprintf(parameters, sizeof parameters,
                 "{'context':'game','entity':'%u:%u','component':'HTTPServer','value':{'port':%u}}", slot + 1, slot,
                 (unsigned)server.port);
        inspect_ask("components.replace", parameters);
    }
    for (uint32_t slot = 1; slot < 64; slot++) {
        kin_entity entity = (kin_entity)(slot + 1) << 24 | slot;
        char expected[4096];
        kin_describe_entity(&game->base, entity, shown, sizeof shown);
        kin_describe_entity(&twin->base, entity, expected, sizeof expected);
        ck_assert_str_eq(shown, expected);
    }
    my_game_context_destroy(twin);
}
END_TEST

Suite *inspect_edit_suite(void)
{
    Suite *suite = suite_create("inspect_edit");
    TCase *tests = tcase_create("inspect_edit");
    tcase_add_checked_fixture(tests, begin, inspect_end);
    tcase_add_loop_test(tests, ins_52_each_type_of_value_goes_in_and_out_again, 0, sizeof values / sizeof *values);
    tcase_add_loop_test(tests, ins_28_writes_are_checked, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, ins_52_a_set_goes_through_the_runtime);
    tcase_add_test(tests, components_are_added_replaced_and_removed);
    tcase_add_test(tests, ins_53_a_refusal_of_the_runtime_comes_as_it_is);
    tcase_add_test(tests, ins_53_a_refusal_without_an_error_is_none_of_success);
    tcase_add_test(tests, ins_52_an_enum_without_a_name_is_read_as_it_is_shown);
    tcase_add_test(tests, the_smallest_numbers_have_their_shortest_text);
    tcase_add_test(tests, a_string_is_cut_between_characters);
    tcase_add_test(tests, ins_29_a_refused_key_shows_no_hidden_part);
    tcase_add_test(tests, entities_are_created_cloned_and_destroyed);
    tcase_add_test(tests, an_entity_is_shown_with_its_groups);
    tcase_add_test(tests, ins_29_hidden_values_are_in_no_answer);
    tcase_add_test(tests, ins_29_hidden_values_are_in_no_capture);
    tcase_add_test(tests, ins_28_a_list_of_elements_with_fields_that_cannot_be_written_is_refused);
    tcase_add_test(tests, entities_are_explained);
    tcase_add_test(tests, ins_52_random_edits_equal_those_of_the_accessors);
    suite_add_tcase(suite, tests);
    return suite;
}

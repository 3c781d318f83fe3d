// Rows of the language: a key is one row, and everything that shows or reads keys comes from it.
#include "generator/base/base.h"
#include "generator/describe/internal.h"
#include "generator/read/internal.h"
#include "generator/reading.h"
#include "generator/schema/schema.h"
#include "generator/tools/tools.h"
#include "suites.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// ---- a key more

enum { KEY_LIMIT = 40, VALUE_LIMIT = 40 };

// A component with one more member of each kind.
typedef struct more_component {
    component base;
    const char *colour;
    bool is_shiny;
    int shape; // 1: round, 2: square
    int32_t weight;
    uint32_t count;
} more_component;

static const language_value language_shape = {
    .kind = LANGUAGE_TEXT, .words = (const char *const[]){"round", "square", NULL}, .first_word = 1};

#define MORE(kind, member) kind, offsetof(more_component, member)

static const language_key more_keys[] = {
    {.name = "colour",
     .value = &language_text,
     .doc = "How it is painted.",
     .member = {MORE(MEMBER_TEXT, colour), .json = "colour", .fact = "Colour"}},
    {.name = "shiny",
     .value = &language_bool,
     .fallback = "false",
     .needs = "colour",
     .doc = "Whether it shines.",
     .member = {MORE(MEMBER_BOOL, is_shiny), .json = "is_shiny", .fact = "Shiny"}},
    {.name = "shape",
     .value = &language_shape,
     .doc = "How it is cut.",
     .member = {MORE(MEMBER_WORD, shape), .json = "shape", .fact = "Shape"}},
    {.name = "weight",
     .value = &language_int32,
     .doc = "What it weighs.",
     .member = {MORE(MEMBER_NUMBER, weight), .json = "weight"}},
    {.name = "count",
     .value = &language_count,
     .doc = "How many there are.",
     .member = {MORE(MEMBER_COUNT, count), .json = "count"}},
};

enum { MORE_COUNT = sizeof more_keys / sizeof *more_keys };

static language_key rows[KEY_LIMIT];
static language_value mapping;
static const language_value *values[VALUE_LIMIT];

static void begin(void)
{
    size_t count = 0;
    reading_begin();
    for (; language_component.keys[count].name != NULL; count++)
        rows[count] = language_component.keys[count];
    ck_assert_uint_lt(count + MORE_COUNT, KEY_LIMIT);
    memcpy(rows + count, more_keys, sizeof more_keys);
    rows[count + MORE_COUNT] = (language_key){0};
    mapping = language_component;
    mapping.keys = rows;
    for (count = 0; language_values[count] != NULL; count++)
        values[count] = language_values[count] == &language_component ? &mapping : language_values[count];
    ck_assert_uint_lt(count, VALUE_LIMIT);
    values[count] = NULL;
}

static more_component read_component(const char *text)
{
    more_component element = {.base = {.name = "Ball", .saved = {.identity = "Ball"}}};
    package package = {.name = "arena"};
    reader reader = {.arena = reading_arena(), .diagnostics = reading_diagnostics(), .package = &package};
    reader_read_keys(&reader, reading_tree(text), &mapping, "component 'Ball'", &element);
    return element;
}

START_TEST(a_key_that_a_row_adds_is_read)
{
    more_component element =
        read_component("{ doc: Round, colour: red, shiny: true, shape: square, weight: -7, count: 3, was: Sphere }");
    reading_expect_nothing();
    ck_assert_str_eq(element.base.doc, "Round");
    ck_assert_str_eq(element.colour, "red");
    ck_assert(element.is_shiny);
    ck_assert_int_eq(element.shape, 2);
    ck_assert_int_eq(element.weight, -7);
    ck_assert_uint_eq(element.count, 3);
    ck_assert_str_eq(element.base.saved.identity, "Sphere");
}
END_TEST

START_TEST(a_key_that_is_missing_or_invalid_leaves_its_member)
{
    more_component element = read_component("{ shiny: maybe, shape: flat, weight: heavy, count: -1 }");
    ck_assert_ptr_null(element.colour);
    ck_assert(!element.is_shiny);
    ck_assert_int_eq(element.shape, 0);
    ck_assert_int_eq(element.weight, 0);
    ck_assert_uint_eq(element.count, 0);
    ck_assert_uint_eq(diagnostics_error_count(reading_diagnostics()), 4);
    ck_assert_ptr_nonnull(strstr(reading_printed(), "unknown shape 'flat'; expected 'round' or 'square'"));
}
END_TEST

START_TEST(without_its_row_a_key_is_unknown)
{
    mapping.keys = language_component.keys;
    read_component("{ colour: red }");
    ck_assert_ptr_nonnull(strstr(reading_printed(), "unknown key 'colour' in component 'Ball'"));
}
END_TEST

START_TEST(a_key_that_a_row_adds_is_in_the_json_schema)
{
    text out = text_create(reading_arena());
    language_append_schema(&out, values);
    for (size_t i = 0; i < MORE_COUNT; i++) {
        ck_assert_ptr_nonnull(strstr(out.bytes, arena_format(reading_arena(), "\"%s\": {", more_keys[i].name)));
        ck_assert_ptr_nonnull(strstr(out.bytes, more_keys[i].doc));
    }
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"enum\": [\"round\", \"square\"]"));
    ck_assert_ptr_nonnull(strstr(out.bytes, "\"shiny\": [\"colour\"]"));
}
END_TEST

START_TEST(a_key_that_a_row_adds_is_in_the_reference)
{
    text page = text_create(reading_arena());
    text man = text_create(reading_arena());
    reference_append_markdown(&page, values);
    reference_append_schema_page(&man, values);
    ck_assert_ptr_nonnull(strstr(page.bytes, "| `colour` | a string | How it is painted. |\n"));
    ck_assert_ptr_nonnull(
        strstr(page.bytes, "| `shiny` | `true` or `false` | Whether it shines. Only allowed with `colour`. |\n"));
    ck_assert_ptr_nonnull(strstr(page.bytes, "| `shape` | `round` or `square` | How it is cut. |\n"));
    ck_assert_ptr_nonnull(strstr(man.bytes, "\\fBweight\\fR: an integer\nWhat it weighs.\n"));
}
END_TEST

static const char *facts_of(const more_component *element)
{
    text facts = text_create(reading_arena());
    list_facts each = list_facts_begin(reading_arena(), &mapping, element, element->base.name);
    while (list_next_fact(&each))
        text_append_format(&facts, "%s %s %s; ", each.key->member.fact, each.key->name, each.value);
    return facts.bytes;
}

START_TEST(a_key_that_a_row_adds_is_a_fact_of_lists_and_pages)
{
    more_component element = read_component("{ colour: red, shape: round, save: false }");
    ck_assert_str_eq(facts_of(&element), "Saved save false; Colour colour red; Shape shape round; ");
    element = read_component("{ shiny: false, was: Sphere }");
    ck_assert_str_eq(facts_of(&element), "Was was Sphere; ");
}
END_TEST

START_TEST(a_key_that_a_row_adds_is_in_the_json_of_a_list_once)
{
    more_component element = read_component("{ doc: Round, shiny: true, shape: square, weight: -7 }");
    text out = text_create(reading_arena());
    json_writer writer = writer_begin(&out);
    list_keys list = list_keys_begin(&writer, &mapping, &element, "Ball");
    writer_open_line(&writer, '{');
    list_set_key(&list, "shape");
    list_set_key(&list, "doc");
    list_set_other_keys(&list);
    writer_close(&writer, '}');
    ck_assert_str_eq(out.bytes,
                     "{\"shape\": \"square\", \"doc\": \"Round\", \"is_unique\": false, \"cleanup\": null, "
                     "\"is_stashable\": false, \"inspect\": null, \"identity\": \"Ball\", \"is_saved\": true, "
                     "\"migrates\": false, \"is_content\": true, \"colour\": null, \"is_shiny\": true, \"weight\": -7, "
                     "\"count\": null}");
}
END_TEST

// ---- words

START_TEST(every_word_has_a_number_of_its_own)
{
    ck_assert_str_eq(language_word(&language_cleanup, CLEANUP_REMOVE_COMPONENT), "remove_component");
    ck_assert_str_eq(language_word(&language_cleanup, CLEANUP_DESTROY_ENTITY), "destroy_entity");
    ck_assert_ptr_null(language_word(&language_cleanup, CLEANUP_NONE));
    ck_assert_str_eq(language_word(&language_inspect, INSPECT_READ_ONLY), "read_only");
    ck_assert_str_eq(language_word(&language_inspect, INSPECT_HIDDEN), "hidden");
    ck_assert_ptr_null(language_word(&language_inspect, INSPECT_EDIT));
    ck_assert_str_eq(language_word(&language_index_kind, INDEX_PRIMARY), "primary");
    ck_assert_str_eq(language_word(&language_component_index, INDEX_MULTI), "multi");
    ck_assert_str_eq(language_word(&language_on_destroy, ON_DESTROY_REFUSE), "refuse");
    ck_assert_str_eq(language_word(&language_trigger_event, TRIGGER_MODIFIED), "modified");
    ck_assert_str_eq(language_word(&language_full, INBOX_ERROR), "error");
    ck_assert_str_eq(language_word(&language_role, ROLE_DISPOSE), "dispose");
    ck_assert_ptr_null(language_word(&language_role, ROLE_COUNT));
}
END_TEST

// ---- what names refer to

// A mapping of a schema: the text around its keys, and other keys that make it valid.
typedef struct place {
    const language_value *mapping;
    const char *before, *after;
    struct {
        const char *name, *value;
    } others[3];
} place;

#define CONTEXTS "contexts: { game: {} }\n"
#define PARTS    "components: { Position: { fields: { x: int32 } }, Velocity: { fields: { x: int32 } }"
#define GROUPS   "groups: { movers: { all: [Position] } }\n"

static const place places[] = {
    {&language_context, PARTS " }\ncontexts: { game: { ", " } }\n", {{0}}},
    {&language_definition, CONTEXTS "types: { Probe: { ", " } }\n", {{0}}},
    {&language_component, CONTEXTS PARTS ", Probe: { ", " } }\n", {{"fields", "{ x: int32 }"}}},
    {&language_field, CONTEXTS PARTS ", Probe: { fields: { x: { ", " } } } }\n", {{"type", "int32"}}},
    {&language_group, CONTEXTS PARTS " }\ngroups: { probe: { ", " } }\n", {{"all", "[Position]"}}},
    {&language_question,
     CONTEXTS "components: { Position: { fields: { x: int32 } }, Below: { fields: { above: { type: entity<game>, "
              "reverse: kids, tree: true } } } }\n"
              "groups: { probe: { all: [Position], holder_of: { Below: { ",
     " } } } }\n",
     {{0}}},
    {&language_index,
     CONTEXTS PARTS " }\nindices: { probe: { ",
     " } }\n",
     {{"kind", "multi"}, {"key", "{ type: int32, function: find }"}, {"of", "[Position]"}}},
    {&language_index_function,
     CONTEXTS PARTS " }\nindices: { probe: { kind: multi, of: [Position], key: { ",
     " } } }\n",
     {{"type", "int32"}, {"function", "find"}}},
    {&language_blueprint, CONTEXTS PARTS " }\nblueprints: { Probe: { ", " } }\n", {{"components", "{ Position: {} }"}}},
    {&language_child,
     CONTEXTS "components: { Position: { fields: { x: int32 } }, Below: { fields: { above: { type: entity<game>, "
              "reverse: kids, tree: true } } } }\n"
              "blueprints: { Probe: { components: { Below: {} }, children: { probe: { ",
     " } } } }\n",
     {{"components", "{}"}}},
    {&language_children,
     CONTEXTS "components: { Position: { fields: { x: int32 } }, Below: { fields: { above: { type: entity<game>, "
              "reverse: kids, tree: true } } } }\n"
              "blueprints: { Probe: { components: { Below: {} }, children: { ",
     " } } }\n",
     {{"nodes", "{ probe: { components: { Below: {} } } }"}}},
    {&language_message, CONTEXTS "messages: { Probe: { ", " } }\n", {{0}}},
    {&language_node, CONTEXTS "schedule: { simulation: { ", " } }\n", {{0}}},
    {&language_system,
     CONTEXTS PARTS " }\n" GROUPS "systems: { Probe: { ",
     " } }\n",
     {{"group", "movers"}, {"parallel", "true"}}},
    {&language_trigger,
     CONTEXTS PARTS " }\n" GROUPS "systems: { Probe: { react: [{ ",
     " }] } }\n",
     {{"group", "movers"}}},
};

enum { SHAPE_LIMIT = 16 };

// The spellings of a value that have the name in each place of a name.
typedef struct shapes {
    const char *texts[SHAPE_LIMIT];
    size_t count;
} shapes;

static void append_shape(shapes *shapes, const char *text)
{
    ck_assert_uint_lt(shapes->count, SHAPE_LIMIT);
    shapes->texts[shapes->count++] = text;
}

// Recursive over values without a name, which are at most four deep.
static shapes shapes_of(const language_value *value, const char *name)
{
    shapes own = {.count = 0};
    shapes inner = {.count = 0};
    bool has_names = value->kind == LANGUAGE_MAP || value->kind == LANGUAGE_EITHER;
    if (value->kind == LANGUAGE_TEXT && value->words == NULL)
        append_shape(&own, name);
    if (value == &language_type)
        append_shape(&own, name);
    if (value->kind == LANGUAGE_LIST || has_names)
        inner = shapes_of(value->items, name);
    for (size_t i = 0; i < inner.count; i++) {
        const char *text = inner.texts[i];
        if (value->kind == LANGUAGE_LIST)
            text = arena_format(reading_arena(), "[%s]", text);
        if (value->kind == LANGUAGE_MAP)
            text = arena_format(reading_arena(), "{ %s: %s }",
                                value->names == &language_pascal_name ? "Position" : "probe", text);
        append_shape(&own, text);
    }
    if (has_names)
        inner = shapes_of(value->names, name);
    for (size_t i = 0; has_names && i < inner.count; i++)
        append_shape(&own, value->kind == LANGUAGE_MAP ? arena_format(reading_arena(), "{ %s: {} }", inner.texts[i])
                                                       : inner.texts[i]);
    return own;
}

static const char *schema_with(const place *place, const char *key, const char *value)
{
    text text = text_create(reading_arena());
    text_append_format(&text, "kin: 1\npackage: probe\n%s%s: \"%s\"", place->before, key, value);
    if (strchr("[{", value[0]) != NULL) {
        text_clear(&text);
        text_append_format(&text, "kin: 1\npackage: probe\n%s%s: %s", place->before, key, value);
    }
    for (size_t i = 0; i < 3 && place->others[i].name != NULL; i++)
        if (strcmp(place->others[i].name, key) != 0)
            text_append_format(&text, ", %s: %s", place->others[i].name, place->others[i].value);
    text_append_string(&text, place->after);
    return text.bytes;
}

// Returns the elements among which the reader looked for a name, as its messages say.
static unsigned looked_up_in(const char *schema)
{
    static const struct {
        const char *message;
        unsigned reference;
    } messages[] = {
        {"unknown context 'nowhere'", REFERS_TO_CONTEXT},     {"unknown type 'Nowhere'", REFERS_TO_TYPE},
        {"unknown component 'Nowhere'", REFERS_TO_COMPONENT}, {"has no field 'nowhere'", REFERS_TO_FIELD},
        {"unknown group 'nowhere'", REFERS_TO_GROUP},         {"unknown index 'nowhere'", REFERS_TO_INDEX},
        {"unknown tree 'nowhere'", REFERS_TO_TREE},           {"has no tree 'nowhere'", REFERS_TO_TREE},
        {"unknown blueprint 'Nowhere'", REFERS_TO_BLUEPRINT}, {"unknown message 'Nowhere'", REFERS_TO_MESSAGE},
        {"unknown node 'nowhere'", REFERS_TO_NODE},           {"unknown system 'Nowhere'", REFERS_TO_SYSTEM},
        {"has no component 'Nowhere'", REFERS_TO_COMPONENT},  {"there is no field 'nowhere'", REFERS_TO_FIELD},
    };
    unsigned found = 0;
    diagnostics diagnostics = diagnostics_create(reading_arena());
    package_read(reading_arena(), &diagnostics, reading_source(schema));
    const char *printed = reading_print(&diagnostics);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strstr(printed, messages[i].message) != NULL)
            found |= messages[i].reference;
    return found;
}

static void check_references(const place *place, const language_key *key)
{
    static const char *const names[] = {"nowhere", "Nowhere", "Nowhere.x", "Position.nowhere", "entity<nowhere>"};
    unsigned found = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        shapes shapes = shapes_of(key->value, names[i]);
        for (size_t k = 0; k < shapes.count; k++)
            found |= looked_up_in(schema_with(place, key->name, shapes.texts[k]));
    }
    ck_assert_msg(found == key->refers_to, "%s of %s refers to %x, not to %x", key->name, place->mapping->name, found,
                  key->refers_to);
}

START_TEST(a_key_refers_to_what_the_reader_looks_up)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (const language_key *key = places[i].mapping->keys; key->name != NULL; key++)
            check_references(&places[i], key);
}
END_TEST

Suite *language_row_suite(void)
{
    Suite *suite = suite_create("language_row");
    TCase *tests = tcase_create("language_row");
    tcase_add_checked_fixture(tests, begin, reading_end);
    tcase_add_test(tests, a_key_that_a_row_adds_is_read);
    tcase_add_test(tests, a_key_that_is_missing_or_invalid_leaves_its_member);
    tcase_add_test(tests, without_its_row_a_key_is_unknown);
    tcase_add_test(tests, a_key_that_a_row_adds_is_in_the_json_schema);
    tcase_add_test(tests, a_key_that_a_row_adds_is_in_the_reference);
    tcase_add_test(tests, a_key_that_a_row_adds_is_a_fact_of_lists_and_pages);
    tcase_add_test(tests, a_key_that_a_row_adds_is_in_the_json_of_a_list_once);
    tcase_add_test(tests, every_word_has_a_number_of_its_own);
    tcase_add_test(tests, a_key_refers_to_what_the_reader_looks_up);
    suite_add_tcase(suite, tests);
    return suite;
}

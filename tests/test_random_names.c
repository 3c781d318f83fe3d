// Random names: schemas put together at random out of names that generated code, the runtime and C use themselves.
// Each is either refused, or what is made of it compiles with the flags that users are promised, alternately as C11, as
// C17 and as C++17.
//
// The schemas are the same in each run. KIN_RANDOM_SCHEMAS says how many, KIN_RANDOM_FIRST which is the first; a
// failure names the number of its schema.
#include "diagnostic.h"
#include "render.h"
#include "schema_read.h"
#include "shell.h"
#include "suites.h"
#include "template_set.h"
#include "text.h"
#include "view.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_COUNT = 60, LEAST_ACCEPTED = 10, FEW_WORDS = 16 };

// In snake_case; a component or type has the same with each word's first letter in upper case.
static const char *const words[] = {
    "count",   "mask",    "at",      "next",     "context", "entity",   "entities",  "value",   "user",    "listener",
    "base",    "self",    "it",      "index",    "null",    "contexts", "component", "type",    "field",   "info",
    "end",     "made",    "owned",   "options",  "status",  "reset",    "create",    "destroy", "group",   "iter",
    "iterate", "place",   "copy",    "memcpy",   "memset",  "key",      "bytes",     "part",    "typed",   "cleanups",
    "owner",   "source",  "matcher", "function", "on",      "a",        "b",         "i",       "id",      "event",
    "events",  "unique",  "set",     "is",       "add",     "remove",   "removed",   "any",     "get",     "edit",
    "default", "no",      "of",      "with",     "fields",  "drop",     "kin",       "block",   "systems", "cleanup",
    "alive",   "all",     "clone",   "retain",   "release", "max",      "int",       "size",    "linux",   "errno",
    "std",     "aligned", "alloc",   "types",    "has",     "replace",  "touch",     "write",   "values",  "unchecked",
    "row",     "number",  "uint8",   "strict",   "h",       "c",        "x1",        "http",    "node2",   "offset",
};

enum { WORD_COUNT = sizeof words / sizeof *words };

typedef struct builder {
    arena *arena;
    uint64_t state;
    text text;
    const char *contexts[3], *types[3], *components[5];
    size_t context_count, type_count, component_count;
    size_t first_word, word_count; // of the words that this schema uses
} builder;

static size_t below(builder *builder, size_t limit)
{
    builder->state ^= builder->state << 13;
    builder->state ^= builder->state >> 7;
    builder->state ^= builder->state << 17;
    return (size_t)(builder->state >> 11) % limit;
}

static bool one_in(builder *builder, size_t count)
{
    return below(builder, count) == 0;
}

static const char *word(builder *builder)
{
    return words[(builder->first_word + below(builder, builder->word_count)) % WORD_COUNT];
}

static const char *snake(builder *builder)
{
    const char *first = word(builder);
    return one_in(builder, 3) ? arena_format(builder->arena, "%s_%s", first, word(builder)) : first;
}

// Sometimes all in upper case, which makes the same names otherwise.
static const char *pascal(builder *builder)
{
    const char *name = snake(builder);
    bool is_upper = one_in(builder, 8), begins = true;
    text converted = text_create(builder->arena);
    for (; *name != '\0'; name++) {
        char letter = *name;
        if ((begins || is_upper) && letter >= 'a' && letter <= 'z')
            letter = (char)(letter - 'a' + 'A');
        begins = *name == '_';
        if (!begins)
            text_append(&converted, &letter, 1);
    }
    return converted.bytes;
}

static const char *one_of(builder *builder, const char *const *names, size_t count)
{
    return names[below(builder, count)];
}

static const char *type_of_field(builder *builder)
{
    static const char *const plain[] = {"int32", "bool", "double", "string", "\"string[9]\"", "entity", "\"uint8[3]\""};
    size_t choice = below(builder, 10);
    if (choice == 0)
        return arena_format(builder->arena, "entity<%s>", one_of(builder, builder->contexts, builder->context_count));
    if (choice <= 2 && builder->type_count > 0)
        return one_of(builder, builder->types, builder->type_count);
    return one_of(builder, plain, sizeof plain / sizeof *plain);
}

static void append_fields(builder *builder, bool is_component)
{
    static const char *const indices[] = {"", "", "", ", index: primary", ", index: multi"};
    size_t count = 1 + below(builder, 3);
    text_append_string(&builder->text, "fields: { ");
    for (size_t i = 0; i < count; i++) {
        const char *index = is_component ? one_of(builder, indices, sizeof indices / sizeof *indices) : "";
        const char *type = is_component ? type_of_field(builder) : "int32";
        text_append_format(&builder->text, "%s%s: { type: %s%s }", i > 0 ? ", " : "", snake(builder), type, index);
    }
    text_append_string(&builder->text, " }");
}

static void append_contexts(builder *builder)
{
    builder->context_count = 1 + below(builder, 3);
    text_append_string(&builder->text, "contexts:\n");
    for (size_t i = 0; i < builder->context_count; i++) {
        builder->contexts[i] = snake(builder);
        text_append_format(&builder->text, "  %s: { default: %s }\n", builder->contexts[i], i == 0 ? "true" : "false");
    }
}

static void append_types(builder *builder)
{
    size_t count = below(builder, 4);
    if (count > 0)
        text_append_string(&builder->text, "types:\n");
    for (; builder->type_count < count; builder->type_count++) {
        const char *name = pascal(builder);
        text_append_format(&builder->text, "  %s: { ", name);
        if (one_in(builder, 2))
            text_append_format(&builder->text, "values: [%s, %s]", pascal(builder), pascal(builder));
        else if (one_in(builder, 3))
            text_append_string(&builder->text,
                               "opaque: struct sprite *, header: schemas/sprite.h, drop: sprite_release");
        else
            append_fields(builder, false);
        text_append_string(&builder->text, " }\n");
        builder->types[builder->type_count] = name;
    }
}

static void append_component(builder *builder)
{
    static const char *const events[] = {"", "", ", events: [{ target: any }]", ", events: [{ target: self }]",
                                         ", events: [{ target: self, type: removed }, { target: any }]"};
    const char *name = pascal(builder);
    text_append_format(&builder->text, "  %s: { unique: %s, cleanup: remove_component", name,
                       one_in(builder, 4) ? "true" : "false");
    text_append_string(&builder->text, one_of(builder, events, sizeof events / sizeof *events));
    if (one_in(builder, 2))
        text_append_format(&builder->text, ", contexts: [%s]",
                           one_of(builder, builder->contexts, builder->context_count));
    if (one_in(builder, 3)) {
        if (one_in(builder, 3))
            text_append_format(&builder->text, ", flag_prefix: %s", snake(builder));
    } else {
        text_append_string(&builder->text, ", ");
        append_fields(builder, true);
    }
    text_append_string(&builder->text, " }\n");
    builder->components[builder->component_count++] = name;
}

static void append_groups(builder *builder)
{
    size_t count = below(builder, 4);
    if (count > 0)
        text_append_string(&builder->text, "groups:\n");
    for (size_t i = 0; i < count; i++)
        text_append_format(&builder->text, "  %s: { context: %s, %s: [%s] }\n", snake(builder), builder->contexts[0],
                           one_in(builder, 4) ? "none" : "all",
                           one_of(builder, builder->components, builder->component_count));
}

// An index over two fields of a component of its own.
static void append_index(builder *builder)
{
    const char *field = snake(builder), *name = pascal(builder);
    text_append_format(&builder->text, "  %s: { fields: { %s: int32, key: int32 } }\n", name, field);
    text_append_format(&builder->text, "indices:\n  %s: { kind: %s, key: [%s.%s, %s.key] }\n", snake(builder),
                       one_in(builder, 2) ? "primary" : "multi", name, field, name);
}

static const char *random_schema(arena *arena, uint64_t number)
{
    builder builder = {.arena = arena, .state = (number + 1) * UINT64_C(0x9e3779b97f4a7c15)};
    builder.text = text_create(arena);
    builder.first_word = below(&builder, WORD_COUNT);
    builder.word_count = one_in(&builder, 3) ? FEW_WORDS : WORD_COUNT;
    text_append_format(&builder.text, "kin: 1\npackage: %s\n", snake(&builder));
    if (one_in(&builder, 4))
        text_append_format(&builder.text, "prefix: %s%s\n", snake(&builder), one_in(&builder, 2) ? "_" : "");
    append_contexts(&builder);
    append_types(&builder);
    text_append_string(&builder.text, "components:\n");
    for (size_t i = 1 + below(&builder, 4); i > 0; i--)
        append_component(&builder);
    if (one_in(&builder, 3))
        append_index(&builder);
    append_groups(&builder);
    return builder.text.bytes;
}

static void write_files(arena *arena, const package *package, const char *folder)
{
    diagnostics diagnostics = diagnostics_create(arena);
    view view = view_create(arena, package);
    template_set templates;
    ck_assert_int_eq(template_set_load(&diagnostics, NULL, &templates), 0);
    render_stamp(arena, &templates, &view);
    const output_file *files = render_view(&diagnostics, &templates, &view);
    ck_assert_ptr_nonnull(files);
    shell_expect(arena, arena_format(arena, "rm -rf %s && mkdir -p %s/%s", folder, folder, package->name));
    for (size_t i = 0; i < view.count; i++) {
        FILE *file = fopen(arena_format(arena, "%s/%s/%s", folder, package->name, files[i].path), "wb");
        ck_assert_ptr_nonnull(file);
        fwrite(files[i].bytes, 1, files[i].size, file);
        fclose(file);
    }
}

static const char *compilation(arena *arena, const char *folder, const char *name, uint64_t number)
{
    static const char *const compilers[] = {"gcc -std=c11",   "clang -std=c17",     "g++ -std=c++17",
                                            "gcc -std=gnu17", "clang++ -std=c++20", "gcc -std=c17"};
    const char *compiler = compilers[number % (sizeof compilers / sizeof *compilers)];
    const char *flags =
        "-fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iruntime/include -Itests";
    if (strstr(compiler, "++") != NULL)
        return arena_format(arena, "echo '#include \"%s/%s.h\"' | %s %s -I%s -x c++ -", name, name, compiler, flags,
                            folder);
    return arena_format(arena, "%s %s -Wstrict-prototypes %s/%s/*.c", compiler, flags, folder, name);
}

// Whether the schema was accepted. What is wrong then is added to the failures.
static bool attack(uint64_t number, text *failures)
{
    arena arena = {0};
    const char *schema = random_schema(&arena, number);
    diagnostics diagnostics = diagnostics_create(&arena);
    const source *source = source_from_bytes(&arena, "random.yaml", schema, strlen(schema));
    const package *package = schema_read(&arena, &diagnostics, source);
    if (package != NULL) {
        const char *folder = arena_format(&arena, "%s/random_names", shell_build());
        write_files(&arena, package, folder);
        shell_result result = shell_run(&arena, compilation(&arena, folder, package->name, number));
        if (result.status != 0)
            text_append_format(failures, "schema %llu:\n%s%s", (unsigned long long)number, schema, result.output);
    }
    arena_release(&arena);
    return package != NULL;
}

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
    const char *value = getenv(variable);
    return value == NULL ? otherwise : strtoull(value, NULL, 10);
}

START_TEST(a_schema_of_random_names_is_refused_or_compiles)
{
    uint64_t first = number_of("KIN_RANDOM_FIRST", 0), count = number_of("KIN_RANDOM_SCHEMAS", SCHEMA_COUNT);
    arena arena = {0};
    text failures = text_create(&arena);
    size_t accepted = 0;
    for (uint64_t i = 0; i < count; i++)
        accepted += attack(first + i, &failures);
    ck_assert_str_eq(failures.bytes, "");
    arena_release(&arena);
    ck_assert_uint_ge(accepted, count < SCHEMA_COUNT ? 0 : LEAST_ACCEPTED);
}
END_TEST

Suite *random_names_suite(void)
{
    Suite *suite = suite_create("random_names");
    TCase *tests = tcase_create("random_names");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, a_schema_of_random_names_is_refused_or_compiles);
    suite_add_tcase(suite, tests);
    return suite;
}

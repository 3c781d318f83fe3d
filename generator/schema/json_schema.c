// The tables of the language as a JSON Schema.
#include "generator/schema/schema.h"

#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>

static void write_value(json_writer *writer, const language_value *value);

static void write_object(json_writer *writer, const char *key, const language_value *value)
{
    writer_set_open(writer, key, '{');
    write_value(writer, value);
    writer_close(writer, '}');
}

static void write_texts(json_writer *writer, const char *key, const char *const *texts)
{
    assert(texts[0] != NULL);
    writer_set_open_line(writer, key, '[');
    for (; *texts != NULL; texts++)
        writer_text(writer, *texts);
    writer_close(writer, ']');
}

static void write_limit(json_writer *writer, const char *key, size_t limit)
{
    if (limit > 0)
        writer_set_count(writer, key, limit);
}

// ---- strings and numbers

static void write_pattern(json_writer *writer, const language_value *value)
{
    assert(value->pattern != NULL);
    writer_set_text(writer, "type", "string");
    writer_set_text(writer, "pattern", value->pattern);
    write_limit(writer, "maxLength", value->limit);
}

// A plain scalar is a string whatever it looks like, so `unit: 12` is valid.
static void write_text(json_writer *writer, const language_value *value)
{
    static const char *const types[] = {"string", "number", "boolean", NULL};
    if (value->words != NULL && value->pattern != NULL) {
        writer_set_open(writer, "anyOf", '[');
        writer_open_line(writer, '{');
        write_texts(writer, "enum", value->words);
        writer_close(writer, '}');
        writer_open_line(writer, '{');
        write_pattern(writer, value);
        writer_close(writer, '}');
        writer_close(writer, ']');
    } else if (value->words != NULL) {
        write_texts(writer, "enum", value->words);
    } else if (value->pattern != NULL) {
        write_pattern(writer, value);
    } else {
        write_texts(writer, "type", types);
    }
}

static void write_number(json_writer *writer, const char *key, int64_t number)
{
    writer_set_number(writer, key, arena_format(writer->out->arena, "%" PRId64, number));
}

static void write_integer(json_writer *writer, const language_value *value)
{
    assert(value->minimum <= value->maximum);
    if (value->minimum == value->maximum) {
        write_number(writer, "const", value->minimum);
        return;
    }
    writer_set_text(writer, "type", "integer");
    write_number(writer, "minimum", value->minimum);
    write_number(writer, "maximum", value->maximum);
}

// ---- lists and maps

static void write_list(json_writer *writer, const language_value *value)
{
    assert(value->items != NULL);
    writer_set_text(writer, "type", "array");
    write_object(writer, "items", value->items);
    write_limit(writer, "minItems", size_max(value->least, 1));
    write_limit(writer, "maxItems", value->limit);
    if (value->is_set)
        writer_set_bool(writer, "uniqueItems", true);
}

static void write_map(json_writer *writer, const language_value *value)
{
    assert(value->names != NULL && value->items != NULL);
    writer_set_text(writer, "type", "object");
    write_object(writer, "propertyNames", value->names);
    write_object(writer, "additionalProperties", value->items);
    write_limit(writer, "minProperties", !value->may_be_empty);
    write_limit(writer, "maxProperties", value->limit);
}

static void write_choices(json_writer *writer, const language_value *value)
{
    assert(value->names != NULL && value->items != NULL);
    writer_set_open(writer, "anyOf", '[');
    writer_open(writer, '{');
    write_value(writer, value->names);
    writer_close(writer, '}');
    writer_open(writer, '{');
    write_value(writer, value->items);
    writer_close(writer, '}');
    writer_close(writer, ']');
}

// ---- mappings

// draft-07 ignores the siblings of $ref, so the reference is wrapped in allOf.
static void write_key(json_writer *writer, const language_key *key)
{
    assert(key->doc != NULL && key->value != NULL);
    writer_set_open(writer, key->name, '{');
    writer_set_text(writer, "title", key->name);
    writer_set_text(writer, "description", key->doc);
    if (key->fallback != NULL) {
        writer_set_number(writer, "default", key->fallback);
    }
    if (key->value->name != NULL) {
        writer_set_open_line(writer, "allOf", '[');
        writer_open_line(writer, '{');
        write_value(writer, key->value);
        writer_close(writer, '}');
        writer_close(writer, ']');
    } else {
        write_value(writer, key->value);
    }
    writer_close(writer, '}');
}

static bool has_required(const language_key *keys)
{
    while (keys->name != NULL && !keys->is_required)
        keys++;
    return keys->name != NULL;
}

static bool has_dependencies(const language_key *keys)
{
    while (keys->name != NULL && keys->needs == NULL && keys->excludes == NULL)
        keys++;
    return keys->name != NULL;
}

static void write_required(json_writer *writer, const language_key *keys)
{
    writer_set_open_line(writer, "required", '[');
    for (const language_key *key = keys; key->name != NULL; key++)
        if (key->is_required)
            writer_text(writer, key->name);
    writer_close(writer, ']');
}

static void write_dependencies(json_writer *writer, const language_key *keys)
{
    writer_set_open(writer, "dependencies", '{');
    for (const language_key *key = keys; key->name != NULL; key++) {
        if (key->needs != NULL)
            write_texts(writer, key->name, (const char *const[]){key->needs, NULL});
        if (key->excludes == NULL)
            continue;
        writer_set_open_line(writer, key->name, '{');
        writer_set_open_line(writer, "not", '{');
        write_texts(writer, "required", (const char *const[]){key->excludes, NULL});
        writer_close(writer, '}');
        writer_close(writer, '}');
    }
    writer_close(writer, '}');
}

static void write_forms(json_writer *writer, const language_value *value)
{
    static const char *const words[] = {"anyOf", "oneOf"};
    writer_set_open(writer, words[value->has_one_form], '[');
    for (const char *const *form = value->forms; *form != NULL; form++) {
        writer_open_line(writer, '{');
        write_texts(writer, "required", (const char *const[]){*form, NULL});
        writer_close(writer, '}');
    }
    writer_close(writer, ']');
}

static void write_mapping(json_writer *writer, const language_value *value)
{
    assert(value->keys[0].name != NULL);
    writer_set_text(writer, "type", "object");
    writer_set_open(writer, "properties", '{');
    for (const language_key *key = value->keys; key->name != NULL; key++)
        write_key(writer, key);
    writer_close(writer, '}');
    writer_set_bool(writer, "additionalProperties", false);
    if (has_required(value->keys))
        write_required(writer, value->keys);
    if (has_dependencies(value->keys))
        write_dependencies(writer, value->keys);
    if (value->forms != NULL)
        write_forms(writer, value);
}

// ---- all

static void write_definition(json_writer *writer, const language_value *value)
{
    assert(value->name == NULL || value->doc != NULL);
    static void (*const write[])(json_writer *, const language_value *) = {
        [LANGUAGE_TEXT] = write_text, [LANGUAGE_INTEGER] = write_integer, [LANGUAGE_LIST] = write_list,
        [LANGUAGE_MAP] = write_map,   [LANGUAGE_MAPPING] = write_mapping, [LANGUAGE_EITHER] = write_choices,
    };
    if (value->title != NULL)
        writer_set_text(writer, "title", value->title);
    if (value->doc != NULL)
        writer_set_text(writer, "description", value->doc);
    if (value->kind == LANGUAGE_BOOL)
        writer_set_text(writer, "type", "boolean");
    if (value->kind == LANGUAGE_NUMBER) {
        writer_set_text(writer, "type", "number");
        write_number(writer, "exclusiveMinimum", 0);
    }
    if (write[value->kind] != NULL)
        write[value->kind](writer, value);
}

// Writes a value with a name as a reference. Recursive over values without a name, which the tables nest at most three
// deep.
static void write_value(json_writer *writer, const language_value *value)
{
    if (value->name != NULL)
        writer_set_text(writer, "$ref", arena_format(writer->out->arena, "#/definitions/%s", value->name));
    else
        write_definition(writer, value);
}

void language_append_schema(text *out, const language_value *const *values)
{
    assert(values[0]->kind == LANGUAGE_MAPPING);
    json_writer writer = writer_begin(out);
    writer_open(&writer, '{');
    writer_set_text(&writer, "$schema", "http://json-schema.org/draft-07/schema#");
    write_definition(&writer, values[0]);
    writer_set_open(&writer, "definitions", '{');
    for (const language_value *const *value = values + 1; *value != NULL; value++) {
        writer_set_open(&writer, (*value)->name, '{');
        write_definition(&writer, *value);
        writer_close(&writer, '}');
    }
    writer_close(&writer, '}');
    writer_close(&writer, '}');
    writer_end(&writer);
}

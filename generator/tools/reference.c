// The reference of the schema language and of the command line: as Markdown and as man pages.
#include "generator/tools/tools.h"

#include "generator/verbs/verbs.h"

#include <assert.h>
#include <kin/platform.h>
#include <string.h>

// ---- phrases

// Phrases about values and keys, shared by both forms of the reference.

static const char *name_of(arena *arena, const language_value *value, bool has_links)
{
    assert(value->title != NULL);
    if (!has_links)
        return value->name;
    text anchor = text_create(arena);
    for (const char *at = value->title; *at != '\0'; at++) {
        char letter = byte_to_lower(*at);
        if (letter == ' ')
            letter = '-';
        text_append(&anchor, &letter, 1);
    }
    return arena_format(arena, "[%s](#%s)", value->name, anchor.bytes);
}

// Formats "`a`, `b` or `c`".
static const char *words_of(arena *arena, const char *const *words, const char *last)
{
    assert(words[0] != NULL);
    text list = text_create(arena);
    for (const char *const *word = words; *word != NULL; word++) {
        const char *separator = ", ";
        if (word[1] == NULL)
            separator = last;
        text_append_item(&list, separator, arena_format(arena, "`%s`", *word));
    }
    return list.bytes;
}

static const char *limited(arena *arena, const char *phrase, size_t limit)
{
    if (limit == 0)
        return phrase;
    return arena_format(arena, "%s, at most %zu", phrase, limit);
}

// Recursive over values without a name, nested at most three deep in the tables.
const char *reference_phrase(arena *arena, const language_value *value, bool has_links)
{
    if (value->name != NULL)
        return name_of(arena, value, has_links);
    if (value->phrase != NULL)
        return value->phrase;
    if (value->words != NULL)
        return words_of(arena, value->words, " or ");
    assert(value->items != NULL);
    const char *items = reference_phrase(arena, value->items, has_links);
    bool has_choice =
        value->kind == LANGUAGE_LIST && value->items->kind == LANGUAGE_EITHER && value->items->name == NULL;
    if (has_choice)
        return limited(arena, arena_format(arena, "a list, each item %s", items), value->limit);
    if (value->kind == LANGUAGE_LIST)
        return limited(arena, arena_format(arena, "a list of %s", items), value->limit);
    const char *names = reference_phrase(arena, value->names, has_links);
    if (value->kind == LANGUAGE_EITHER)
        return arena_format(arena, "%s, or %s", names, items);
    return limited(arena, arena_format(arena, "a mapping from %s to %s", names, items), value->limit);
}

const char *reference_remark(arena *arena, const language_key *key)
{
    text remark = text_create(arena);
    if (key->needs != NULL)
        text_append_format(&remark, " Only allowed with `%s`.", key->needs);
    if (key->excludes != NULL)
        text_append_format(&remark, " Not allowed with `%s`.", key->excludes);
    if (key->is_required)
        text_append_string(&remark, " Required.");
    if (key->fallback != NULL && strcmp(key->fallback, "false") != 0)
        text_append_format(&remark, " Default: `%s`.", key->fallback);
    return remark.bytes;
}

const char *reference_forms(arena *arena, const language_value *mapping)
{
    if (mapping->forms == NULL)
        return "";
    const char *forms = words_of(arena, mapping->forms, " and ");
    if (mapping->has_one_form)
        return arena_format(arena, "Exactly one of %s is required.", forms);
    return arena_format(arena, "At least one of %s is required.", forms);
}

// ---- Markdown

static const char introduction[] =
    "# The schema language\n"
    "\n"
    "All keys of a schema and their values. `make generated` writes this page from the tables that `kin` reads schemas "
    "with;\n"
    "`kin schema` prints the same as a JSON Schema for editors. `schemas/arena.yaml` is an example that uses most of "
    "them.\n"
    "\n"
    "A schema is a strict subset of YAML: one document in UTF-8 without anchors, aliases, merge keys, tags and "
    "duplicate\n"
    "keys. A string needs quotes only where YAML requires them, whatever it looks like: `yes`, `on` and `0o17` are "
    "strings,\n"
    "and only `true` and `false` are bools. Within braces a type with brackets needs quotes: `{ name: 'string[31]' }`. "
    "Lists and mappings must not be empty; write `{}` for a definition without\n"
    "content, such as a component without fields.\n"
    "\n"
    "All files of a package, the root file and its includes, form one set. The order of definitions does not matter.\n";

static void append_keys(text *out, const language_value *mapping)
{
    assert(mapping->kind == LANGUAGE_MAPPING);
    text_append_string(out, "\n| key | value | meaning |\n|---|---|---|\n");
    for (const language_key *key = mapping->keys; key->name != NULL; key++)
        text_append_format(out, "| `%s` | %s | %s%s |\n", key->name, reference_phrase(out->arena, key->value, true),
                           key->doc, reference_remark(out->arena, key));
    if (mapping->forms != NULL)
        text_append_format(out, "\n%s\n", reference_forms(out->arena, mapping));
}

void reference_append_markdown(text *out, const language_value *const *values)
{
    text_append_string(out, introduction);
    for (const language_value *const *value = values; *value != NULL; value++) {
        text_append_format(out, "\n## %s\n\n%s\n", (*value)->title, (*value)->doc);
        if ((*value)->kind == LANGUAGE_MAPPING)
            append_keys(out, *value);
        else if ((*value)->limit > 0)
            text_append_format(out, "\nAt most %zu bytes.\n", (*value)->limit);
    }
}

// ---- man pages

// Man pages, in the man macros of troff.
//
// A usage text has three parts: the synopsis, up to the first empty line; paragraphs; and flags. Each flag starts a
// line after two spaces; its description follows on the same line or on deeper indented lines.

enum { FLAG_INDENTATION = 2 };

// Sets text between backticks in bold.
static void append_part(text *out, const char *bytes, size_t size)
{
    static const char *const fonts[] = {"\\fR", "\\fB"};
    bool is_code = false;
    if (size > 0 && (bytes[0] == '.' || bytes[0] == '\''))
        text_append_string(out, "\\&");
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '`') {
            is_code = !is_code;
            text_append_string(out, fonts[is_code]);
        } else if (bytes[i] == '-') {
            text_append_string(out, "\\-");
        } else if (bytes[i] == '\\') {
            text_append_string(out, "\\e");
        } else {
            text_append(out, bytes + i, 1);
        }
    }
}

static void append_line(text *out, const char *bytes, size_t size)
{
    append_part(out, bytes, size);
    text_append_string(out, "\n");
}

static void append_text(text *out, const char *string)
{
    append_line(out, string, strlen(string));
}

static void append_heading(text *out, const char *name, int section)
{
    text_append_format(out, ".\\\" Made by `make generated`.\n.TH %s %d \"\" \"kin %s\"\n", name, section, KIN_VERSION);
}

// ---- kin-schema(5)

static void append_man_keys(text *out, const language_value *mapping)
{
    assert(mapping->kind == LANGUAGE_MAPPING);
    for (const language_key *key = mapping->keys; key->name != NULL; key++) {
        arena *arena = out->arena;
        text_append_string(out, ".TP\n");
        append_text(out, arena_format(arena, "`%s`: %s", key->name, reference_phrase(arena, key->value, false)));
        append_text(out, arena_format(arena, "%s%s", key->doc, reference_remark(arena, key)));
    }
    if (mapping->forms == NULL)
        return;
    text_append_string(out, ".PP\n");
    append_text(out, reference_forms(out->arena, mapping));
}

void reference_append_schema_page(text *out, const language_value *const *values)
{
    append_heading(out, "KIN-SCHEMA", 5);
    text_append_string(out, ".SH NAME\nkin\\-schema \\- the schema language of kin\n"
                            ".SH DESCRIPTION\n");
    append_text(
        out, "A schema is a strict subset of YAML: one document in UTF-8 without anchors, aliases, merge keys, tags "
             "and duplicate keys. Lists and mappings must not be empty; write `{}` for a definition without content.");
    for (const language_value *const *value = values; *value != NULL; value++) {
        text_append_string(out, ".SS ");
        append_text(out, arena_format(out->arena, "%s (%s)", (*value)->title, (*value)->name));
        append_text(out, (*value)->doc);
        if ((*value)->kind == LANGUAGE_MAPPING)
            append_man_keys(out, *value);
    }
    text_append_string(out, ".SH SEE ALSO\n.BR kin (1)\n");
}

// ---- kin(1)

// Returns the usage after the next empty line.
static const char *skip_paragraph(const char *usage)
{
    const char *end = strstr(usage, "\n\n");
    if (end == NULL)
        return usage + strlen(usage);
    return end + 2;
}

static const char *append_lines(text *out, const char *usage, const char *end)
{
    while (usage < end && *usage != '\n' && *usage != '\0') {
        size_t size = strcspn(usage, "\n");
        append_line(out, usage, size);
        usage += size + 1;
    }
    return usage;
}

// Appends the synopsis unchanged, without the word "usage:".
static const char *append_synopsis(text *out, const char *usage)
{
    assert(strncmp(usage, "usage: ", strlen("usage: ")) == 0);
    const char *end = skip_paragraph(usage);
    text_append_string(out, ".nf\n");
    while (usage < end && *usage != '\n') {
        size_t size = strcspn(usage, "\n");
        size_t lead = strlen("usage: ");
        append_line(out, usage + lead, size - lead);
        usage += size + 1;
    }
    text_append_string(out, ".fi\n");
    return end;
}

// Appends a flag and its description, which starts after at least two spaces and continues on deeper indented lines.
static const char *append_flag(text *out, const char *line)
{
    assert(strncmp(line, "  ", FLAG_INDENTATION) == 0 && line[FLAG_INDENTATION] == '-');
    size_t size = strcspn(line, "\n");
    const char *gap = strstr(line + FLAG_INDENTATION, "  ");
    size_t end = size;
    if (gap != NULL)
        end = size_min(end, (size_t)(gap - line));
    text_append_string(out, ".TP\n\\fB");
    append_part(out, line + FLAG_INDENTATION, end - FLAG_INDENTATION);
    text_append_string(out, "\\fR\n");
    end += strspn(line + end, " ");
    if (end < size)
        append_line(out, line + end, size - end);
    for (line += size + 1; strncmp(line, "   ", 3) == 0; line += strcspn(line, "\n") + 1) {
        size_t blanks = strspn(line, " ");
        append_line(out, line + blanks, strcspn(line, "\n") - blanks);
    }
    return line;
}

static const char *append_example(text *out, const char *usage)
{
    text_append_string(out, ".PP\n.nf\n");
    usage = append_lines(out, usage, usage + strlen(usage));
    text_append_string(out, ".fi\n");
    return usage;
}

static void append_usage(text *out, const char *usage)
{
    usage = append_synopsis(out, usage);
    while (*usage != '\0') {
        if (*usage == '\n') {
            usage++;
        } else if (strncmp(usage, "  -", 3) == 0) {
            usage = append_flag(out, usage);
        } else if (*usage == ' ') {
            usage = append_example(out, usage);
        } else {
            text_append_string(out, ".PP\n");
            usage = append_lines(out, usage, usage + strlen(usage));
        }
    }
}

void reference_append_kin_page(text *out)
{
    append_heading(out, "KIN", 1);
    text_append_string(out, ".SH NAME\nkin \\- generate C code for the components and contexts of a schema\n"
                            ".SH SYNOPSIS\n");
    append_usage(out, usage_program);
    text_append_string(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < COMMAND_VERB_COUNT; i++) {
        text_append_format(out, ".SS kin %s\n", command_verbs[i].name);
        append_usage(out, command_verbs[i].usage);
    }
    text_append_string(out, ".SH SEE ALSO\n.BR kin\\-schema (5)\n");
}

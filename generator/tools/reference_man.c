// Man pages, in the man macros of troff.
//
// A usage text has three parts: the synopsis, up to the first empty line; paragraphs; and flags. Each flag starts a
// line after two spaces; its description follows on the same line or on deeper indented lines.
#include "tools/reference.h"
#include "verbs/usage.h"
#include "verbs/verbs.h"

#include <kin/platform.h>

#include <string.h>

enum { FLAG_INDENTATION = 2 };

// Sets text between backticks in bold.
static void append_part(text *out, const char *bytes, size_t size)
{
    bool is_code = false;
    if (size > 0 && (bytes[0] == '.' || bytes[0] == '\''))
        text_append_string(out, "\\&");
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '`') {
            is_code = !is_code;
            text_append_string(out, is_code ? "\\fB" : "\\fR");
        } else if (bytes[i] == '\\' || bytes[i] == '-') {
            text_append_string(out, bytes[i] == '-' ? "\\-" : "\\e");
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

static void append_keys(text *out, const language_value *mapping)
{
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

void reference_append_schema_page(text *out)
{
    append_heading(out, "KIN-SCHEMA", 5);
    text_append_string(out, ".SH NAME\nkin\\-schema \\- the schema language of kin\n"
                            ".SH DESCRIPTION\n");
    append_text(
        out, "A schema is a strict subset of YAML: one document in UTF-8 without anchors, aliases, merge keys, tags "
             "and duplicate keys. Lists and mappings must not be empty; write `{}` for a definition without content.");
    for (const language_value *const *value = language_values; *value != NULL; value++) {
        text_append_string(out, ".SS ");
        append_text(out, arena_format(out->arena, "%s (%s)", (*value)->title, (*value)->name));
        append_text(out, (*value)->doc);
        if ((*value)->kind == LANGUAGE_MAPPING)
            append_keys(out, *value);
    }
    text_append_string(out, ".SH SEE ALSO\n.BR kin (1)\n");
}

// ---- kin(1)

// Returns the usage after the next empty line.
static const char *skip_paragraph(const char *usage)
{
    const char *end = strstr(usage, "\n\n");
    return end == NULL ? usage + strlen(usage) : end + 2;
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
    const char *end = skip_paragraph(usage);
    text_append_string(out, ".nf\n");
    while (usage < end && *usage != '\n') {
        size_t size = strcspn(usage, "\n"), lead = strlen("usage: ");
        append_line(out, usage + lead, size - lead);
        usage += size + 1;
    }
    text_append_string(out, ".fi\n");
    return end;
}

// Appends a flag and its description, which starts after at least two spaces and continues on deeper indented lines.
static const char *append_flag(text *out, const char *line)
{
    size_t size = strcspn(line, "\n");
    const char *gap = strstr(line + FLAG_INDENTATION, "  ");
    size_t end = gap != NULL && gap < line + size ? (size_t)(gap - line) : size;
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

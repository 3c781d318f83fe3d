#include "yaml/private/check.h"

#include "generator/base/base.h"

#include <string.h>

// Detects `? a` and `{ ?a: b }`, which libyaml does not distinguish from `a`.
static bool has_question_mark(const tree_node *key)
{
    const char *bytes = key->span.source->bytes;
    size_t offset = key->span.start;
    while (offset > 0 && (bytes[offset - 1] == ' ' || bytes[offset - 1] == '\t'))
        offset--;
    return offset > 0 && bytes[offset - 1] == '?';
}

static bool check_key_form(diagnostics *diagnostics, const tree_node *key)
{
    if (key->kind != TREE_SCALAR) {
        diagnostic_error(diagnostics, CODE_ODD_KEY, key->span, "expected a scalar as key, found a list or a mapping");
        return false;
    }
    if (tree_is_empty(key)) {
        diagnostic_error(diagnostics, CODE_MISSING_KEY, key->span, "missing key before ':'");
        return false;
    }
    if (key->is_plain && strcmp(key->text, "<<") == 0) {
        diagnostic_error(diagnostics, CODE_MERGE_KEY, key->span, "merge keys are not supported; write the keys out");
        return false;
    }
    if (has_question_mark(key))
        diagnostic_error(diagnostics, CODE_ODD_KEY, key->span,
                         "'?' before a key is not supported; write the key alone");
    return true;
}

bool tree_check_key(diagnostics *diagnostics, dictionary *keys, const tree_node *key)
{
    if (key->kind == TREE_BROKEN || !check_key_form(diagnostics, key))
        return false;
    const tree_node *earlier = dictionary_add(keys, key->text, key);
    if (earlier == NULL)
        return true;
    diagnostic_error(diagnostics, CODE_DUPLICATE_KEY, key->span, "duplicate key '%s'", key->text);
    diagnostic_hint(diagnostics, "remove one of the two");
    diagnostic_note(diagnostics, earlier->span, "first defined here");
    return false;
}

static span first_word(span place)
{
    size_t end = place.start;
    while (end < place.end && strchr(" \t\r\n", place.source->bytes[end]) == NULL)
        end++;
    return (span){place.source, place.start, end};
}

void tree_check_properties(diagnostics *diagnostics, span place, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    span word = first_word(place);
    if (anchor != NULL) {
        diagnostic_error(diagnostics, CODE_ANCHOR, word, "anchors are not supported");
        diagnostic_hint(diagnostics, "remove it, or quote a scalar that begins with '&'");
    }
    if (tag != NULL) {
        diagnostic_error(diagnostics, CODE_TAG, word, "tags are not supported");
        diagnostic_hint(diagnostics, "remove it, or quote a scalar that begins with '!'");
    }
}

bool tree_check_text(diagnostics *diagnostics, const tree_node *node)
{
    if (node->size > TREE_TEXT_LIMIT) {
        diagnostic_error(diagnostics, CODE_TEXT_TOO_LONG, node->span,
                         "scalar of %zu bytes is too long; at most %d are allowed", node->size, TREE_TEXT_LIMIT);
        return false;
    }
    for (size_t at = utf8_plain_size(node->text, node->size); at < node->size;) {
        utf8_step step = utf8_next(node->text + at, node->size - at);
        bool is_allowed = utf8_is_printable(step.code_point) || step.code_point == '\n' || step.code_point == '\t';
        if (!is_allowed) {
            diagnostic_error(diagnostics,
                             utf8_is_directional(step.code_point) ? CODE_WRITING_DIRECTION : CODE_CHARACTER, node->span,
                             "scalar contains the invisible character U+%04X", (unsigned)step.code_point);
            diagnostic_hint(diagnostics, "remove its escape");
            return false;
        }
        at += step.size;
    }
    return true;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

// Blank lines and comments may begin with any spaces or tabs.
static void check_line(const tree_lines *lines, span line)
{
    const char *bytes = lines->source->bytes;
    size_t tab = line.end, text = line.start;
    for (; text < line.end && is_blank(bytes[text]); text++)
        if (bytes[text] == '\t' && tab == line.end)
            tab = text;
    if (tab == line.end || text == line.end || bytes[text] == '#')
        return;
    diagnostic_error(lines->diagnostics, CODE_TAB, (span){lines->source, tab, tab + 1},
                     "tab used for indentation; use spaces");
}

void tree_lines_check(tree_lines *lines, size_t offset)
{
    const source *source = lines->source;
    for (; lines->next <= source->line_count && source->line_starts[lines->next - 1] <= offset; lines->next++)
        check_line(lines, source_line(source, lines->next));
}

// libyaml begins a comment right after a scalar, even without a space; a reader would take it as part of the scalar.
static void check_comment(diagnostics *diagnostics, const source *source, size_t offset)
{
    if (source->bytes[offset] != '#' || is_blank(source->bytes[offset - 1]))
        return;
    diagnostic_error(diagnostics, CODE_MISSING_SPACE, (span){source, offset, offset + 1},
                     "missing space before this comment");
}

void tree_check_end(diagnostics *diagnostics, span node)
{
    const char *bytes = node.source->bytes;
    if (node.end == node.start)
        return;
    if (strchr("\"']}", bytes[node.end - 1]) != NULL)
        check_comment(diagnostics, node.source, node.end);
    if (strchr("|>", bytes[node.start]) != NULL)
        check_comment(diagnostics, node.source, node.start + strspn(bytes + node.start, "|>+-0123456789"));
}

// Returns whether the scalar continues at the very start of a line, where only keys of the root may begin.
static bool reaches_line_start(const tree_lines *lines, size_t first)
{
    for (size_t line = first; line < lines->next; line++) {
        span bytes = source_line(lines->source, line);
        if (bytes.start < bytes.end && !is_blank(lines->source->bytes[bytes.start]))
            return true;
    }
    return false;
}

bool tree_lines_quote(tree_lines *lines, span text)
{
    size_t first = lines->next;
    tree_lines_check(lines, text.end);
    if (reaches_line_start(lines, first)) {
        span quote = {text.source, text.start, text.start + 1};
        diagnostic_error(lines->diagnostics, CODE_UNCLOSED_QUOTE, quote, "unclosed quote");
        diagnostic_hint(lines->diagnostics, "close it, or indent the lines that continue it");
    }
    return lines->next > first;
}

void tree_lines_skip(tree_lines *lines, size_t offset)
{
    while (lines->next <= lines->source->line_count && lines->source->line_starts[lines->next - 1] <= offset)
        lines->next++;
}

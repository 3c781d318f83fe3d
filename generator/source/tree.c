// Makes the tree of a source, and refuses what libyaml accepts and the schema language excludes.
#include "generator/source/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

// ---- queries

static const tree_pair *find_pair(const tree_node *mapping, const char *key)
{
    const tree_pair *pair = mapping->pairs;
    while (pair != NULL && strcmp(pair->key->text, key) != 0)
        pair = pair->next;
    return pair;
}

const tree_node *tree_find(const tree_node *mapping, const char *key)
{
    const tree_pair *pair = find_pair(mapping, key);
    if (pair == NULL)
        return NULL;
    return pair->value;
}

const tree_node *tree_find_key(const tree_node *mapping, const char *key)
{
    const tree_pair *pair = find_pair(mapping, key);
    if (pair == NULL)
        return NULL;
    return pair->key;
}

span tree_part(const tree_node *scalar, size_t offset, size_t size)
{
    assert(scalar->kind == TREE_SCALAR && offset + size <= scalar->size);
    span place = scalar->span;
    place.start += offset + !scalar->is_plain; // after its quote
    bool is_inside = place.start <= place.end && place.end - place.start >= size;
    if (!is_inside || memcmp(place.source->bytes + place.start, scalar->text + offset, size) != 0)
        return scalar->span;
    place.end = place.start + size;
    return place;
}

bool tree_is_empty(const tree_node *node)
{
    return node->kind == TREE_SCALAR && node->is_plain && node->size == 0;
}

bool tree_is_text(const tree_node *node)
{
    return node->kind == TREE_SCALAR && !tree_is_empty(node);
}

// ---- checks

// Detects `? a` and `{ ?a: b }`, which libyaml does not distinguish from `a`.
static bool has_question_mark(const tree_node *key)
{
    const char *bytes = key->span.source->bytes;
    size_t offset = key->span.start;
    while (offset > 0 && byte_is_blank(bytes[offset - 1]))
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
    while (end < place.end && !byte_is_space(place.source->bytes[end]))
        end++;
    return (span){place.source, place.start, end};
}

void tree_check_properties(diagnostics *diagnostics, span place, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;
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
            diagnostic_code code = CODE_CHARACTER;
            if (utf8_is_directional(step.code_point))
                code = CODE_WRITING_DIRECTION;
            diagnostic_error(diagnostics, code, node->span, "scalar contains the invisible character U+%04X",
                             (unsigned)step.code_point);
            diagnostic_hint(diagnostics, "remove its escape");
            return false;
        }
        at += step.size;
    }
    return true;
}

// Blank lines and comments may begin with any spaces or tabs.
static void check_line(const tree_lines *lines, span line)
{
    const char *bytes = lines->source->bytes;
    size_t tab = line.end;
    size_t text = line.start;
    for (; text < line.end && byte_is_blank(bytes[text]); text++)
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
    assert(offset > 0 && offset <= source->size);
    if (source->bytes[offset] != '#' || byte_is_blank(source->bytes[offset - 1]))
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
        if (bytes.start < bytes.end && !byte_is_blank(lines->source->bytes[bytes.start]))
            return true;
    }
    return false;
}

bool tree_lines_quote(tree_lines *lines, span text)
{
    assert(text.start < text.end);
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

// ---- the tree

// A mapping or sequence that is not closed yet.
typedef struct frame {
    tree_node *node;
    tree_pair *last_pair;
    tree_node *last_item;
    const tree_node *key; // of a mapping: the key without its value
    bool is_dropped;      // the key is invalid, so its value is dropped
    dictionary keys;
} frame;

typedef struct builder {
    arena *arena;
    diagnostics *diagnostics;
    const source *source;
    tree_cursor cursor;
    tree_lines lines;
    tree_surroundings surroundings; // of the newest node
    yaml_parser_t parser;
    yaml_event_t event; // the newest; empty between events
    tree_node *root;
    frame frames[TREE_DEPTH_LIMIT];
    size_t depth;
    size_t documents;
    bool is_done; // nothing more is read: the document ended, or an error made the rest meaningless
    bool has_failed;
} builder;

static span span_of(builder *builder, const yaml_event_t *event)
{
    const char *bytes = builder->source->bytes;
    size_t start = tree_cursor_move(&builder->cursor, event->start_mark.index);
    size_t end = tree_cursor_move(&builder->cursor, event->end_mark.index);
    while (end > start && byte_is_space(bytes[end - 1]))
        end--; // libyaml's block scalars extend into the next line
    assert(start <= end && end <= builder->source->size);
    return (span){builder->source, start, end};
}

static void fail(builder *builder)
{
    builder->is_done = builder->has_failed = true;
}

static tree_node *create_node(builder *builder, tree_kind kind, const yaml_event_t *event)
{
    assert(kind != TREE_BROKEN || event->type == YAML_ALIAS_EVENT);
    tree_node *node = arena_allocate(builder->arena, sizeof *node);
    node->kind = kind;
    node->span = span_of(builder, event);
    return node;
}

static void append_pair(builder *builder, frame *frame, const tree_node *value)
{
    tree_pair *pair = arena_allocate(builder->arena, sizeof *pair);
    assert(frame->node->kind == TREE_MAPPING && frame->key != NULL);
    pair->key = frame->key;
    pair->value = value;
    frame->key = NULL;
    frame->node->count++;
    if (frame->is_dropped)
        return;
    if (frame->last_pair != NULL)
        frame->last_pair->next = pair;
    else
        frame->node->pairs = pair;
    frame->last_pair = pair;
}

static void append_item(frame *frame, tree_node *item)
{
    assert(frame->node->kind == TREE_SEQUENCE);
    if (frame->last_item != NULL)
        frame->last_item->next = item;
    else
        frame->node->items = item;
    frame->last_item = item;
    frame->node->count++;
}

static void report_empty(builder *builder, span place)
{
    diagnostic_error(builder->diagnostics, CODE_EMPTY_FILE, place, "schema is empty; begin with 'kin: 1'");
    fail(builder);
}

static void report_second_document(builder *builder, span place)
{
    assert(builder->documents > 0);
    diagnostic_error(builder->diagnostics, CODE_SECOND_DOCUMENT, place,
                     "second document begins here; a schema is one document");
    diagnostic_hint(builder->diagnostics, "remove this line, or move the rest to an included file");
    fail(builder);
}

static void report_root(builder *builder, const tree_node *root)
{
    assert(root->kind != TREE_MAPPING);
    const char *bytes = root->span.source->bytes + root->span.start;
    if (tree_is_empty(root) && root->span.start > 0 && strncmp(bytes, "---", 3) == 0) {
        report_second_document(builder, root->span);
        return;
    }
    if (tree_is_empty(root)) {
        report_empty(builder, root->span);
        return;
    }
    diagnostic_error(builder->diagnostics, CODE_ROOT, root->span, "expected a mapping; begin with 'kin: 1'");
    if (root->kind == TREE_SCALAR && root->is_plain && strchr(root->text, ':') != NULL)
        diagnostic_hint(builder->diagnostics, "add a space after ':'");
    fail(builder);
}

static void place_node(builder *builder, tree_node *node)
{
    if (builder->depth == 0) {
        builder->root = node;
        if (node->kind == TREE_SCALAR || node->kind == TREE_SEQUENCE)
            report_root(builder, node);
        return;
    }
    frame *frame = &builder->frames[builder->depth - 1];
    if (frame->node->kind == TREE_SEQUENCE) {
        append_item(frame, node);
    } else if (frame->key == NULL) {
        frame->key = node;
        frame->is_dropped = !tree_check_key(builder->diagnostics, &frame->keys, node);
    } else {
        append_pair(builder, frame, node);
    }
}

static void open_collection(builder *builder, const yaml_event_t *event)
{
    assert(event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT);
    tree_kind kind = TREE_MAPPING;
    if (event->type == YAML_SEQUENCE_START_EVENT)
        kind = TREE_SEQUENCE;
    tree_node *node = create_node(builder, kind, event);
    tree_check_properties(builder->diagnostics, node->span, event);
    place_node(builder, node);
    if (builder->is_done)
        return;
    if (builder->depth == TREE_DEPTH_LIMIT) {
        diagnostic_error(builder->diagnostics, CODE_NESTED_TOO_DEEP, node->span,
                         "nested too deep; at most %d levels are allowed", TREE_DEPTH_LIMIT);
        fail(builder);
        return;
    }
    frame *frame = &builder->frames[builder->depth++];
    *frame = (struct frame){.node = node, .keys = frame->keys};
    if (node->kind == TREE_MAPPING)
        dictionary_restart(&frame->keys, builder->arena); // reuses the memory of an earlier frame at this depth
}

static void close_collection(builder *builder, const yaml_event_t *event)
{
    assert(builder->depth > 0 && builder->frames[builder->depth - 1].key == NULL);
    tree_node *node = builder->frames[--builder->depth].node;
    const char *bytes = builder->source->bytes;
    node->span.end = span_of(builder, event).end;
    while (node->span.end > node->span.start && byte_is_space(bytes[node->span.end - 1]))
        node->span.end--; // a block ends at the start of the next
    tree_check_end(builder->diagnostics, node->span);
}

static void check_lines(builder *builder, const tree_node *node, yaml_scalar_style_t style)
{
    if (style == YAML_PLAIN_SCALAR_STYLE)
        return;
    size_t errors = diagnostics_error_count(builder->diagnostics);
    tree_check_end(builder->diagnostics, node->span);
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE)
        tree_lines_skip(&builder->lines, node->span.end);
    else if (tree_lines_quote(&builder->lines, node->span))
        builder->surroundings.text = node->span;
    builder->surroundings.is_reported = diagnostics_error_count(builder->diagnostics) > errors;
}

static void add_scalar(builder *builder, const yaml_event_t *event)
{
    tree_node *node = create_node(builder, TREE_SCALAR, event);
    node->size = event->data.scalar.length;
    node->text = arena_copy(builder->arena, (const char *)event->data.scalar.value, node->size);
    node->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    check_lines(builder, node, event->data.scalar.style);
    tree_check_properties(builder->diagnostics, node->span, event);
    if (!tree_check_text(builder->diagnostics, node))
        node->kind = TREE_BROKEN;
    place_node(builder, node);
}

static void add_alias(builder *builder, const yaml_event_t *event)
{
    tree_node *node = create_node(builder, TREE_BROKEN, event);
    diagnostic_error(builder->diagnostics, CODE_ANCHOR, node->span, "aliases are not supported");
    diagnostic_hint(builder->diagnostics, "write the value out, or quote a scalar that begins with '*'");
    place_node(builder, node);
}

static void handle(builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (builder->documents++ > 0)
            report_second_document(builder, span_of(builder, event));
        break;
    case YAML_SCALAR_EVENT:
        add_scalar(builder, event);
        break;
    case YAML_ALIAS_EVENT:
        add_alias(builder, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        open_collection(builder, event);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_collection(builder, event);
        break;
    case YAML_STREAM_END_EVENT:
        builder->is_done = true;
        break;
    default:
        break;
    }
}

static void report_fault(builder *builder)
{
    if (builder->depth > 0) {
        span open = builder->frames[builder->depth - 1].node->span;
        if (strchr("[{", builder->source->bytes[open.start]) != NULL)
            builder->surroundings.open = open;
    }
    tree_report_fault(builder->diagnostics, &builder->parser, builder->source, builder->surroundings);
    fail(builder);
}

static void build(builder *builder)
{
    while (!builder->is_done) {
        if (!yaml_parser_parse(&builder->parser, &builder->event)) {
            report_fault(builder);
            return;
        }
        builder->surroundings = (tree_surroundings){.is_reported = false};
        tree_lines_check(&builder->lines, tree_cursor_move(&builder->cursor, builder->event.start_mark.index));
        handle(builder, &builder->event);
        yaml_event_delete(&builder->event);
    }
}

// Both are empty afterwards.
static void end_parser(void *data)
{
    builder *builder = data;
    yaml_event_delete(&builder->event);
    yaml_parser_delete(&builder->parser);
}

const tree_node *tree_parse(arena *arena, diagnostics *diagnostics, const source *source)
{
    if (!tree_scan(diagnostics, source))
        return NULL;
    builder *builder = arena_allocate(arena, sizeof *builder);
    builder->arena = arena;
    builder->diagnostics = diagnostics;
    builder->source = source;
    builder->cursor = tree_cursor_begin(source);
    builder->lines = (tree_lines){diagnostics, source, 1};
    if (!yaml_parser_initialize(&builder->parser)) {
        diagnostic_system_error(diagnostics, CODE_FILE_UNREADABLE, "out of memory while reading '%s'", source->path);
        return NULL;
    }
    yaml_parser_set_input_string(&builder->parser, (const unsigned char *)source->bytes, source->size);
    arena_guard guard;
    arena_open(arena, &guard, end_parser, builder);
    build(builder);
    arena_close(arena, &guard);
    end_parser(builder);
    if (builder->root == NULL && !builder->has_failed)
        report_empty(builder, (span){source, source->line_starts[0], source->line_starts[0]});
    bool is_usable = !builder->has_failed && builder->root->kind == TREE_MAPPING;
    if (!is_usable)
        return NULL;
    return builder->root;
}

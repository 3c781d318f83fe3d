#include "yaml/tree.h"

#include "generator/base/base.h"
#include "yaml/private/check.h"
#include "yaml/private/fault.h"
#include "yaml/private/scan.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

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
    while (end > start && strchr(" \t\r\n", bytes[end - 1]) != NULL)
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
    diagnostic_error(builder->diagnostics, CODE_SECOND_DOCUMENT, place,
                     "second document begins here; a schema is one document");
    diagnostic_hint(builder->diagnostics, "remove this line, or move the rest to an included file");
    fail(builder);
}

static void report_root(builder *builder, const tree_node *root)
{
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
    tree_kind kind = event->type == YAML_SEQUENCE_START_EVENT ? TREE_SEQUENCE : TREE_MAPPING;
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
    while (node->span.end > node->span.start && strchr(" \t\r\n", bytes[node->span.end - 1]) != NULL)
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

static void begin_document(builder *builder, const yaml_event_t *event)
{
    if (builder->documents++ == 0)
        return;
    report_second_document(builder, span_of(builder, event));
}

static void begin_event(builder *builder, const yaml_event_t *event)
{
    builder->surroundings = (tree_surroundings){.is_reported = false};
    tree_lines_check(&builder->lines, tree_cursor_move(&builder->cursor, event->start_mark.index));
}

static void handle(builder *builder, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        begin_document(builder, event);
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
    const frame *frame = builder->depth > 0 ? &builder->frames[builder->depth - 1] : NULL;
    if (frame != NULL && strchr("[{", builder->source->bytes[frame->node->span.start]) != NULL)
        builder->surroundings.open = frame->node->span;
    tree_report_fault(builder->diagnostics, &builder->parser, builder->source, builder->surroundings);
    fail(builder);
}

static void build(builder *builder)
{
    while (!builder->is_done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&builder->parser, &event)) {
            report_fault(builder);
            return;
        }
        begin_event(builder, &event);
        handle(builder, &event);
        yaml_event_delete(&event);
    }
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
    build(builder);
    yaml_parser_delete(&builder->parser);
    if (builder->root == NULL && !builder->has_failed)
        report_empty(builder, (span){source, source->line_starts[0], source->line_starts[0]});
    bool is_usable = !builder->has_failed && builder->root->kind == TREE_MAPPING;
    return is_usable ? builder->root : NULL;
}

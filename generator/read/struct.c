// Orders nested structs, reports cycles, and computes sizes and default values.
//
// Invariants, asserted:
//   1. A struct is left only after all structs that it holds, so the order puts each type after the types of its
//      fields.
//   2. The path holds exactly the structs in state DRAFT_ENTERED, and at most STRUCT_DEPTH_LIMIT of them.
#include "generator/base/base.h"
#include "read/private/reader.h"

#include <assert.h>

enum { STRUCT_DEPTH_LIMIT = 32 }; // levels of nested structs

// A depth-first walk over nested structs.
typedef struct walk {
    reader *reader;
    definition_draft *path[STRUCT_DEPTH_LIMIT];
    size_t depth;
    const definition **ordered;
    size_t ordered_count;
} walk;

static void report_cycle(walk *walk, definition_draft *again)
{
    size_t start = 0;
    text cycle = text_create(walk->reader->arena);
    while (walk->path[start] != again)
        start++;
    assert(start < walk->depth); // 2
    for (size_t i = start; i < walk->depth; i++) {
        text_append_format(&cycle, "%s -> ", walk->path[i]->definition.name);
        walk->path[i]->is_broken = true;
    }
    text_append_string(&cycle, again->definition.name);
    diagnostic_error(walk->reader->diagnostics, CODE_RECURSIVE_TYPE, again->definition.span,
                     "type '%s' contains itself: %s", again->definition.name, cycle.bytes);
    diagnostic_hint(walk->reader->diagnostics, "use a field of type entity instead");
}

static void report_depth(walk *walk, definition_draft *draft)
{
    diagnostic_error(walk->reader->diagnostics, CODE_STRUCTS_TOO_DEEP, draft->definition.span,
                     "structs of type '%s' are nested too deep; at most %d levels are allowed", draft->definition.name,
                     STRUCT_DEPTH_LIMIT);
}

// Computes what depends on nested structs: layout, drops, defaults.
static void leave(walk *walk, definition_draft *draft)
{
    assert(draft->state == DRAFT_ENTERED && walk->path[walk->depth] == draft); // 2
    draft->definition.layout = read_layout(&draft->fields);
    draft->state = DRAFT_DONE;
    draft->definition.has_drops = fields_have_drops(&draft->fields);
    walk->ordered[walk->ordered_count++] = &draft->definition;
    if (draft->is_broken)
        return;
    if (draft->definition.layout.size > SCHEMA_VALUE_SIZE_LIMIT) {
        draft->is_broken = true;
        diagnostic_error(walk->reader->diagnostics, CODE_TOO_LARGE, draft->definition.span,
                         "a value of type '%s' is too large; at most %d bytes are allowed", draft->definition.name,
                         SCHEMA_VALUE_SIZE_LIMIT);
        return;
    }
    draft->is_broken = draft->depth > STRUCT_DEPTH_LIMIT;
    if (draft->is_broken)
        report_depth(walk, draft);
    else
        read_defaults(walk->reader, &draft->fields);
}

// Copies depth and errors from a nested struct to the struct that holds it.
static void inherit(walk *walk, definition_draft *draft, const definition_draft *held)
{
    assert(held->state != DRAFT_ENTERED || held->is_broken); // 1
    bool is_too_deep = held->state == DRAFT_UNSEEN;
    if (is_too_deep && !draft->is_broken)
        report_depth(walk, walk->path[0]);
    draft->is_broken = draft->is_broken || held->is_broken || is_too_deep;
    if (held->depth >= draft->depth)
        draft->depth = held->depth + 1;
}

// Recursive, at most STRUCT_DEPTH_LIMIT deep; deeper structs stay DRAFT_UNSEEN in this walk.
static void enter(walk *walk, definition_draft *draft)
{
    if (draft->state == DRAFT_ENTERED)
        report_cycle(walk, draft);
    if (draft->state != DRAFT_UNSEEN || walk->depth == STRUCT_DEPTH_LIMIT)
        return;
    draft->state = DRAFT_ENTERED;
    draft->depth = 1;
    walk->path[walk->depth++] = draft;
    for (size_t i = 0; i < draft->fields.count; i++) {
        const field_type *type = &draft->fields.fields[i].type;
        draft->is_broken = draft->is_broken || draft->fields.drafts[i].is_broken;
        if (type->kind == TYPE_OPAQUE)
            draft->is_broken = draft->is_broken || draft_of(type->definition)->is_broken;
        if (type->kind == TYPE_STRUCT && type->definition != NULL) {
            enter(walk, draft_of(type->definition));
            inherit(walk, draft, draft_of(type->definition));
        }
    }
    walk->depth--;
    leave(walk, draft);
}

void read_structs(reader *reader)
{
    walk walk = {.reader = reader};
    walk.ordered = arena_allocate(reader->arena, (reader->definition_count + 1) * sizeof *walk.ordered);
    for (size_t i = 0; i < reader->definition_count; i++)
        if (reader->definitions[i]->definition.kind != DEFINITION_STRUCT)
            walk.ordered[walk.ordered_count++] = &reader->definitions[i]->definition;
    for (size_t i = 0; i < reader->definition_count; i++)
        if (reader->definitions[i]->definition.kind == DEFINITION_STRUCT)
            enter(&walk, reader->definitions[i]);
    assert(walk.depth == 0 && walk.ordered_count == reader->definition_count);
    reader->package->definitions = walk.ordered;
    reader->package->definition_count = walk.ordered_count;
}

// What the files of this room share: the outline of a file, names, documents and packages, and messages.
#ifndef KIN_GENERATOR_LSP_INTERNAL_H
#define KIN_GENERATOR_LSP_INTERNAL_H

#include "generator/lsp/lsp.h"

#include "generator/base/base.h"
#include "generator/content/content.h"
#include "generator/read/read.h"
#include "generator/save/save.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- outline
//
// The structure of a file that may be half written: a tree of nodes with places, which never fails to be made.
//
//   components:                        mapping
//     Position: { fields: { x: floa      key, its value a mapping, whose key has a value, …
//     Velocity:                          key without a value: a key on a line of its own ends the open brackets
//
// In the YAML that tree_parse accepts, it has the nodes that tree_parse makes. Elsewhere it goes by indentation. Texts
// are those between the quotes, escapes and all.
//
// Invariants:
//   1. start <= end; a scalar's text is inside of it
//   2. the items of a mapping are keys, those of a sequence are not
//   3. a node is at most OUTLINE_DEPTH_LIMIT deep

enum { OUTLINE_DEPTH_LIMIT = TREE_DEPTH_LIMIT };

typedef enum outline_kind { OUTLINE_SCALAR, OUTLINE_MAPPING, OUTLINE_SEQUENCE } outline_kind;

typedef struct outline_node outline_node;

struct outline_node {
    outline_kind kind;
    span place;       // with quotes and brackets; of a block, from its first to its last node
    const char *text; // of a scalar
    bool is_key;
    bool is_partial; // a key without its colon
    bool is_flow;
    size_t column;        // bytes before it in its line
    outline_node *parent; // mapping or sequence; of the value of a key, the key; NULL at the root
    outline_node *value;  // of a key; NULL without one
    outline_node *first, *last;
    outline_node *next;
    // Given by names_add, from the tables of the language:
    const language_value *language;  // what may stand here; NULL if unknown
    const language_value *choice;    // the same, before a choice is made
    const language_key *row;         // the key of the language whose value it is part of; of a known key, its own
    const char *owner;               // element that has the fields or values here; NULL: none
    unsigned owner_kind;             // its kind
    const char *type;                // type of the field whose value it is; NULL: unknown
    const struct occurrence *naming; // the first name in it; NULL: none
};

// Returns the root; a scalar for a file without content.
outline_node *outline_make(arena *arena, const source *source);

// Returns the value of a key; NULL if the mapping does not have it. The mapping may be NULL, or of another kind.
outline_node *outline_find(const outline_node *mapping, const char *key);

// Returns the innermost scalar at the offset, which may be at its end; NULL if there is none.
outline_node *outline_at(outline_node *root, size_t offset);

// Returns whether a node, which may be NULL, is a scalar.
static inline bool outline_is_scalar(const outline_node *node)
{
    return node != NULL && node->kind == OUTLINE_SCALAR;
}

// Returns the first key of a mapping; NULL if there is none. The mapping may be NULL, or of another kind.
static inline outline_node *outline_first_key(const outline_node *mapping)
{
    if (mapping == NULL || mapping->kind != OUTLINE_MAPPING)
        return NULL;
    return mapping->first;
}

// Returns whether a scalar has quotes around its text.
bool outline_is_quoted(const outline_node *scalar);

// Returns whether an offset is in a place, or at its end.
static inline bool span_has(span place, size_t offset)
{
    return place.start <= offset && offset <= place.end;
}

// ---- names
//
// Where the files of a package declare and use names, by the tables of the language; and those of content, as its
// compiler finds them.

// Kinds beside those of the language.
enum {
    NAMES_PREFAB = 1 << 21,
    NAMES_PART = 1 << 22, // its owner is a prefab or blueprint, or the path of a part: "Cannon.head"
    NAMES_KNOB = 1 << 23,
    NAMES_LEVEL = 1 << 24,
    NAMES_INSTANCE = 1 << 25,
    NAMES_OF_CONTENT = NAMES_PREFAB | NAMES_PART | NAMES_KNOB | NAMES_LEVEL | NAMES_INSTANCE
};

typedef struct occurrence {
    unsigned kind; // one language_reference, or one of content
    const char *name;
    const char *owner; // of a field or a value: the element that has it
    unsigned owner_kind;
    span place;
    bool is_definition;
    outline_node *node; // the scalar
    struct occurrence *next;
} occurrence;

typedef struct name_table {
    arena *arena;
    occurrence *first, *last;
    dictionary definitions; // by kind, owner and name
    dictionary types;       // of fields, in the same way
    struct deferred_value *deferred;
    const struct name_table *base; // what this table lacks; NULL: nothing
} name_table;

name_table names_create(arena *arena);

// Adds the names of a file.
void names_add(name_table *table, outline_node *root);

// Adds one name.
void names_add_one(name_table *table, const occurrence *name);

// Finds what values refer to, after all files are added.
void names_resolve(name_table *table);

// Returns the definition of what the occurrence names; NULL if there is none.
const occurrence *names_definition(const name_table *table, const occurrence *use);

// Returns the occurrence at the offset of a source, which may be at its end; NULL if there is none.
const occurrence *names_at(const name_table *table, const source *source, size_t offset);

// Returns whether both name the same thing.
bool names_are_same(const occurrence *a, const occurrence *b);

// Returns the name of the kind: "component".
const char *names_kind(unsigned kind);

// ---- documents and packages

// An open document of the editor. All its memory is in its arena.
typedef struct document {
    arena arena;
    const char *uri;  // as the editor spells it
    const char *path; // from the working directory if it is below
    int64_t version;  // -1: unknown
    const source *text;
    bool is_foreign; // no schema, but YAML of something else
    bool is_changed; // since the last diagnostics
    struct document *next;
} document;

typedef struct lsp_file {
    const source *source;
    outline_node *outline;
} lsp_file;

// A package, as the newest texts of its files are. All its memory is in its arena.
typedef struct root {
    arena arena;
    const char *path;
    diagnostics diagnostics;
    const package *package; // as far as it is known; NULL: nothing is
    arena good_arena;
    const package *good; // the newest package of which all files could be parsed; NULL: none
    symbol_list symbols; // in C, of `symbols_of`
    const struct package *symbols_of;
    lsp_file *files; // the root first
    size_t file_count, file_capacity;
    name_table names;
    bool is_stale;
    bool is_alone;                       // an included file that no root includes
    const struct content_place *content; // where it comes from; NULL: it is a schema
    struct root *next;
} root;

typedef struct published {
    const char *uri;
    uint64_t hash;
    bool is_seen;
    struct published *next;
} published;

typedef struct server {
    arena arena;   // of the session
    arena message; // of one message
    const schema_folders *folders;
    FILE *log;
    const char *directory; // the working directory
    const char **workspaces;
    size_t workspace_count;
    bool is_utf8; // columns count bytes, not units of UTF-16
    bool is_initialized, is_shut_down, has_ended;
    bool creates_files; // the editor can create files as part of an edit
    int status;
    document *documents;
    root *roots;
    root *content; // what the last question about content read; NULL: nothing
    published *published;
} server;

// Returns what is wrong with an open content file, and with the others of its folder; NULL if the document is none.
const diagnostics *content_diagnostics(arena *arena, const server *server, const source_overlay *overlays,
                                       const document *document);

typedef struct request request;

// Returns a content with its schema, of which the document is a file, for one question; NULL if it is none.
root *content_root(server *server, const document *document);

// Returns the content beside a schema; NULL if there is none.
root *content_beside(server *server, const root *schema);

void content_forget(server *server);

// Offers what could be written at the place of the request, in a text of the document that has a word there.
void content_offer(const request *request, const source *text, size_t offset, content_editor *editor);

// Appends what is known of the name at the place of the request.
void content_hover(const request *request, text *out);

// Whether the content has a lock, so that a new name needs its `was`.
bool content_has_lock(const request *request);

// Returns the first error that texts would make in content; NULL if there is none.
const char *content_find_error(const request *request, const root *content, const source_overlay *overlays);

// Returns the first error that a check has more than the one before; NULL if it has none.
const char *new_error(const diagnostics *before, const diagnostics *after);

// Opens a folder: "" is the working directory. NULL if it cannot be read.
DIR *folder_open(const char *folder);

// Returns the open documents as texts that replace files.
const source_overlay *server_overlays(const server *server, arena *arena);

// Finds the files of a package, and the names in them.
void root_outline(const server *server, root *root, const char *path);
void root_name_files(root *root);

void server_release(server *server);

document *server_find(server *server, const char *uri);

// Opens a document, or gives it a new text. `text` may have any bytes.
void server_open(server *server, const char *uri, int64_t version, const char *text, size_t size);
void server_close(server *server, const char *uri);

// Files on the disk may have changed.
void server_forget(server *server);

// Brings all packages up to date, and sends the diagnostics that changed.
void server_settle(server *server);

// Returns the next root that the document belongs to, after `after` or from the first.
root *server_root_of(const server *server, const document *document, const root *after);

// Adds the packages that include the file at the path.
void server_search(server *server, const char *path);

// Checks a package as `kin check` does, with texts that replace its files. Sets `package`, unless it is NULL, to what
// is known of it.
diagnostics server_check(const server *server, arena *arena, const char *path, const source_overlay *overlays,
                         const package **package);

// Returns the file of the document in the root; NULL if it is none of its.
const lsp_file *root_file(const root *root, const char *path);

// Returns the package as its files are, or as they were before an error in their YAML. NULL: neither is known.
const package *root_package(const root *root);

// Returns the URI of a path.
const char *server_uri(server *server, arena *arena, const char *path);

// ---- places in the units of the editor

typedef struct lsp_position {
    size_t line, character; // from 0
} lsp_position;

lsp_position position_of(const server *server, const source *source, size_t offset);
size_t offset_of(const server *server, const source *source, lsp_position position);

void writer_set_range(json_writer *writer, const char *key, const server *server, span place);
void writer_append_diagnostic(json_writer *writer, server *server, const diagnostic *diagnostic);
void writer_append_location(json_writer *writer, server *server, span place);

// ---- messages

// Returns what a path of keys leads to, as "textDocument.uri"; NULL if it is missing.
const json_node *message_find(const json_node *node, const char *path);
const char *message_text(const json_node *node, const char *path); // NULL unless it is a string
size_t message_count(const json_node *node, const char *path);     // 0 unless it is a number

// Appends a message to the log, if there is one.
void message_log(server *server, const char *direction, const char *bytes, size_t size);

// Appends the identity of a request as the member of an answer. NULL: it has none.
void message_append_id(text *out, const json_node *id);
void message_send_error(server *server, const json_node *id, int code, const char *message);

// Sends a message, whose members after "jsonrpc" the text has.
void message_send(server *server, const text *members);

// A question of the editor about a document.
struct request {
    server *server;
    arena *arena; // of the message
    const json_node *parameters;
    document *document; // NULL if it is not open, or no schema
    root *root;         // the first that it belongs to; NULL without a document
    const lsp_file *file;
    size_t offset;       // of its position
    json_writer *writer; // the answer
    const char *refusal; // why it cannot be done; NULL: it can
};

typedef struct place_list {
    const occurrence **list;
    size_t count, capacity;
} place_list;

// Returns the name at the position of the request; NULL if there is none.
const occurrence *request_name(const request *request);

// Returns all that names the same thing, in each package with its definition. Definitions come first.
place_list request_places(const request *request, const occurrence *wanted);

// Adds what names the same thing in the content beside the schema of the request.
void request_add_content(const request *request, place_list *places, const occurrence *wanted);

// Returns the doc of a definition; NULL if it has none.
const char *doc_of(const occurrence *definition);

// Returns what the value of a key is, in words; NULL if only its doc says it.
const char *language_phrase(arena *arena, const language_key *key);

const component *package_component(const package *package, const char *name);

// Returns the size in words.
const char *layout_size(arena *arena, const memory_layout *layout);

// Appends a text above a place, which nothing happens at.
void append_lens(request *request, span place, const char *title);

// Append what is about functions of systems that no C file beside the schema defines: a text above each system, and
// actions between two offsets that write a file with them.
void append_scaffold_lenses(request *request);
void append_scaffold_actions(request *request, size_t start, size_t end);

// Each writes the answer.
void answer_completion(request *request);
void answer_hover(request *request);
void answer_definition(request *request);
void answer_references(request *request);
void answer_highlights(request *request);
void answer_symbols(request *request);
void answer_workspace_symbols(request *request);
void answer_folding(request *request);
void answer_prepare_rename(request *request);
void answer_rename(request *request);
void answer_actions(request *request);
void answer_lenses(request *request);
void answer_inlays(request *request);

#endif

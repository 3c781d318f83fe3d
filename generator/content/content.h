// content: compiles content files, which are prefabs, levels and values, against the tables of a schema
//
// Cycle: level.c, prefab.c, trace.c and value.c. A value names a part of a prefab or an instance of a level, which have
// values; what editors ask about names looks them up.
//
//   folder → files → entries by name → prefabs, levels and values → kin__pack
//
// Everything is checked before a pack is made, and every error is reported at its place. The tables are those of
// generated code, or schema_context_tables makes them of a schema. The arena of a run owns all that a compile returns.
//
// Invariants:
//   1. a pack is returned if and only if no error was reported
//   2. the order of files, and of entries in them, changes nothing but the order of messages
//   3. without the file of an include, unknown names are not reported
#ifndef KIN_GENERATOR_CONTENT_H
#define KIN_GENERATOR_CONTENT_H

#include "generator/base/base.h"
#include "generator/source/source.h"
#include "pack/pack.h"

#include <kin/info.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The contexts with `content: true`.
typedef struct content_schema {
    const kin_context_info *const *contexts;
    size_t count;
} content_schema;

// Files and folders, as a command line names them.
typedef struct content_paths {
    const char *const *paths;
    size_t count;
} content_paths;

// Returns whether the first key of a text is `content`.
bool content_is_text(const char *bytes, size_t size);

// Returns whether the path is a folder, or a file that begins with the key `content`.
bool content_is_path(const char *path);

// Compiles all files of the paths: of a folder those below it that end in .yaml and begin with `content`. Returns NULL
// after reporting errors.
kin__pack *content_compile(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths);

// All that the files say, with the places in their texts.
typedef struct compiler compiler;

// Reads and checks the files as content_compile does. content_make then returns the pack, or NULL after errors.
compiler *content_read(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths);
kin__pack *content_make(compiler *compiler);

// Return the paths of the files that were read, and of those that an include names and that cannot be read; NULL after
// the last one.
const char *content_file(const compiler *compiler, size_t index);
const char *content_missing(const compiler *compiler, size_t index);

// The lock of a content: the first names of what it has.
typedef struct content_lock {
    const char *path;
    const source *before; // NULL: it is new
    text text;
    size_t names, renamed, removed;
} content_lock;

// Makes the lock that content of the paths has from now on, in the first folder of them. False after reporting errors.
bool content_lock_make(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths,
                       content_lock *lock);

// Appends the file of a pack.
void content_append_file(kin__pack *pack, text *out);

// Reads the pack at a path. NULL after reporting that it cannot be read.
const kin__pack *content_read_file(arena *arena, diagnostics *diagnostics, const char *path);

// Returns whether a file begins as a pack does.
bool content_is_pack(const char *path);

// ---- what editors ask
//
// Content is compiled as ever, and says on the way which names are where, and what could be written at one place.

typedef enum content_kind {
    CONTENT_PREFAB,
    CONTENT_BLUEPRINT,
    CONTENT_PART, // its owner is a prefab or blueprint, or the path of a part: "Cannon.head"
    CONTENT_KNOB,
    CONTENT_LEVEL,
    CONTENT_INSTANCE, // its owner is a level
    CONTENT_CONTEXT,
    CONTENT_COMPONENT,
    CONTENT_FIELD,  // its owner is a component
    CONTENT_MEMBER, // a field of a type
    CONTENT_VALUE,  // its owner is an enum
    CONTENT_WORD,   // a key or word of the language
    CONTENT_DEFAULT // the default of a field: "Local.at.x"
} content_kind;

typedef struct content_name {
    content_kind kind;
    const char *owner; // what declares it; NULL: nothing has it
    const char *name;
    const char *doc;    // what an offer is for; NULL: unknown
    span place;         // where a name is in a file
    bool is_definition; // in content; that of others is in the schema
    bool is_key;        // an offer for a key
    const struct prefab *prefab;
    const struct part *part;
    const struct prefab_knob *knob;
} content_name;

typedef struct content_editor content_editor;

struct content_editor {
    // Returns the tree of a file that may be half written; NULL after a report.
    const tree_node *(*parse)(content_editor *editor, diagnostics *diagnostics, const source *source);
    void (*note)(content_editor *editor, const content_name *name);   // NULL: names are not wanted
    void (*offer)(content_editor *editor, const content_name *offer); // NULL: offers are not wanted
    const char *path;                                                 // the place of the question
    size_t offset;
    content_name found; // at that place
};

// Reads content for an editor. What `found` names is valid as long as the arena.
void content_explore(arena *arena, diagnostics *diagnostics, content_schema schema, content_paths paths,
                     content_editor *editor);

// Appends what is known about a name that was found, as Markdown.
void content_describe(text *out, const content_name *name);

// ---- editing
//
// One value of a file is changed in its text. All other bytes stay.

// The keys from the root of a file to a value; an item of a list is its number, from 0.
typedef struct content_path {
    const char *const *keys;
    size_t count;
} content_path;

// Appends the text of the source with the value, which is YAML on one line. A value that is there is replaced; keys
// that are missing are added. False, with nothing appended, if the source is no YAML, or the path leads through a
// scalar or to an item that is missing.
bool content_edit(diagnostics *diagnostics, const source *source, content_path path, const char *value, text *out);

// Replaces the file of a source as a whole. False after reporting that it has changed since it was read, or that it
// cannot be written.
bool content_replace(diagnostics *diagnostics, const source *source, const text *text);

// What is changed: a prefab, values of a blueprint, or an instance.
typedef struct content_subject {
    const char *context;
    const char *prefab; // or a blueprint, which gets an entry of `blueprints` if it has none
    const char *create; // a new prefab that extends `prefab`; NULL: none
    const char *level;  // an instance in this level; NULL: the prefab itself
    size_t instance;    // its index in the level
} content_subject;

typedef struct content_change {
    const char *part;      // "" for the first entity
    const char *component; // names, as the schema has them
    const char *field;     // "at.x"
    const char *value;     // YAML on one line
} content_change;

// Appends the text of a file with the changes. A value that the file gives is replaced where it stands, also behind a
// knob; others are added by their full names. Returns the file; NULL after reporting why a change cannot be made.
const source *content_change_text(compiler *compiler, content_subject subject, const content_change *changes,
                                  size_t count, text *out);

// ---- describing
//
// For people and scripts: prefabs and levels with their knobs and parts; all of a pack, a line each; and the lines in
// which two packs differ.

void content_append_list(text *out, const kin__pack *pack);
void content_append_lines(text *out, const kin__pack *pack);

// Returns the number of lines that only one of the packs has, each after `+ ` or `- `.
size_t content_append_differences(text *out, const kin__pack *before, const kin__pack *after);

// Appends a JSON Schema of content files (draft-07), for editors. `pack` has the prefabs, or is NULL.
void content_append_json_schema(text *out, content_schema schema, const kin__pack *pack);

#endif

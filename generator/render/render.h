// render: turns the model into values, renders templates with them, and writes the files, all or none
//
// Owns the renderer, which knows nothing of schemas; all decisions about the generated C (view_*.c); and the files of a
// package on the disk, with the manifest that lists them.
#ifndef KIN_GENERATOR_RENDER_H
#define KIN_GENERATOR_RENDER_H

#include "file/file.h"
#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/codes.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- value
//
// What templates show: a JSON-like tree in an arena, built by the view and read by the renderer.

typedef enum value_kind { VALUE_NULL, VALUE_BOOL, VALUE_TEXT, VALUE_LIST, VALUE_MAP } value_kind;

// A key with its hash, by which items are compared. Creating a key costs more than a lookup with it.
typedef struct value_key {
    const char *name;
    uint32_t hash;
} value_key;

// Items are linked: those of a list in order, those of a map, which have keys, newest first.
typedef struct value {
    value_kind kind;
    uint32_t key_hash; // for an item of a map
    const char *key;
    struct value *next; // next item of the list or map
    union {
        bool boolean;     // VALUE_BOOL
        const char *text; // VALUE_TEXT; numbers are texts too, in their spelling
        struct {          // VALUE_LIST, VALUE_MAP: the items, and a Bloom filter of their keys
            struct value *first;
            struct value *last; // VALUE_LIST
            uint64_t keys;
        };
    };
} value;

value_key value_key_create(const char *name); // keeps the pointer

value *value_null(arena *arena);
value *value_bool(arena *arena, bool boolean);
value *value_text(arena *arena, const char *text); // keeps the pointer
value *value_list(arena *arena);
value *value_map(arena *arena);

// Returns a map that shares the items of another. Items set later belong to one map only.
value *value_copy(arena *arena, const value *map);

// An item may be in one list or map only.
void value_append(value *list, value *item);
value *value_append_map(arena *arena, value *list);       // returns a new map, the last item of the list
void value_set(value *map, const char *key, value *item); // keeps the key's pointer; a key is set once

// Returns the item with that key; NULL if there is none or `map` is not a map.
const value *value_find(const value *map, value_key key);

// ---- mustache
//
// Renders logic-less templates over values: the core of the Mustache specification, without lambdas and
// inheritance.
//
// A name is looked up on the stack of open sections, innermost first. Missing, null, false and the empty list are
// falsy; everything else is truthy, including the empty text. A partial that stands alone on its line indents every
// nonempty line of its template.
//
// There are two modes. MUSTACHE_SPEC follows the specification: `{{name}}` escapes HTML, missing values print nothing.
// MUSTACHE_CODE is for C: nothing is escaped, and unknown names, printed lists or maps, and missing partials are
// errors, since silence would hide a bug in the output.
//
// Each template is parsed once per indentation; renderings that share a cache share the result.

enum {
    MUSTACHE_SECTION_LIMIT = 64,              // open sections in one template
    MUSTACHE_PARTIAL_LIMIT = 64,              // open partials; recursive partials are allowed if their data ends
    MUSTACHE_OUTPUT_LIMIT = 64 * 1024 * 1024, // bytes of one rendering
    MUSTACHE_STEP_LIMIT = 16 * 1024 * 1024    // rendered tokens, for nested lists that print nothing
};

typedef struct mustache_template {
    const char *name;
    const char *bytes;
    size_t size;
} mustache_template;

// The templates available to a rendering. Names are distinct.
typedef struct mustache_library {
    const mustache_template *templates;
    size_t count;
} mustache_library;

typedef enum mustache_mode { MUSTACHE_SPEC, MUSTACHE_CODE } mustache_mode;

// Parsed templates, for renderings from one library and in one arena. All zero is an empty cache.
typedef struct mustache_cache {
    struct mustache_cached *newest;
} mustache_cache;

typedef struct mustache_request {
    arena *arena;
    const mustache_library *library;
    const char *template_name;
    const value *data;
    mustache_mode mode;
    mustache_cache *cache; // NULL: no cache
} mustache_request;

// Lines and columns count from 1; columns are characters.
typedef struct mustache_error {
    const char *template_name;
    size_t line, column;
    const char *message;
    diagnostic_code code;
} mustache_error;

// Returns the template with that name; NULL if the library has none.
const mustache_template *mustache_library_find(const mustache_library *library, const char *name);

// Appends the rendered template. On failure returns false and fills in `error`; the output keeps what was rendered
// before.
bool mustache_render(const mustache_request *request, text *output, mustache_error *error);

// Returns the error as one line: `template:line:column: error: message`.
const char *mustache_error_line(arena *arena, const mustache_error *error);

// ---- templates
//
// Those of templates/, and the texts of diagnostic/explanations/, compiled into the program so that it is
// one file that runs anywhere.
//
// The arrays are made at build time by tools/embed.c, each sorted by name. A name is that of its file without the
// directory and without `.mustache` or `.txt`.

extern const mustache_library templates_builtin;    // of generated code
extern const mustache_library templates_cpp;        // of the C++ face
extern const mustache_library templates_init;       // of templates/init: the files of a new project
extern const mustache_library templates_scaffold;   // of templates/scaffold: the file of a system
extern const mustache_library templates_doc;        // of templates/doc: a page about a package
extern const mustache_library templates_completion; // of templates/completion: by shell
extern const mustache_library explanations;         // of diagnostic/explanations/, by code; they are texts without tags

// ---- template set
//
// The templates of a run: the built-in ones, replaced by those of a folder.
//
// A file NAME.mustache in the folder replaces the built-in NAME. Files with other names can be partials of these files;
// one that no file includes is an error, most likely a misspelled name. Templates of outputs of the user's own have the
// paths of their files as names.
//
// No generated C depends on the templates of faces and of the user's own outputs, which only those outputs show.

// An output of the user's own: the name of a file in the folder of the package, and the path of its template.
typedef struct own_template {
    const char *output;
    const char *source;
} own_template;

typedef struct own_templates {
    own_template *templates;
    size_t count;
} own_templates;

typedef struct template_set {
    mustache_library library;
    const source **sources;  // by template: its file, or NULL if it is built in
    size_t own_first;        // number of the first template of the user's own outputs, which are the last
    const char **read_paths; // of the files that were read
    size_t read_count;
} template_set;

// Loads the built-in templates, those of `directory` unless it is NULL, and those of `own` unless it is NULL. Returns
// 0; 1 if a template is invalid; 3 if one cannot be read. Errors are reported.
int template_set_load(diagnostics *diagnostics, const char *directory, const own_templates *own, template_set *set);

// Reports an error of a template in the set, at its place.
void template_set_report(diagnostics *diagnostics, const template_set *set, const mustache_error *error);

// Returns the span of the tag at that place: only its opening delimiter if the tag continues on the next line, empty if
// there is no tag.
span template_tag_at(const source *source, size_t line, size_t column);

// Return a hash of all names and contents: of the templates of generated C, and of the others.
uint64_t template_set_hash(const template_set *set, uint64_t seed);
uint64_t template_set_hash_faces(const template_set *set, uint64_t seed);

// ---- view
//
// The values that templates show of a package. All decisions about the generated C are made here: names, types,
// values and lists. Templates only place them.
//
// Keys describe their values: `type`, `context`, `component`, `group` are C names, with the package's prefix where they
// need it; `name_text`, `doc_text`, `unit_text` are C literals or NULL; `doc` is a list of comment lines. Each map sets
// every key that its template reads, so that no lookup falls through to the enclosing map.

// A layout that files must agree on to be compiled together: that of the types that all contexts share, of a context or
// of the world. One header of the package defines its stamp; the files that depend on the layout compare it with the
// stamp that they were generated for.
typedef struct view_layout {
    const value *data;  // the values that are hashed
    const char *macro;  // the name of the stamp in C
    const char *header; // defines the macro
    const char *stamp;  // as C code; NULL before view_stamp
    uint64_t whole;     // hash of all values, also of those that are not layout
} view_layout;

typedef struct view_file {
    const char *path; // relative to the output folder
    const char *template_name;
    value *data;
    view_layout *layout; // whose stamp the file contains
    bool is_own;         // of the user's own: it needs neither the mark nor the stamp
} view_file;

typedef struct view {
    view_file *files;
    size_t count;
    view_layout *layouts; // of the types, then of each context, then of the world if there is one
    size_t layout_count;
    bool has_faces; // some of the files are not C
} view;

// Returns the files of a package, in a fixed order.
view view_create(arena *arena, const package *package);

// Add files to a view: PACKAGE.hpp, and the user's own outputs. All of these show the whole package. (face.c)
void view_add_cpp_face(arena *arena, view *view, const package *package);
// Returns the namespace of PACKAGE.hpp: the package, or another name if C has a function of that name.
const char *view_cpp_namespace(arena *arena, const package *package);
void view_add_own(arena *arena, view *view, const package *package, const own_templates *own);

// Returns a path that two files of the view have; NULL if there is none.
const char *view_find_twice(const view *view);

// Sets the stamp of each layout, a hash of the layout and `seed`, in the layout and in every file that contains it.
// Returns a hash of all inputs of the files.
//
// Docs, default values, values of blueprints and the schedule are not layout, since no file depends on those in another
// file: changing one only rewrites the files that show it; other files and their object files stay.
uint64_t view_stamp(arena *arena, view *view, uint64_t seed);

// ---- the view of a new system
//
// View of a scaffold: the values for the templates of the files with functions that the game must implement, one for
// each system, one for each function that gives the keys of an index, and one for each that migrates a component.
//
// In the file of a system each function is a section: a boolean named after the role, or a list if there can be several
// functions.

value *view_scaffold(arena *arena, const package *package, const declared_system *system);

value *view_scaffold_index(arena *arena, const package *package, const entity_index *index);

value *view_scaffold_migration(arena *arena, const package *package, const component *component);

// Returns the name of the file of the system, of the index's function, or of the migration. All names differ.
const char *view_scaffold_path(arena *arena, const declared_system *system);
const char *view_scaffold_index_path(arena *arena, const package *package, const entity_index *index);
const char *view_scaffold_migration_path(arena *arena, const package *package, const component *component);

// ---- generated file
//
// A file in memory, rendered and not yet written, and the mark that identifies generated files.

// Must be within the first GENERATED_MARK_SIZE bytes of every generated file.
#define GENERATED_MARK "Generated by kin"
enum { GENERATED_MARK_SIZE = 512 };

// The path of an output is its name in the folder of the package: no '/', no '.' in front. The path of a depfile is the
// path as the user gave it.
typedef struct generated_file {
    const char *path;
    const char *bytes;
    size_t size;
} generated_file;

// Returns whether an output can have the path.
bool generated_file_may_be(const char *path);

// Returns whether the mark is in its place.
bool generated_file_has_mark(const char *bytes, size_t size);

// ---- render
//
// Turns a view and the templates into files in memory.
//
// Every generated file must contain the mark that identifies it as generated, and the stamp that
// lets compilers detect that it does not match a file that it includes. A template that omits one is an error.

// Increment whenever equal templates and values give other bytes than before.
enum { RENDER_NUMBER = 1 };

// Sets the view's stamps. Returns a hash of all inputs of render_view.
uint64_t render_stamp(arena *arena, const template_set *set, view *view);

// Returns one file for each of the view's, in its order; the view must have its stamps. Returns NULL after reporting
// every invalid template.
const generated_file *render_view(diagnostics *diagnostics, const template_set *set, view *view);

// ---- depfile
//
// The dependencies of a package's outputs, in the syntax of Make.
//
//   generated/arena/arena.h generated/arena/arena.c: schemas/arena.yaml schemas/shared/math.yaml
//
//   schemas/shared/math.yaml:
//
// Every output depends on every file that was read, schemas and templates; standard input is not a file. All but the
// root schema are also targets without prerequisites, so that a missing file makes the outputs out of date instead of
// stopping make.
//
// Depfiles have no mark, since other programs than make read them and know no comments: kin recognizes its own by the
// first output, which is called NAME/NAME.h.

typedef struct depfile {
    const char *const *outputs;
    size_t output_count;
    const source *const *sources; // the root first
    size_t source_count;
    const char *const *templates; // read from files
    size_t template_count;
} depfile;

// Appends the depfile to `content`. Returns false after reporting a path that Make cannot express.
bool depfile_append(text *content, const depfile *depfile, diagnostics *diagnostics);

// Returns whether a file that begins with these bytes is empty or a depfile of kin.
bool depfile_is_own(const char *bytes, size_t size);

// ---- output path
//
// Paths of outputs, their parent folders, and syncing both to the disk.

// Returns the path of a file in the directory.
const char *output_path(arena *arena, const char *directory, const char *path);

// Return a path as seen from a folder, and a path that is relative to a folder as seen from the working directory. Both
// go by the names alone: no link is followed.
const char *output_relative(arena *arena, const char *folder, const char *path);
const char *output_resolved(arena *arena, const char *folder, const char *relative);

// Creates every directory before the path's last '/'. If one fails, earlier ones stay. Returns 0 or the errno.
int output_make_parents(arena *arena, const char *path);

// Return the directory that contains a file, and whether two paths lead to the same file or directory.
const char *output_parent(arena *arena, const char *path);
bool output_is_same_file(const char *a, const char *b);

// Syncs a folder, or the folder of a file, to the disk. Return 0 or the errno.
int output_sync(int descriptor);
int output_sync_parent(arena *arena, const char *path);

// ---- output writing
//
// Writes the bytes of one file to the disk.
//
// A file that replaces another is written in two steps:
//
//   stage    all bytes are written to `.NAME.kin-new` beside the file, and synced
//   commit   the staged file is renamed to NAME
//
// A link is followed, and the file at its end is replaced and keeps its rights. A pipe or a device is written to when
// it is staged. Until the commit nothing changes at the path itself; a discarded staged file leaves nothing. Names of
// that form belong to kin: a file that a killed run left under one is removed.
//
// A new file for the user is created at its path, and never replaces anything, including a link.

typedef struct staged_file {
    const char *path;      // at the end of its links
    const char *temporary; // path while staged
    const kin__target *target;
    int fault; // errno, if the path cannot be written; reported by output_stage
    bool is_staged;
} staged_file;

// `path` must name a file.
staged_file staged_file_create(arena *arena, const char *path);

// Returns whether a name in a folder is that of a staged file.
bool staged_file_is(const char *name);

// Each returns 0, or the errno, after which nothing is staged.
int output_stage(staged_file *staged, const char *bytes, size_t size);
int output_commit(staged_file *staged);

void output_discard(staged_file *staged);

// Stages and commits a file. Returns 0, or the errno.
int output_replace(arena *arena, const char *path, const text *content);

// Reports that the file cannot be written, or what else the words say, such as "create directory". Returns
// STATUS_SYSTEM.
int output_report_fault(diagnostics *diagnostics, const char *what, const char *path, int fault);

// Returns whether the path exists.
bool output_exists(const char *path);

// Creates a file. Returns 0, or the errno after removing the partial file. EEXIST: the path exists.
int output_write_new(const char *path, const char *bytes, size_t size);

// ---- output
//
// Writes rendered files to the disk as one set.
//
// A file that already has the same bytes is not touched. All other files are first written under hidden names in the
// same folder, then renamed, so that readers see each file in its old or its new version, even after a run was killed.
// If one of them cannot be written, none is replaced. Files of the last run that this run does not write are removed.
//
// Only files that kin wrote are replaced or removed, and only if they are unchanged since: the manifest in the folder
// records them. It also records the schema: the run fails if the files are those of another schema that
// still has the package. Any other file at such a path, including a symbolic link, is kept; it is found before the
// first byte is written, and the run fails. The folder itself, and its parent folders, may be links.
//
// Order of writes: all new files and manifests under hidden names; a manifest of both old and new contents; the files;
// the depfile; the manifest of the new contents. A lock on the folder, which ends with the process, excludes other
// runs; so a hidden file that exists when a run begins was left by a killed run, and is removed.

typedef enum output_mode {
    OUTPUT_WRITE,
    OUTPUT_CHECK, // lists the files that would change or were edited; status 4 if there are any
    OUTPUT_LIST,  // lists every file with the planned action; fails if writing would be refused
    OUTPUT_DIFF   // unified diff, including edited files; status 4 if there is any difference
} output_mode;

typedef struct output_request {
    arena *arena;
    const char *directory; // the package's folder, created if missing; it has the name of the package
    const char *schema;    // the path of the schema; NULL if it is not a file
    const generated_file *files;
    size_t count;
    uint64_t made;                 // hash of all inputs; 0: unknown
    bool is_locked;                // a lock is one of the inputs
    output_mode mode;              // only OUTPUT_WRITE writes
    bool is_check;                 // status 4 for a difference in any mode
    const generated_file *depfile; // NULL if none; only written, not part of reports
} output_request;

// The actions of a run, as lines of text, and its errors.
typedef struct output_report {
    text done;
    diagnostics *diagnostics;
    bool was_locked; // a lock was one of the inputs of the last run, and is none of this one
} output_report;

output_report output_report_create(diagnostics *diagnostics);

// Returns the exit status: 0 on success; 3 if a file cannot be read or written, or was not written by kin; 4 for a
// difference if the request asks for it.
int output_write(const output_request *request, output_report *report);

// Like output_write, for files that are not rendered yet. Succeeds if the manifest says that the last run made files of
// these names from the same inputs, and all are unchanged. Otherwise returns OUTPUT_UNMADE, with nothing done or
// reported.
enum { OUTPUT_UNMADE = -1 };
int output_recall(const output_request *request, output_report *report);

// ---- definitions
//
// The functions that a C source defines.
//
// Reads the text without a preprocessor: comments, strings and lines that begin with '#' are skipped, and a definition
// is a name, a list in parentheses and a brace, outside of all other braces. Both branches of an `#if` count. A
// definition that a macro expands to is not found.

// A definition: its name, and its text from the line of the name up to the closing parenthesis.
typedef struct definition_found {
    const char *name;
    const char *signature;
} definition_found;

// Returns the next definition at or after `*at`, and advances `*at` past it; the name is NULL after the last one.
// `bytes` ends in NUL.
definition_found definitions_next(arena *arena, const char *bytes, const char **at);

#endif

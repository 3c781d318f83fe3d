// What the files of this room share: the stages of a template, the parts of a view, and a run of the output.
#ifndef KIN_GENERATOR_RENDER_INTERNAL_H
#define KIN_GENERATOR_RENDER_INTERNAL_H

#include "generator/render/render.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- mustache scanner
//
// Splits a template into pieces of text, each followed by a tag.
//
// It handles the syntax of tags: delimiters and their changes, the kinds, and tags that stand alone on a line, whose
// spaces and line break are removed. It does not know the meaning of tags.
//
// Every slice points into the template, which must stay valid. In an indented template columns do not count the
// indentation, so places are those of the file.

typedef struct mustache_slice {
    const char *bytes;
    size_t size;
} mustache_slice;

typedef struct mustache_place {
    size_t line, column;
} mustache_place;

typedef enum mustache_kind {
    MUSTACHE_END, // of the template; only `before` is valid
    MUSTACHE_TEXT,
    MUSTACHE_VARIABLE,
    MUSTACHE_RAW, // a variable that is never escaped
    MUSTACHE_SECTION,
    MUSTACHE_INVERTED,
    MUSTACHE_CLOSE,
    MUSTACHE_PARTIAL,
    MUSTACHE_COMMENT,
    MUSTACHE_DELIMITERS
} mustache_kind;

typedef struct mustache_piece {
    mustache_kind kind;
    mustache_slice before;      // text between the previous tag and this one
    mustache_slice name;        // content of the tag, without surrounding spaces
    mustache_slice indentation; // spaces before a tag that stands alone
    mustache_place place;       // of the tag
} mustache_piece;

typedef struct mustache_scanner {
    const mustache_template *source;
    size_t indentation; // characters added before each line
    size_t position;    // of the first byte after all pieces
    mustache_slice open, close;
    size_t counted; // bytes counted in `place`
    mustache_place place;
} mustache_scanner;

mustache_scanner mustache_scanner_create(const mustache_template *source, size_t indentation);

// Returns false, with `error` filled in, for a malformed tag. Must not be called after MUSTACHE_END.
bool mustache_scan(mustache_scanner *scanner, mustache_piece *piece, mustache_error *error);

// ---- mustache parser
//
// Parses a template into a flat array of tokens.
//
//   {{#units}}{{name}},{{/units}}     [ section units, end 3 ] [ variable name ] [ text "," ] [ close units ]
//
// Invariants:
//
//   1. sections are properly nested, at most MUSTACHE_SECTION_LIMIT deep
//   2. `end` of a section is the index of its closing token, which comes after it
//   3. comments and changes of delimiters have no token

typedef struct mustache_token {
    mustache_kind kind;
    mustache_slice text; // MUSTACHE_TEXT: what to print; MUSTACHE_PARTIAL: the indentation
    const char *name;    // of the tag, as written
    value_key *parts;    // of the name, split at its dots
    size_t part_count;   // 0 for `.`, the current value
    size_t end;
    mustache_place place;
    const struct mustache_program *partial; // MUSTACHE_PARTIAL: set by the renderer at first use
} mustache_token;

typedef struct mustache_program {
    const char *template_name;
    mustache_token *tokens;
    size_t count, capacity;
} mustache_program;

// Parses the template as if each nonempty line began with `indentation`.
bool mustache_parse(arena *arena, const mustache_template *source, mustache_slice indentation,
                    mustache_program *program, mustache_error *error);

// ---- template check
//
// Reports unknown names in the user's templates before rendering, since this schema may leave out a
// section that another schema renders.
//
// A name is known if a built-in template uses it: together they use all names of a view. Whether a known name exists at
// the place of its tag shows only when rendering.

// Reports every tag with an unknown name in the set's own templates, which must be valid. Returns false if there is
// any.
// Returns the name of the template of an output of the user's own, which no other template has.
const char *template_own_name(arena *arena, const own_template *own);

bool template_check(diagnostics *diagnostics, const template_set *set);

// ---- parts of a view
//
// Parts of views that several files use.

// The data that every part needs to form names.
typedef struct view_scope {
    arena *arena;
    const package *package;
    const char *upper_prefix;
    dictionary *components, *definitions; // by name: values of view_component and view_definition
} view_scope;

view_scope view_scope_create(arena *arena, const package *package);

// ---- strings

void view_set_text(const view_scope *scope, value *map, const char *key, const char *text);
void view_set_name(const view_scope *scope, value *map, const char *name); // `name` and, as C, `name_text`
void view_set_count(const view_scope *scope, value *map, const char *key, size_t count);
void view_set_bool(const view_scope *scope, value *map, const char *key, bool boolean);
void view_set_literal(const view_scope *scope, value *map, const char *key, const char *string); // as C, null for NULL

// Sets a list, whether it has items, and their number.
void view_set_list(const view_scope *scope, value *map, const char *key, const char *has_key, const char *count_key,
                   value *list);

// C guarantees literals of 4095 characters. A longer string becomes a compound literal of characters, which C++ lacks.
enum { VIEW_LITERAL_LIMIT = 4000 };

// Sets `identity`, the name that saves have as C; null if it is the name.
void view_set_identity(const view_scope *scope, value *map, const char *name, const saved_name *saved);

// Sets what the table of each context has of its package: `version` and `removals`.
void view_set_package(const view_scope *scope, value *map);

// Returns the C literal of a string; "NULL" for NULL.
const char *view_literal(arena *arena, const char *bytes, size_t size);

// Sets `doc`, a list of comment lines, followed by the unit if there is one; also `has_doc` and `doc_text`.
void view_set_doc(const view_scope *scope, value *map, const char *doc, const char *unit);

// ---- names in C

const char *view_type_name(const view_scope *scope, const char *name);  // my_Position
const char *view_snake_name(const view_scope *scope, const char *name); // my_position
// Returns the struct that `edit` returns: my_PositionEdit if the component owns opaque values, else the component's
// struct.
const char *view_edited_type(const view_scope *scope, const component *component);
const char *view_context_name(const view_scope *scope, const context *context); // my_game
const char *view_upper_name(const view_scope *scope, const char *name);         // MY_HTTP_SERVER
const char *view_component_id(const view_scope *scope, const context *context, const component *component);
const char *view_enumerator_name(const view_scope *scope, const definition *definition, const enumerator *enumerator);

// ---- types

// Returns an entry of `types`, with `fields` and `initializers`, or with `values`.
value *view_definition(const view_scope *scope, const definition *definition);

// Sets `fields`, `field_count` and, of the default values, `initializers`.
void view_set_fields(const view_scope *scope, value *map, const field_list *list);

// Sets `inspect`, the kin_inspect_mode; null for KIN_INSPECT_EDIT, which a table need not show.
void view_set_inspect(const view_scope *scope, value *map, inspect_kind inspect);

// Sets `on_destroy`, the kin_on_destroy, and `reverse_text`, both null if the field has none; and `is_tree`.
void view_set_relation_keys(const view_scope *scope, value *map, const field *field);

// Returns what `fields` has of a field, among those of `list`.
value *view_field(const view_scope *scope, const field_list *list, const field *field);

// Returns the C initializer of a new element of a list; NULL if all its bytes are 0.
const char *view_element_default(const view_scope *scope, const field *field);

// Sets `layout`, a hash of what the map has so far, without docs and values.
void view_set_layout(const view_scope *scope, value *map);

// Returns the C type of a field, assuming that no member name hides it.
const char *view_field_type(const view_scope *scope, const field_type *type);

// Returns the kin_type, such as "KIN_TYPE_FLOAT".
const char *view_kin_type(type_kind kind);

// Returns whether the component's values are copied bytewise, in a column without owned memory, boxes or stashes.
bool view_is_plain(const component *component);

// Returns a component with fields, or a flag.
value *view_component(const view_scope *scope, const component *component);

// Returns a macro of a part of the package, such as "_game", without its end: KIN_GENERATED_SEA_GAME.
const char *view_macro_name(const view_scope *scope, const char *part);

// Returns the macro with the stamp of a part of the package, such as "_game", or of the shared types, "".
const char *view_stamp_macro(const view_scope *scope, const char *part);

// Sets `name`, `context`, `CONTEXT` and other names of a context in a map.
void view_set_context_names(const view_scope *scope, value *map, const context *context);
value *view_context_names(const view_scope *scope, const context *context);

// Returns a declared group; `number` is its index among the context's groups by name.
value *view_group(const view_scope *scope, const group *group, size_t number);

// Returns the columns of an iteration over the group that are not optional, numbered as `at`. With a writer, only the
// components in its `writes` are writable.
value *view_columns(const view_scope *scope, const group *group, const declared_system *writer);

// Sets the names and `columns` of the iterator of a group, or of a system with that group, and its optional columns
// again as `maybe`, with `has_maybe` and `maybe_count`; for a declared group also `view`. Names of functions begin with
// `walk`.
void view_set_iterator(const view_scope *scope, value *map, const char *walk, const group *group,
                       const declared_system *writer);

// Sets `named` to the id of the `first` component whose changes can change the group and a list of the `others`; false
// if there are too many.
void view_set_named(const view_scope *scope, value *map, const group *group);

// Returns a map with `kind`, `id_count` and `ids`.
value *view_rule(const view_scope *scope, const context *context, const rule *rule);

// Sets `function`, NULL if fields give the keys of the index, its `inputs`, and `key_fields`: the type of its keys as
// if it were a field.
void view_set_index_function(const view_scope *scope, value *map, const entity_index *index);

// Sets `migrated`, the components with `migrate: true`, and `migrations`, the same in each of their contexts;
// `has_migrations` and `migration_count`.
void view_set_migrations(const view_scope *scope, value *map);

// Returns the names of the function that decides about a component: `function`, `type` and `component`.
value *view_migrated(const view_scope *scope, const component *component);

// Sets the `events` of a context, in delivery order.
void view_set_events(const view_scope *scope, value *map, const context *context);

// Sets the `blueprints` of a context.
void view_set_blueprints(const view_scope *scope, value *map, const context *context);

// Appends designated initializers of the constant at `path`, one for each part that is not all zero bytes.
void view_append_initializers(const view_scope *scope, value *list, const char *path, const field *field,
                              const constant *constant);

// Sets `initializers` and `has_initializers`.
void view_set_initializers(const view_scope *scope, value *map, value *list);

// Sets `default_symbol`, the constant in a .c file that has the default value of a type. `owner` is the context or the
// world to which that file belongs: packages with a type of the same name can be in one program.
void view_set_default_symbol(const view_scope *scope, value *map, const char *owner, const char *name);

// Returns the number of words in an entity's row mask, which has one bit per component.
size_t view_row_words(const context *context);

// Returns the index of a blueprint, or of a relation, among those of its context. (view_blueprint.c)
size_t view_blueprint_number(const view_scope *scope, const blueprint *blueprint);
size_t view_relation_number(const view_scope *scope, const relation *relation);

// Sets what commands that spawn the blueprint need: its `parts`, and what they are. (view_blueprint.c)
void view_set_spawn(const view_scope *scope, value *map, const blueprint *blueprint);

// Returns the group's index among the groups of its context: those of systems follow the declared ones.
size_t view_group_number(const view_scope *scope, const group *group);

// Returns how many words a key of an ordered index has.
size_t view_ordered_words(const entity_index *index);

// Sets `in_order`, and in `picked` what loops in the order of an index need. Without an order it sets nothing.
void view_set_order(const view_scope *scope, value *map, value *picked, const entity_index *order);

// Sets `is_parallel`, and for a parallel system `batch`, `grain` and the lists `job_...` of what its jobs may do.
// (view_job.c)
void view_set_job(const view_scope *scope, value *map, const declared_system *system);

// view_set_context sets the names of a context that functions of a system are about. view_context_number returns its
// index in the order of names. (view_job.c)
void view_set_context(const view_scope *scope, value *map, const context *context);
size_t view_context_number(const view_scope *scope, const context *context);

// Returns what a function about the context ends in if the system has one for each of several: "_game", or "".
const char *view_context_suffix(const view_scope *scope, system_contexts contexts, const context *context);

// Returns a system of the world.
value *view_system(const view_scope *scope, const declared_system *system);

// Sets `info` of the world: what only the tables for tools show. (view_system.c)
void view_set_world_info(const view_scope *scope, value *map);

// Returns whether a field of the list is of the type.
bool view_uses(const field_list *list, const definition *definition);

// Returns the types of the package that are used, and the types of fields in these. `used` has a place for each.
value *view_used_definitions(const view_scope *scope, bool *used);

// Sets all keys of the world.
void view_set_world(const view_scope *scope, value *map);

// Sets the network of a package with a context that replicates: its messages, and where systems run.
void view_set_net(const view_scope *scope, value *map);

// Returns the shortest literal of a number that is not negative. The generator never calls setlocale, so the decimal
// separator is a dot.
const char *view_number_literal(const view_scope *scope, double number);

// Sets the texts of the parameters of a grid.
void view_set_grid(const view_scope *scope, value *map, const entity_index *index);

// Sets the `parameters` of the look-up functions of an index, with the `argument` that passes each on.
void view_set_parameters(const view_scope *scope, value *map, const entity_index *index);

// Sets the `words` of the keys of an ordered index, its `order` in words, and what the bounds of a range begin with.
void view_set_key_order(const view_scope *scope, value *map, const entity_index *index);

// Sets the `indices` of a context and `keys`, the parts of their keys.
void view_set_indices(const view_scope *scope, value *map, const context *context);

// Sets the `relations` of a context.
void view_set_relations(const view_scope *scope, value *map, const context *context);

// Sets whether changes of a component of the context are inlined with those of its relation, and what that needs.
void view_set_related(const view_scope *scope, value *map, const context *context, const component *component);

// ---- wrap
//
// Breaks lines of generated C that are longer than WRAP_COLUMNS, so that templates can ignore the length of the
// schema's names.
//
// Code is broken after a comma of the outermost brackets that have one, and continues below the text after the bracket.
// Comments are broken at a space. A line without such a place stays long, and so do preprocessor directives and their
// continuations. Literals are never broken, and no comment line ends in a backslash after breaking.

enum { WRAP_COLUMNS = 120 };

// Appends `bytes`, wrapped. They must not be part of the output.
void wrap_lines(text *output, const char *bytes, size_t size);

// ---- manifest
//
// Records the files that kin wrote into a package's folder, so that it recognizes them and leaves all others
// alone.
//
//   # Written by kin, …                   a comment for people
//   kin-manifest 1
//   made 0b242d361fda71bc                 hash of all inputs, if one run made all files
//   locked                                if the inputs had a lock
//   schema ../../arena.yaml               the schema, seen from the folder, if it is a file
//   d24ec4f1a98c6e5b 1024 arena.h         hash and size of the content, and the name
//   44bc2cf5ad770999 81 arena.c
//   end ef46db3751d8e999                  hash of everything before this line
//
// A file has one entry for each content that it may have: one after a completed run. Before a run changes the first
// file, it writes a manifest of both old and new contents, so that the next run recognizes all files of a killed run.
//
// A manifest is valid only as a whole: entries sorted by name, then hash, then size, without duplicates, and a matching
// last line.

#define MANIFEST_NAME ".kin-manifest"

enum { MANIFEST_SIZE_LIMIT = 16 * 1024 * 1024 }; // bytes of a manifest that is read

typedef struct manifest_entry {
    const char *name;
    uint64_t hash;
    size_t size; // in bytes
} manifest_entry;

// Unsorted with duplicates while it grows; sorted and without duplicates after manifest_sort.
typedef struct manifest {
    arena *arena;
    manifest_entry *entries;
    size_t count, capacity;
    uint64_t made;      // hash of all inputs; 0: unknown
    bool is_locked;     // a lock was one of the inputs
    const char *schema; // the path of the schema, relative to the folder; NULL: unknown
} manifest;

manifest manifest_create(arena *arena);
void manifest_append(manifest *manifest, manifest_entry entry);
void manifest_sort(manifest *manifest);

// Returns the text of a sorted manifest.
text manifest_text(const manifest *manifest);

// Parses a manifest into an empty one. Returns 0, or the number of the first invalid line.
size_t manifest_parse(manifest *manifest, const char *bytes, size_t size);

// Returns the first entry with that name in a sorted manifest, where entries of one name are adjacent; NULL if there is
// none.
const manifest_entry *manifest_find(const manifest *manifest, const char *name);

// Returns whether a sorted manifest has an entry equal to `entry`.
bool manifest_has(const manifest *manifest, const manifest_entry *entry);

// Returns whether a line of the manifest can hold the path of a schema.
bool manifest_schema_is_valid(const char *path);

// Returns whether kin would write a file of that name: a single name, not hidden, without characters that break a line.
bool manifest_name_is_valid(const char *name);

// ---- output folder
//
// The folder of a package's outputs, locked by one run at a time.

typedef struct output_folder {
    const char *path;
    int descriptor; // open and locked until closed; negative if not open
} output_folder;

// Creates the folder if missing, opens it and waits for its lock. Returns 0, or the errno, with the folder not open.
int output_folder_open(arena *arena, output_folder *folder, const char *path);
void output_folder_close(output_folder *folder);

// Removes files that killed runs left in the folder. Returns 0, or the errno with the path of the file.
int output_folder_clean(arena *arena, const output_folder *folder, const char **path);

// ---- output comparison
//
// The file at an output's path, and whether kin may change it.

typedef enum output_state {
    OUTPUT_MISSING,
    OUTPUT_EQUAL,
    OUTPUT_DIFFERENT, // written by kin and unedited, but not the wanted bytes
    OUTPUT_EDITED,    // written by kin, then edited
    OUTPUT_UNKNOWN,   // carries the mark but is not in the manifest
    OUTPUT_FOREIGN,   // a file without the mark, or a directory, a symbolic link or a device
    OUTPUT_UNREADABLE
} output_state;

// The kind of a file at a path. A symbolic link at the path itself is not followed.
typedef enum found_kind { FOUND_NOTHING, FOUND_FILE, FOUND_OTHER, FOUND_FAULT } found_kind;

typedef struct found_file {
    found_kind kind;
    int fault;         // errno, for FOUND_FAULT
    const char *bytes; // for FOUND_FILE, NUL-terminated
    size_t size;       // bytes read, without what git added
} found_file;

// The wanted content of an output; `bytes` is NULL to remove it.
typedef struct wanted_file {
    const char *name; // in the manifest
    const char *bytes;
    size_t size;
} wanted_file;

// Reads a file, and more than the limit of a longer one, which distinguishes it from all relevant contents. If all
// lines end with "\r\n", as in a checkout of git on Windows, the bytes have the '\n' that kin wrote.
found_file output_find(arena *arena, const char *path, size_t limit);

// Returns the limit for output_find: the size of the longest wanted or recorded content.
size_t output_limit(const manifest *recorded, const wanted_file *wanted);

output_state output_compare(const found_file *found, const wanted_file *wanted, const manifest *recorded);

// ---- output run
//
// The state of one call of output_write, shared by output.c, plan.c and apply.c.
//
// The plan is made first: for every file its state on the disk and the wanted content. It includes the manifest, which
// is written in separate steps.
//
// Invariants of a finished plan, asserted:
//   1. the files of the request come first, in its order; removals follow, and the manifest is last
//   2. a planned removal has a recorded name, and no other plan has that name

typedef struct output_plan {
    const char *path;
    wanted_file wanted; // bytes are NULL for a file of the last run that is no longer wanted
    output_state state;
    staged_file staged;
} output_plan;

typedef struct output_run {
    const output_request *request;
    output_report *report;
    output_folder folder;
    manifest recorded;  // written by the last run, and possibly by killed runs since
    manifest wanted;    // written by this run
    output_plan *plans; // the files of the request in its order, removals, the manifest
    size_t count;
    const output_plan *manifest; // the last plan
    output_plan depfile;         // valid if has_depfile
    bool has_depfile;
} output_run;

// Plan the run. Return false after reporting all files that prevent it. The depfile is checked separately, before the
// folder is created.
bool output_plan_depfile(output_run *run);
bool output_plan_files(output_run *run);

// Returns whether the recorded files are those of another schema, which still exists and has the package. Reports it.
bool output_is_of_other_schema(const output_run *run);

// output_is_recorded returns whether the manifest records the same inputs. output_plan_recalled plans the run if all
// recorded files are unchanged, else returns false.
bool output_is_recorded(output_run *run);
bool output_plan_recalled(output_run *run);

// Reads the manifest of the folder, if it exists, into `recorded`. Returns false after reporting an edited one.
bool output_read_manifest(output_run *run, found_file *found);

output_plan output_plan_create(const output_run *run, const char *path, wanted_file wanted);

// Writes the planned files, all or none unless the system fails while they are renamed; returns false on failure.
bool output_apply(output_run *run);

// Returns whether the plan writes or removes the file.
bool output_plan_changes(const output_plan *plan);

// Reports that a file cannot be read, written or removed. Returns false.
bool output_fail(const output_run *run, const char *verb, const char *path, int fault);

// ---- diff
//
// A unified diff of two contents, with three lines of context and no times.
//
// Lines are matched by the shortest edit script (Myers) of at most DIFF_EDIT_LIMIT edits. If the contents differ more,
// everything between their common first and last lines is replaced. Time is bounded by the limit times the lines,
// memory by the square of the limit plus the lines.

enum { DIFF_EDIT_LIMIT = 1000, DIFF_CONTEXT = 3 };

// NULL bytes: the file does not exist.
typedef struct diff_side {
    const char *bytes;
    size_t size;
} diff_side;

// Appends nothing if both are equal, or if one does not exist and the other is empty.
void diff_append(text *output, const char *path, diff_side before, diff_side after);

#endif

// What the files of the compiler share: the content under construction.
#ifndef KIN_GENERATOR_CONTENT_INTERNAL_H
#define KIN_GENERATOR_CONTENT_INTERNAL_H

#include "generator/content/content.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CONTENT_DEPTH_LIMIT = 64,         // levels of `extends`, of parts, and of levels in levels
    CONTENT_PART_LIMIT = 4096,        // entities of a prefab
    CONTENT_INSTANCE_LIMIT = 1 << 20, // instances of a level, with those of the levels in it
    CONTENT_INCLUDE_LIMIT = 32,       // levels of nested includes
    CONTENT_TARGET_LIMIT = 30,        // fields of a knob
    CONTENT_PATH_LIMIT = 1024         // bytes of a path of parts or fields
};

typedef struct prefab prefab;
typedef struct level level;
typedef struct name_lock name_lock;

// ---- leaves
//
// What can be written of a component, as a tree of its fields. A leaf is a number, string, enum or handle.

typedef struct leaf {
    struct place *component;
    const char *path; // identities joined by dots
    const kin_field_info *field;
    bool is_list;
    uint32_t elements;
    bool is_used;
    uint32_t index;    // in its component, when the pack is made
    text *column;      // while a list or an array is read: the values so far
    struct leaf *next; // of the component
} leaf;

// A field, or a component, which has no field.
typedef struct place {
    const kin_field_info *field;  // NULL: a component
    const kin_field_info *fields; // those in it
    uint32_t field_count;
    struct place **below; // by field; made when first needed
    leaf *leaf;           // NULL: fields are in it
    const char *name;     // "Local.at" with the names of the schema, for messages
    const char *path;     // "at" with identities
    kin_component_id id;  // of the component
    bool is_list;         // a list is above it, or it is one
    uint32_t elements;
    leaf *first;         // of a component: its leaves that are used
    uint32_t pack_index; // of a component, when the pack is made
} place;

// ---- values

// The bytes of one leaf, as packs have them.
typedef struct write {
    const char *part; // "" for the first entity
    leaf *leaf;
    bool is_append;
    const char *bytes;
    size_t size;
    text *column; // of an array or a list, while it is read
    span span;
    struct write *next;
} write;

typedef struct write_list {
    write *first, *last;
    size_t count;
} write_list;

// ---- prefabs

typedef struct target {
    const char *part;
    place *place;
} target;

typedef struct prefab_knob {
    const char *name;
    const char *owner; // the prefab that has it
    span span;
    target *targets;
    size_t target_count;
    struct prefab_knob *next;
} prefab_knob;

// An entity of a prefab.
typedef struct part {
    const char *path;          // "head.left"; "" for the first
    const char *first_path;    // first names, as packs have them
    const char *declared_by;   // the prefab that has it as a new part
    const char *declared_path; // in that; NULL for the first
    span span;                 // its name, if it is new
    struct part *parent;
    uint64_t *has;    // components, by id
    const prefab *of; // whose knobs it has; NULL for inherited parts
    bool is_gone;     // `without`
    const struct part *next;
} part;

typedef struct part_list {
    part *first, *last;
    size_t count;
    dictionary by_path;
} part_list;

typedef struct component_at {
    const char *part;
    place *place;
    struct component_at *next;
} component_at;

typedef enum once_state { ONCE_UNKNOWN, ONCE_NONE, ONCE_SOME } once_state;

typedef enum entry_state { ENTRY_UNSEEN, ENTRY_ENTERED, ENTRY_DONE } entry_state;

// A prefab, or a blueprint of the schema.
struct prefab {
    const char *name;
    const char *first_name; // as packs have it
    const char *doc;
    const tree_node *key, *node; // NULL of a blueprint without values
    const kin_context_info *info;
    size_t context; // index in the schema
    bool is_blueprint;
    bool is_broken;  // was reported; nothing more is said about it
    bool is_used;    // of a blueprint: the pack names it
    bool is_renamed; // the first path of some part is not its path
    once_state once; // whether it has a unique component or a primary key
    entry_state state;
    size_t depth;
    prefab *base;
    const tree_node *use; // while it is read: the name of the prefab that it needs, and that prefab
    prefab *used;
    bool is_in_parts; // for a part, not as its base
    part_list parts;
    prefab_knob *knobs; // the own ones, then those of the base
    // What it adds to its base.
    part **new_parts;
    size_t new_count, new_capacity;
    component_at *added, *gone;
    const char **gone_parts;
    size_t gone_part_count, gone_part_capacity;
    write_list writes;
    prefab_knob *last_own_knob; // NULL: none is its own
    uint32_t rank, index;       // in the pack
    prefab *next;
    prefab *next_declared; // in the order of files
};

// ---- levels

typedef struct instance {
    const tree_node *key, *node; // the name and the body
    const char *name;            // NULL without `as`
    const char *first_name;      // as packs have it
    span name_span;
    prefab *prefab; // NULL: a level, or unknown
    level *level;
    write_list writes;
    struct instance *next;
} instance;

struct level {
    const char *name;
    const char *first_name; // as packs have it
    const tree_node *key, *node;
    const kin_context_info *info; // of its first instance; NULL before
    size_t context;
    instance *first, *last;
    size_t instance_count; // with those of levels in it
    dictionary names;      // to instances
    entry_state state;
    size_t depth;
    bool is_broken;
    once_state once;
    uint32_t rank, index; // in the pack
    level *next;
};

typedef struct unique {
    const tree_node *key;
    size_t context;
    place *place;
    write_list writes;
    struct unique *next;
} unique;

// ---- the run

typedef struct file {
    const source *source;
    const tree_node *root;
    const struct file *includer;
    struct file *next;
} file;

// The path of an include whose file is missing.
typedef struct wanted {
    const char *path;
    struct wanted *next;
} wanted;

struct compiler {
    arena *arena;
    diagnostics *diagnostics;
    content_schema schema;
    file *files, *last_file;
    dictionary identities; // of loaded files
    bool is_incomplete;    // an included file is missing: unknown names may be in it
    wanted *wanted;
    bool has_errors;
    name_lock *lock;        // NULL if the content has none
    content_editor *editor; // NULL: nobody asks
    bool has_renames;       // something has a `was`, or another name in the lock
    place ***places;        // by context and component
    text scalar;            // the bytes of the scalar that is read
    dictionary prefab_names, level_names, blueprint_names;
    prefab *prefabs, *last_prefab; // also the blueprints that files name
    prefab *declared;
    level *levels, *last_level;
    unique *uniques, *last_unique;
};

// ---- what several files ask

// Returns the name that packs have.
static inline const char *identity_of(const char *identity, const char *name)
{
    if (identity == NULL)
        return name;
    return identity;
}

// Whether a path is another one or below it.
static inline bool path_is_within(const char *path, const char *above)
{
    size_t size = strlen(above);
    if (strncmp(path, above, size) != 0)
        return false;
    return path[size] == '.' || path[size] == '\0';
}

// Says what was meant by the name that was just reported; nothing if `name` is NULL.
static inline void suggest(compiler *compiler, const char *name)
{
    if (name != NULL)
        diagnostic_meant(compiler->diagnostics, name);
}

// Whether a place is an array or a list.
static inline bool place_is_repeated(const place *place)
{
    return place->field != NULL && (place->field->is_list || place->field->count > 0);
}

static inline bool part_has(const part *part, kin_component_id id)
{
    return (part->has[id / 64] >> id % 64 & 1) != 0;
}

// Whether a part was found, and the prefab has it still.
static inline bool part_is_there(const part *part)
{
    return part != NULL && !part->is_gone;
}

// Returns the knobs that the body of a part can set: those of the prefab that it is of.
static inline const prefab_knob *knobs_of(const prefab *prefab, const part *part)
{
    if (part->of != NULL)
        return part->of->knobs;
    return part->parent == NULL ? prefab->knobs : NULL;
}

// Returns the first knob that is not the prefab's own; NULL if there is none.
static inline const prefab_knob *inherited_knobs(const prefab *prefab)
{
    if (prefab->last_own_knob == NULL)
        return prefab->knobs;
    return prefab->last_own_knob->next;
}

// ---- files.c

void content_load(compiler *compiler, content_paths paths);

// ---- lock.c

typedef enum named_kind { NAMED_KNOB, NAMED_LEVEL, NAMED_PART, NAMED_PLACE, NAMED_PREFAB, NAMED_COUNT } named_kind;

// Returns the path of the lock, in the first folder of the paths; NULL if none is a folder.
const char *name_lock_path(arena *arena, content_paths paths);

// Reads the lock, if there is one.
void name_lock_load(compiler *compiler, content_paths paths);

// Returns the former name that a mapping gives with `was`; NULL if there is none.
const char *name_read_was(compiler *compiler, const tree_node *node);

// Returns the last name of a path of parts, or of a level and an instance.
const char *path_last(const char *path);

// Returns the first name of what has a name now. `owner`: the path of first names of what it is in, or "".
const char *name_first(compiler *compiler, named_kind kind, const char *owner, const char *name, const char *was);

// Reports first names that two things have, and names of the lock that are gone.
void name_lock_check(compiler *compiler);

// Appends the lock that the content has from now on.
void name_lock_append(compiler *compiler, content_lock *out);

// ---- value.c

// Where values are written to.
typedef struct writing {
    compiler *compiler;
    prefab *prefab;     // of whose parts references are
    const level *level; // whose instances references can name; NULL: none
    write_list *writes;
    const char *part;
    const kin_context_info *info;
    size_t context;
    bool is_offset; // the `at` of a level: numbers that are added
} writing;

place *place_of_component(compiler *compiler, size_t context, kin_component_id id);

// Returns the field of a place by its name; NULL if there is none.
place *place_find(compiler *compiler, place *above, const char *name);

// Reports that nothing in the place has that name.
void report_field(compiler *compiler, const tree_node *key, const place *above);

// Reads the value of a component, or of a field.
void read_value(writing *writing, const tree_node *node, place *place);

// Reports components and fields that content must not set. Returns whether it may.
bool check_settable(compiler *compiler, const kin_context_info *info, span span, const place *place);

// Sorts writes by part, component and leaf, and reports those that are there twice.
void sort_writes(compiler *compiler, write_list *list);

// Returns the component of a name; -1 if there is none.
int64_t component_find(const kin_context_info *info, const char *name);

// Whether it is Origin or Content.
bool component_is_of_content(const kin_component_info *component);

// Whether its field is what 'parts' makes the tree of.
bool component_has_tree(const kin_context_info *info, kin_component_id id);

// ---- prefab.c

void declare_prefabs(compiler *compiler);
void read_prefabs(compiler *compiler);

// Returns a prefab, or a blueprint of the schema, that is read; NULL after a report.
prefab *find_prefab(compiler *compiler, const tree_node *name, size_t depth);

// Reads the mapping of an instance, or of an entry of `blueprints`: components, parts and knobs.
void read_body(writing *writing, const tree_node *node, part *part, bool is_instance);

part *part_find(const part_list *list, const char *path);

// Returns the first entry below a key of a file; NULL if there is none. Reports what is no mapping.
const tree_pair *file_entries(compiler *compiler, const file *file, const char *key);

// Adds the knobs that the schema gives a blueprint.
void content_add_knobs(compiler *compiler, prefab *prefab, const kin_blueprint_info *info);

// Joins a path of parts and what is below it. Either may be empty.
const char *path_join(compiler *compiler, const char *path, const char *name);

// Whether a key is one of the nine that are neither components nor parts.
bool is_reserved_key(const char *key);

// Reports a key that has no meaning where it stands.
void report_key(compiler *compiler, const tree_node *key, const char *where);

// ---- level.c

void read_levels(compiler *compiler);
void read_uniques(compiler *compiler);

// Returns whether a level has an instance at a path, and sets `*part` to what follows it, without its dot.
const instance *instance_find(const level *level, const char *path, const char **part);

// Returns the first names of the instance at a path that instance_find found.
const char *instance_first_path(compiler *compiler, const level *level, const char *path);

// Offers the names of a level, for the nearest one.
void offer_instances(name_search *search, const level *level);

// ---- trace.c
//
// Without an editor these do nothing.

void note_name(compiler *compiler, content_name name);
void note_prefab(compiler *compiler, const prefab *prefab, span place, bool is_definition);
void note_part(compiler *compiler, const prefab *prefab, const part *part, span place, bool is_definition);
void note_knob(compiler *compiler, const prefab *prefab, const prefab_knob *knob, span place, bool is_definition);
void note_field(compiler *compiler, const place *above, const char *field, span place);

// Notes the names of a path such as "head.Gun.interval" in a scalar, from an offset on.
void note_path(compiler *compiler, const prefab *prefab, const tree_node *node, size_t offset);

// Notes the names of a reference to a part or an instance. `level` may be NULL.
void note_reference(compiler *compiler, const prefab *prefab, const level *level, const tree_node *node);

// Whether an editor asks what could be written at the place of a node. Only then may the others be called.
bool is_asked(const compiler *compiler, const tree_node *node);

// Offer what `mapping` does not have yet; all if it is NULL.
void offer_words(compiler *compiler, const char *const *words, const tree_node *mapping);
void offer_body(const writing *writing, const tree_node *mapping, const part *part, bool is_instance,
                const char *const *words);
void offer_fields(compiler *compiler, const place *above, const tree_node *mapping);

// `having`: the components of a part alone; NULL: all.
void offer_components(compiler *compiler, const kin_context_info *info, const part *having, bool is_unique,
                      const tree_node *mapping);

// Of all contexts if `info` is NULL.
void offer_prefabs(compiler *compiler, const kin_context_info *info, bool is_key);
void offer_blueprints(compiler *compiler, const kin_context_info *info, bool is_key);

void offer_levels(compiler *compiler, const level *but);
void offer_path(compiler *compiler, const prefab *prefab, const tree_node *node);

// Offers values for a scalar, if an editor asks.
void offer_scalar(const writing *writing, const tree_node *node, const place *place);

// ---- check.c

// Reports unique components and primary keys that are placed twice, and hashes of names that are equal.
void check_placed(compiler *compiler);

// ---- compile.c

kin__pack *make_pack(compiler *compiler);

#endif

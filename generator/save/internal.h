// The states of a comparison of two files, and of packing lines.
#ifndef KIN_GENERATOR_SAVE_INTERNAL_H
#define KIN_GENERATOR_SAVE_INTERNAL_H

#include "generator/save/save.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"
#include "snapshot/snapshot.h"

#include <stdio.h>

// ---- diff
//
// The state of a comparison of two files, which the files save_diff*.c share.

typedef struct diffing {
    arena *arena;
    save_walk sides[2];
    FILE *output;
    uint64_t differences, entities; // entities are those of the second file
    dictionary components;          // in which something differs
    text line, what;                // buffers
    text title;                     // is written before the next difference; empty: none
} diffing;

// Compares the states that both files have next, and adds the differences. False if one of them is damaged.
bool diff_states(diffing *diffing);

// Compares the frames of two recordings that begin with the same state, up to the first that differs. False if one of
// them is damaged.
bool diff_frames(diffing *diffing);

// Counts a difference, and writes the title before the first one.
void diff_count(diffing *diffing);

// Notes that something differs in a component.
void diff_note_component(diffing *diffing, const char *name);

// ---- pack
//
// The state of packing, which the files pack*.c share.

// The bytes of one value, leaf by leaf: of a list its count, then numbers, or each length before its letters.
typedef struct pack_value {
    uint32_t component; // its number in the shape
    const unsigned char *bytes;
    const uint32_t *ends; // by leaf: where its bytes end
    struct pack_value *next;
} pack_value;

// The line of an entity, and its beginning, for messages.
typedef struct pack_origin {
    size_t line;
    const char *head;
} pack_origin;

typedef struct pack_entity {
    uint64_t handle;
    pack_origin origin;
    pack_value *first, *last; // by component
} pack_entity;

typedef struct pack_kept {
    uint32_t slot;
    bool is_stashed;
    pack_value *value;
    pack_origin origin;
} pack_kept;

typedef struct pack_links {
    uint32_t component, leaf, target, count;
    const unsigned char *holders; // slots, as bytes of the file
} pack_links;

// Up to 512 numbers of shared values.
typedef struct pack_shared {
    uint32_t component, first, count;
    const unsigned char *uses; // as bytes of the file
    pack_origin origin;
} pack_shared;

// Elements of one size that grow in an arena.
typedef struct pack_list {
    char *items;
    size_t count, capacity;
} pack_list;

typedef struct pack_context {
    const kin__shape *shape;
    bool is_there; // some line is of it
    pack_list entities, kept, shared, links;
    text slots; // the payload of CTXT after its number; empty: there is no line
    uint64_t first_index, next_index;
    uint32_t chunk_count;
} pack_context;

typedef struct pack_system_path pack_system_path;

typedef struct packing {
    arena *arena; // of everything that is packed
    diagnostics *diagnostics;
    const package *package;
    const char *path; // of the lines
    pack_context *contexts;
    size_t context_count;
    const kin_world_info *world; // its messages
    kin__message_leaves messages;
    text root;               // the payload of SYST of the root; empty: there is no line
    text systems;            // by other system the size as u32, then its payload
    dictionary system_paths; // to pack_system_path
    uint32_t version;
    uint64_t frame;
    const char *meta;
    size_t meta_size;
    // The line that is read.
    arena line_arena;
    const char *line;
    size_t line_size, line_number;
    bool has_head;
    bool is_other; // the lines are of no save of the package: no more are read
} packing;

// Returns the place of a node in the line, which the diagnostics keep.
span pack_span(packing *packing, size_t start, size_t end);

// Report what is wrong with a node. They return false.
DIAGNOSTIC_FORMAT(4, 5)
bool pack_error(packing *packing, diagnostic_code code, const json_node *node, const char *format, ...);
DIAGNOSTIC_FORMAT(4, 5)
bool pack_key_error(packing *packing, diagnostic_code code, const json_node *node, const char *format, ...);

// Returns a new item, all zero.
void *pack_list_add(arena *arena, pack_list *list, size_t size);

// Reads one line. Reports what is wrong with it.
void pack_line(packing *packing);

// ---- names

// Whether the schema gives up a thing, by its path in saves or by one that `removed` has.
bool pack_is_given_up(const packing *packing, const char *saved, const char *now);

// Adds the nearest name to the error that was reported last, if there is one.
void pack_suggest(packing *packing, const name_search *search);

// Returns the context of a name; NULL: there is none.
pack_context *pack_find_context(const packing *packing, const char *name);

// Reports that no context has the key.
void pack_report_context(packing *packing, const json_node *item);

typedef enum pack_found { PACK_FOUND, PACK_GIVEN_UP, PACK_UNKNOWN } pack_found;

// Finds the component of a key. Reports an unknown one.
pack_found pack_find_component(packing *packing, const pack_context *context, const json_node *item,
                               uint32_t *component);

// The fields of a component, a message or a struct.
typedef struct pack_fields {
    const kin_field_info *fields;
    uint32_t count;
} pack_fields;

// Returns the field of a key; NULL: there is none.
const kin_field_info *pack_find_field(pack_fields fields, const char *key);

// Returns the fields of a struct; none for other types, and for NULL.
pack_fields pack_fields_below(const kin_field_info *field);

// Returns a path in saves with the names of now.
const char *pack_path_now(arena *arena, pack_fields fields, const char *path);

// ---- values

// Lists the paths of all systems and nodes of the schema.
void pack_list_systems(packing *packing);

// Reads the line of a system.
void pack_read_system(packing *packing, const json_node *line);

// Adds the root of a new world if there are lines of other systems alone.
void pack_add_root(packing *packing);

// Reports an item that no lookup has used. Returns whether there is none.
bool pack_has_no_others(packing *packing, const json_node *line);

// Appends a number of so many bytes.
void pack_append_number(text *out, uint64_t number, size_t width);

// Reads a value of a component, which has this number, or of a message. Returns NULL after reporting what is wrong.
pack_value *pack_read_value(packing *packing, const kin__component_shape *shape, uint32_t component,
                            const json_node *node);

// Returns the entities of a context, by slot once the lines are checked.
static inline const pack_entity *pack_entities(const pack_context *context)
{
    return (const pack_entity *)(const void *)context->entities.items;
}

// Returns where the bytes of a leaf begin.
static inline uint32_t pack_leaf_start(const pack_value *value, uint32_t leaf)
{
    if (leaf == 0)
        return 0;
    return value->ends[leaf - 1];
}

// Returns how many letters follow the length of a text.
size_t pack_letters(const unsigned char *length);

// Reads whole numbers; false, without a report, if it is none, or larger than `most`.
bool pack_read_unsigned(const json_node *node, uint64_t most, uint64_t *number);
bool pack_read_double(const json_node *node, uint64_t *bits);
bool pack_read_handle(const json_node *node, uint64_t *handle);

// Reads a string or {"hex":"…"}. False, without a report, if it is neither.
bool pack_read_bytes(arena *arena, const json_node *node, const char **bytes, size_t *size);

// Checks all contexts against each other, and sorts their entities. False after reporting what is wrong.
bool pack_check(packing *packing);

// Writes the file. Returns the exit status.
int pack_write(packing *packing, const char *path);

#endif

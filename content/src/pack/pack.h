// pack: compiled content as one file: its structs, its writer, and a reader that refuses damage
//
//   YAML → compiler → kin__pack → kin__pack_write → bytes → kin__pack_read → kin__pack → loader
//
// A pack knows no context. Its names are those that saves have, so that a later program reads it by the same rules.
// What was renamed has its first name; NAME has those that prefabs, parts, levels and instances have now.
// Prefabs say only what they add to their bases. After a read, texts and values are in the bytes of the file, which
// must live as long as the pack.
//
//   file    89 4B 49 4E 0D 0A 1A 0A | HEAD | SHAP | PREF | LEVL | VALS | DONE
//   block   kind[4] size:u32 sum:u64 payload[size]      the sum is that of blocks of saves
//
// Numbers of HEAD and sums are little-endian. All other numbers are varints: seven bits a byte, the lowest first, in as
// few bytes as possible. A text is its size, its bytes, and a NUL.
//
//   HEAD     format:u16 what:u16 (3) version:u32 content:u64 package:text writer:text
//   SHAP     contexts × { name, components × { name, leaves × { path, type:u8, elements, names × text } } }
//   PREF     parts × path, keys × { context, writes × { part, component, leaf << 1 | append } }, prefabs × prefab
//   prefab   name doc context kind:u8 base+1 | parts × { path, of+1 } | added × { path, component }
//            | gone parts × path | gone components × { path, component }
//            | knobs × { name, targets × { path, component, field } } | keys+1 values
//   LEVL     levels × { name context, runs × { prefab+1, level, keys+1, flags:u8, instances × instance } }
//   instance [name] values, or a 0 if it would have no byte
//   VALS     values × { context, component, keys+1, values }
//   NAME     renames × { of:u8 owner path name }, a block that is missing if there are none
//   DONE     nothing
//
//   values   of a number its bytes, little-endian; an enum is the index of its name; a string is a text; a list has its
//            length first; a reference is 0, or 1 and a part, or 2, an instance and a part
//
// Invariants of a pack that kin__pack_read returned:
//   1. every index is less than the count of its table
//   2. the base of a prefab and the prefabs of its parts come before it; so do the levels in a level before that level
//   3. names of one table ascend and are distinct; so do the parts and keys of writes
//   4. values are exactly those that their keys announce
//   5. renames ascend by what they are of, owner and path
#ifndef KIN_SRC_CONTENT_PACK_H
#define KIN_SRC_CONTENT_PACK_H

#include "base/base.h"

#include <kin/error.h>
#include <kin/info.h>

#include <stddef.h>
#include <stdint.h>

enum {
    KIN__PACK_FORMAT = 1,
    KIN__PACK_WHAT = 3,                 // in HEAD: not a save, nor a recording
    KIN__PACK_PART_LIMIT = 4096,        // entities of a prefab
    KIN__PACK_DEPTH_LIMIT = 64,         // levels of bases, of parts, and of levels in levels
    KIN__PACK_INSTANCE_LIMIT = 1 << 20, // instances of a level, with those of the levels in it
    KIN__PACK_IS_LIST = 128,            // of the type of a leaf
    KIN__PACK_IS_NAMED = 1              // of the flags of a run
};

#define KIN__PACK_NONE UINT32_MAX

// ---- what a pack says

// A number, string, enum or handle in a component. `path` has the identities of its fields, joined by dots: "at.x".
typedef struct kin__pack_leaf {
    const char *path;
    kin_type type;
    bool is_list;             // the field of the component is a list
    uint32_t elements;        // of each value, or of each element of a list; 1 if it is in no array
    const char *const *names; // of an enum: those of its values; of a handle: its context, or none
    uint32_t name_count;
} kin__pack_leaf;

// Those leaves of a component that some key names.
typedef struct kin__pack_component {
    const char *name;
    const kin__pack_leaf *leaves; // in order of their paths
    uint32_t leaf_count;
} kin__pack_component;

typedef struct kin__pack_context {
    const char *name;
    const kin__pack_component *components; // in order of their names
    uint32_t component_count;
} kin__pack_context;

// Which leaf a value is for. `part` is "" for the first entity of a prefab.
typedef struct kin__pack_key {
    const char *part;
    uint32_t component; // of the context of the prefab
    uint32_t leaf;
    bool is_append; // of a list: the elements follow those of the base
} kin__pack_key;

// The keys of several values, which many instances share. They ascend by part, component and leaf.
typedef struct kin__pack_keys {
    uint32_t context;
    const kin__pack_key *keys;
    uint32_t count;
} kin__pack_keys;

// Values, in the order of their keys.
typedef struct kin__pack_writes {
    uint32_t keys; // index in `keys` of the pack, or KIN__PACK_NONE: no values
    const unsigned char *values;
    uint32_t size; // bytes
} kin__pack_writes;

// A new part of a prefab.
typedef struct kin__pack_part {
    const char *path; // "head.flag", whose parent is "head"
    uint32_t of;      // index in `prefabs`, or KIN__PACK_NONE: an entity without components
} kin__pack_part;

typedef struct kin__pack_component_at {
    const char *part;
    uint32_t component;
} kin__pack_component_at;

// What a knob sets: a component, or a field of it, which may be a struct.
typedef struct kin__pack_target {
    const char *part;
    uint32_t component;
    const char *field; // identities joined by dots; "": the component
} kin__pack_target;

typedef struct kin__pack_knob {
    const char *name;
    const kin__pack_target *targets; // of one type
    uint32_t target_count;
} kin__pack_knob;

typedef enum kin__pack_kind {
    KIN__PACK_PREFAB,
    KIN__PACK_BLUEPRINT // of the schema; its writes are the values of `blueprints`
} kin__pack_kind;

// A prefab, without what it has of its base.
typedef struct kin__pack_prefab {
    const char *name;
    const char *doc; // "" without one
    uint32_t context;
    kin__pack_kind kind;
    uint32_t base;               // index in `prefabs`, or KIN__PACK_NONE
    const kin__pack_part *parts; // in the order in which they are spawned, each after its parent
    uint32_t part_count;
    const kin__pack_component_at *added;
    uint32_t added_count;
    const char *const *gone_parts; // of `without`; what is below them is gone too
    uint32_t gone_part_count;
    const kin__pack_component_at *gone;
    uint32_t gone_count;
    const kin__pack_knob *knobs; // in order of their names; those of the base are valid too
    uint32_t knob_count;
    kin__pack_writes writes;
} kin__pack_prefab;

typedef struct kin__pack_instance {
    const char *name; // NULL: the run has no names
    const unsigned char *values;
    uint32_t size; // bytes
} kin__pack_instance;

// Instances of one prefab that set the same leaves, in the order of the file; or a level.
typedef struct kin__pack_run {
    uint32_t prefab; // KIN__PACK_NONE: one instance of a level
    uint32_t level;  // of a level: its index, else 0
    uint32_t keys;   // or KIN__PACK_NONE; of a level: the leaves to which its values are added in each of its instances
    bool is_named;
    const kin__pack_instance *instances;
    uint32_t count;
} kin__pack_run;

typedef struct kin__pack_level {
    const char *name;
    uint32_t context;
    const kin__pack_run *runs;
    uint32_t run_count;
    uint32_t instance_count; // with those of the levels in it
} kin__pack_level;

// A unique component with values. The part of each of its keys is "".
typedef struct kin__pack_unique {
    uint32_t context, component;
    kin__pack_writes writes;
} kin__pack_unique;

typedef enum kin__pack_named {
    KIN__PACK_NAMED_PREFAB,
    KIN__PACK_NAMED_PART,
    KIN__PACK_NAMED_LEVEL,
    KIN__PACK_NAMED_INSTANCE,
    KIN__PACK_NAMED_COUNT
} kin__pack_named;

// The name of something that has another one in the tables.
typedef struct kin__pack_rename {
    kin__pack_named of;
    uint32_t owner;   // index of a prefab, or of a level
    const char *path; // a part or an instance, as the tables have it; else ""
    const char *name; // now; of a part: the last name of its path
} kin__pack_rename;

typedef struct kin__pack_block kin__pack_block;

typedef struct kin__pack {
    const char *package;
    uint32_t version; // of the schema
    uint64_t content; // hash of all that the pack says: Content.version
    const kin__pack_context *contexts;
    uint32_t context_count;
    const kin__pack_keys *keys;
    uint32_t keys_count;
    const kin__pack_prefab *prefabs; // each after its base and the prefabs of its parts
    uint32_t prefab_count;
    const kin__pack_level *levels; // each after the levels in it
    uint32_t level_count;
    const kin__pack_unique *uniques; // by context and component
    uint32_t unique_count;
    const kin__pack_rename *renames;
    uint32_t rename_count;
    kin__memory *memory; // of what was read
    kin__pack_block *blocks;
} kin__pack;

// Returns the name that something has now: `name`, which is its name in the tables, if it was not renamed.
const char *kin__pack_name_now(const kin__pack *pack, kin__pack_named of, uint32_t owner, const char *path,
                               const char *name);

// ---- bytes

// Bytes that grow. When out of memory, `is_short` is set, and nothing more is appended.
typedef struct kin__pack_bytes {
    kin__memory *memory;
    unsigned char *at;
    size_t size, capacity;
    bool is_short;
} kin__pack_bytes;

void kin__pack_append(kin__pack_bytes *bytes, const void *from, size_t size);
void kin__pack_append_number(kin__pack_bytes *bytes, uint64_t number); // a varint
void kin__pack_append_text(kin__pack_bytes *bytes, const char *text, size_t size);
void kin__pack_append_little(kin__pack_bytes *bytes, uint64_t number, size_t width);
void kin__pack_bytes_release(kin__pack_bytes *bytes);

// Appends the file. Equal packs make equal bytes. Sets `content` of the pack. False when out of memory.
bool kin__pack_write(kin__pack *pack, kin__pack_bytes *bytes);

// ---- reading

// Why a pack was refused.
typedef struct kin__pack_fault {
    kin_status status;
    char text[320]; // "block 2 (PREF) at byte 97: its checksum does not match [K1303]"
} kin__pack_fault;

// Reads a pack. `memory` and `bytes` must live as long as the pack. False, with a fault and nothing to release, if it
// is damaged, newer, or when out of memory. Memory is in proportion to `size`, whatever the counts claim.
bool kin__pack_read(kin__pack *pack, kin__memory *memory, const void *bytes, size_t size, kin__pack_fault *fault);

// Releases what a read allocated.
void kin__pack_release(kin__pack *pack);

// Returns `count` elements, all zero, that live as long as the pack; NULL when out of memory.
void *kin__pack_take(kin__pack *pack, size_t count, size_t size);

// ---- values

// The values of a kin__pack_writes or an instance, one after the other. They were checked by the read.
typedef struct kin__pack_cursor {
    const unsigned char *at, *end;
    bool is_short; // the bytes ended too early, or are wrong
} kin__pack_cursor;

// One element of a value.
typedef struct kin__pack_element {
    uint64_t bits;    // of a number, with zeros above its width; of an enum: the index of its name
    const char *text; // of a string; of a reference: the path of the instance, NULL for a part of the own prefab
    const char *part; // of a reference: the path of the part; NULL: no entity
    uint32_t size;    // bytes of the text, without the NUL
} kin__pack_element;

static inline kin__pack_cursor kin__pack_cursor_of(const unsigned char *values, uint32_t size)
{
    KIN_ASSERT(values != NULL || size == 0);
    return (kin__pack_cursor){values, size == 0 ? values : values + size, false};
}

uint64_t kin__pack_next_number(kin__pack_cursor *cursor);
const char *kin__pack_next_text(kin__pack_cursor *cursor, uint32_t *size);

// Returns how many elements the next value has.
uint32_t kin__pack_next_count(kin__pack_cursor *cursor, const kin__pack_leaf *leaf);
kin__pack_element kin__pack_next_element(kin__pack_cursor *cursor, const kin__pack_leaf *leaf);

// Passes over the next value. False if it is wrong.
bool kin__pack_skip_value(kin__pack_cursor *cursor, const kin__pack_leaf *leaf);

// Returns the bytes of a number of the type; 0 for others.
uint32_t kin__pack_width(kin_type type);

static inline const kin__pack_leaf *kin__pack_leaf_of(const kin__pack *pack, uint32_t context, const kin__pack_key *key)
{
    return &pack->contexts[context].components[key->component].leaves[key->leaf];
}

// ---- what the writer and the reader share

enum {
    KIN__PACK_BLOCK_HEAD = 16,      // bytes of a block before its payload
    KIN__PACK_BLOCK_LIMIT = 1 << 26 // bytes of a payload
};

static const unsigned char kin__pack_magic[8] = {0x89, 'K', 'I', 'N', '\r', '\n', 0x1a, '\n'};

// Returns the sum of a block, as that of blocks of saves.
static inline uint64_t kin__pack_block_sum(const char *kind, uint32_t size, uint32_t number, const void *payload)
{
    unsigned char numbers[8];
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__little_write_32(numbers, size);
    kin__little_write_32(numbers + 4, number);
    kin__xxh64_add(&hash, kind, 4);
    kin__xxh64_add(&hash, numbers, sizeof numbers);
    if (size > 0)
        kin__xxh64_add(&hash, payload, size);
    return kin__xxh64_end(&hash);
}

#endif

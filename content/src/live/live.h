// live: the content of a context: prefabs, spawns by name, levels and reloads
//
// Cycle: build.c and values.c. Values of a prefab name its nodes, which have values.
// Cycle: content.c, face.c, level.c and reload.c. A content reloads its levels, and its face ends it.
//
//   pack → generation → kin_prefab_make → spawns and levels
//            prefabs      nodes with components and values, as three-way reloads compare them
//
// A generation is all that one pack says, in one arena: the bytes of the pack, and prefabs for every blueprint of the
// schema and every prefab of the pack. Entities have the hashes of their names in Origin, so no table of instances is
// kept. Older generations are kept as long as a restore may bring their Content.version back.
//
// Invariants:
//   1. the prefabs of a generation come after their bases; those of blueprints are the first, in order of their numbers
//   2. the nodes of a prefab are depth first; the components of a node ascend
//   3. strings and lists in values are in the arena of a generation that is kept
#ifndef KIN_SRC_CONTENT_LIVE_H
#define KIN_SRC_CONTENT_LIVE_H

#include "entity/entity.h"
#include "pack/pack.h"

#include <kin/content.h>
#include <kin/reflect.h>

#include <stdbool.h>
#include <stddef.h>

// ---- arenas

typedef struct kin__arena_block kin__arena_block;

typedef struct kin__arena {
    kin__memory *memory;
    kin__arena_block *blocks;
    bool is_short; // memory was missing
} kin__arena;

// Returns zeroed bytes; NULL when out of memory.
void *kin__arena_take(kin__arena *arena, size_t size);
void *kin__arena_copy(kin__arena *arena, const void *bytes, size_t size);

// Returns a list with room for one more element than `count`: the list itself, or a copy of at least twice the
// capacity. NULL when out of memory, with nothing changed.
void *kin__arena_grow(kin__arena *arena, void *list, uint32_t count, uint32_t *capacity, size_t size);

void kin__arena_release(kin__arena *arena);

// ---- leaves

enum { KIN__LEAF_DIMENSIONS = 8 };

// A number, string, enum or handle in a component, or such in each element of an array or a list. Without `field` it is
// the whole component.
typedef struct kin__live_leaf {
    kin_component_id component;
    const kin_field_info *field; // the innermost
    const kin_field_info *list;  // the list that the leaf is in; NULL: none
    size_t list_offset;          // of the list in the component
    size_t offset;               // in the component, or in an element of the list
    uint32_t dimensions;         // arrays that the leaf is in
    uint32_t counts[KIN__LEAF_DIMENSIONS];
    size_t strides[KIN__LEAF_DIMENSIONS];
    uint32_t elements; // the product of the counts
} kin__live_leaf;

// Finds a field of the component by a path of names or identities: "at.x". False if there is none. The field may be a
// struct.
bool kin__leaf_find(const kin_context_info *info, kin_component_id id, const char *path, kin__live_leaf *leaf);

// Returns the place of an element: `base` is the component, or an element of its list.
char *kin__leaf_place(const kin__live_leaf *leaf, char *base, uint32_t element);

// ---- prefabs

typedef struct kin__live_node {
    const char *path; // first names, as packs have them; "" for the first
    const char *name; // the path of the names now
    uint32_t hash;    // that of the path; 0 for the first
    uint32_t of;      // the blueprint whose slots it uses; UINT32_MAX: none
    uint32_t relation;
    struct kin__live_node *parent; // NULL for the first
    uint32_t number;               // in the prefab
    kin_component_id *ids;
    void **values; // NULL for a flag
    uint32_t count;
} kin__live_node;

typedef struct kin__live_link {
    kin__live_node *holder, *target;
    kin_component_id id;
    size_t offset;
} kin__live_link;

typedef struct kin__live_knob {
    const char *name;
    const char *const *paths; // "head.Gun.interval"
    uint32_t count;
} kin__live_knob;

typedef struct kin__live_prefab {
    const char *name; // now
    uint32_t hash;    // that of its first name
    bool is_blueprint;
    kin__live_node **nodes;
    uint32_t count;
    kin__live_link *links; // in order of their holders
    uint32_t link_count;
    const kin__live_knob *knobs;
    uint32_t knob_count;
    kin_prefab_info tables;
    const void **values; // for kin_prefab_make
    kin_prefab number;   // in the context
} kin__live_prefab;

// The name of a place: "valley/houses.door".
typedef struct kin__live_name {
    uint32_t place;
    const char *name;
} kin__live_name;

// A prefab by the hash of its name.
typedef struct kin__live_hashed {
    uint32_t hash;
    uint32_t index;
} kin__live_hashed;

typedef struct kin__generation {
    kin__arena arena;
    kin__pack pack;
    const unsigned char *bytes;
    size_t size;
    uint64_t version;
    kin__live_prefab *prefabs;
    uint32_t prefab_count;
    const kin__live_prefab *spawned; // by name last, as most programs spawn the same one again and again; NULL: none
    kin__live_hashed *hashed;        // the prefabs, by hash
    uint32_t *of_pack;               // by index in the pack: the index in `prefabs`
    uint32_t context;                // in the pack; KIN__PACK_NONE: it says nothing about this one
    kin_component_id *components;    // by component of that context: the id
    kin__live_name *names;           // of all named places, by hash; NULL: no tool has asked for one
    uint32_t name_count;
    struct kin__instances *listed; // by level: its instances; NULL: no tool has asked for any
    struct kin__generation *older;
} kin__generation;

// What libkin-content-edit adds to a content that it watches.
typedef struct kin__editing {
    kin_content_face face;
    kin_status (*poll)(kin_content *content);
    void (*release)(kin_content *content);
} kin__editing;

struct kin_content {
    kin_context *context;
    const kin_context_info *info;
    kin_content_options options;
    kin__memory memory;
    char *path; // NULL: opened from bytes
    size_t path_size;
    kin__generation *now; // the newest first
    kin_component_id origin, unique;
    kin_content_state state;
    bool has_failed; // the last pack or file was refused
    char error[320];
    const kin__editing *editing; // NULL: no folder is watched
    void *watcher;
    bool is_reporting; // on_reload is called
};

typedef struct kin__live_origin {
    uint32_t prefab, place, part;
} kin__live_origin;

// FNV-1a, as generated code has it; never 0.
uint32_t kin__name_hash(const char *name);
static const uint32_t kin__name_begin = 2166136261u; // the hash of no text
uint32_t kin__name_hash_more(uint32_t hash, const char *text);
uint32_t kin__name_hash_bytes(uint32_t hash, const char *bytes, size_t size);

// Ends the hash of a name, which is never 0.
static inline uint32_t kin__name_hash_end(uint32_t hash)
{
    return hash == 0 ? 1 : hash;
}

// Returns the hash of a path of parts, as Origin.part has it: 0 for the first entity, whose path is empty.
static inline uint32_t kin__part_hash(const char *path)
{
    return path[0] == '\0' ? 0 : kin__name_hash(path);
}

// Why something was refused.
typedef struct kin__why {
    kin_status status;
    char text[320];
} kin__why;

bool kin__refuse(kin__why *why, kin_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool kin__refuse_memory(kin__why *why);

// Reports to the context, and returns the status. `entity` may be 0.
kin_status kin__why_report(const kin_context *context, const char *verb, kin_entity entity, const kin__why *why);

// Reads a pack and makes its prefabs; does not touch the context. NULL after setting `why`.
kin__generation *kin__generation_make(kin_content *content, const void *bytes, size_t size, kin__why *why);
void kin__generation_release(kin_content *content, kin__generation *generation);

// A handle that content names.
typedef struct kin__override {
    uint32_t node;
    kin_component_id id;
    size_t offset;
    const char *instance; // NULL: a part of the own prefab
    const char *part;     // NULL: no entity
} kin__override;

typedef struct kin__overrides {
    kin__override *all;
    uint32_t count, capacity;
} kin__overrides;

// One value of a list of keys: where it is in the pack, and where in this program.
typedef struct kin__value_step {
    const kin__pack_leaf *from;
    kin__live_leaf to;
    uint32_t node;
    uint32_t part;   // of the component, among those of all nodes of the prefab
    uint32_t copied; // bytes that are the same in the pack, of this and the following keys; 0: it is converted
    bool is_append;
    bool is_first; // of the leaves of one list
} kin__value_step;

typedef struct kin__value_steps {
    const kin__value_step *all;
    uint32_t count;
} kin__value_steps;

// Resolves keys for a prefab. KIN__PACK_NONE: no steps. The steps are in `arena`. False with `why` if they do not fit.
bool kin__value_steps_make(const kin_content *content, const kin__generation *generation,
                           const kin__live_prefab *prefab, uint32_t keys, kin__arena *arena, kin__value_steps *steps,
                           kin__why *why);

// Return the place of a node's first component, or of another one, among those of all nodes of the prefab; and how many
// these are.
uint32_t kin__live_part_count(const kin__live_prefab *prefab);
uint32_t kin__first_part_of(const kin__live_prefab *prefab, const kin__live_node *node);
uint32_t kin__part_of(const kin__live_prefab *prefab, const kin__live_node *node, kin_component_id id);

// Returns a step for a component as a whole.
kin__value_step kin__value_step_of(const kin__live_prefab *prefab, uint32_t node, kin_component_id id);

// Returns where the component of a step is written, which has its value of before; NULL: the step is passed over.
typedef void *kin__value_place(void *data, const kin__value_step *step);

// Places all values in `data`, which is the component.
void *kin__place_in_value(void *data, const kin__value_step *step);

// Whether numbers are in memory as packs have them.
bool kin__is_little(void);

// Where values go.
typedef struct kin__value_target {
    kin__value_place *place;
    void *data;
    kin__overrides *overrides; // collects the references, whose fields are set to no entity
    kin__arena *arena;         // for elements of lists and overrides
} kin__value_target;

// Reads the values of steps. False with `why`.
bool kin__values_apply(const kin__value_steps *steps, const unsigned char *values, uint32_t size,
                       const kin__value_target *target, kin__why *why);

// Find a prefab by its name, or by the hash of its first one; NULL, or UINT32_MAX for an index, if there is none.
const kin__live_prefab *kin__generation_find(const kin__generation *generation, const char *name);
const kin__live_prefab *kin__generation_find_hash(const kin__generation *generation, uint32_t hash);
uint32_t kin__generation_index(const kin__generation *generation, uint32_t hash);

// Find a node by its path, or by that of the names now; NULL if there is none.
kin__live_node *kin__live_prefab_find(const kin__live_prefab *prefab, const char *path);
kin__live_node *kin__live_prefab_find_named(const kin__live_prefab *prefab, const char *name);

// Finds a node by the hash of its path; NULL if there is none.
static inline const kin__live_node *kin__live_prefab_find_hash(const kin__live_prefab *prefab, uint32_t hash)
{
    for (uint32_t i = 0; i < prefab->count; i++)
        if (prefab->nodes[i]->hash == hash)
            return prefab->nodes[i];
    return NULL;
}

// Whether a node is another one or below it.
bool kin__live_node_is_within(const kin__live_node *node, const kin__live_node *above);

// Returns the place of a component's value in a node; NULL if the node lacks it.
void **kin__node_value(const kin__live_node *node, kin_component_id id);

// Returns the bytes of the largest component.
size_t kin__largest_value(const kin_context_info *info);

// Returns where an entity comes from; NULL: from no content. Valid until the entity changes.
static inline const kin__live_origin *kin__origin_of(const kin_content *content, kin_entity entity)
{
    return kin_get(content->context, entity, content->origin);
}

// Whether an entity is the first one of an instance of a level. `origin` may be NULL.
static inline bool kin__is_placed_first(const kin__live_origin *origin)
{
    return origin != NULL && origin->place != 0 && origin->part == 0;
}

// Reports to the context of a content, and returns the status.
kin_status kin__content_refuse(const kin_content *content, const char *verb, const kin__why *why);

// Makes the prefabs and values of a generation those of the context. False when out of memory, with nothing changed.
bool kin__generation_install(kin_content *content, kin__generation *generation, kin__why *why);

// Makes the prefabs of the blueprints alone, in the arena of the generation.
bool kin__generation_make_schema(kin_content *content, kin__generation *generation, kin__why *why);

// Makes an entity with a unique component. 0 after a report, with nothing changed.
kin_entity kin__content_make_carrier(kin_content *content, kin_component_id id, const void *value);

// Sets Content.version. Errors are reported.
kin_status kin__content_set_version(kin_content *content, uint64_t version);

// Return what a generation gives a unique component, and the present content one that the entity carries. NULL: none.
const kin__pack_unique *kin__generation_unique(const kin__generation *generation, kin_component_id id);
const kin__pack_unique *kin__unique_find(const kin_content *content, kin_component_id id, kin_entity entity);

// Writes what the pack says of a unique component into a value.
bool kin__unique_apply(kin_content *content, kin__generation *generation, const kin__pack_unique *unique, void *value,
                       kin__why *why);

// What tools ask of a content that is not watched.
extern const kin_content_face kin__content_face;
void kin__content_end(void *content); // the context is being destroyed, with its prefabs

// Keeps why nothing is applied, reports it, and calls on_reload.
kin_status kin__content_report_load(kin_content *content, const kin__why *why);

// Whether the context may be changed as a whole: no update, no listener.
bool kin__content_may_change(const kin_context *context);

// The same for a content: on_reload is not under way either.
bool kin__content_may_load(const kin_content *content);

// Find the entity of a place and a part; and the part of a prefab below an entity. 0: none.
kin_entity kin__find_place(const kin_content *content, uint32_t place, uint32_t part);
kin_entity kin__find_part_of(const kin_content *content, kin_entity above, uint32_t prefab, uint32_t part);

// Whether values of keys of both packs mean the same if their bytes are equal.
bool kin__keys_are_same(const kin__generation *from, const kin__generation *to, uint32_t old, uint32_t now);

// Whether both packs say the same of a level. Recursive along levels in levels, which packs limit.
bool kin__level_is_same(const kin__generation *from, const kin__generation *to, const kin__pack_level *old,
                        const kin__pack_level *now);

// Applies the step between two generations to living entities. False when out of memory, which it reports: what is
// missing is applied by the same call again.
bool kin__reload_apply(kin_content *content, kin__generation *from, kin__generation *to);

// A level, and the levels that it is in: what to add to places, and what references begin with.
typedef struct kin__outer {
    const char *path; // "valley/" or "valley/houses."
    uint32_t hash;    // of the path
    uint32_t keys;    // of `said`: what is added to the place; KIN__PACK_NONE: nothing
    const kin__pack_instance *said;
    const struct kin__outer *above;
} kin__outer;

// What instances that stand together have in common.
typedef struct kin__instance_run {
    const kin__live_prefab *prefab;
    const kin__pack_run *said;
    const kin__outer *outer; // the levels that it is in
    kin__arena *arena;       // of the list
    kin__value_steps steps;
    const char **shifts; // components that have what the outer levels add to the place, the inner one first
    uint32_t shift_count;
    bool is_resolved; // steps and shifts are set
} kin__instance_run;

// An instance of a level, also of a level in it.
typedef struct kin__instance {
    kin__instance_run *run;
    const kin__pack_instance *said;
    uint32_t place; // for Origin
} kin__instance;

typedef struct kin__instances {
    kin__arena arena;
    kin__instance *all; // in order
    uint32_t count;
} kin__instances;

// Whether the instances of a run are listed. Runs that set the same fields of one prefab have one answer.
typedef bool kin__run_filter(const void *data, const kin__pack_run *run);

// Lists the instances of a level; without a filter, all. False when out of memory; release its arena in any case.
bool kin__instances_list(kin_content *content, const kin__generation *generation, const kin__pack_level *level,
                         kin__run_filter *filter, const void *data, kin__instances *list);

// Returns the instances of a level of the present content by its number. They are listed once, and stay until another
// content is loaded. NULL when out of memory.
const kin__instances *kin__level_instances(kin_content *content, uint32_t level);
void kin__level_instances_forget(kin__generation *generation);

// Returns the place of an instance with a name. Never 0.
uint32_t kin__place_of(const kin__outer *outer, const char *name);

// Finds the fields that the instances of a run set, once. False with `why`.
bool kin__instance_run_resolve(const kin_content *content, const kin__generation *generation, kin__instance_run *run,
                               kin__why *why);

// Writes the values that an instance of a resolved run has by its content over those of its prefab. False with `why`.
bool kin__instance_write(const kin_content *content, const kin__instance *instance, const kin__value_target *target,
                         kin__why *why);

// Finds a level by its first name, as packs have it; NULL if there is none.
const kin__pack_level *kin__level_find(const kin__generation *generation, const char *name);

// Returns the name that a level has now.
const char *kin__level_name(const kin__pack *pack, uint32_t level);

// Finds a level by the name that it has now; NULL if there is none.
const kin__pack_level *kin__level_find_named(const kin__generation *generation, const char *name);

// Returns the hash of a path such as "valley/houses.door", of the names now, as Origin.place has it; 0: there is none.
uint32_t kin__level_place(const kin__generation *generation, const char *path);

// Places instances, which are checked first, or none. `entities` receives the first entity of each; NULL: not wanted.
kin_status kin__instances_place(kin_content *content, const kin__generation *generation, const kin__instance *all,
                                uint32_t count, const char *verb);

// Visits the leaves of fields: numbers, strings, enums, handles, and lists as a whole.
typedef void kin__leaf_visit(void *data, const kin_field_info *field, size_t offset, size_t size);
void kin__leaves_visit(const kin_field_info *fields, uint32_t count, size_t offset, kin__leaf_visit *visit, void *data);

// Returns the first entity of the prefab that an entity is a part of; 0 if it does not live.
kin_entity kin__first_of(const kin_content *content, kin_entity entity, kin__live_origin origin);

// Whether two leaves are equal: numbers by bits, strings and lists by contents.
bool kin__leaf_is_equal(const kin_field_info *field, size_t size, const void *a, const void *b);

#endif

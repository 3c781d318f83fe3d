// edit: watches content files in a running game, and writes changes of entities back into them
//
//   files → the compiler of kin → pack → kin_content_load
//   live entity, and what the content gives it → differences → text of a file
//
// A watcher belongs to its content, and ends with it. Compiling has an arena of its own, which ends with the call, and
// is left by longjmp when memory is missing.
//
// Cycle: watch.c and save.c. The face of a watched content saves, and saving compiles.
//
// Invariants:
//   1. the files of a watcher are those of the pack that was applied last
//   2. errors are those of the last compile, and none if that was applied
#ifndef KIN_SRC_CONTENT_EDIT_H
#define KIN_SRC_CONTENT_EDIT_H

#include "generator/content/content.h"
#include "live/live.h"

#include <kin/content_edit.h>

#include <setjmp.h>

// ---- changes.c: which files have changed

typedef struct kin__changes kin__changes;

// NULL when out of memory.
kin__changes *kin__changes_begin(kin__memory *memory, const char *folder, bool walks);
void kin__changes_end(kin__changes *changes);

// Returns whether anything may have changed since the last call that returned true.
bool kin__changes_look(kin__changes *changes);

// Makes the next call of kin__changes_look return true.
void kin__changes_repeat(kin__changes *changes);

// Looks at the folders below the folder, before the files are read.
void kin__changes_follow(kin__changes *changes);

// Looks at a file elsewhere, which was read or is missing.
void kin__changes_add(kin__changes *changes, const char *path);

// ---- watch.c

typedef struct kin__strings {
    char **all;
    uint32_t count;
} kin__strings;

typedef struct kin__watcher {
    kin_content *content;
    kin__changes *changes;
    char *folder;
    const kin_context_info **contexts;
    uint32_t context_count;
    bool is_quiet;
    kin__editing editing;
    kin__strings files;
    char *errors, *errors_json; // NULL: none
} kin__watcher;

// One compile. The arena is left when memory is missing.
typedef struct kin__compile {
    arena arena;
    diagnostics diagnostics;
    compiler *compiler;
    kin__pack *pack; // NULL: there are errors
} kin__compile;

// Calls `work`, and returns whether memory sufficed. What `work` has allocated in arenas is released by the caller.
bool kin__with_memory(void (*work)(void *data), void *data);

// Makes an arena give up as kin__with_memory expects.
void kin__compile_arena(arena *arena);

// Reads the files, with `overlay` in place of one of them; NULL: as they are.
void kin__compile_files(kin__watcher *watcher, kin__compile *compile, const source_overlay *overlay);

// ---- difference.c

typedef struct kin__difference {
    kin_entity entity;
    const kin__live_node *node;
    kin_component_id id;
    const char *field;   // names joined by dots
    const char *given;   // YAML
    const char *value;   // NULL: files cannot have it
    const char *why;     // it is not saved; NULL: it is
    bool is_place;       // where an instance stands
    size_t offset, size; // of the leaf in the component
    const char *bytes;   // that the content gives; valid as long as the differences
    struct kin__difference *next;
} kin__difference;

// What the differences are for: the instance of the entity, its prefab, or a new prefab, which is compared with the
// prefab whatever the instance says.
typedef enum kin__target { KIN__TO_INSTANCE, KIN__TO_PREFAB, KIN__TO_NEW_PREFAB } kin__target;

typedef struct kin__differences {
    kin_content *content;
    arena *arena;
    kin__arena values;
    const kin__live_prefab *prefab; // NULL: the entity only has unique components that `values` give
    const kin__pack_level *level;   // in which the instance is said; NULL: none
    uint32_t instance;              // its index there
    bool is_moved;                  // the places of outer levels are added to its own
    bool has_places;                // also where the first entity stands is listed, which is not saved
    kin__target target;
    kin__difference *first;
    kin__difference **end;
    uint32_t count;
} kin__differences;

// Returns the name that the level of the instance has now.
static inline const char *kin__differences_level(const kin__differences *list)
{
    const kin__pack *pack = &list->content->now->pack;
    return kin__level_name(pack, (uint32_t)(list->level - pack->levels));
}

// Lists what the entity, and the parts of its prefab below it, have different. False with `why`.
bool kin__differences_list(kin__differences *list, kin_entity entity, kin__why *why);
void kin__differences_release(kin__differences *list);

// ---- save.c

kin_status kin__content_differ(void *content, kin_entity entity, kin_content_visit *visit, void *user,
                               const char **level);
kin_status kin__content_save(void *content, kin_entity entity, kin_content_saving *asked);
kin_status kin__content_revert(void *content, kin_entity entity, uint32_t *written);

#endif

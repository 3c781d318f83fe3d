// writing: writes snapshots as files
//
//   HEAD META SHAP   the names of everything in the file (file/file.h)
//   CTXT … LINK      the blocks of each context (snapshot/snapshot.h), in the order of their names
//   SYST             the state of the systems of a world
//   DONE             the number of blocks before it:u32, the hash of the snapshot:u64
//
// Nothing here writes to the snapshot or uses the allocator of its context, as another thread may use the context.
//
// Invariants:
//   1. equal states are written as equal bytes: contexts, names and systems are in an order that no memory decides
//   2. what the reader of the same program refuses is refused here, where the message can name the value (FIL-07); both
//      ask kin__leaf_allows, kin__leaf_has_room and kin__clock_is_finite
//   3. after a fault nothing more is written
//   4. the hash in DONE is that of kin_snapshot_hash
#ifndef KIN_SRC_SAVE_WRITING_H
#define KIN_SRC_SAVE_WRITING_H

#include "file/file.h"
#include "world/world.h"

// ---- parts

// Makes the parts of a snapshot. False, with a fault noted, when out of memory, for a snapshot that is empty, and for
// that of a world of which a context has ended. Release them in any case.
bool kin__written_parts_make(kin__written_parts *parts, const kin_snapshot *snapshot, kin__fault *fault);
void kin__written_parts_release(kin__written_parts *parts);

// Writes a moment: the blocks of a snapshot from the first CTXT to DONE, as saves and recordings have them. `parts` are
// those of the snapshot.
void kin__moment_write(kin__block_writer *writer, const kin_snapshot *snapshot, const kin__written_parts *parts);

// ---- links

// LINK has the order of the holders of targets, which is not in their fields. There is one block for each relation and
// chunk in which a target has several holders.
//
//   LINK   context:u32, chunk:u32 of the targets, component:u32, leaf:u16, targets:u32 × target
//   target slot:u32, holders:u32 × slot:u32, in order
//
// The component and its leaf are those of the relation's field. Targets are in ascending slot. These blocks follow the
// other blocks of their context, by component, leaf and chunk.

// The holders of the targets of one relation in one chunk. All zero before the first relation, except the part and the
// number of its context.
typedef struct kin__link_block {
    const kin__context_snapshot *part;
    uint32_t context, component, leaf, chunk;
    uint32_t image; // the number of the images of its links
    uint32_t next_leaf;
} kin__link_block;

// Moves to the next relation of the context. False after the last one.
bool kin__link_block_next(kin__link_block *links, const kin__shape *shape);

// Appends the payload; a chunk without such targets has none.
void kin__link_block_write(kin__block_writer *writer, const kin__link_block *links);

// Writes the blocks LINK of one context, which has this number in the file.
void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context);

// ---- systems

// Blocks SYST have the state of the systems of a world. First comes the root, whose path is empty, then the others in
// the order in which they run.
//
//   SYST   path:text ("simulation/physics/Move"), then the bytes that world.h describes

// Where the bytes of systems go to.
typedef struct kin__systems_writer {
    kin__block_writer *writer;
    const kin__written_parts *parts;
    kin__encoder *encoder; // appends to the payload of the writer
    void (*add_pair)(uint64_t path_hash, uint64_t content_hash, void *user);
    void *user;
} kin__systems_writer;

// Writes all systems of the snapshot, which may have none.
void kin__systems_write(const kin__systems_writer *to, const kin_snapshot *snapshot);

// ---- checks

// The content of a block is checked after it was encoded and before it is written. Cost: nothing for leaves whose
// values are all valid, such as numbers; a bool or a handle is looked at once.

// Checks a block whose content begins at `begin` of the payload and ends with it. False, with a fault noted, if it
// cannot be read.
bool kin__block_check(const kin__block_writer *writer, const kin__block *block, size_t begin);

// Checks a block SYST, from its path on, which begins at `begin` of the payload and ends with it. False, with a fault
// noted, if it cannot be read.
bool kin__system_check(const kin__block_writer *writer, const kin__written_parts *parts, size_t begin);

// ---- keys

// Only one entity may have a key of a primary index. A key with a NaN or a NULL string does not count, as no look-up
// can find it.

// Finds two entities of a part with one key of an index, and sets `twice` to them, or to 0 and 0. The heap is released
// afterwards. False, with a fault noted, when out of memory.
bool kin__key_find_twice(const kin__context_snapshot *part, const kin_index_info *index, kin__heap *heap,
                         kin_entity twice[2]);

// Checks the keys that functions give: a value that was edited in place may have another key than the index has. False,
// with a fault noted that names both entities, if two have one key.
bool kin__written_keys_check(const kin__context_snapshot *part, kin__fault *fault);

#endif

/// Frames: what differs between two snapshots of a world, in bytes, for other processes that show the same world. For
/// tools and other engines: sessions (kin/net.h) make and apply them. They are in libkin-net, which needs libkin-save.
///
/// A frame says how one zone of a world differs between two snapshots. Against no snapshot it is a full frame, against
/// the last one it continues a stream, against the one that a peer has acknowledged it is a datagram:
///
///     arena_world_save(world, &ring[number % 64]);
///     kin_view view = {.zone = 7, .epoch = 1, .number = number, .base = number - 1};
///     kin_frame_make(ring[(number - 1) % 64], ring[number % 64], &view, sink);
///
/// The other process applies it to a snapshot of its own, and restores that with KIN_RESTORE_NOTIFY:
///
///     kin_frame_apply(&snapshot, source);
///
/// What a frame has is what the schema replicates: kin_frames_use tells it to the contexts, which sessions do too. A
/// replica's entities have the handles of the host.
#ifndef KIN_FRAME_H
#define KIN_FRAME_H

#include <kin/save.h>

KIN_BEGIN_DECLARATIONS

struct kin__net_info;

/// Tells contexts what of them replicates: the table of their package, `PACKAGE_net_` in PACKAGE_net.h. It stays until
/// the contexts end. Contexts without `replicate: true` ignore it. KIN_ERROR_INVALID for NULL.
KIN_API kin_status kin_frames_use(kin_context *const *contexts, uint32_t count, const struct kin__net_info *table);

/// What a frame shows, and where it stands in its stream.
typedef struct kin_view {
    int32_t zone;     ///< the entities of this zone
    bool has_no_zone; ///< instead, the entities without a zone, which every replica sees
    uint64_t epoch;   ///< of the host; frames of an earlier epoch are refused
    uint64_t number;  ///< of the second snapshot, at least 1
    uint64_t base;    ///< of the first snapshot; 0 without one
    bool is_owner;    ///< only the components with `replicate: owner` of the entities that `peer` owns
    uint32_t peer;    ///< whose entities these are
    bool has_hash;    ///< with a hash of all that the view shows
    bool is_last;     ///< no other frame has this number
} kin_view;

/// Writes what differs between two snapshots of one world, or of one context, in a view. `base` is NULL for a full
/// frame. The snapshots do not change, so that another thread may make frames of them. Equal snapshots and views give
/// equal bytes on every machine.
///
/// KIN_ERROR_INVALID for NULL, for a number 0, for a base that does not fit `view->base`, and for snapshots of
/// different schemas or without their contexts; KIN_ERROR_NO_MEMORY; KIN_ERROR_STREAM when the sink fails. The sink is called once. Cost: visits the blocks that the snapshots do not
/// share; with a hash, all of the zone.
KIN_API kin_status kin_frame_make(const kin_snapshot *base, const kin_snapshot *now, const kin_view *view,
                                  kin_sink sink);

/// Applies frames to a snapshot: all that the source has, one after the other, of one epoch and number. First
/// everything that goes is taken out, then everything that comes is put in, so that an entity may change zones.
///
/// `*snapshot` is a snapshot of the replica's world, or of a context of it: it says where the entities are to live.
/// The first frame of a zone is a full one; with the first frame of all, the contexts that replicate begin empty. The
/// snapshot remembers which zones it has, of which number; a save into it forgets that. All frames are applied or none.
///
/// KIN_ERROR_INVALID for NULL, and for a frame whose base is not what the snapshot has: wait for the one before, or ask
/// for a full one. KIN_ERROR_SHAPE for a frame of another schema. KIN_ERROR_CORRUPT for bytes that no host makes.
/// KIN_ERROR_DIFFERS if the hash of a frame is not that of the result: ask for a full one. KIN_ERROR_LIMIT for more
/// entities than `max_entities`. KIN_ERROR_NO_MEMORY. The message names the zone. Cost: that of what changes, and of
/// the blocks in which it does.
KIN_API kin_status kin_frame_apply(kin_snapshot **snapshot, kin_source frames);

/// Takes a zone out of a snapshot: it is not followed any longer. Only `zone` and `has_no_zone` of the view count.
/// Nothing happens if the snapshot does not have it. Errors: those of kin_frame_apply.
KIN_API kin_status kin_frame_drop(kin_snapshot *snapshot, const kin_view *view);

/// What the head of a frame says.
typedef struct kin_frame_info {
    kin_view view;
    size_t size; ///< bytes of the frame
} kin_frame_info;

/// Reads the head of a frame from bytes; false if they are no frame, or damaged. Cost: the sum of its bytes.
KIN_API bool kin_frame_look(const void *bytes, size_t size, kin_frame_info *info);

/// Returns the number of the last frame of a view that a snapshot has, and its epoch in `*epoch` unless that is NULL; 0
/// if it has none. Of the view count `zone`, `has_no_zone` and `is_owner`.
KIN_API uint64_t kin_frame_number(const kin_snapshot *snapshot, const kin_view *view, uint64_t *epoch);

KIN_END_DECLARATIONS

#endif

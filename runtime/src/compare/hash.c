// The hash of a snapshot: XXH64 of pairs of hashes. Each pair is the hash of an identity, such as "game" or
// "game.Position", and the hash of the content of a block (encode/block.h). The slots and columns of all contexts come
// first, then the other blocks.
//
// An image caches the hash of its block, so it is hashed once, however many snapshots share it.
#include "compare/hash.h"

#include "base/base.h"
#include "store/store.h"
#include "shape/identity.h"
#include "snapshot/snapshot.h"

#include <string.h>

static bool add_bytes(const void *bytes, size_t size, void *user)
{
    kin__xxh64_add(user, bytes, size);
    return true;
}

// ---- blocks

static uint64_t compute_hash(const kin__block *block)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, add_bytes, &hash);
    if (kin__block_hashes_chunk(block->kind))
        kin__encode_32(&encoder, block->chunk);
    kin__block_encode_content(&encoder, block);
    kin__encoder_flush(&encoder);
    return kin__xxh64_end(&hash);
}

uint64_t kin__block_hash(const kin__block *block)
{
    if (block->image == NULL)
        return compute_hash(block);
    if (block->image->hash == 0)
        block->image->hash = compute_hash(block);
    return block->image->hash;
}

// One of the two passes over all blocks.
typedef struct pass {
    kin__xxh64 *hash;
    bool is_first; // slots and columns
} pass;

static bool add_block(const kin__block *block, void *user)
{
    const pass *pass = user;
    bool is_of_first = block->kind == KIN__BLOCK_SLOTS || block->kind == KIN__BLOCK_COLUMN;
    bool has_component = kin__block_is_of_component(block->kind);
    unsigned char pair[16];
    if (is_of_first != pass->is_first)
        return true;
    kin__little_write_64(pair, has_component ? block->shape->components[block->component].hash : block->shape->hash);
    kin__little_write_64(pair + 8, kin__block_hash(block));
    kin__xxh64_add(pass->hash, pair, sizeof pair);
    return true;
}

// ---- snapshots

// Returns the part that follows `previous` in order of context identities; the first part after NULL.
static const kin__context_snapshot *next_part(const kin_snapshot *snapshot, const kin__context_snapshot *previous)
{
    const kin__context_snapshot *next = NULL;
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        const kin__context_snapshot *part = snapshot->parts[i];
        if (part == NULL)
            continue;
        const char *identity = kin__context_identity(part->info);
        if (previous != NULL && strcmp(identity, kin__context_identity(previous->info)) <= 0)
            continue;
        if (next == NULL || strcmp(identity, kin__context_identity(next->info)) < 0)
            next = part;
    }
    return next;
}

static void add_parts(const kin_snapshot *snapshot, kin__xxh64 *hash, bool is_first)
{
    pass pass = {hash, is_first};
    for (const kin__context_snapshot *part = next_part(snapshot, NULL); part != NULL;
         part = next_part(snapshot, part)) {
        kin__blocks blocks = {.part = part, .shape = part->context->core->shape};
        kin__blocks_visit(&blocks, add_block, &pass);
    }
}

// Makes the shapes of all contexts. Contexts keep them, as shapes never change. Returns a context that has no memory
// for its shape, or NULL.
static kin_context *make_shapes(const kin_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        kin_context *context = snapshot->parts[i] == NULL ? NULL : snapshot->parts[i]->context;
        if (context == NULL || context->core->shape != NULL)
            continue;
        context->core->shape = kin__shape_make(&context->core->snapshot_memory, context->info);
        if (context->core->shape == NULL)
            return context;
    }
    return NULL;
}

static bool hash_all(kin_snapshot *snapshot, uint64_t *result, uint64_t *systems)
{
    kin__xxh64 hash = kin__xxh64_begin(0), of_systems = kin__xxh64_begin(0);
    add_parts(snapshot, &hash, true);
    add_parts(snapshot, &hash, false);
    if (snapshot->systems_functions != NULL &&
        !snapshot->systems_functions->add_to_hash(snapshot, &hash, systems == NULL ? NULL : &of_systems))
        return false;
    *result = kin__xxh64_end(&hash);
    if (systems != NULL)
        *systems = kin__xxh64_end(&of_systems);
    return true;
}

bool kin__snapshot_hash(kin_snapshot *snapshot, uint64_t *hash, uint64_t *systems)
{
    return make_shapes(snapshot) == NULL && hash_all(snapshot, hash, systems);
}

uint64_t kin_snapshot_hash(kin_snapshot *snapshot)
{
    static const kin__attempt attempt = {.verb = "hash a snapshot"};
    uint64_t hash = 0;
    if (snapshot == NULL)
        return 0;
    const kin_context *refused = make_shapes(snapshot);
    if (refused != NULL)
        kin__report_error(refused, KIN_ERROR_NO_MEMORY, &attempt);
    else if (!hash_all(snapshot, &hash, NULL))
        kin__report_error_to(NULL, KIN_ERROR_NO_MEMORY, &attempt, snapshot->memory.refused);
    return hash;
}

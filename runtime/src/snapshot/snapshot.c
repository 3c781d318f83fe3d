#include "snapshot/snapshot.h"

#include <kin/generated/blueprint.h>
#include <kin/generated/storage.h>

#include <string.h>

// ---- parts

kin__context_snapshot *kin__snapshot_part(const kin_snapshot *snapshot, const kin_context_info *info)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        if (snapshot->parts[i] != NULL &&
            (snapshot->parts[i]->info == info || strcmp(snapshot->parts[i]->info->name, info->name) == 0))
            return snapshot->parts[i];
    return NULL;
}

uint32_t kin_snapshot_count(const kin_snapshot *snapshot, const kin_context_info *context)
{
    const kin__context_snapshot *part = snapshot == NULL ? NULL : kin__snapshot_part(snapshot, context);
    return part == NULL || part->info->stamp != context->stamp ? 0 : kin__part_count(part);
}

uint32_t kin_snapshot_slot_count(const kin_snapshot *snapshot, const kin_context_info *context)
{
    const kin__context_snapshot *part = snapshot == NULL ? NULL : kin__snapshot_part(snapshot, context);
    return part == NULL || part->info->stamp != context->stamp ? 0 : kin__part_slot_count(part);
}

static void release_parts(kin_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        kin__part_release(snapshot->parts[i]);
}

// Makes a snapshot with room for `part_count` parts. NULL when out of memory.
static kin_snapshot *make(kin__memory *memory, uint32_t part_count)
{
    kin__memory own = kin__memory_of(memory->allocator);
    kin_snapshot *made = kin__allocate_zero(&own, sizeof *made);
    if (made == NULL) {
        kin__memory_note_refusal(memory, own.refused);
        return NULL;
    }
    made->parts = kin__allocate_zero(&own, (part_count + 1) * sizeof *made->parts);
    if (made->parts == NULL) {
        kin__memory_note_refusal(memory, own.refused);
        kin__release(&own, made, sizeof *made);
        return NULL;
    }
    made->part_capacity = part_count;
    made->memory = own;
    if (memory->whole != NULL)
        kin__memory_join(&made->memory, memory);
    return made;
}

static void release(kin_snapshot *snapshot)
{
    kin__memory_leave(&snapshot->memory);
    kin__memory own = snapshot->memory;
    kin__release(&own, snapshot->systems, snapshot->systems_capacity);
    kin__release(&own, snapshot->parts, (snapshot->part_capacity + 1) * sizeof *snapshot->parts);
    kin__release(&own, snapshot, sizeof *snapshot);
}

static void release_leaves(kin_snapshot *snapshot)
{
    kin__memory memory = kin__memory_of(snapshot->memory.allocator);
    memory.allocated = snapshot->leaves_size;
    kin__release(&memory, snapshot->leaves, snapshot->leaves_size);
}

void kin_snapshot_destroy(kin_snapshot *snapshot)
{
    if (snapshot == NULL)
        return;
    release_parts(snapshot);
    release_leaves(snapshot);
    release(snapshot);
}

bool kin__snapshot_put(kin_snapshot **snapshot, kin__memory *memory, kin__context_snapshot *const *parts,
                       uint32_t part_count)
{
    kin_snapshot *former = *snapshot, *now = former;
    if (former == NULL || former->part_capacity < part_count ||
        former->memory.whole != (memory->whole == NULL ? NULL : memory)) {
        now = make(memory, part_count);
        if (now == NULL)
            return false;
        kin_snapshot_destroy(former);
    } else {
        release_parts(former);
    }
    now->part_count = part_count;
    now->systems_size = 0;
    for (uint32_t i = 0; i < part_count; i++) {
        now->parts[i] = parts[i];
        parts[i]->home = &now->parts[i];
        parts[i]->shell = memory->whole == NULL ? NULL : &now->memory;
    }
    *snapshot = now;
    return true;
}

// ---- contexts

kin_status kin__context_save(kin_context *context, kin_snapshot **snapshot)
{
    kin__attempt attempt = {.verb = "save the context"};
    kin_status status = kin__context_may_save(context, attempt.verb);
    if (status != KIN_OK)
        return status;
    if (snapshot == NULL) {
        attempt.reason = "the address for the snapshot is NULL; pass that of a variable, which is NULL at first";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    kin__context_snapshot *part = kin__part_save(context, true);
    if (part == NULL || !kin__snapshot_put(snapshot, &context->core->snapshot_memory, &part, 1)) {
        kin__part_release(part);
        return kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
    }
    if (!part->counts.is_held_outside)
        return KIN_OK;
    attempt.reason = "it was saved, but a collector holds a destroyed entity, whose slot will be free after a restore; "
                     "clear collectors before saving";
    return kin__report_error(context, KIN_ERROR_RETAINED, &attempt);
}

kin_status kin__context_restore(kin_context *context, const kin_snapshot *snapshot, kin_restore_mode mode)
{
    kin__attempt attempt = {.verb = "restore the context"};
    kin_status status = kin__context_may_save(context, attempt.verb);
    if (status != KIN_OK)
        return status;
    if (snapshot == NULL || (mode != KIN_RESTORE_EXACTLY && mode != KIN_RESTORE_ANEW)) {
        attempt.reason =
            snapshot == NULL ? "the snapshot is NULL; save it first" : "the mode is unknown; use a value of its enum";
        return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    }
    const kin__context_snapshot *part = kin__snapshot_part(snapshot, context->info);
    status = kin__restore_check(context, part, attempt.verb);
    if (status != KIN_OK)
        return status;
    if (!kin__restore_reserve(context, part))
        return kin__report_error(context, KIN_ERROR_NO_MEMORY, &attempt);
    kin__restore_commit(context, part);
    kin__restore_settle(context, part);
    if (mode == KIN_RESTORE_ANEW)
        kin__restore_anew(context);
    kin__restore_tell(context);
    return KIN_OK;
}

bool kin__context_can_save(const kin_context *context)
{
    bool is_running = context->core->runs != NULL && *context->core->runs > 0;
    return !is_running && !kin__context_is_in_use(context) && kin__collectors_are_idle(context);
}

kin_status kin__context_may_save(const kin_context *context, const char *verb)
{
    kin__attempt attempt = {.verb = verb};
    if (kin__context_can_save(context))
        return KIN_OK;
    attempt.reason = "its listener, filter, system or error handler is being called; call this after it returns";
    return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}

// ---- blocks

// Puts an image of a block into the part: its last image if the block still equals that. False when out of memory.
static bool save_block(kin_context *context, kin__context_snapshot *part, uint32_t chunk, uint32_t number,
                       bool is_as_it_was)
{
    kin__image *image = kin__store_last(context->core->store, chunk, number);
    if (image != NULL && (is_as_it_was || kin__image_equals(context, chunk, image))) {
        image->references++;
    } else {
        image = kin__image_make(context, chunk, number);
        if (image == NULL)
            return false;
        kin__store_set_last(context, chunk, number, image);
    }
    kin__part_put(part, chunk, image);
    return true;
}

static bool save_columns(kin_context *context, kin__context_snapshot *part, uint32_t chunk)
{
    const uint64_t *present = kin__chunk_present(context->chunks[chunk], context->row_words);
    for (uint32_t word = 0; word < context->row_words; word++)
        for (uint64_t bits = present[word]; bits != 0; bits &= bits - 1) {
            uint32_t id = word * 64 + kin__lowest_bit(bits);
            if (kin__block_exists(context, chunk, id) && !save_block(context, part, chunk, id, false))
                return false;
        }
    return true;
}

static bool save_chunk(kin_context *context, kin__context_snapshot *part, uint32_t chunk, bool heads_stand)
{
    const kin_context_info *info = context->info;
    ((uint32_t *)part->chunk_pools.at)[chunk] = kin__pool_number(context, context->chunks[chunk]->pool);
    if (!save_columns(context, part, chunk) || !save_block(context, part, chunk, kin__head_number(info), heads_stand))
        return false;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        uint32_t number = kin__links_number(info, i);
        if (kin__block_exists(context, chunk, number) && !save_block(context, part, chunk, number, false))
            return false;
    }
    return true;
}

static bool save_chunks(kin_context *context, kin__context_snapshot *part, uint32_t chunk_count)
{
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < chunk_count; chunk++)
        if (!save_chunk(context, part, chunk, heads_stand))
            return false;
    kin__store_forget_heads(context, chunk_count);
    kin__store_note_heads(context);
    return true;
}

// ---- state outside blocks

static void save_counts(const kin_context *context, kin__context_snapshot *part)
{
    const kin__slots *slots = &context->core->slots;
    part->pools[0] = context->pool;
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        part->pools[i + 1] = context->blueprints[i].pool;
    part->counts.next_creation_index = context->next_creation_index;
    part->counts.first_creation_index = context->core->options.first_creation_index;
    part->counts.created_before = slots->created_before;
    part->counts.deaths = slots->deaths;
    part->counts.assigned_chunks = slots->assigned_chunks;
    part->counts.pending = slots->pending;
    part->counts.is_held_outside = kin__held_from_outside(context) != 0;
}

static bool save_holds(kin_context *context, kin__context_snapshot *part)
{
    size_t owners = kin__owners_saved_count(context) * sizeof(kin__saved_owner);
    size_t held = kin__held_saved_count(context) * sizeof(kin_entity);
    if (!kin__bytes_reserve(context, &part->owners, owners) || !kin__bytes_reserve(context, &part->held, held))
        return false;
    if (owners > 0)
        kin__owners_save(context, part->owners.at);
    if (held > 0)
        kin__held_save(context, part->held.at);
    part->owners.size = owners;
    part->held.size = held;
    return true;
}

static size_t kept_lists_size(const kin_context *context, const kin__bytes *keepsakes, size_t size)
{
    size_t lists = 0, at = 0;
    for (kin__keepsake *each; (each = kin__keepsake_next(context, keepsakes->at, size, &at)) != NULL;)
        if (kin__is_owned(context, each->id))
            lists += kin__lists_size(&context->info->components[each->id], kin__keepsake_value(each));
    return lists;
}

static void pin_keepsakes(const kin_context *context, kin__context_snapshot *part)
{
    char *elements = part->kept_lists.at;
    size_t at = 0;
    for (kin__keepsake *each;
         (each = kin__keepsake_next(context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;) {
        if (kin__is_shared(context, each->id))
            kin__shared_image_pin(*(void *const *)kin__keepsake_value(each));
        else
            kin__owned_block_pin(each->owned_block);
        if (kin__is_owned(context, each->id))
            elements = kin__lists_detach(&context->info->components[each->id], kin__keepsake_value(each), elements);
    }
}

// Room to pin the shared values must be reserved.
static bool save_keepsakes(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    size_t size = kin__keepsakes_size(context, is_alone);
    if (!kin__bytes_reserve(context, &part->keepsakes, size))
        return false;
    if (size > 0)
        kin__keepsakes_save(context, is_alone, part->keepsakes.at);
    size_t lists = kept_lists_size(context, &part->keepsakes, size);
    if (!kin__bytes_reserve(context, &part->kept_lists, lists))
        return false;
    part->keepsakes.size = size;
    part->kept_lists.size = lists;
    pin_keepsakes(context, part);
    return true;
}

static bool save_keys(kin_context *context, kin__context_snapshot *part)
{
    size_t size = kin__given_keys_saved_size(context);
    if (!kin__bytes_reserve(context, &part->keys, size))
        return false;
    if (size > 0)
        kin__given_keys_save(context, part->keys.at);
    part->keys.size = size;
    return true;
}

// Reserves room to pin all shared values, and returns how many numbers they have in `*count`. False when out of memory.
static bool reserve_shared(kin_context *context, uint32_t *count)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (!kin__is_shared(context, id))
            continue;
        *count += kin__shared_limit(context, id);
        if (!kin__shared_images_reserve(context, id))
            return false;
    }
    return true;
}

// Saves the values of a component by their numbers, and returns the end.
static const void **save_numbers(const kin_context *context, kin__context_snapshot *part, kin_component_id id,
                                 const void **values)
{
    part->limits[id] = kin__is_shared(context, id) ? kin__shared_limit(context, id) : 0;
    if (part->limits[id] > 0)
        kin__shared_numbers_save(context, id, values);
    for (uint32_t i = 0; i < part->limits[id]; i++)
        if (values[i] != NULL)
            kin__shared_image_pin(values[i]);
    return values + part->limits[id];
}

static bool save_shared(kin_context *context, kin__context_snapshot *part)
{
    uint32_t count = 0;
    if (part->limits == NULL)
        return true;
    if (!reserve_shared(context, &count) || !kin__part_reserve_shared(part, count))
        return false;
    const void **values = part->shared.at;
    kin__part_append_shared(part, count);
    for (uint32_t id = 0; count > 0 && id < context->info->component_count; id++)
        values = save_numbers(context, part, (kin_component_id)id, values);
    return true;
}

static uint32_t note_use(uint32_t *first_uses, const void *value, uint32_t use)
{
    uint32_t *first_use = &first_uses[kin__shared_number_of(value)];
    if (*first_use != KIN__SHARED_FREE)
        return 0;
    *first_use = use;
    return 1;
}

// Notes the first entity of each value of a component, and returns how many of `count` values no entity has. Ends with
// the last value that is found: mostly in the first chunks.
static uint32_t note_entities(const kin__context_snapshot *part, kin_component_id id, uint32_t *first_uses,
                              uint32_t count)
{
    for (uint32_t chunk = 0; count > 0 && chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t word = 0; count > 0 && image != NULL && word < KIN__CHUNK_WORDS; word++)
            for (uint64_t bits = kin__image_has(image)[word]; bits != 0; bits &= bits - 1) {
                uint32_t place = word * 64 + kin__lowest_bit(bits);
                count -= note_use(first_uses, kin__image_value(part->info, image, place, NULL),
                                  chunk * KIN__CHUNK_SLOTS + place);
            }
    }
    return count;
}

static void note_keepsakes(const kin__context_snapshot *part, kin_component_id id, uint32_t *first_uses)
{
    size_t at = 0;
    for (kin__keepsake *each;
         (each = kin__keepsake_next(part->context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;)
        if (each->id == id)
            note_use(first_uses, *(void *const *)kin__keepsake_value(each), KIN__SHARED_KEPT | each->slot);
}

// Values are numbered, and visited, in an order that depends on all changes so far; files and hashes have it by the
// first use of each value.
static void note_first_uses(kin__context_snapshot *part)
{
    uint32_t *first_uses = part->first_uses.at;
    const void *const *values = part->shared.at;
    for (uint32_t id = 0; part->shared.size > 0 && id < part->info->component_count; id++) {
        uint32_t limit = part->limits[id], count = 0;
        for (uint32_t i = 0; i < limit; i++) {
            first_uses[i] = KIN__SHARED_FREE;
            count += values[i] != NULL;
        }
        if (note_entities(part, (kin_component_id)id, first_uses, count) > 0)
            note_keepsakes(part, (kin_component_id)id, first_uses);
        first_uses += limit;
        values += limit;
    }
}

// ---- the whole part

// Returns whether a slot of a chunk without a pool is held. All its entities are dead.
static bool is_any_held(const kin__chunk *chunk)
{
    uint32_t any = 0;
    for (uint32_t place = 0; chunk->holders != NULL && place < KIN__CHUNK_SLOTS; place++)
        any |= chunk->holders[place];
    return any != 0;
}

// Chunks without a pool may contain slots of dead entities that have been held since before a reset. The chunks after
// the last of these are no part of the state: they remain from entities that another history had.
static uint32_t count_chunks(const kin_context *context)
{
    const kin__slots *slots = &context->core->slots;
    uint32_t count = slots->pending > 0 ? context->chunk_count : slots->assigned_chunks;
    while (count > slots->assigned_chunks && !is_any_held(context->chunks[count - 1]))
        count--;
    return count;
}

kin__context_snapshot *kin__part_save(kin_context *context, bool is_alone)
{
    uint32_t chunk_count = count_chunks(context);
    KIN_ASSERT(context->depth == 0);
    if (!kin__store_reserve(context, chunk_count))
        return NULL;
    kin__context_snapshot *part = kin__part_take(context);
    if (part == NULL)
        return NULL;
    if (kin__part_reserve(part, chunk_count) && save_chunks(context, part, chunk_count) && save_holds(context, part) &&
        save_shared(context, part) && save_keepsakes(context, part, is_alone) && save_keys(context, part)) {
        save_counts(context, part);
        note_first_uses(part);
        return part;
    }
    kin__part_release(part);
    return NULL;
}

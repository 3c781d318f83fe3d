#include "recording/recording.h"

#include "reading/reading.h"
#include "snapshot/snapshot.h"

#include <string.h>

// ---- CTXT and SLOT: encoded and read again

// Bytes in the heap of a reading, which grow.
typedef struct bytes {
    kin__heap *heap;
    unsigned char *at;
    size_t size, capacity;
} bytes;

static bool append(const void *from, size_t size, void *user)
{
    bytes *bytes = user;
    if (bytes->size + size > bytes->capacity) {
        size_t capacity = 2 * (bytes->size + size);
        unsigned char *larger = kin__heap_take(bytes->heap, capacity, 1);
        if (larger == NULL)
            return false;
        if (bytes->size > 0)
            memcpy(larger, bytes->at, bytes->size);
        bytes->at = larger;
        bytes->capacity = capacity;
    }
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
    return true;
}

static kin__decoder decoder_of(const bytes *bytes)
{
    return (kin__decoder){.at = bytes->at, .end = bytes->at + bytes->size};
}

bool kin__share_context(kin__reading *reading, const kin__context_snapshot *present)
{
    bytes bytes = {.heap = &reading->heap};
    KIN_ASSERT(reading->part == NULL);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, append, &bytes);
    kin__encode_context(&encoder, present);
    if (!kin__encoder_flush(&encoder))
        return false;
    kin__decoder decoder = decoder_of(&bytes);
    return kin__context_block_read(reading, &decoder);
}

static bool has_alive(const kin__image *head)
{
    return head != NULL && kin__bits_count(kin__image_alive(head), KIN__CHUNK_WORDS) > 0;
}

static bool share_chunk(kin__reading *reading, const kin__context_snapshot *present, uint32_t chunk, bytes *bytes)
{
    kin__block block = {KIN__BLOCK_SLOTS, present, reading->shape, 0, chunk, 0, NULL};
    kin__encoder encoder;
    block.image = kin__part_image(present, chunk, kin__head_number(present->info));
    if (!has_alive(block.image))
        return true;
    if (chunk >= reading->part->chunk_count)
        return kin__block_reader_fault(reading->blocks, 1307, "it leaves entities without a chunk");
    bytes->size = 0;
    kin__encoder_begin(&encoder, append, bytes);
    kin__block_encode_content(&encoder, &block);
    if (!kin__encoder_flush(&encoder))
        return false;
    kin__decoder decoder = decoder_of(bytes);
    return kin__slots_read(reading, &decoder, chunk);
}

bool kin__share_slots(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced)
{
    bytes bytes = {.heap = &reading->heap};
    KIN_ASSERT(present->chunk_count <= replaced->chunk_count);
    for (uint32_t chunk = 0; chunk < present->chunk_count; chunk++)
        if (!replaced->slots[chunk] && !share_chunk(reading, present, chunk, &bytes))
            return false;
    return true;
}

// ---- COLM

void kin__share_find_same(const kin__image *before, const kin__image *now, uint64_t same[KIN__CHUNK_WORDS])
{
    memset(same, 0, KIN__CHUNK_WORDS * sizeof *same);
    if (before == NULL || now == NULL)
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = kin__image_alive(before)[word] & kin__image_alive(now)[word]; bits != 0;
             bits &= bits - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(bits);
            if (kin__image_ids(before)[place] == kin__image_ids(now)[place])
                kin__bits_add(same, place);
        }
}

// Puts the values of the places in `has` into the part.
static bool share_places(kin__reading *reading, uint32_t chunk, kin__image *image, const uint64_t has[KIN__CHUNK_WORDS])
{
    uint64_t any = 0;
    uint64_t missing = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        any |= has[word];
        missing |= kin__image_has(image)[word] & ~has[word];
    }
    if (any == 0)
        return true;
    if (missing == 0)
        image->references++;
    else
        image = kin__column_copy(reading, image, has);
    if (image == NULL)
        return false;
    KIN_ASSERT(kin__part_image(reading->part, chunk, image->number) == NULL);
    kin__part_put(reading->part, chunk, image);
    EACH_OF_ROW(place, kin__image_has(image), KIN__CHUNK_WORDS)
    {
        kin__bits_add(kin__reading_row(reading, kin__reading_head(reading, chunk), place), image->number);
    }
    return true;
}

// Whether the recording has a component of the context.
static bool is_recorded(const kin__reading *reading, kin_component_id id)
{
    for (uint32_t i = 0; i < reading->file->component_count; i++)
        if (reading->file->components[i].now != NULL && reading->file->components[i].now->id == id)
            return true;
    return false;
}

static bool share_column(kin__reading *reading, uint32_t chunk, kin__image *image, const uint64_t *same)
{
    const kin__image *head = NULL;
    uint64_t has[KIN__CHUNK_WORDS];
    uint64_t dead = 0;
    bool is_of_recording = is_recorded(reading, (kin_component_id)image->number);
    if (chunk < reading->part->chunk_count)
        head = kin__reading_head(reading, chunk);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        has[word] = kin__image_has(image)[word];
        if (!is_of_recording)
            has[word] &= same[word];
        uint64_t alive = 0;
        if (head != NULL)
            alive = kin__image_alive(head)[word];
        dead |= has[word] & ~alive;
    }
    if (dead != 0)
        return kin__block_reader_fault(reading->blocks, 1307, "it leaves values without their entity");
    return share_places(reading, chunk, image, has);
}

bool kin__share_is_decided(const kin__reading *reading, const kin__replaced *replaced, uint32_t chunk,
                           kin_component_id id)
{
    bool has_other_slots = chunk >= replaced->chunk_count || replaced->slots[chunk];
    return has_other_slots && kin__decided_of(reading, id) != NULL;
}

bool kin__share_columns(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced)
{
    uint32_t count = replaced->component_count;
    uint32_t head = kin__head_number(present->info);
    uint64_t same[KIN__CHUNK_WORDS];
    for (uint32_t chunk = 0; chunk < present->chunk_count; chunk++) {
        kin__share_find_same(kin__part_image(present, chunk, head), kin__part_image(reading->part, chunk, head), same);
        for (uint32_t id = 0; id < count; id++) {
            kin__image *image = kin__part_image(present, chunk, id);
            if (image == NULL || replaced->columns[(size_t)chunk * count + id])
                continue;
            if (kin__share_is_decided(reading, replaced, chunk, (kin_component_id)id))
                continue;
            if (!share_column(reading, chunk, image, same))
                return false;
        }
    }
    return true;
}

// ---- KEEP

// Whether the entity that a value was stashed for is the same, and lacks the component.
static bool may_keep(const kin__reading *reading, const kin__context_snapshot *present, const kin__keepsake *keepsake)
{
    uint32_t chunk = keepsake->slot / KIN__CHUNK_SLOTS;
    uint32_t head = kin__head_number(present->info);
    uint64_t same[KIN__CHUNK_WORDS];
    if (!keepsake->is_stashed)
        return chunk < reading->part->chunk_count;
    kin__share_find_same(kin__part_image(present, chunk, head), kin__part_image(reading->part, chunk, head), same);
    const kin__image *column = kin__part_image(reading->part, chunk, keepsake->id);
    if (!kin__bits_have(same, keepsake->slot % KIN__CHUNK_SLOTS))
        return false;
    return column == NULL || !kin__bits_have(kin__image_has(column), keepsake->slot % KIN__CHUNK_SLOTS);
}

bool kin__share_kept(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced)
{
    size_t at = 0;
    for (kin__keepsake *each;
         (each = kin__keepsake_next(present->context, present->keepsakes.at, present->keepsakes.size, &at)) != NULL;) {
        size_t place = (size_t)(each->slot / KIN__CHUNK_SLOTS) * replaced->component_count + each->id;
        bool is_replaced = each->slot / KIN__CHUNK_SLOTS < replaced->chunk_count && replaced->kept[place];
        if (is_replaced || !may_keep(reading, present, each))
            continue;
        if (!kin__kept_share(reading, each))
            return false;
    }
    return true;
}

// ---- SHAR

bool kin__share_orders(kin__reading *reading, const kin__context_snapshot *present)
{
    for (uint32_t id = 0; present->shared.size > 0 && id < present->info->component_count; id++)
        if (!kin__shared_order_share(reading, present, (kin_component_id)id))
            return false;
    return true;
}

// ---- LINK

static const kin__relation_block *links_of(const kin__context_snapshot *present, uint32_t chunk, uint32_t number)
{
    const kin__image *image = kin__part_image(present, chunk, number);
    if (image == NULL)
        return NULL;
    return kin__image_links(image);
}

static bool share_target(kin__reading *reading, const kin__context_snapshot *present, kin__file_holders *holders)
{
    uint32_t image = kin__links_number(present->info, holders->relation);
    const kin__relation_block *block = links_of(present, holders->target / KIN__CHUNK_SLOTS, image);
    uint32_t node = block->nodes[KIN__CHUNK_SLOTS + holders->target % KIN__CHUNK_SLOTS].next;
    holders->slots = kin__heap_take(&reading->heap, holders->count, sizeof *holders->slots);
    for (uint32_t i = 0; holders->slots != NULL && i < holders->count; i++) {
        KIN_ASSERT(kin__is_holder_node(node));
        uint32_t holder = kin__relation_slot_of(node);
        holders->slots[i] = holder;
        node = links_of(present, holder / KIN__CHUNK_SLOTS, image)->nodes[holder % KIN__CHUNK_SLOTS].next;
    }
    return holders->slots != NULL;
}

static bool share_targets(kin__reading *reading, const kin__context_snapshot *present, uint32_t chunk,
                          uint32_t relation)
{
    const kin__relation_block *block = links_of(present, chunk, kin__links_number(present->info, relation));
    for (uint32_t place = 0; block != NULL && place < KIN__CHUNK_SLOTS; place++) {
        if (block->counts[place] < 2)
            continue;
        kin__file_holders *holders = kin__heap_take(&reading->heap, 1, sizeof *holders);
        if (holders == NULL)
            return false;
        holders->relation = relation;
        holders->target = chunk * KIN__CHUNK_SLOTS + place;
        holders->count = block->counts[place];
        if (!share_target(reading, present, holders))
            return false;
        kin__holders_append(reading, holders);
    }
    return true;
}

bool kin__share_links(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced)
{
    for (uint32_t chunk = 0; chunk < present->chunk_count; chunk++)
        for (uint32_t i = 0; i < replaced->relation_count; i++)
            if (!replaced->links[(size_t)chunk * replaced->relation_count + i] &&
                !share_targets(reading, present, chunk, i))
                return false;
    return true;
}

// ---- owners

bool kin__share_owners(kin__reading *reading, const kin__context_snapshot *present)
{
    kin__context_snapshot *part = reading->part;
    uint32_t head = kin__head_number(present->info);
    const kin__saved_owner *owners = present->owners.at;
    if (!kin__bytes_reserve(reading->context, &part->owners, present->owners.size))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for a moment; free some and try again");
    kin__saved_owner *kept = part->owners.at;
    uint32_t count = 0;
    for (uint32_t i = 0; i < kin__part_owner_count(present); i++) {
        uint32_t slot = kin_entity_slot(owners[i].entity);
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        const kin__image *now = kin__part_image(part, slot / KIN__CHUNK_SLOTS, head);
        bool is_alive = now != NULL && kin__bits_have(kin__image_alive(now), place);
        if (is_alive && kin__image_ids(now)[place] == owners[i].entity)
            kept[count++] = owners[i];
    }
    part->owners.size = count * sizeof *kept;
    return true;
}

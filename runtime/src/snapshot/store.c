#include "snapshot/snapshot.h"

#include <kin/generated/blueprint.h>

#include <string.h>

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->snapshot_memory;
}

uint32_t kin__part_count(const kin__context_snapshot *part)
{
    uint32_t count = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *head = kin__part_image(part, chunk, kin__head_number(part->info));
        count += head == NULL ? 0 : kin__bits_count(kin__image_alive(head), KIN__CHUNK_WORDS);
    }
    return count;
}

// Returns the number of slots of a chunk up to the last one whose entity is alive.
static uint32_t slots_of(const kin__image *head)
{
    uint32_t count = KIN__CHUNK_SLOTS;
    while (count > 0 && !kin__bits_have(kin__image_alive(head), count - 1))
        count--;
    return count;
}

uint32_t kin__part_slot_count(const kin__context_snapshot *part)
{
    for (uint32_t chunk = part->chunk_count; chunk-- > 0;) {
        const kin__image *head = kin__part_image(part, chunk, kin__head_number(part->info));
        uint32_t slots = head == NULL ? 0 : slots_of(head);
        if (slots > 0)
            return chunk * KIN__CHUNK_SLOTS + slots;
    }
    return 0;
}

uint32_t kin__pool_number(const kin_context *context, const kin__pool *pool)
{
    if (pool == NULL || pool == &context->pool)
        return pool == NULL ? KIN__NO_POOL : 0;
    return (uint32_t)((const kin__blueprint *)(const void *)pool - context->blueprints) + 1;
}

kin__pool *kin__pool_at(kin_context *context, uint32_t number)
{
    if (number == KIN__NO_POOL)
        return NULL;
    return number == 0 ? &context->pool : &context->blueprints[number - 1].pool;
}

// ---- shared values

kin__part_numbers kin__part_numbers_of(const kin__context_snapshot *part, kin_component_id id)
{
    size_t before = 0;
    if (part->limits == NULL || part->limits[id] == 0)
        return (kin__part_numbers){NULL, NULL, 0};
    for (uint32_t i = 0; i < id; i++)
        before += part->limits[i];
    kin__part_numbers numbers = {.values = (const void *const *)part->shared.at + before,
                                 .first_uses = (const uint32_t *)part->first_uses.at + before,
                                 .count = part->limits[id]};
    while (numbers.count > 0 && numbers.first_uses[numbers.count - 1] == KIN__SHARED_FREE)
        numbers.count--;
    return numbers;
}

bool kin__part_numbers_are_sorted(const kin__part_numbers *numbers)
{
    for (uint32_t i = 0; i < numbers->count; i++)
        if (numbers->first_uses[i] == KIN__SHARED_FREE ||
            (i > 0 && numbers->first_uses[i] < numbers->first_uses[i - 1]))
            return false;
    return true;
}

// ---- tables

bool kin__bytes_reserve(kin_context *context, kin__bytes *bytes, size_t size)
{
    if (size <= bytes->capacity)
        return true;
    size_t capacity = size < 2 * bytes->capacity ? 2 * bytes->capacity : size;
    void *at = kin__allocate(memory_of(context), capacity);
    if (at == NULL)
        return false;
    if (bytes->size > 0)
        memcpy(at, bytes->at, bytes->size);
    kin__release(memory_of(context), bytes->at, bytes->capacity);
    bytes->at = at;
    bytes->capacity = capacity;
    return true;
}

static size_t pools_size(const kin_context *context)
{
    return kin__part_pool_count(context->info) * sizeof(kin__pool);
}

static void release(kin_context *context, kin__context_snapshot *part)
{
    kin__memory *memory = memory_of(context);
    kin__bytes *const bytes[] = {&part->images,     &part->has,       &part->chunk_pools, &part->owners,
                                 &part->held,       &part->keepsakes, &part->kept_lists,  &part->shared,
                                 &part->first_uses, &part->keys};
    for (uint32_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        kin__release(memory, bytes[i]->at, bytes[i]->capacity);
    if (part->limits != NULL)
        kin__release(memory, part->limits, context->info->component_count * sizeof *part->limits);
    kin__release(memory, part->pools, pools_size(context));
    kin__release(memory, part, sizeof *part);
}

// Release the tables of spare parts; and return the size in bytes of the tables of a part.
static void parts_release_spare(kin_context *context)
{
    kin__store *store = context->core->store;
    while (store->spare_parts != NULL) {
        kin__context_snapshot *part = store->spare_parts;
        store->spare_parts = part->next;
        release(context, part);
    }
}

static size_t part_used(const kin__context_snapshot *part)
{
    return sizeof *part + part->images.size + part->has.size + part->chunk_pools.size + part->owners.size +
           part->held.size + part->keepsakes.size + part->kept_lists.size + part->shared.size + part->first_uses.size +
           part->keys.size;
}

// ---- taking and releasing

static bool has_shared(const kin_context_info *info)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        if (info->components[id].is_shared)
            return true;
    return false;
}

// Returns a part with the tables that do not grow. NULL when out of memory.
static kin__context_snapshot *make(kin_context *context)
{
    size_t limits = context->info->component_count * sizeof(uint32_t);
    kin__context_snapshot *part = kin__allocate_zero(memory_of(context), sizeof *part);
    if (part == NULL)
        return NULL;
    *part = (kin__context_snapshot){.context = context, .info = context->info};
    part->pools = kin__allocate_zero(memory_of(context), pools_size(context));
    bool is_made = part->pools != NULL;
    if (is_made && has_shared(context->info)) {
        part->limits = kin__allocate_zero(memory_of(context), limits);
        is_made = part->limits != NULL;
    }
    if (is_made)
        return part;
    release(context, part);
    return NULL;
}

kin__context_snapshot *kin__part_take(kin_context *context)
{
    kin__store *store = context->core->store;
    kin__context_snapshot *part = store->spare_parts;
    if (part != NULL)
        store->spare_parts = part->next;
    else
        part = make(context);
    if (part == NULL)
        return NULL;
    KIN_ASSERT(part->chunk_count == 0 && part->home == NULL && part->shell == NULL);
    part->previous = NULL;
    part->next = store->parts;
    if (store->parts != NULL)
        store->parts->previous = part;
    return store->parts = part;
}

static void unlink_part(kin__store *store, kin__context_snapshot *part)
{
    if (part->previous != NULL)
        part->previous->next = part->next;
    else
        store->parts = part->next;
    if (part->next != NULL)
        part->next->previous = part->previous;
    part->home = NULL;
    part->shell = NULL;
    part->next = store->spare_parts;
    store->spare_parts = part;
}

// Whether images of the block pin values.
static bool pins(const kin_context *context, uint32_t number)
{
    return number < context->info->component_count &&
           (kin__is_owned(context, (kin_component_id)number) || kin__is_shared(context, (kin_component_id)number));
}

// Values are kept for snapshots alone: when no snapshot uses an image with pins any more, it stops being the last image
// of its block.
static void let_go(kin_context *context, uint32_t chunk, kin__image *image)
{
    bool is_left = image->is_last && image->references == 2 && pins(context, image->number);
    kin__image_let_go(context, image);
    if (is_left)
        kin__store_set_last(context, chunk, image->number, NULL);
}

// Goes from the last chunk to the first, so that images are reused in the order of their addresses.
static void let_go_of_images(kin_context *context, kin__context_snapshot *part)
{
    uint32_t words = kin__part_words(part->info), numbers = kin__image_numbers(part->info);
    const uint64_t *has = part->has.at;
    kin__image *const *images = part->images.at;
    for (uint32_t chunk = part->chunk_count; chunk-- > 0;)
        for (uint32_t word = words; word-- > 0;)
            for (uint64_t bits = has[(size_t)chunk * words + word]; bits != 0; bits &= bits - 1)
                let_go(context, chunk, images[(size_t)chunk * numbers + word * 64 + kin__lowest_bit(bits)]);
    kin__part_cut(part, 0);
}

static void let_go_of_keepsakes(kin_context *context, kin__context_snapshot *part)
{
    size_t at = 0, size = part->keepsakes.size;
    part->keepsakes.size = part->kept_lists.size = 0;
    for (kin__keepsake *each; (each = kin__keepsake_next(context, part->keepsakes.at, size, &at)) != NULL;)
        if (kin__is_shared(context, each->id))
            kin__shared_image_unpin(context, each->id, *(void *const *)kin__keepsake_value(each));
        else
            kin__owned_block_unpin(context, each->owned_block);
}

static void let_go_of_shared(kin_context *context, kin__context_snapshot *part)
{
    const void *const *value = part->shared.at;
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        for (; part->limits[id] > 0; part->limits[id]--, value++)
            if (*value != NULL)
                kin__shared_image_unpin(context, (kin_component_id)id, *value);
    part->shared.size = part->first_uses.size = 0;
}

void kin__part_release(kin__context_snapshot *part)
{
    if (part == NULL)
        return;
    kin_context *context = part->context;
    let_go_of_images(context, part);
    let_go_of_keepsakes(context, part);
    let_go_of_shared(context, part);
    part->owners.size = part->held.size = 0;
    part->keys.size = 0;
    unlink_part(context->core->store, part);
}

// ---- filling

bool kin__part_reserve_shared(kin__context_snapshot *part, uint32_t count)
{
    return kin__bytes_reserve(part->context, &part->shared, kin__bytes_of(count, sizeof(void *))) &&
           kin__bytes_reserve(part->context, &part->first_uses, kin__bytes_of(count, sizeof(uint32_t)));
}

void kin__part_append_shared(kin__context_snapshot *part, uint32_t count)
{
    part->shared.size += count * sizeof(void *);
    part->first_uses.size += count * sizeof(uint32_t);
    KIN_ASSERT(part->shared.size <= part->shared.capacity && part->first_uses.size <= part->first_uses.capacity);
}

// Return the size in bytes of the pointers to images, and of the bits of images, of one chunk.
static size_t images_of_chunk(const kin__context_snapshot *part)
{
    return kin__image_numbers(part->info) * sizeof(kin__image *);
}

static size_t bits_of_chunk(const kin__context_snapshot *part)
{
    return kin__part_words(part->info) * sizeof(uint64_t);
}

static void set_chunk_count(kin__context_snapshot *part, uint32_t chunk_count)
{
    part->chunk_count = chunk_count;
    part->images.size = chunk_count * images_of_chunk(part);
    part->has.size = chunk_count * bits_of_chunk(part);
    part->chunk_pools.size = chunk_count * sizeof(uint32_t);
}

bool kin__part_reserve(kin__context_snapshot *part, uint32_t chunk_count)
{
    KIN_ASSERT(part->chunk_count == 0);
    if (!kin__bytes_reserve(part->context, &part->images, kin__bytes_of(chunk_count, images_of_chunk(part))) ||
        !kin__bytes_reserve(part->context, &part->has, kin__bytes_of(chunk_count, bits_of_chunk(part))) ||
        !kin__bytes_reserve(part->context, &part->chunk_pools, kin__bytes_of(chunk_count, sizeof(uint32_t))))
        return false;
    set_chunk_count(part, chunk_count);
    if (chunk_count > 0)
        memset(part->has.at, 0, part->has.size);
    return true;
}

void kin__part_cut(kin__context_snapshot *part, uint32_t chunk_count)
{
    KIN_ASSERT(chunk_count <= part->chunk_count);
    set_chunk_count(part, chunk_count);
}

void kin__part_put(kin__context_snapshot *part, uint32_t chunk, kin__image *image)
{
    uint32_t words = kin__part_words(part->info), numbers = kin__image_numbers(part->info);
    KIN_ASSERT(chunk < part->chunk_count && image->number < numbers);
    kin__bits_add((uint64_t *)part->has.at + (size_t)chunk * words, image->number);
    ((kin__image **)part->images.at)[(size_t)chunk * numbers + image->number] = image;
}

void kin__part_remove(kin__context_snapshot *part, uint32_t chunk, kin__image *image)
{
    KIN_ASSERT(kin__part_image(part, chunk, image->number) == image);
    kin__bits_remove((uint64_t *)part->has.at + (size_t)chunk * kin__part_words(part->info), image->number);
    kin__image_let_go(part->context, image);
}

enum { FIRST_IMAGES = 4, MOST_IMAGES = 256, MOST_BYTES = 1 << 19 };

// Images of one number, followed by their bytes.
struct kin__image_slab {
    kin__image_slab *next;
    uint32_t number, count;
    size_t size; // bytes of the slab
    kin__image images[];
};

static size_t rounded(size_t size)
{
    return (size + KIN__CACHE_LINE - 1) / KIN__CACHE_LINE * KIN__CACHE_LINE;
}

// ---- the store

// Returns the size of the largest value.
static size_t scratch_size(const kin_context_info *info)
{
    size_t size = 1;
    for (uint32_t id = 0; id < info->component_count; id++)
        size = info->components[id].size > size ? info->components[id].size : size;
    return kin__round_up(size);
}

static void release_store(kin_context *context)
{
    kin__store *store = context->core->store;
    kin__array_release(memory_of(context), &store->last, sizeof(kin__image *));
    kin__release(memory_of(context), store->spare, store->numbers * sizeof(kin__image *));
    kin__release(memory_of(context), store->slab_counts, store->numbers * sizeof(uint32_t));
    kin__release(memory_of(context), store->holders, store->numbers * sizeof(uint32_t));
    kin__release(memory_of(context), store->scratch, store->scratch_size);
    kin__release(memory_of(context), store, sizeof *store);
    context->core->store = NULL;
}

static bool make_store(kin_context *context)
{
    kin__store *store = kin__allocate_zero(memory_of(context), sizeof *store);
    context->core->store = store;
    if (store == NULL)
        return false;
    store->numbers = kin__image_numbers(context->info);
    store->spare = kin__allocate_zero(memory_of(context), store->numbers * sizeof(kin__image *));
    store->slab_counts = kin__allocate_zero(memory_of(context), store->numbers * sizeof(uint32_t));
    store->holders = kin__allocate(memory_of(context), store->numbers * sizeof(uint32_t));
    store->scratch_size = scratch_size(context->info);
    store->scratch = kin__allocate(memory_of(context), store->scratch_size);
    store->heads_at = KIN__NEVER;
    if (store->spare != NULL && store->slab_counts != NULL && store->holders != NULL && store->scratch != NULL)
        return true;
    release_store(context);
    return false;
}

bool kin__store_reserve(kin_context *context, uint32_t chunk_count)
{
    if (context->core->store == NULL && !make_store(context))
        return false;
    kin__store *store = context->core->store;
    return kin__array_reserve_pointers(memory_of(context), &store->last, chunk_count * store->numbers);
}

kin__image *kin__store_last(const kin__store *store, uint32_t chunk, uint32_t number)
{
    uint32_t at = chunk * store->numbers + number;
    return at < store->last.capacity ? ((kin__image *const *)store->last.elements)[at] : NULL;
}

void kin__store_set_last(kin_context *context, uint32_t chunk, uint32_t number, kin__image *image)
{
    kin__store *store = context->core->store;
    KIN_ASSERT(chunk * store->numbers + number < store->last.capacity);
    kin__image **last = (kin__image **)store->last.elements + chunk * store->numbers + number;
    kin__image *former = *last;
    if (former == image)
        return;
    *last = image;
    if (image != NULL) {
        KIN_ASSERT(!image->is_last && image->number == number);
        image->references++;
        image->is_last = true;
    }
    if (former != NULL) {
        former->is_last = false;
        kin__image_let_go(context, former);
    }
}

// Every change of a head changes one of these: the counts of births, deaths and changes only grow, and while they are
// unchanged, held slots can only become free.
static uint64_t heads_stamp(const kin_context *context)
{
    uint64_t stamp = kin__population_stamp(context);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        stamp += context->components[id].changes;
    return stamp;
}

bool kin__store_heads_stand(const kin_context *context)
{
    const kin__store *store = context->core->store;
    return store->heads_at == heads_stamp(context) && store->epoch == context->core->dispatch.epoch &&
           store->pending == context->core->slots.pending;
}

void kin__store_note_heads(kin_context *context)
{
    kin__store *store = context->core->store;
    store->heads_at = heads_stamp(context);
    store->epoch = context->core->dispatch.epoch;
    store->pending = context->core->slots.pending;
}

void kin__store_forget_heads(kin_context *context, uint32_t first)
{
    uint32_t head = kin__head_number(context->info);
    for (uint32_t chunk = first; chunk < context->chunk_count; chunk++)
        if (kin__store_last(context->core->store, chunk, head) != NULL)
            kin__store_set_last(context, chunk, head, NULL);
}

// ---- images

static bool append_slab(kin_context *context, uint32_t number)
{
    kin__store *store = context->core->store;
    size_t each = rounded(kin__image_size(context->info, number));
    uint32_t count = store->slab_counts[number] == 0 ? FIRST_IMAGES : 2 * store->slab_counts[number];
    while (count > 1 && (count > MOST_IMAGES || count * each > MOST_BYTES))
        count /= 2;
    size_t header = rounded(sizeof(kin__image_slab) + count * sizeof(kin__image));
    kin__image_slab *slab = kin__allocate(memory_of(context), header + count * each);
    if (slab == NULL)
        return false;
    *slab = (kin__image_slab){.next = store->slabs, .number = number, .count = count, .size = header + count * each};
    store->slabs = slab;
    store->slab_counts[number] = count;
    for (uint32_t i = count; i-- > 0;) {
        slab->images[i] = (kin__image){
            .number = number, .bytes = (unsigned char *)slab + header + i * each, .next = store->spare[number]};
        store->spare[number] = &slab->images[i];
    }
    return true;
}

kin__image *kin__store_take(kin_context *context, uint32_t number)
{
    kin__store *store = context->core->store;
    KIN_ASSERT(number < store->numbers);
    if (store->spare[number] == NULL && !append_slab(context, number))
        return NULL;
    kin__image *image = store->spare[number];
    store->spare[number] = image->next;
    KIN_ASSERT(image->references == 0 && !image->is_last);
    image->references = 1;
    image->hash = 0;
    return image;
}

void kin__store_return(kin_context *context, kin__image *image)
{
    KIN_ASSERT(image->references <= 1 && !image->is_last);
    image->references = 0;
    image->next = context->core->store->spare[image->number];
    context->core->store->spare[image->number] = image;
}

void kin__image_let_go(kin_context *context, kin__image *image)
{
    KIN_ASSERT(image->references > 0);
    if (--image->references > 0)
        return;
    KIN_ASSERT(!image->is_last);
    kin__image_unpin(context, image);
    kin__store_return(context, image);
}

bool kin__image_reserve_extra(kin_context *context, kin__image *image, size_t size)
{
    kin__memory *memory = memory_of(context);
    if (size <= image->extra_size)
        return true;
    size_t larger = size < 2 * image->extra_size ? 2 * image->extra_size : size;
    void *extra = kin__allocate(memory, larger);
    if (extra == NULL)
        return false;
    kin__release(memory, image->extra, image->extra_size);
    image->extra = extra;
    image->extra_size = larger;
    return true;
}

// ---- memory

static bool is_unused(const kin__image_slab *slab)
{
    for (uint32_t i = 0; i < slab->count; i++)
        if (slab->images[i].references > 0)
            return false;
    return true;
}

static void release_extra(kin_context *context, kin__image *image)
{
    kin__release(memory_of(context), image->extra, image->extra_size);
    image->extra = NULL;
    image->extra_size = 0;
}

// Releases slabs without used images, and rebuilds the lists of spare images from the remaining slabs.
static void trim_slabs(kin_context *context)
{
    kin__store *store = context->core->store;
    memset(store->spare, 0, store->numbers * sizeof(kin__image *));
    memset(store->slab_counts, 0, store->numbers * sizeof(uint32_t));
    for (kin__image_slab **link = &store->slabs, *slab; (slab = *link) != NULL;) {
        bool unused = is_unused(slab);
        for (uint32_t i = slab->count; i-- > 0;) {
            kin__image *image = &slab->images[i];
            if (image->references > 0)
                continue;
            release_extra(context, image);
            image->next = store->spare[slab->number];
            if (!unused)
                store->spare[slab->number] = image;
        }
        if (!unused) {
            if (store->slab_counts[slab->number] < slab->count)
                store->slab_counts[slab->number] = slab->count;
            link = &slab->next;
            continue;
        }
        *link = slab->next;
        kin__release(memory_of(context), slab, slab->size);
    }
}

// Forgets the last images: all of them, or only those that no snapshot uses.
static void forget_last(kin_context *context, bool all)
{
    kin__store *store = context->core->store;
    kin__image **last = store->last.elements;
    for (uint32_t i = 0; i < store->last.capacity; i++)
        if (last[i] != NULL && (all || last[i]->references == 1))
            kin__store_set_last(context, i / store->numbers, i % store->numbers, NULL);
    store->heads_at = KIN__NEVER;
}

void kin__store_trim(kin_context *context)
{
    kin__store *store = context->core->store;
    if (store == NULL)
        return;
    kin__shape_release(&context->core->snapshot_memory, context->core->shape);
    context->core->shape = NULL;
    forget_last(context, store->parts == NULL);
    parts_release_spare(context);
    trim_slabs(context);
    if (store->parts == NULL && store->slabs == NULL)
        release_store(context);
}

void kin__store_release(kin_context *context)
{
    kin__store *store = context->core->store;
    if (store == NULL)
        return;
    while (store->parts != NULL) {
        kin__context_snapshot *part = store->parts;
        if (part->home != NULL)
            *part->home = NULL;
        if (part->shell != NULL)
            kin__memory_leave(part->shell);
        kin__part_release(part);
    }
    kin__store_trim(context);
    KIN_ASSERT(context->core->store == NULL);
}

static size_t images_used(const kin__image_slab *slab, const kin_context_info *info)
{
    size_t used = 0;
    for (uint32_t i = 0; i < slab->count; i++) {
        const kin__image *image = &slab->images[i];
        bool is_used = image->references > (image->is_last ? 1u : 0u);
        used += is_used ? kin__image_size(info, slab->number) + image->extra_size : 0;
    }
    return used;
}

size_t kin__store_used(const kin_context *context)
{
    const kin__store *store = context->core->store;
    size_t used = 0;
    if (store == NULL)
        return 0;
    for (const kin__image_slab *slab = store->slabs; slab != NULL; slab = slab->next)
        used += images_used(slab, context->info);
    for (const kin__context_snapshot *part = store->parts; part != NULL; part = part->next)
        used += part_used(part);
    return used;
}

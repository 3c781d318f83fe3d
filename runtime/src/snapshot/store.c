#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <kin/generated/blueprint.h>

#include <string.h>

static kin__memory *memory_of(const kin_context *context)
{
    return &context->core->snapshot_memory;
}

// ---- shared values

// ---- tables

// ---- taking and releasing

// ---- filling

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
        size = kin__max_size(size, info->components[id].size);
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
    bool has_lists = store->spare != NULL && store->slab_counts != NULL;
    if (has_lists && store->holders != NULL && store->scratch != NULL)
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

bool kin__head_equals(const kin_context *context, uint32_t chunk, const kin__image *head, bool heads_stand)
{
    bool is_last = kin__store_last(context->core->store, chunk, head->number) == head;
    return (is_last && heads_stand) || kin__image_equals(context, chunk, head);
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
    kin__parts_release_spare(context);
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
        used += kin__part_used(part);
    return used;
}

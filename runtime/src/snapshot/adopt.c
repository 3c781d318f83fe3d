#include "snapshot/adopt.h"

#include "base/base.h"
#include "notify/notify.h"
#include "image/build.h"
#include "image/pin.h"
#include "image/store.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

// ---- checking

// Returns a component of the part that has opaque values with a drop; NULL if no component has.
static const kin_component_info *find_opaque(const kin__context_snapshot *part)
{
    size_t at = 0;
    for (uint32_t id = 0; id < part->info->component_count; id++)
        for (uint32_t chunk = 0; part->info->components[id].has_drops && chunk < part->chunk_count; chunk++)
            if (kin__part_image(part, chunk, id) != NULL)
                return &part->info->components[id];
    for (kin__keepsake *each;
         (each = kin__keepsake_next(part->context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;)
        if (part->info->components[each->id].has_drops)
            return &part->info->components[each->id];
    return NULL;
}

const char *kin__adopt_find_fault(const kin_context *context, const kin__context_snapshot *part,
                                  char reason[KIN__ADOPT_REASON_SIZE])
{
    const kin_component_info *opaque = find_opaque(part);
    if (part->owner_count > 0 && part->context->core->options.fast_retain != context->core->options.fast_retain)
        return "the snapshot is of another context, and only one of the two has fast_retain; give both the same "
               "options";
    if (opaque == NULL)
        return NULL;
    snprintf(reason, KIN__ADOPT_REASON_SIZE,
             "the snapshot is of another context, and opaque values of %s cannot be copied; restore it there",
             opaque->name);
    return reason;
}

// ---- blocks

static kin__image *copy_column(kin_context *context, const kin__image *image)
{
    kin__image *copy = kin__image_begin(context, (kin_component_id)image->number);
    bool copied = copy != NULL;
    for (uint32_t place = 0; copied && place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            copied = kin__image_set(context, copy, place,
                                    kin__image_value(context->info, image, place, context->core->store->scratch));
    if (copied && kin__image_end(context, copy))
        return copy;
    if (copy != NULL)
        kin__image_let_go(context, copy);
    return NULL;
}

// Returns a copy of the image. NULL when out of memory.
static kin__image *copy_image(kin_context *context, const kin__image *image)
{
    if (image->number < context->info->component_count)
        return copy_column(context, image);
    kin__image *copy = kin__store_take(context, image->number);
    if (copy != NULL)
        memcpy(copy->bytes, image->bytes, kin__image_size(context->info, image->number));
    return copy;
}

static bool copy_images(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++)
        for (uint32_t number = 0; number < kin__image_numbers(context->info); number++) {
            const kin__image *image = kin__part_image(part, chunk, number);
            kin__image *copy = image == NULL ? NULL : copy_image(context, image);
            if (copy != NULL)
                kin__part_put(own, chunk, copy);
            else if (image != NULL)
                return false;
        }
    return true;
}

// ---- state outside blocks

static bool copy_keepsake(kin_context *context, kin__keepsake *keepsake)
{
    void *value = kin__keepsake_value(keepsake);
    if (!kin__is_shared(context, keepsake->id))
        return kin__image_own(context, keepsake->id, value, &keepsake->owned_block);
    const void *shared = kin__shared_adopt(context, keepsake->id, *(void *const *)value);
    memcpy(value, &shared, sizeof shared);
    return shared != NULL;
}

// The size of `own` grows with each copied keepsake, so that releasing the part releases them.
static bool copy_keepsakes(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    size_t size = part->keepsakes.size, at = 0;
    if (!kin__bytes_reserve(context, &own->keepsakes, size) ||
        !kin__bytes_reserve(context, &own->kept_lists, part->kept_lists.size))
        return false;
    if (size > 0)
        memcpy(own->keepsakes.at, part->keepsakes.at, size);
    for (kin__keepsake *each; (each = kin__keepsake_next(context, own->keepsakes.at, size, &at)) != NULL;) {
        if (!copy_keepsake(context, each))
            return false;
        own->keepsakes.size = at;
    }
    char *elements = own->kept_lists.at;
    own->kept_lists.size = part->kept_lists.size;
    for (at = 0; at < size;) {
        kin__keepsake *each = kin__keepsake_next(context, own->keepsakes.at, size, &at);
        if (kin__is_owned(context, each->id))
            elements = kin__lists_detach(&context->info->components[each->id], kin__keepsake_value(each), elements);
    }
    return true;
}

static bool copy_shared(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    const void *const *value = part->shared.elements;
    if (!kin__part_reserve_shared(own, part->shared_count))
        return false;
    if (part->shared_count > 0)
        memcpy(own->first_uses.elements, part->first_uses.elements, part->shared_count * sizeof(uint32_t));
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        for (uint32_t i = 0; i < part->limits[id]; i++, value++) {
            const void *copy = *value == NULL ? NULL : kin__shared_adopt(context, (kin_component_id)id, *value);
            if (copy == NULL && *value != NULL)
                return false;
            ((const void **)own->shared.elements)[own->shared_count++] = copy;
            own->limits[id]++;
        }
    return true;
}

static bool copy_tables(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    kin__memory *memory = &context->core->snapshot_memory;
    if (!kin__array_reserve(memory, &own->owners, part->owner_count, sizeof(kin__saved_owner)) ||
        !kin__array_reserve(memory, &own->held, part->held_count, sizeof(kin_entity)) ||
        !kin__bytes_reserve(context, &own->keys, part->keys.size))
        return false;
    if (part->owner_count > 0)
        memcpy(own->owners.elements, part->owners.elements, part->owner_count * sizeof(kin__saved_owner));
    if (part->held_count > 0)
        memcpy(own->held.elements, part->held.elements, part->held_count * sizeof(kin_entity));
    if (part->keys.size > 0)
        memcpy(own->keys.at, part->keys.at, part->keys.size);
    if (part->chunk_count > 0)
        memcpy(own->chunk_pools.elements, part->chunk_pools.elements, part->chunk_count * sizeof(uint32_t));
    memcpy(own->pools, part->pools, kin__part_pool_count(context->info) * sizeof(kin__pool));
    own->owner_count = part->owner_count;
    own->held_count = part->held_count;
    own->keys.size = part->keys.size;
    own->next_creation_index = part->next_creation_index;
    own->first_creation_index = part->first_creation_index;
    own->created_before = part->created_before;
    own->deaths = part->deaths;
    own->assigned_chunks = part->assigned_chunks;
    own->pending = part->pending;
    own->is_held_outside = part->is_held_outside;
    return true;
}

// ---- the whole part

static kin__context_snapshot *copy_part(kin_context *context, const kin__context_snapshot *part)
{
    kin__context_snapshot *own = kin__store_reserve(context, part->chunk_count) ? kin__part_take(context) : NULL;
    if (own == NULL)
        return NULL;
    if (kin__part_reserve(own, part->chunk_count) && copy_tables(context, part, own) &&
        copy_images(context, part, own) && copy_shared(context, part, own) && copy_keepsakes(context, part, own))
        return own;
    kin__part_release(own);
    return NULL;
}

bool kin__adopt(kin_context *context, const kin__context_snapshot *part)
{
    kin__context_snapshot *own = copy_part(context, part);
    if (own != NULL)
        context->core->store->adopted = own;
    return own != NULL;
}

const kin__context_snapshot *kin__adopted(const kin_context *context, const kin__context_snapshot *part)
{
    KIN_ASSERT(part->context == context || context->core->store->adopted != NULL);
    return part->context == context ? part : context->core->store->adopted;
}

void kin__adopted_release(kin_context *context)
{
    kin__store *store = context->core->store;
    if (store == NULL)
        return;
    kin__part_release(store->adopted);
    store->adopted = NULL;
}

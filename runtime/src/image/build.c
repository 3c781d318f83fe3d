#include "image/build.h"

#include "base/base.h"
#include "image/pin.h"
#include "store/store.h"

#include <string.h>

kin__image *kin__image_begin(kin_context *context, kin_component_id id)
{
    kin__image *image = kin__store_take(context, id);
    if (image != NULL)
        memset(image->bytes, 0, kin__image_size(context->info, id));
    return image;
}

bool kin__image_own(kin_context *context, kin_component_id id, void *value, kin__owned_block **owned_block)
{
    const void *own = value;
    if (!kin__owned_block_make(context, id, &own, owned_block))
        return false;
    if (*owned_block == NULL)
        return true;
    memcpy(value, own, context->info->components[id].size);
    kin__owned_block_pin(*owned_block);
    kin__owned_block_retire(context, *owned_block); // only the image uses it
    kin__owned_settle(context);
    return true;
}

static void set_soa(const kin_context *context, kin__image *image, uint32_t place, const void *value)
{
    const kin_component_info *info = &context->info->components[image->number];
    for (uint32_t i = 0; i < info->field_count; i++) {
        char *field = (char *)(uintptr_t)kin__image_field(context->info, image, i);
        memcpy(field + place * info->fields[i].size, (const char *)value + info->fields[i].offset,
               info->fields[i].size);
    }
}

static bool set_shared(kin_context *context, kin__image *image, uint32_t place, const void *value)
{
    const void *shared = kin__shared_adopt(context, (kin_component_id)image->number, value);
    if (shared != NULL)
        ((const void **)(void *)(image->bytes + sizeof(kin__column)))[place] = shared;
    return shared != NULL;
}

bool kin__image_set(kin_context *context, kin__image *image, uint32_t place, const void *value)
{
    kin_component_id id = (kin_component_id)image->number;
    const kin_component_info *info = &context->info->components[id];
    char *at = (char *)image->bytes + sizeof(kin__column) + place * info->size;
    KIN_ASSERT(!kin__bits_have(kin__image_has(image), place));
    if (info->is_shared) {
        if (!set_shared(context, image, place, value))
            return false;
    } else if (info->is_soa) {
        set_soa(context, image, place, value);
    } else if (info->size > 0) {
        memcpy(at, value, info->size);
        if (kin__is_owned(context, id) &&
            !kin__image_own(context, id, at, &kin__image_owned_blocks(context->info, image)[place]))
            return false;
    }
    kin__bits_add((uint64_t *)(void *)image->bytes, place);
    return true;
}

// Copies the elements of all lists into one block, one after the other. Until now lists point into the owned blocks.
bool kin__image_end(kin_context *context, kin__image *image)
{
    const kin_component_info *info = &context->info->components[image->number];
    size_t size = 0;
    if (!info->has_lists || info->is_shared)
        return true;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            size += kin__lists_size(info, kin__image_value(context->info, image, place, NULL));
    if (!kin__image_reserve_extra(context, image, size))
        return false;
    char *elements = image->extra;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_has(image), place))
            elements =
                kin__lists_detach(info, (char *)image->bytes + sizeof(kin__column) + place * info->size, elements);
    return true;
}

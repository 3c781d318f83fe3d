#include "image/pin.h"

#include "base/base.h"
#include "store/store.h"

#include <string.h>

static void pin_shared(kin_context *context, const kin__image *image, bool on)
{
    const uint64_t *has = kin__image_has(image);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = has[word]; bits != 0; bits &= bits - 1) {
            const void *value = kin__image_value(context->info, image, word * 64 + kin__lowest_bit(bits), NULL);
            if (on)
                kin__shared_image_pin(value);
            else
                kin__shared_image_unpin(context, (kin_component_id)image->number, value);
        }
}

static void pin_owned(kin_context *context, const kin__image *image, bool on)
{
    const uint64_t *has = kin__image_has(image);
    kin__owned_block **owned_blocks = kin__image_owned_blocks(context->info, image);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = has[word]; bits != 0; bits &= bits - 1) {
            kin__owned_block *owned_block = owned_blocks[word * 64 + kin__lowest_bit(bits)];
            if (on)
                kin__owned_block_pin(owned_block);
            else
                kin__owned_block_unpin(context, owned_block);
        }
}

static void pin(kin_context *context, const kin__image *image, bool on)
{
    if (image->number >= context->info->component_count)
        return;
    if (kin__is_shared(context, (kin_component_id)image->number))
        pin_shared(context, image, on);
    else if (kin__is_owned(context, (kin_component_id)image->number))
        pin_owned(context, image, on);
}

void kin__image_pin(kin_context *context, const kin__image *image)
{
    pin(context, image, true);
}

void kin__image_unpin(kin_context *context, const kin__image *image)
{
    pin(context, image, false);
}

// ---- lists

size_t kin__lists_size(const kin_component_info *info, const void *value)
{
    size_t size = 0;
    KIN__EACH_LIST(field, info)
    size += kin__round_up(kin__list_field_read(value, field).count * field->element_size);
    return size;
}

char *kin__lists_detach(const kin_component_info *info, void *value, char *to)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        size_t size = list.count * field->element_size;
        kin__list_field_write(value, field, (kin__list_field){size == 0 ? NULL : to, list.count});
        if (size == 0) // memcpy must not get `to`, which may be NULL
            continue;
        memcpy(to, list.at, size);
        to += kin__round_up(size);
    }
    return to;
}

void kin__lists_attach(const kin_component_info *info, void *value, kin__owned_block *owned_block)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        void *at = kin__list_field_read(kin__owned_block_value(owned_block), field).at;
        KIN_ASSERT(list.count <= kin__list_field_capacity(at));
        if (list.count > 0)
            memcpy(at, list.at, list.count * field->element_size);
        kin__list_field_write(value, field, (kin__list_field){at, list.count});
    }
}

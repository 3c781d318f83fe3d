// Keepsakes: what they use of memory, and whether they are in order.
#include "storage/keepsake.h"

static size_t used(const kin_context *context, const kin__keepsakes *keepsakes)
{
    const kin_component_info *info = &context->info->components[keepsakes->id];
    size_t each = kin__kept_size(context, keepsakes->id) + sizeof(kin__parcel *) + sizeof(uint32_t) +
                  (info->is_boxed ? info->size : 0);
    size_t bytes = keepsakes->users > 0 ? sizeof *keepsakes : 0;
    for (uint32_t chunk = 0; chunk < keepsakes->shadows.capacity; chunk++) {
        const kin__shadow *shadow = kin__shadow_of(keepsakes, chunk);
        bytes += shadow == NULL ? 0 : each * kin__shadow_count(shadow);
    }
    return bytes;
}

size_t kin__keepsakes_used(const kin_context *context)
{
    size_t bytes = 0;
    for (uint32_t id = 0; context->core->keepsakes != NULL && id < context->info->component_count; id++)
        if (context->core->keepsakes[id] != NULL)
            bytes += used(context, context->core->keepsakes[id]);
    return bytes;
}

// ---- validation

// What is stashed, of an entity that lives without the component.
static bool stash_is_valid(const kin_context *context, const kin__shadow *shadow, uint32_t chunk, kin_component_id id)
{
    const kin__column *column = kin__chunk_columns(context->chunks[chunk], context->row_words)[id];
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        bool lives = (context->chunks[chunk]->alive[place / 64] >> (place % 64) & 1) != 0;
        if (kin__shadow_stashes(shadow, place) &&
            (shadow->waiting[place] == 0 || !lives || kin__column_has(column, place)))
            return false;
    }
    return true;
}

static bool shadow_is_valid(const kin_context *context, const kin__shadow *shadow)
{
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (shadow->waiting[place] > 0 ? !kin__shadow_has(shadow, place)
                                       : kin__shadow_has(shadow, place) && context->depth == 0)
            return false;
    return true;
}

bool kin__keepsakes_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; context->core->keepsakes != NULL && id < context->info->component_count; id++) {
        const kin__keepsakes *keepsakes = context->core->keepsakes[id];
        for (uint32_t chunk = 0; keepsakes != NULL && chunk < context->chunk_count; chunk++) {
            const kin__shadow *shadow = kin__shadow_of(keepsakes, chunk);
            bool needed = keepsakes->users > 0 && kin__has_column(context, chunk, (kin_component_id)id);
            if (shadow == NULL ? needed
                               : !shadow_is_valid(context, shadow) ||
                                     !stash_is_valid(context, shadow, chunk, (kin_component_id)id))
                return false;
        }
    }
    return true;
}

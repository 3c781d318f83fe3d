#include "encode/kept.h"

#include "base/base.h"
#include "store/store.h"

#include <string.h>

static kin__keepsake *next_of(const kin__context_snapshot *part, size_t *at)
{
    return kin__keepsake_next(part->context, part->keepsakes.at, part->keepsakes.size, at);
}

bool kin__kept_components(const kin__context_snapshot *part, uint32_t chunk, uint64_t components[KIN__COMPONENT_WORDS])
{
    size_t at = 0;
    if (part->keepsakes.size == 0)
        return false;
    memset(components, 0, KIN__COMPONENT_WORDS * sizeof *components);
    for (const kin__keepsake *each; (each = next_of(part, &at)) != NULL;)
        if (each->slot / KIN__CHUNK_SLOTS == chunk)
            kin__bits_add(components, each->id);
    return true;
}

void kin__kept_find(const kin__context_snapshot *part, uint32_t chunk, kin_component_id id, kin__kept *kept)
{
    bool is_shared = part->info->components[id].is_shared;
    size_t at = 0;
    *kept = (kin__kept){0};
    for (kin__keepsake *each; (each = next_of(part, &at)) != NULL;) {
        uint32_t place = each->slot % KIN__CHUNK_SLOTS;
        if (each->slot / KIN__CHUNK_SLOTS != chunk || each->id != id)
            continue;
        const void *value = kin__keepsake_value(each);
        kept->values[place] = is_shared ? *(void *const *)value : value;
        kin__bits_add(kept->has, place);
        if (each->is_stashed)
            kin__bits_add(kept->stashed, place);
    }
}

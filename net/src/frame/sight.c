#include "frame/frame.h"

#include <string.h>

kin__sight kin__sight_of(const kin__net_context *context, const kin_view *view)
{
    return (kin__sight){.context = context,
                        .view = view,
                        .has_zones = context->zone.component != KIN__NET_NO_COMPONENT,
                        .is_owner = view->is_owner};
}

// Returns the address of a field of four bytes at a place of an image.
static const void *field_at(const kin_context_info *info, const kin__image *image, const kin__net_place *at,
                            uint32_t place)
{
    if (info->components[at->component].is_soa)
        return (const char *)kin__image_field(info, image, at->field) + place * sizeof(uint32_t);
    return (const char *)kin__image_value(info, image, place, NULL) + at->offset;
}

// Removes the places whose entities lack the component, or have another value in its field.
static void keep_equal(const kin__context_snapshot *part, uint32_t chunk, const kin__net_place *at, uint32_t wanted,
                       uint64_t places[KIN__CHUNK_WORDS])
{
    const kin__image *image = kin__part_image(part, chunk, at->component);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        places[word] &= image == NULL ? 0 : kin__image_has(image)[word];
        for (uint64_t bits = places[word]; bits != 0; bits &= bits - 1) {
            uint32_t value;
            memcpy(&value, field_at(part->info, image, at, word * 64 + kin__lowest_bit(bits)), sizeof value);
            if (value != wanted)
                places[word] &= ~(bits & (0 - bits));
        }
    }
}

static void remove_with_component(const kin__context_snapshot *part, uint32_t chunk, uint32_t id,
                                  uint64_t places[KIN__CHUNK_WORDS])
{
    const kin__image *image = kin__part_image(part, chunk, id);
    for (uint32_t word = 0; image != NULL && word < KIN__CHUNK_WORDS; word++)
        places[word] &= ~kin__image_has(image)[word];
}

void kin__sight_see(const kin__sight *sight, const kin__context_snapshot *part, uint32_t chunk,
                    uint64_t places[KIN__CHUNK_WORDS])
{
    const kin__net_context *context = sight->context;
    const kin__image *head = NULL;
    if (part != NULL)
        head = kin__part_head(part, chunk);
    memset(places, 0, KIN__CHUNK_WORDS * sizeof *places);
    if (head == NULL)
        return;
    memcpy(places, kin__image_alive(head), KIN__CHUNK_WORDS * sizeof *places);
    if (sight->has_zones && sight->view->has_no_zone)
        remove_with_component(part, chunk, context->zone.component, places);
    else if (sight->has_zones)
        keep_equal(part, chunk, &context->zone, (uint32_t)sight->view->zone, places);
    else if (!sight->view->has_no_zone)
        memset(places, 0, KIN__CHUNK_WORDS * sizeof *places);
    if (!sight->is_owner)
        return;
    if (context->peer.component == KIN__NET_NO_COMPONENT)
        memset(places, 0, KIN__CHUNK_WORDS * sizeof *places);
    else
        keep_equal(part, chunk, &context->peer, sight->view->peer, places);
}

static bool has_field(const kin__context_snapshot *part, uint32_t slot, const kin__net_place *at, uint32_t wanted)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    const kin__image *image = kin__part_image(part, slot / KIN__CHUNK_SLOTS, at->component);
    uint32_t value;
    if (image == NULL || !kin__bits_have(kin__image_has(image), place))
        return false;
    memcpy(&value, field_at(part->info, image, at, place), sizeof value);
    return value == wanted;
}

bool kin__sight_sees(const kin__sight *sight, const kin__context_snapshot *part, uint32_t slot)
{
    const kin__net_context *context = sight->context;
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    const kin__image *head = kin__part_head(part, slot / KIN__CHUNK_SLOTS);
    if (head == NULL || !kin__bits_have(kin__image_alive(head), place))
        return false;
    if (!sight->has_zones) {
        if (!sight->view->has_no_zone)
            return false;
    } else if (sight->view->has_no_zone) {
        const kin__image *zones = kin__part_image(part, slot / KIN__CHUNK_SLOTS, context->zone.component);
        if (zones != NULL && kin__bits_have(kin__image_has(zones), place))
            return false;
    } else if (!has_field(part, slot, &context->zone, (uint32_t)sight->view->zone)) {
        return false;
    }
    if (!sight->is_owner)
        return true;
    return context->peer.component != KIN__NET_NO_COMPONENT && has_field(part, slot, &context->peer, sight->view->peer);
}

bool kin__places_have_all(const uint64_t *row, uint32_t begin, uint32_t end)
{
    for (uint32_t word = begin / 64; word * 64 < end; word++) {
        uint64_t wanted = ~UINT64_C(0);
        if (word * 64 < begin)
            wanted &= ~UINT64_C(0) << begin % 64;
        if (end < word * 64 + 64)
            wanted &= ~(~UINT64_C(0) << end % 64);
        if ((row[word] & wanted) != wanted)
            return false;
    }
    return true;
}

bool kin__sight_sees_all(const kin__sight *sight, const kin__context_snapshot *part, uint32_t chunk, uint32_t begin,
                         uint32_t end)
{
    const kin__image *head = kin__part_head(part, chunk);
    bool is_row = !sight->has_zones && sight->view->has_no_zone && !sight->is_owner;
    if (is_row)
        return head != NULL && kin__places_have_all(kin__image_alive(head), begin, end);
    for (uint32_t place = begin; place < end; place++)
        if (!kin__sight_sees(sight, part, chunk * KIN__CHUNK_SLOTS + place))
            return false;
    return true;
}

// Values between the last two frames, by the clock.
#include "session/session.h"

#include <string.h>

// Copies the value of an entity in a snapshot. False if it has none.
static bool find_value(const kin_snapshot *snapshot, const kin_context_info *info, kin_component_id component,
                       kin_entity entity, void *value)
{
    const kin__context_snapshot *part = snapshot == NULL ? NULL : kin__snapshot_part(snapshot, info);
    uint32_t slot = kin_entity_slot(entity);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    if (part == NULL || entity == 0 || slot / KIN__CHUNK_SLOTS >= part->chunk_count)
        return false;
    const kin__image *head = kin__part_head(part, slot / KIN__CHUNK_SLOTS);
    const kin__image *image = kin__part_image(part, slot / KIN__CHUNK_SLOTS, component);
    if (head == NULL || image == NULL || kin__image_ids(head)[place] != entity)
        return false;
    bool is_alive = (kin__image_alive(head)[place / 64] >> place % 64 & 1) != 0;
    bool has = (kin__image_has(image)[place / 64] >> place % 64 & 1) != 0;
    if (!is_alive || !has)
        return false;
    const void *found = kin__image_value(info, image, place, value);
    if (found != value)
        memcpy(value, found, info->components[component].size);
    return true;
}

static void blend_float(const char *before, char *after, double part)
{
    float from, to;
    memcpy(&from, before, sizeof from);
    memcpy(&to, after, sizeof to);
    to = (float)(from + ((double)to - from) * part);
    memcpy(after, &to, sizeof to);
}

static void blend_double(const char *before, char *after, double part)
{
    double from, to;
    memcpy(&from, before, sizeof from);
    memcpy(&to, after, sizeof to);
    to = from + (to - from) * part;
    memcpy(after, &to, sizeof to);
}

// Recursive over arrays of structs in structs, of which the schema allows 32 levels.
static void blend_leaves(const kin__net_leaf *leaves, uint32_t count, bool is_inside, const char *before, char *after,
                         double part)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin__net_leaf *leaf = &leaves[i];
        uint32_t elements = leaf->count == 0 ? 1 : leaf->count;
        if (leaf->is_list || (!leaf->is_blended && !is_inside))
            continue;
        for (uint32_t k = 0; k < elements; k++) {
            size_t at = leaf->offset + (size_t)k * leaf->size;
            if (leaf->type == KIN_TYPE_FLOAT)
                blend_float(before + at, after + at, part);
            else if (leaf->type == KIN_TYPE_DOUBLE)
                blend_double(before + at, after + at, part);
            else if (leaf->type == KIN_TYPE_STRUCT)
                blend_leaves(leaf->inner, leaf->inner_count, true, before + at, after + at, part);
        }
    }
}

// Returns how far the clock is between the last two frames: 0 at the arrival of the last, 1 as much later as the two
// were apart.
static double part_of(const kin_session *session)
{
    double apart = session->state.time - session->state.before_time;
    double since = (double)(kin__clock_read() - session->state.shown_at) / (double)KIN__NET_SECOND;
    if (apart <= 0 || since >= apart)
        return 1;
    return since / apart;
}

static const kin__net_component *find_component(const kin_session *session, uint32_t context, kin_component_id id)
{
    const kin__net_context *net = kin__session_context(session, context);
    for (uint32_t i = 0; net != NULL && i < net->component_count; i++)
        if (net->components[i].id == id)
            return &net->components[i];
    return NULL;
}

void kin__session_blend(const kin_session *session, uint32_t context, kin_component_id id, kin_entity entity,
                        void *value, size_t size)
{
    memset(value, 0, size);
    if (session == NULL || session->numbers.role != KIN_REPLICA)
        return;
    const kin_context_info *info = session->world->contexts[context]->info;
    const kin__net_component *component = find_component(session, context, id);
    void *before = kin__allocate(session->memory, size);
    bool had = before != NULL && find_value(session->history[2 * context], info, id, entity, before);
    bool has = find_value(session->history[2 * context + 1], info, id, entity, value);
    if (had && !has)
        memcpy(value, before, size);
    if (had && has && component != NULL)
        blend_leaves(component->leaves, component->leaf_count, false, before, value, part_of(session));
    kin__release(session->memory, before, size);
}

#include "recording/recording.h"

#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A search for what differs.
typedef struct search {
    kin__recording *recording;
    const kin__played_frame *played;
    kin_divergence *divergence;
    uint32_t next; // the hash of the frame that comes next
} search;

// ---- hashes

// Returns the hash that the frame has of a component; NULL: the update did not change it. They are asked for in their
// order.
static const kin__frame_hash *find_hash(search *search, uint32_t context, uint32_t component)
{
    const kin__read_frame *frame = search->played->frame;
    for (; search->next < frame->hash_count; search->next++) {
        const kin__frame_hash *hash = &frame->hashes[search->next];
        if (hash->context > context)
            return NULL;
        if (hash->context < context || hash->component < component)
            continue;
        if (hash->component > component)
            return NULL;
        return hash;
    }
    return NULL;
}

static bool differs(search *search, uint32_t context, uint32_t component, uint32_t place)
{
    const kin__shape *shape = kin__recorded_context(search->recording, context)->shape;
    const kin__context_snapshot *before = kin__snapshot_part(search->played->begun, shape->info);
    const kin__context_snapshot *after = kin__snapshot_part(search->played->after, shape->info);
    const kin__frame_hash *recorded = find_hash(search, context, component);
    uint64_t hash = kin__part_hash(after, shape, place);
    if (recorded != NULL)
        return hash != recorded->hash;
    return hash != kin__part_hash(before, shape, place);
}

static bool found(search *search, uint32_t context, kin_component_id component)
{
    KIN_ASSERT(search->divergence->context == NULL);
    search->divergence->context = kin__recorded_context(search->recording, context)->context->info;
    search->divergence->component = component;
    return true;
}

static bool search_context(search *search, uint32_t context)
{
    const kin__file_context *file = &search->recording->file.schema.contexts[context];
    const kin__shape *shape = kin__recorded_context(search->recording, context)->shape;
    for (uint32_t i = 0; i < file->component_count; i++) {
        const kin__file_component *component = &file->components[i];
        if (kin__recorded_is_same(component) &&
            differs(search, context, i, (uint32_t)(component->now - shape->components)))
            return found(search, context, component->now->id);
    }
    return differs(search, context, file->component_count, shape->count) &&
           found(search, context, (kin_component_id)shape->info->component_count);
}

static bool search_contexts(search *search)
{
    for (uint32_t i = 0; i < search->recording->file.schema.context_count; i++)
        if (kin__recorded_context(search->recording, i) != NULL && search_context(search, i))
            return true;
    return false;
}

// ---- states

static bool is_recorded(const kin__recording *recording, const kin_difference *difference)
{
    for (uint32_t i = 0; i < recording->file.context_count; i++) {
        const kin__file_context *file = recording->file.contexts[i].file;
        if (recording->file.contexts[i].context->info != difference->context)
            continue;
        if (difference->component == difference->context->component_count)
            return true;
        for (uint32_t k = 0; k < file->component_count; k++)
            if (kin__recorded_is_same(&file->components[k]) && file->components[k].now->id == difference->component)
                return true;
    }
    return false;
}

static bool describe(const kin_difference *difference, void *user)
{
    const search *search = user;
    return !is_recorded(search->recording, difference) || kin__divergence_write(difference, search->divergence);
}

// What differs and was not changed by the update has differed before it: the program changed it.
static void describe_hashes(kin_divergence *divergence, bool is_of_systems)
{
    size_t begin = strlen(divergence->text);
    size_t left = sizeof divergence->text - begin;
    const kin_context_info *context = divergence->context;
    if (context == NULL && is_of_systems)
        snprintf(divergence->text + begin, left, "the state of systems differs");
    else if (context == NULL)
        snprintf(divergence->text + begin, left, "the state has differed before this update");
    else if (divergence->component == context->component_count)
        snprintf(divergence->text + begin, left, "the entities of %s differ", context->name);
    else
        snprintf(divergence->text + begin, left, "%s %s differs", context->name,
                 context->components[divergence->component].name);
}

// Makes the moment before the update the one that was recorded after it. Its faults are of no interest.
static bool apply_states(search *search)
{
    kin__recording *recording = search->recording;
    const kin__played_frame *played = search->played;
    bool is_made =
        played->frame->states.count > 0 && kin__frame_apply(recording, played->begun, &played->frame->states);
    recording->fault = (kin__fault){KIN_OK, ""};
    return is_made;
}

// ---- all together

static bool systems_differ(search *search, bool *is_known)
{
    uint64_t before, after;
    const kin__frame_hash *recorded = find_hash(search, KIN__HASH_SYSTEMS, KIN__HASH_SYSTEMS);
    if (!kin__systems_hash(search->played->begun, &before) || !kin__systems_hash(search->played->after, &after)) {
        *is_known = false;
        return false;
    }
    if (recorded != NULL)
        return after != recorded->hash;
    return after != before;
}

bool kin__divergence_find(kin__recording *recording, const kin__played_frame *played, kin_divergence *divergence,
                          bool *is_known)
{
    search search = {recording, played, divergence, 0};
    uint64_t hash = 0;
    *is_known = kin__snapshot_hash(played->after, &hash, NULL);
    if (!*is_known || hash == played->frame->hash)
        return false;
    kin_divergence found_now = {.frame = played->frame->number};
    search.divergence = &found_now;
    bool is_of_contexts = search_contexts(&search);
    if (!is_of_contexts && !recording->is_of_this_version)
        return false;
    bool is_of_systems = !is_of_contexts && systems_differ(&search, is_known);
    if (!*is_known)
        return false;
    snprintf(found_now.text, sizeof found_now.text, "frame %" PRIu64 ": ", found_now.frame);
    if (found_now.context != NULL && apply_states(&search))
        kin_snapshot_compare(played->begun, played->after, describe, &search);
    if (found_now.entity == 0)
        describe_hashes(&found_now, is_of_systems);
    *divergence = found_now;
    return true;
}

#include "frame/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FRAMES = 65536 };

#define MOST_BYTES ((size_t)1 << 30)

// What a snapshot remembers of one view, after the unseen targets.
typedef struct shown {
    int32_t zone;
    uint32_t peer;
    uint64_t epoch, number;
    bool has_no_zone, is_owner;
} shown;

// The table of a snapshot: this, then `count` of shown, then `unseen_count` of kin__unseen.
typedef struct table {
    uint32_t count, unseen_count;
} table;

typedef struct applying {
    kin_snapshot *snapshot;
    const kin__shape_map *map; // of frames of another shape; NULL: of the own one
    kin__fault *fault;
    kin__heap heap;
    kin__bytes_out bytes; // all that the source has
    kin__frame_in *frames;
    uint32_t frame_count;
    kin__builder *builders; // by part of the snapshot; those without `context` do not replicate
    uint32_t *chunk_counts; // by part: that are needed
    kin__unseen_list unseen;
    const kin__frame_in *frame; // the current one
} applying;

// ---- the table of a snapshot

static const table *table_of(const kin_snapshot *snapshot)
{
    static const table none;
    return snapshot->frames_size == 0 ? &none : snapshot->frames;
}

static shown *shown_of(const kin_snapshot *snapshot)
{
    return (shown *)(void *)((char *)snapshot->frames + sizeof(table));
}

static const kin__unseen *unseen_of(const kin_snapshot *snapshot)
{
    const table *table = table_of(snapshot);
    return (const kin__unseen *)(const void *)(shown_of(snapshot) + table->count);
}

static bool is_of_view(const shown *shown, const kin_view *view)
{
    return shown->zone == view->zone && shown->has_no_zone == view->has_no_zone && shown->is_owner == view->is_owner &&
           (!view->is_owner || shown->peer == view->peer);
}

static const shown *find_shown(const kin_snapshot *snapshot, const kin_view *view)
{
    for (uint32_t i = 0; i < table_of(snapshot)->count; i++)
        if (is_of_view(&shown_of(snapshot)[i], view))
            return &shown_of(snapshot)[i];
    return NULL;
}

uint64_t kin_frame_number(const kin_snapshot *snapshot, const kin_view *view, uint64_t *epoch)
{
    const shown *found = snapshot == NULL || view == NULL ? NULL : find_shown(snapshot, view);
    if (epoch != NULL)
        *epoch = found == NULL ? 0 : found->epoch;
    return found == NULL ? 0 : found->number;
}

// ---- faults

// Begins the reason with the zone of the frame.
static bool refuse(const applying *applying, kin_status status, const char *reason)
{
    char zone[64] = "";
    const kin__frame_in *frame = applying->frame;
    if (frame != NULL && frame->view.has_no_zone)
        snprintf(zone, sizeof zone, "frame %" PRIu64 " without a zone: ", frame->view.number);
    else if (frame != NULL)
        snprintf(zone, sizeof zone, "frame %" PRIu64 " of zone %" PRId32 ": ", frame->view.number, frame->view.zone);
    return kin__fault_note(applying->fault, status, "%s%s", zone, reason);
}

static bool refuse_bytes(const applying *applying, const kin__bytes_in *in)
{
    if (in->fault == kin__no_memory || applying->fault->status != KIN_OK)
        return kin__note_no_memory(applying->fault, applying->heap.memory->refused);
    return refuse(applying, KIN_ERROR_CORRUPT, in->fault);
}

// ---- reading the source

static bool read_all(applying *applying, kin_source source)
{
    for (;;) {
        size_t room = applying->bytes.size < 4096 ? 4096 : applying->bytes.size;
        if (!kin__bytes_out_reserve(&applying->bytes, room))
            return kin__note_no_memory(applying->fault, applying->bytes.memory.refused);
        size_t size = source.read(applying->bytes.at + applying->bytes.size, room, source.user);
        if (size > room)
            return refuse(applying, KIN_ERROR_STREAM, "the source has written more than it was asked for");
        if (size == 0)
            return applying->bytes.size > 0 || refuse(applying, KIN_ERROR_CORRUPT, "there is no frame");
        applying->bytes.size += size;
        if (applying->bytes.size > MOST_BYTES)
            return refuse(applying, KIN_ERROR_LIMIT, "the frames have more than 1 GiB");
    }
}

// Returns the context of a number in the other shape; NULL if that has none.
static const kin__context_map *find_context(const applying *applying, uint64_t number)
{
    for (uint32_t i = 0; applying->map != NULL && i < applying->map->from->context_count; i++)
        if (applying->map->contexts[i].from->number == number)
            return &applying->map->contexts[i];
    return NULL;
}

// Returns the index of the part of a context with this number; part_count if there is none.
static uint32_t find_part(const applying *applying, uint64_t number)
{
    const kin__context_map *context = find_context(applying, number);
    if (applying->map != NULL && (context == NULL || context->to == NULL))
        return applying->snapshot->part_count;
    if (context != NULL)
        number = context->to->number;
    for (uint32_t i = 0; i < applying->snapshot->part_count; i++)
        if (applying->builders[i].net != NULL && applying->builders[i].net->number == number)
            return i;
    return applying->snapshot->part_count;
}

// Makes a reader of the runs of a context, with room for masks in the heap.
static bool begin_runs(applying *applying, kin__span_reader *reader, kin__bytes_in *in, const kin__layout *layout)
{
    *reader = (kin__span_reader){.in = in, .layout = layout};
    reader->run.leaves = kin__heap_take(&applying->heap, layout->words + layout->component_words, sizeof(uint64_t));
    if (reader->run.leaves != NULL)
        reader->run.toggled = reader->run.leaves + layout->words;
    return reader->run.leaves != NULL || kin__refuse(in, kin__no_memory);
}

// ---- contexts

static void skip_entities(kin__span_reader *reader);

// Passes over a context that is not there here. False if it is none of the other shape.
static bool pass_over(applying *applying, kin__bytes_in *in, uint64_t number)
{
    kin__layout layout;
    kin__span_reader reader;
    kin__memory *memory = applying->heap.memory;
    const kin__context_map *context = find_context(applying, number);
    if (context == NULL)
        return kin__refuse(in, "it has a context that does not replicate");
    if (!kin__layout_map(&layout, memory, context, applying->frame->view.is_owner))
        return kin__refuse(in, kin__no_memory);
    bool is_begun = begin_runs(applying, &reader, in, &layout);
    while (is_begun && kin__span_next(&reader))
        skip_entities(&reader);
    kin__layout_release(&layout, memory);
    return in->fault == NULL;
}

// Takes the number of the next context; part_count at the end, and after a fault.
static uint32_t take_context(applying *applying, kin__bytes_in *in, uint64_t *last)
{
    uint32_t none = applying->snapshot->part_count;
    for (;;) {
        uint64_t number = kin__take_number(in);
        if (number == 0 || in->fault != NULL)
            return none;
        if (number <= *last) {
            kin__refuse(in, "its contexts are not in order");
            return none;
        }
        *last = number;
        uint32_t part = find_part(applying, number - 1);
        if (part < none)
            return part;
        if (!pass_over(applying, in, number - 1))
            return none;
    }
}

// ---- first pass: the bytes are those of frames, and how many slots they need

static kin_entity take_came(kin__span_reader *reader, uint32_t slot)
{
    uint64_t index = reader->last_index + kin__unzigzag(kin__take_number(reader->in));
    reader->last_index = index;
    if (index == 0 || index > KIN__MAX_CREATION_INDEX) {
        kin__refuse(reader->in, "a creation index is out of range");
        return 0;
    }
    return index << 24 | slot;
}

// Passes over the entities of a run. Nothing follows of those that only went.
static void skip_entities(kin__span_reader *reader)
{
    const kin__span *run = &reader->run;
    if (run->kind == KIN__WENT)
        return;
    if (reader->has_new_masks)
        reader->skip = kin__skip_make(reader->layout, run->leaves);
    if ((run->kind & KIN__CAME) == 0) {
        kin__leaves_skip(reader->in, &reader->skip, run->count);
        return;
    }
    for (uint32_t i = 0; i < run->count && reader->in->fault == NULL; i++) {
        take_came(reader, run->slot + i);
        kin__leaves_skip(reader->in, &reader->skip, 1);
    }
}

static bool skip_context(applying *applying, kin__bytes_in *in, uint32_t part)
{
    kin__span_reader reader;
    const kin__builder *builder = &applying->builders[part];
    if (!begin_runs(applying, &reader, in, &builder->layouts[applying->frame->view.is_owner]))
        return false;
    while (kin__span_next(&reader)) {
        uint32_t chunks = (reader.run.slot + reader.run.count - 1) / KIN__CHUNK_SLOTS + 1;
        bool comes = (reader.run.kind & KIN__CAME) != 0;
        bool is_beyond = reader.run.slot + reader.run.count > builder->context->core->options.max_entities;
        if (comes && !applying->frame->view.is_owner && is_beyond)
            return refuse(applying, KIN_ERROR_LIMIT, "it has slots beyond max_entities of the context; raise it");
        if (comes && !applying->frame->view.is_owner && chunks > applying->chunk_counts[part])
            applying->chunk_counts[part] = chunks;
        applying->frames[applying->frame_count].has_gone |= (reader.run.kind & KIN__WENT) != 0;
        skip_entities(&reader);
    }
    return in->fault == NULL;
}

static bool skip_frame(applying *applying, kin__bytes_in *in, kin__frame_in *frame)
{
    uint64_t last = 0;
    if (!kin__frame_head_take(in, frame))
        return refuse_bytes(applying, in);
    applying->frame = frame;
    for (uint32_t part; (part = take_context(applying, in, &last)) < applying->snapshot->part_count;)
        if (!skip_context(applying, in, part))
            break;
    if (applying->fault->status != KIN_OK)
        return false;
    const unsigned char *end = in->at;
    uint32_t sum = kin__take_32(in);
    if (in->fault != NULL)
        return refuse_bytes(applying, in);
    frame->size = (size_t)(in->at - frame->begin);
    if (sum != (uint32_t)kin__xxh64_of(frame->begin, (size_t)(end - frame->begin), 0))
        return refuse(applying, KIN_ERROR_CORRUPT, "its bytes are not those that were sent");
    return true;
}

// Whether the frame is the next one of its view, and not of another number than the first one.
static bool is_next(const applying *applying, const kin__frame_in *frame)
{
    const kin__frame_in *first = &applying->frames[0];
    const shown *found = find_shown(applying->snapshot, &frame->view);
    for (const kin__frame_in *other = first; other < frame; other++) {
        shown of_other = {other->view.zone, other->view.peer, 0, 0, other->view.has_no_zone, other->view.is_owner};
        if (is_of_view(&of_other, &frame->view))
            return refuse(applying, KIN_ERROR_CORRUPT, "it is there twice");
    }
    if (frame->view.epoch != first->view.epoch || frame->view.number != first->view.number)
        return refuse(applying, KIN_ERROR_INVALID,
                      "the frames are not of one number; apply one number after the other");
    for (uint32_t i = 0; i < table_of(applying->snapshot)->count; i++)
        if (frame->view.epoch < shown_of(applying->snapshot)[i].epoch)
            return refuse(applying, KIN_ERROR_INVALID, "it is of an earlier host");
    if (frame->view.base == 0)
        return found == NULL || found->epoch != frame->view.epoch || found->number <= frame->view.number ||
               refuse(applying, KIN_ERROR_INVALID, "a later one is there already; drop it");
    if (found != NULL && found->epoch == frame->view.epoch && found->number == frame->view.base)
        return true;
    return refuse(applying, KIN_ERROR_INVALID, "its base is not there; wait for the one before, or ask for a full one");
}

static bool read_frames(applying *applying)
{
    kin__bytes_in in = {applying->bytes.at, applying->bytes.at + applying->bytes.size, NULL};
    uint32_t capacity = 0;
    while (in.at < in.end) {
        if (applying->frame_count == capacity) {
            capacity = 2 * capacity + 8;
            kin__frame_in *larger = kin__heap_take(&applying->heap, capacity, sizeof *larger);
            if (larger == NULL)
                return false;
            if (applying->frame_count > 0)
                memcpy(larger, applying->frames, applying->frame_count * sizeof *larger);
            applying->frames = larger;
        }
        kin__frame_in *frame = &applying->frames[applying->frame_count];
        if (!skip_frame(applying, &in, frame) || !is_next(applying, frame))
            return false;
        if (++applying->frame_count == MOST_FRAMES)
            return refuse(applying, KIN_ERROR_LIMIT, "there are too many frames");
    }
    return true;
}

// ---- second pass: what goes

static bool remove_entity(const applying *applying, kin__builder *builder, const kin__sight *sight, uint32_t slot)
{
    bool exists = slot / KIN__CHUNK_SLOTS < builder->part->chunk_count && kin__sight_sees(sight, builder->part, slot);
    if (!exists)
        return refuse(applying, KIN_ERROR_CORRUPT, "an entity goes that is not there");
    return kin__builder_remove(builder, slot);
}

// Takes the components of an owner from an entity.
static bool strip_entity(const applying *applying, kin__builder *builder, const kin__layout *layout, uint32_t slot)
{
    if (slot / KIN__CHUNK_SLOTS >= builder->part->chunk_count)
        return refuse(applying, KIN_ERROR_CORRUPT, "an entity goes that is not there");
    for (uint32_t i = 0; i < layout->component_count; i++) {
        kin_component_id id = layout->components[i]->id;
        if (id == KIN__NET_NO_COMPONENT)
            continue;
        const kin__image *image = kin__part_image(builder->part, slot / KIN__CHUNK_SLOTS, id);
        if (image != NULL && kin__bits_have(kin__image_has(image), slot % KIN__CHUNK_SLOTS) &&
            !kin__builder_toggle(builder, slot, id))
            return false;
    }
    return true;
}

// Removes all that the view shows, before a full frame.
static bool remove_all(const applying *applying, kin__builder *builder, const kin_view *view)
{
    kin__sight sight = kin__sight_of(builder->net, view);
    for (uint32_t chunk = 0; chunk < builder->part->chunk_count; chunk++) {
        uint64_t places[KIN__CHUNK_WORDS];
        kin__sight_see(&sight, builder->part, chunk, places);
        EACH_OF_ROW(place, places, KIN__CHUNK_WORDS)
        {
            uint32_t slot = chunk * KIN__CHUNK_SLOTS + place;
            bool is_removed = view->is_owner ? strip_entity(applying, builder, &builder->layouts[1], slot)
                                             : kin__builder_remove(builder, slot);
            if (!is_removed)
                return false;
        }
    }
    return true;
}

static bool remove_of_run(const applying *applying, kin__builder *builder, const kin__sight *sight,
                          const kin__span *run)
{
    for (uint32_t i = 0; (run->kind & KIN__WENT) != 0 && i < run->count; i++) {
        bool is_removed = sight->is_owner ? strip_entity(applying, builder, &builder->layouts[1], run->slot + i)
                                          : remove_entity(applying, builder, sight, run->slot + i);
        if (!is_removed)
            return false;
    }
    return true;
}

// ---- third pass: what comes and changes

// An entity that came to its owner exists already.
static bool find_entity(const applying *applying, const kin__builder *builder, kin__span_reader *reader, uint32_t slot)
{
    kin_entity entity = take_came(reader, slot);
    if (reader->in->fault != NULL)
        return refuse_bytes(applying, reader->in);
    return kin__builder_entity(builder, slot) == entity ||
           refuse(applying, KIN_ERROR_CORRUPT, "an owner's entity is not there");
}

static bool toggle_components(const applying *applying, kin__builder *builder, const kin__span_reader *reader,
                              uint32_t slot)
{
    const kin__layout *layout = reader->layout;
    for (uint32_t i = 0; reader->run.kind != 0 && i < layout->component_count; i++) {
        kin_component_id id = layout->components[i]->id;
        if (!kin__bits_have(reader->run.toggled, i) || id == KIN__NET_NO_COMPONENT)
            continue;
        const kin__image *image = kin__part_image(builder->part, slot / KIN__CHUNK_SLOTS, id);
        bool has = image != NULL && kin__bits_have(kin__image_has(image), slot % KIN__CHUNK_SLOTS);
        if (has && (reader->run.kind & KIN__CAME) != 0)
            return refuse(applying, KIN_ERROR_CORRUPT, "an entity gets a component that it has");
        if (!kin__builder_toggle(builder, slot, id))
            return false;
    }
    return true;
}

static bool take_values(const applying *applying, kin__builder *builder, const kin__span_reader *reader, uint32_t slot)
{
    const kin__layout *layout = reader->layout;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        bool has_leaves = false;
        for (uint32_t k = 0; k < layout->components[i]->leaf_count; k++)
            has_leaves = has_leaves || kin__bits_have(reader->run.leaves, layout->firsts[i] + k);
        if (!has_leaves)
            continue;
        if (!kin__builder_take(builder, reader->in, layout, i, reader->run.leaves, slot))
            return reader->in->fault != NULL ? refuse_bytes(applying, reader->in) : false;
    }
    return true;
}

static bool apply_entity(const applying *applying, kin__builder *builder, kin__span_reader *reader,
                         const kin__sight *sight, uint32_t slot)
{
    bool comes = (reader->run.kind & KIN__CAME) != 0;
    if (reader->run.kind == KIN__WENT)
        return true;
    if (slot / KIN__CHUNK_SLOTS >= builder->part->chunk_count)
        return refuse(applying, KIN_ERROR_CORRUPT, "an entity changes that is not there");
    if (comes && !find_entity(applying, builder, reader, slot))
        return false;
    if (!comes && !kin__sight_sees(sight, builder->part, slot))
        return refuse(applying, KIN_ERROR_CORRUPT, "an entity changes that is not there");
    if (!toggle_components(applying, builder, reader, slot) || !take_values(applying, builder, reader, slot))
        return false;
    return kin__sight_sees(sight, builder->part, slot) ||
           refuse(applying, KIN_ERROR_CORRUPT, "an entity is of another zone or owner");
}

// Whether the leaves of a run may change what is shown of an entity.
static bool may_move(const kin__span_reader *reader, const kin__sight *sight)
{
    if (!sight->has_zones && !sight->is_owner)
        return false;
    const kin__layout *layout = reader->layout;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        kin_component_id id = layout->components[i]->id;
        if (id != sight->context->zone.component && id != sight->context->peer.component)
            continue;
        for (uint32_t k = 0; k < layout->components[i]->leaf_count; k++)
            if (kin__bits_have(reader->run.leaves, layout->firsts[i] + k))
                return true;
    }
    return false;
}

// Changes values of entities that stay, chunk by chunk.
static bool apply_values(const applying *applying, kin__builder *builder, const kin__span_reader *reader,
                         const kin__sight *sight)
{
    const kin__span *run = &reader->run;
    uint32_t slot = run->slot;
    for (uint32_t end = run->slot + run->count; slot < end;) {
        uint32_t chunk = slot / KIN__CHUNK_SLOTS;
        uint32_t first = slot % KIN__CHUNK_SLOTS;
        uint32_t last = first + end - slot < KIN__CHUNK_SLOTS ? first + end - slot : KIN__CHUNK_SLOTS;
        if (chunk >= builder->part->chunk_count || !kin__sight_sees_all(sight, builder->part, chunk, first, last))
            return refuse(applying, KIN_ERROR_CORRUPT, "an entity changes that is not there");
        bool is_prepared = !reader->has_new_masks && builder->takes_chunk == chunk;
        if (!is_prepared && !kin__builder_prepare_takes(builder, reader->layout, run->leaves, chunk))
            return false;
        if (!kin__builder_take_places(builder, reader->in, reader->layout, run->leaves, first, last))
            return reader->in->fault != NULL ? refuse_bytes(applying, reader->in) : false;
        if (may_move(reader, sight) && !kin__sight_sees_all(sight, builder->part, chunk, first, last))
            return refuse(applying, KIN_ERROR_CORRUPT, "an entity is of another zone or owner");
        slot += last - first;
    }
    return true;
}

// Puts entities at the places of a chunk that they come to.
static bool insert_entities(const applying *applying, kin__builder *builder, kin__span_reader *reader, uint32_t chunk,
                            uint32_t begin, uint32_t end)
{
    const kin__span *run = &reader->run;
    if (!kin__builder_open_places(builder, reader->layout, run->toggled, chunk, begin, end) ||
        !kin__builder_prepare_takes(builder, reader->layout, run->leaves, chunk))
        return false;
    for (uint32_t place = begin; place < end; place++) {
        kin_entity entity = take_came(reader, chunk * KIN__CHUNK_SLOTS + place);
        if (reader->in->fault != NULL)
            return refuse_bytes(applying, reader->in);
        kin__builder_name(builder, entity);
        if (!kin__builder_take_places(builder, reader->in, reader->layout, run->leaves, place, place + 1))
            return reader->in->fault != NULL ? refuse_bytes(applying, reader->in) : false;
    }
    return true;
}

static bool is_any_alive(const kin__builder *builder, uint32_t chunk, uint32_t begin, uint32_t end)
{
    const uint64_t *alive = kin__image_alive(kin__part_head(builder->part, chunk));
    for (uint32_t place = begin; place < end; place++)
        if (kin__bits_have(alive, place))
            return true;
    return false;
}

static bool apply_coming(const applying *applying, kin__builder *builder, kin__span_reader *reader,
                         const kin__sight *sight)
{
    uint32_t slot = reader->run.slot;
    for (uint32_t end = reader->run.slot + reader->run.count; slot < end;) {
        uint32_t chunk = slot / KIN__CHUNK_SLOTS;
        uint32_t first = slot % KIN__CHUNK_SLOTS;
        uint32_t last = first + end - slot < KIN__CHUNK_SLOTS ? first + end - slot : KIN__CHUNK_SLOTS;
        if (is_any_alive(builder, chunk, first, last))
            return refuse(applying, KIN_ERROR_CORRUPT, "an entity comes to a slot that another one has");
        if (!insert_entities(applying, builder, reader, chunk, first, last))
            return false;
        if (!kin__sight_sees_all(sight, builder->part, chunk, first, last))
            return refuse(applying, KIN_ERROR_CORRUPT, "an entity is of another zone or owner");
        slot += last - first;
    }
    return true;
}

static bool apply_run(const applying *applying, kin__builder *builder, kin__span_reader *reader,
                      const kin__sight *sight)
{
    if (reader->run.kind == 0)
        return apply_values(applying, builder, reader, sight);
    if ((reader->run.kind & KIN__CAME) != 0 && !sight->is_owner)
        return apply_coming(applying, builder, reader, sight);
    for (uint32_t i = 0; i < reader->run.count; i++)
        if (!apply_entity(applying, builder, reader, sight, reader->run.slot + i))
            return false;
    return true;
}

// ---- both passes over a frame

static bool walk_context(applying *applying, kin__bytes_in *in, uint32_t part, bool removes)
{
    kin__builder *builder = &applying->builders[part];
    kin__sight sight = kin__sight_of(builder->net, &applying->frame->view);
    kin__span_reader reader;
    if (!begin_runs(applying, &reader, in, &builder->layouts[applying->frame->view.is_owner]))
        return refuse_bytes(applying, in);
    builder->takes_chunk = UINT32_MAX;
    while (kin__span_next(&reader)) {
        if (removes)
            skip_entities(&reader);
        bool is_walked = removes ? remove_of_run(applying, builder, &sight, &reader.run)
                                 : apply_run(applying, builder, &reader, &sight);
        if (!is_walked)
            return false;
    }
    return in->fault == NULL || refuse_bytes(applying, in);
}

static bool walk_frame(applying *applying, const kin__frame_in *frame, bool removes)
{
    kin__bytes_in in = {frame->contexts, frame->begin + frame->size, NULL};
    uint64_t last = 0;
    applying->frame = frame;
    if (removes && frame->view.base != 0 && !frame->has_gone)
        return true;
    for (uint32_t i = 0; removes && frame->view.base == 0 && i < applying->snapshot->part_count; i++)
        if (applying->builders[i].net != NULL && !remove_all(applying, &applying->builders[i], &frame->view))
            return false;
    for (uint32_t part; (part = take_context(applying, &in, &last)) < applying->snapshot->part_count;)
        if (!walk_context(applying, &in, part, removes))
            return false;
    return true;
}

// Owners' frames last: their entities come in others.
static bool walk_frames(applying *applying)
{
    for (uint32_t pass = 0; pass < 4; pass++)
        for (uint32_t i = 0; i < applying->frame_count; i++) {
            bool removes = pass < 2;
            bool is_owner = pass == 0 || pass == 3;
            if (applying->frames[i].view.is_owner == is_owner && !walk_frame(applying, &applying->frames[i], removes))
                return false;
        }
    return true;
}

// ---- the result

static bool check_hash(applying *applying, const kin__frame_in *frame)
{
    uint64_t hash = 0;
    kin__memory memory = kin__memory_of(applying->snapshot->memory.allocator);
    applying->frame = frame;
    if (!frame->view.has_hash || applying->map != NULL)
        return true;
    for (uint32_t i = 0; i < applying->snapshot->part_count; i++) {
        const kin__builder *builder = &applying->builders[i];
        uint64_t of_context = 0;
        if (builder->net == NULL)
            continue;
        kin__hash_part part = {&builder->layouts[frame->view.is_owner], builder->part};
        if (!kin__view_hash(&part, 1, &frame->view, true, &memory, &of_context))
            return kin__note_no_memory(applying->fault, memory.refused);
        hash ^= of_context;
    }
    return hash == frame->hash ||
           refuse(applying, KIN_ERROR_DIFFERS, "its hash is not that of what is here; ask for a full one");
}

static bool finish(applying *applying)
{
    for (uint32_t i = 0; i < applying->frame_count; i++)
        if (!check_hash(applying, &applying->frames[i]))
            return false;
    applying->frame = applying->frame_count > 0 ? &applying->frames[0] : NULL;
    for (uint32_t i = 0; i < applying->snapshot->part_count; i++) {
        kin__builder *builder = &applying->builders[i];
        kin__fault fault = {KIN_OK, ""};
        if (builder->net == NULL)
            continue;
        builder->fault = &fault;
        if (!kin__builder_finish(builder, &applying->unseen, i))
            return refuse(applying, fault.status, fault.text);
    }
    return true;
}

// ---- the table of the snapshot after the frames

static size_t table_size(uint32_t count, uint32_t unseen)
{
    return sizeof(table) + count * sizeof(shown) + unseen * sizeof(kin__unseen);
}

// Returns the entries of the table after the frames, in the heap, and their number. `dropped` is a view that goes.
static shown *list_shown(applying *applying, const kin_view *dropped, uint32_t *count)
{
    uint32_t former = table_of(applying->snapshot)->count;
    shown *list = kin__heap_take(&applying->heap, former + applying->frame_count + 1, sizeof *list);
    for (uint32_t i = 0; list != NULL && i < former; i++) {
        const shown *each = &shown_of(applying->snapshot)[i];
        bool is_dropped = dropped != NULL && each->zone == dropped->zone && each->has_no_zone == dropped->has_no_zone;
        for (uint32_t k = 0; k < applying->frame_count; k++)
            is_dropped = is_dropped || is_of_view(each, &applying->frames[k].view);
        if (!is_dropped)
            list[(*count)++] = *each;
    }
    for (uint32_t k = 0; list != NULL && k < applying->frame_count; k++) {
        const kin_view *view = &applying->frames[k].view;
        list[(*count)++] =
            (shown){view->zone, view->peer, view->epoch, view->number, view->has_no_zone, view->is_owner};
    }
    return list;
}

// Puts the parts into the snapshot; nothing can fail after the table has memory.
static bool put(applying *applying, const kin_view *dropped)
{
    kin_snapshot *snapshot = applying->snapshot;
    uint32_t count = 0;
    const shown *list = list_shown(applying, dropped, &count);
    size_t size = table_size(count, applying->unseen.count);
    if (list == NULL || !kin__snapshot_reserve_frames(snapshot, size))
        return kin__note_no_memory(applying->fault, snapshot->memory.refused);
    *(table *)snapshot->frames = (table){count, applying->unseen.count};
    snapshot->frames_size = size;
    if (count > 0)
        memcpy(shown_of(snapshot), list, count * sizeof *list);
    if (applying->unseen.count > 0)
        memcpy(shown_of(snapshot) + count, applying->unseen.at, applying->unseen.count * sizeof *applying->unseen.at);
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        kin__builder *builder = &applying->builders[i];
        kin__context_snapshot *former = snapshot->parts[i];
        if (builder->net == NULL)
            continue;
        builder->part->home = former->home;
        builder->part->shell = former->shell;
        snapshot->parts[i] = builder->part;
        builder->part = NULL;
        kin__part_release(former);
    }
    return true;
}

// ---- calls

static bool make_layouts(const applying *applying, kin__builder *builder)
{
    kin__memory *memory = &builder->context->core->snapshot_memory;
    for (uint32_t i = 0; applying->map != NULL && i < applying->map->from->context_count; i++)
        if (applying->map->contexts[i].to == builder->net)
            builder->map = &applying->map->contexts[i];
    for (uint32_t k = 0; k < 2; k++) {
        bool is_made = builder->map == NULL ? kin__layout_make(&builder->layouts[k], memory, builder->net, k == 1)
                                            : kin__layout_map(&builder->layouts[k], memory, builder->map, k == 1);
        if (!is_made)
            return false;
    }
    return true;
}

// Prepares a builder for each context that replicates. False, with a fault, if there is none.
static bool prepare(applying *applying)
{
    kin_snapshot *snapshot = applying->snapshot;
    uint32_t count = 0;
    applying->builders = kin__heap_take(&applying->heap, snapshot->part_count + 1, sizeof *applying->builders);
    applying->chunk_counts = kin__heap_take(&applying->heap, snapshot->part_count + 1, sizeof(uint32_t));
    if (applying->builders == NULL || applying->chunk_counts == NULL)
        return false;
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        kin__context_snapshot *part = snapshot->parts[i];
        if (part == NULL || part->context->core->replicated == NULL)
            continue;
        kin__builder *builder = &applying->builders[i];
        *builder = (kin__builder){.context = part->context, .net = part->context->core->replicated};
        builder->fault = applying->fault;
        if (!kin__context_can_save(part->context))
            return refuse(applying, KIN_ERROR_INVALID, "its listener or a system is being called; apply it afterwards");
        if (!make_layouts(applying, builder))
            return kin__note_no_memory(applying->fault, part->context->core->memory.refused);
        applying->chunk_counts[i] = table_of(snapshot)->count == 0 ? 0 : part->chunk_count;
        count++;
    }
    return count > 0 || refuse(applying, KIN_ERROR_INVALID,
                               "the snapshot has no context that replicates; call kin_frames_use first");
}

static bool begin_builders(applying *applying)
{
    const kin_snapshot *snapshot = applying->snapshot;
    const table *table = table_of(snapshot);
    applying->unseen.heap = &applying->heap;
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        kin__builder *builder = &applying->builders[i];
        const kin__context_snapshot *former = table->count == 0 ? NULL : snapshot->parts[i];
        if (builder->net == NULL)
            continue;
        if (!kin__builder_begin(builder, former, applying->chunk_counts[i]))
            return false;
        builder->is_linked_anew = table->unseen_count > 0;
        if (table->count > 0 && !kin__builder_show_targets(builder, unseen_of(snapshot), table->unseen_count, i))
            return false;
    }
    return true;
}

static void end(applying *applying)
{
    for (uint32_t i = 0; applying->builders != NULL && i < applying->snapshot->part_count; i++)
        if (applying->builders[i].net != NULL)
            kin__builder_end(&applying->builders[i]);
    kin__heap_release(&applying->heap);
    kin__bytes_out_release(&applying->bytes);
}

static kin_status report(const kin_snapshot *snapshot, const kin__fault *fault, const char *verb)
{
    kin__attempt attempt = {.verb = verb, .reason = fault->text};
    const kin_context *context = NULL;
    if (fault->status == KIN_OK)
        return KIN_OK;
    for (uint32_t i = 0; snapshot != NULL && context == NULL && i < snapshot->part_count; i++)
        if (snapshot->parts[i] != NULL)
            context = snapshot->parts[i]->context;
    if (context == NULL)
        return kin__report_error_to(NULL, fault->status, &attempt, 0);
    return kin__report_error(context, fault->status, &attempt);
}

static applying applying_of(kin_snapshot *snapshot, kin__fault *fault, kin__memory *memory)
{
    *memory = kin__memory_of(snapshot->memory.allocator);
    return (applying){
        .snapshot = snapshot, .fault = fault, .heap = {.memory = memory, .fault = fault}, .bytes = {.memory = *memory}};
}

kin_status kin_frame_apply(kin_snapshot **snapshot, kin_source frames)
{
    return kin__frames_apply(snapshot, frames, NULL);
}

kin_status kin__frames_apply(kin_snapshot **snapshot, kin_source frames, const kin__shape_map *map)
{
    static const char verb[] = "apply frames";
    kin__fault fault = {KIN_OK, ""};
    kin__memory memory;
    if (snapshot == NULL || *snapshot == NULL || frames.read == NULL) {
        kin__fault_note(&fault, KIN_ERROR_INVALID,
                        "an argument is NULL; pass a snapshot that was saved in the replica, and a source");
        return report(NULL, &fault, verb);
    }
    applying applying = applying_of(*snapshot, &fault, &memory);
    applying.map = map;
    bool is_read = prepare(&applying) && read_all(&applying, frames) && read_frames(&applying);
    bool is_begun = is_read && begin_builders(&applying);
    if (is_begun && walk_frames(&applying) && finish(&applying))
        put(&applying, NULL);
    end(&applying);
    return report(*snapshot, &fault, verb);
}

kin_status kin_frame_drop(kin_snapshot *snapshot, const kin_view *view)
{
    static const char verb[] = "drop a zone";
    kin__fault fault = {KIN_OK, ""};
    kin__memory memory;
    if (snapshot == NULL || view == NULL) {
        kin__fault_note(&fault, KIN_ERROR_INVALID, "an argument is NULL; pass a snapshot and a view");
        return report(NULL, &fault, verb);
    }
    kin_view whole = {.zone = view->zone, .has_no_zone = view->has_no_zone};
    if (find_shown(snapshot, &whole) == NULL)
        return KIN_OK;
    applying applying = applying_of(snapshot, &fault, &memory);
    bool is_dropped = prepare(&applying) && begin_builders(&applying);
    for (uint32_t i = 0; is_dropped && i < snapshot->part_count; i++)
        if (applying.builders[i].net != NULL)
            is_dropped = remove_all(&applying, &applying.builders[i], &whole);
    if (is_dropped && finish(&applying))
        put(&applying, &whole);
    end(&applying);
    return report(snapshot, &fault, verb);
}

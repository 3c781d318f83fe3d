#include "frame/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The frame of one context that is being made.
typedef struct making {
    kin__bytes_out *out;
    kin__sides sides;
    kin__chunk_masks masks;
    uint32_t chunk;
    bool has_run; // of this context
    uint64_t next_slot, last_index;
    kin__span last;       // its masks
    kin__span next;       // the masks of the run that follows
    kin__lane_list lanes; // the leaves of the last run, in the chunk `lanes_chunk`
    uint32_t lanes_chunk;
    void *block;
    size_t block_size;
} making;

static size_t leaves_size(const kin__layout *layout)
{
    return layout->words * sizeof(uint64_t);
}

static size_t toggled_size(const kin__layout *layout)
{
    return layout->component_words * sizeof(uint64_t);
}

// Makes room for the masks of a chunk, and those of two runs.
static bool begin(making *making, kin__memory *memory)
{
    const kin__layout *layout = making->sides.layout;
    size_t masks = leaves_size(layout) + toggled_size(layout);
    size_t rows = (layout->bit_count + layout->component_count) * sizeof(kin__places);
    size_t lanes = layout->bit_count * sizeof *making->lanes.at;
    size_t numbers = (layout->bit_count + layout->component_count) * sizeof(uint32_t);
    making->block_size = 2 * masks + rows + lanes + numbers + 1;
    making->block = kin__allocate(memory, making->block_size);
    if (making->block == NULL)
        return false;
    memset(making->block, 0, 2 * masks);
    making->last.leaves = making->block;
    making->last.toggled = making->last.leaves + layout->words;
    making->next.leaves = making->last.toggled + layout->component_words;
    making->next.toggled = making->next.leaves + layout->words;
    making->masks.leaves = (kin__places *)(void *)(making->next.toggled + layout->component_words);
    making->masks.toggled = making->masks.leaves + layout->bit_count;
    making->lanes.at = (kin__lane_put *)(void *)(making->masks.toggled + layout->component_count);
    making->masks.compared = (uint32_t *)(void *)(making->lanes.at + layout->bit_count);
    making->masks.active = making->masks.compared + layout->component_count;
    making->lanes_chunk = UINT32_MAX;
    return true;
}

// ---- runs

// The bits of a mask follow one that says whether it is special.
static void put_masks(making *making, const kin__span *run)
{
    const kin__layout *layout = making->sides.layout;
    uint64_t bits[KIN__MOST_LEAF_WORDS + 1];
    uint64_t carry = run->kind != 0;
    for (uint32_t word = 0; word < layout->words; word++) {
        bits[word] = run->leaves[word] << 1 | carry;
        carry = run->leaves[word] >> 63;
    }
    kin__put_bits(making->out, bits, layout->bit_count + 1);
    if (run->kind == 0)
        return;
    kin__put_number(making->out, run->kind);
    if ((run->kind & (KIN__CAME | KIN__TOGGLED)) != 0)
        kin__put_bits(making->out, run->toggled, layout->component_count);
}

// Collects the masks of the run that begins at a place.
static void gather_masks(making *making, uint32_t place)
{
    const kin__layout *layout = making->sides.layout;
    const kin__chunk_masks *masks = &making->masks;
    kin__span *run = &making->next;
    run->kind = 0;
    for (uint32_t i = 0; i < 3; i++)
        run->kind |= (uint8_t)(kin__bits_have(masks->kinds[i], place) << i);
    memset(run->leaves, 0, leaves_size(layout));
    for (uint32_t i = 0; i < masks->active_count; i++)
        run->leaves[masks->active[i] / 64] |= (uint64_t)kin__bits_have(masks->leaves[masks->active[i]], place)
                                              << masks->active[i] % 64;
    memset(run->toggled, 0, toggled_size(layout));
    for (uint32_t i = 0; run->kind != 0 && i < masks->compared_count; i++)
        kin__bits_write(run->toggled, masks->compared[i], kin__bits_have(masks->toggled[masks->compared[i]], place));
}

static bool has_last_masks(const making *making)
{
    const kin__layout *layout = making->sides.layout;
    return making->has_run && making->next.kind == making->last.kind &&
           memcmp(making->next.leaves, making->last.leaves, leaves_size(layout)) == 0 &&
           (making->next.kind == 0 || memcmp(making->next.toggled, making->last.toggled, toggled_size(layout)) == 0);
}

// Lists the leaves that follow for each entity of the run, with their images.
static void list_lanes(making *making, const kin__span *run)
{
    const kin__layout *layout = making->sides.layout;
    making->lanes.count = 0;
    making->lanes.most = 0;
    making->lanes_chunk = making->chunk;
    for (uint32_t i = 0; i < making->masks.compared_count; i++) {
        uint32_t component = making->masks.compared[i];
        kin_component_id id = layout->components[component]->id;
        bool is_new = run->kind != 0 && kin__bits_have(run->toggled, component);
        const kin__image *base = is_new ? NULL : kin__side_image(making->sides.base, making->chunk, id);
        const kin__image *now = kin__side_image(making->sides.now, making->chunk, id);
        uint32_t end = layout->firsts[component] + layout->components[component]->leaf_count;
        for (uint32_t bit = layout->firsts[component]; bit < end; bit++)
            if (kin__bits_have(run->leaves, bit))
                kin__lanes_add(&making->lanes, &layout->lanes[bit], base, now);
    }
}

static void put_head(making *making, uint32_t slot, uint32_t count)
{
    kin__span *run = &making->next;
    uint64_t number = (slot - making->next_slot) << 2;
    bool has_same = has_last_masks(making);
    // A run that goes on in the next chunk repeats its masks: without them it would look like the end.
    bool has_others = !has_same || slot == making->next_slot;
    kin__put_number(making->out, number | (uint64_t)has_others << 1 | (count > 1));
    if (has_others)
        put_masks(making, run);
    if (count > 1)
        kin__put_number(making->out, count - 2);
    if (!has_same || making->lanes_chunk != making->chunk)
        list_lanes(making, run);
    if (!has_same) {
        kin__span last = making->last;
        making->last = making->next;
        making->next = last;
    }
    making->has_run = true;
    making->next_slot = (uint64_t)slot + count;
}

static void put_entities(making *making, uint32_t place, uint32_t end)
{
    const kin_entity *ids = NULL;
    if (making->last.kind == KIN__WENT)
        return;
    ids = kin__image_ids(kin__part_head(making->sides.now, making->chunk));
    if ((making->last.kind & KIN__CAME) == 0) {
        kin__lanes_put(making->out, &making->lanes, place, end, ids);
        return;
    }
    for (; place < end; place++) {
        uint64_t index = kin_entity_creation_index(ids[place]);
        kin__put_number(making->out, kin__zigzag(index - making->last_index));
        making->last_index = index;
        kin__lanes_put(making->out, &making->lanes, place, place + 1, ids);
    }
}

// Returns the first place from `place` on with a bit in a row; KIN__CHUNK_SLOTS if there is none.
static uint32_t next_place(const uint64_t *row, uint32_t place)
{
    for (uint32_t word = place / 64; word < KIN__CHUNK_WORDS; word++) {
        uint64_t bits = row[word];
        if (word == place / 64)
            bits &= ~UINT64_C(0) << place % 64;
        if (bits != 0)
            return word * 64 + kin__lowest_bit(bits);
    }
    return KIN__CHUNK_SLOTS;
}

static void put_chunk(making *making)
{
    uint32_t end = 0;
    for (uint32_t place; (place = next_place(making->masks.differs, end)) < KIN__CHUNK_SLOTS;) {
        end = next_place(making->masks.ends, place + 1);
        gather_masks(making, place);
        put_head(making, making->chunk * KIN__CHUNK_SLOTS + place, end - place);
        put_entities(making, place, end);
    }
}

static uint32_t chunk_count(const kin__context_snapshot *part)
{
    return part == NULL ? 0 : part->chunk_count;
}

// Appends the runs of a context, whose number they follow; nothing if there are none.
static bool put_context(making *making, kin__memory *memory, uint32_t number)
{
    uint32_t count = kin__max_32(chunk_count(making->sides.base), chunk_count(making->sides.now));
    if (!begin(making, memory))
        return false;
    for (making->chunk = 0; making->chunk < count; making->chunk++) {
        if (!kin__chunk_differs(&making->sides, making->chunk, &making->masks))
            continue;
        if (!making->has_run)
            kin__put_number(making->out, number + 1);
        put_chunk(making);
    }
    if (making->has_run)
        kin__put_number(making->out, 0);
    kin__release(memory, making->block, making->block_size);
    return !making->out->has_failed;
}

// ---- frames

typedef struct request {
    const kin_snapshot *base, *now;
    const kin_view *view;
    kin__fault *fault;
} request;

// Returns the next context of the snapshot that replicates, from `*place` on; NULL at the end.
static kin__context_snapshot *next_part(const kin_snapshot *snapshot, uint32_t *place)
{
    for (; *place < snapshot->part_count; ++*place) {
        kin__context_snapshot *part = snapshot->parts[*place];
        if (part != NULL && part->context->core->replicated != NULL) {
            ++*place;
            return part;
        }
    }
    return NULL;
}

static void put_view(kin__bytes_out *out, const kin_view *view)
{
    uint8_t flags = 0;
    flags |= view->has_hash ? KIN__FRAME_HASH : 0;
    flags |= view->is_owner ? KIN__FRAME_OWNER : 0;
    flags |= view->is_last ? KIN__FRAME_LAST : 0;
    flags |= view->has_no_zone ? KIN__FRAME_NO_ZONE : 0;
    kin__put_32(out, view->has_no_zone ? 0 : (uint32_t)view->zone);
    kin__put_number(out, view->epoch);
    kin__put_number(out, view->number);
    kin__put_number(out, view->base);
    kin__put_8(out, flags);
    if (view->is_owner)
        kin__put_number(out, view->peer);
}

// Appends what differs in all contexts, and collects their layouts for the hash.
static bool put_contexts(kin__bytes_out *out, const request *request, kin__memory *memory)
{
    bool is_put = true;
    uint32_t place = 0;
    for (const kin__context_snapshot *part; is_put && (part = next_part(request->now, &place)) != NULL;) {
        const kin__net_context *context = part->context->core->replicated;
        kin__layout layout;
        kin__sight sight = kin__sight_of(context, request->view);
        making making = {.out = out, .sides = {.layout = &layout, .sight = &sight, .now = part}};
        if (request->base != NULL)
            making.sides.base = kin__snapshot_part(request->base, part->info);
        is_put = kin__layout_make(&layout, memory, context, request->view->is_owner);
        is_put = is_put && put_context(&making, memory, context->number);
        kin__layout_release(&layout, memory);
    }
    kin__put_number(out, 0);
    return is_put && !out->has_failed;
}

static bool put_hash(kin__bytes_out *out, const request *request, kin__memory *memory)
{
    uint64_t hash = 0;
    uint32_t place = 0;
    if (!request->view->has_hash)
        return true;
    for (const kin__context_snapshot *part; (part = next_part(request->now, &place)) != NULL;) {
        kin__layout layout;
        kin__hash_part hashed = {&layout, part};
        uint64_t of_context = 0;
        bool is_made = kin__layout_make(&layout, memory, part->context->core->replicated, request->view->is_owner) &&
                       kin__view_hash(&hashed, 1, request->view, false, memory, &of_context);
        kin__layout_release(&layout, memory);
        if (!is_made)
            return false;
        hash ^= of_context;
    }
    kin__put_64(out, hash);
    return true;
}

// ---- checking

static bool are_views_valid(const request *request)
{
    const kin_view *view = request->view;
    if (view->number == 0)
        return kin__fault_note(request->fault, KIN_ERROR_INVALID, "its number is 0; numbers begin with 1");
    if ((view->base == 0) != (request->base == NULL))
        return kin__fault_note(request->fault, KIN_ERROR_INVALID,
                               "the number of the base and the snapshot do not fit; pass 0 and NULL for a full frame");
    if (view->base >= view->number)
        return kin__fault_note(request->fault, KIN_ERROR_INVALID, "the number of its base is not a lower one");
    return true;
}

static bool are_parts_valid(const request *request)
{
    uint32_t place = 0;
    uint32_t count = 0;
    for (const kin__context_snapshot *part; (part = next_part(request->now, &place)) != NULL; count++) {
        const kin__context_snapshot *base = part;
        if (request->base != NULL)
            base = kin__snapshot_part(request->base, part->info);
        if (base == NULL || base->info->stamp != part->info->stamp)
            return kin__fault_note(request->fault, KIN_ERROR_INVALID,
                                   "the snapshots are not of the same contexts; save both in one world");
    }
    return count > 0 || kin__fault_note(request->fault, KIN_ERROR_INVALID,
                                        "the snapshot has no context that replicates; call kin_frames_use first");
}

static bool make(const request *request, kin_sink sink)
{
    kin__memory memory = kin__memory_of(request->now->memory.allocator);
    kin__bytes_out out = {.memory = memory};
    put_view(&out, request->view);
    bool is_made = put_hash(&out, request, &memory) && put_contexts(&out, request, &memory);
    if (is_made)
        kin__put_32(&out, (uint32_t)kin__xxh64_of(out.at, out.size, 0));
    if (!is_made || out.has_failed)
        kin__note_no_memory(request->fault, out.has_failed ? out.memory.refused : memory.refused);
    else if (!sink.write(out.at, out.size, sink.user))
        kin__fault_note(request->fault, KIN_ERROR_STREAM, "the sink failed");
    kin__bytes_out_release(&out);
    return request->fault->status == KIN_OK;
}

kin_status kin_frame_make(const kin_snapshot *base, const kin_snapshot *now, const kin_view *view, kin_sink sink)
{
    kin__fault fault = {KIN_OK, ""};
    request request = {base, now, view, &fault};
    if (now == NULL || view == NULL || sink.write == NULL)
        kin__fault_note(&fault, KIN_ERROR_INVALID, "an argument is NULL; pass a snapshot, a view and a sink");
    else if (are_views_valid(&request) && are_parts_valid(&request))
        make(&request, sink);
    if (fault.status == KIN_OK)
        return KIN_OK;
    kin__attempt attempt = {.verb = "make a frame", .reason = fault.text};
    uint32_t place = 0;
    const kin__context_snapshot *part = now == NULL ? NULL : next_part(now, &place);
    return part != NULL ? kin__report_error(part->context, fault.status, &attempt)
                        : kin__report_error_to(NULL, fault.status, &attempt, 0);
}

kin_status kin_frames_use(kin_context *const *contexts, uint32_t count, const struct kin__net_info *table)
{
    kin__attempt attempt = {.verb = "say what replicates", .reason = "an argument is NULL"};
    if (contexts == NULL || table == NULL)
        return kin__report_error_to(NULL, KIN_ERROR_INVALID, &attempt, 0);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < table->context_count; k++)
            if (contexts[i] != NULL && contexts[i]->info->stamp == table->contexts[k].info->stamp &&
                strcmp(contexts[i]->info->name, table->contexts[k].info->name) == 0)
                contexts[i]->core->replicated = &table->contexts[k];
    return KIN_OK;
}

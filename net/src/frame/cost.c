// What the bytes of frames are for: which field costs.
#include "frame/frame.h"

#include <string.h>

enum { MOST_BYTES = 64 << 10 }; // that are looked at

// The leaves of a layout, each with its own mask, and the bytes that they took.
typedef struct tally {
    kin__layout layout;
    kin__skip *skips;
    uint64_t *masks, *bytes;
} tally;

typedef struct measuring {
    kin__memory *memory;
    kin_context *const *contexts;
    uint32_t context_count;
    tally *tallies;     // of all and of an owner, for each context
    uint64_t all, told; // bytes of the frames, and of leaves
} measuring;

static bool begin_tally(tally *tally, kin__memory *memory, const kin__net_context *context, bool is_owner)
{
    kin__layout *layout = &tally->layout;
    if (!kin__layout_make(layout, memory, context, is_owner))
        return false;
    size_t count = layout->bit_count;
    tally->skips = kin__allocate_zero(memory, (count + 1) * sizeof *tally->skips);
    tally->masks = kin__allocate_zero(memory, (count + 2) * layout->words * sizeof *tally->masks);
    tally->bytes = kin__allocate_zero(memory, (count + 1) * sizeof *tally->bytes);
    if (tally->skips == NULL || tally->masks == NULL || tally->bytes == NULL)
        return false;
    for (uint32_t bit = 0; bit < count; bit++) {
        uint64_t *mask = tally->masks + (size_t)bit * layout->words;
        mask[bit / 64] = UINT64_C(1) << bit % 64;
        tally->skips[bit] = kin__skip_make(layout, mask);
    }
    return true;
}

static void end_tally(tally *tally, kin__memory *memory)
{
    size_t count = tally->layout.bit_count;
    kin__release(memory, tally->skips, (count + 1) * sizeof *tally->skips);
    kin__release(memory, tally->masks, (count + 2) * tally->layout.words * sizeof *tally->masks);
    kin__release(memory, tally->bytes, (count + 1) * sizeof *tally->bytes);
    kin__layout_release(&tally->layout, memory);
}

static void measure_entity(measuring *measuring, const tally *tally, kin__span_reader *reader)
{
    kin__bytes_in *in = reader->in;
    if ((reader->run.kind & KIN__CAME) != 0)
        kin__take_number(in); // the creation index
    for (uint32_t word = 0; word < tally->layout.words; word++)
        for (uint64_t bits = reader->run.leaves[word]; bits != 0; bits &= bits - 1) {
            uint32_t bit = word * 64 + kin__lowest_bit(bits);
            const unsigned char *before = in->at;
            kin__leaves_skip(in, &tally->skips[bit], 1);
            tally->bytes[bit] += (uint64_t)(in->at - before);
            measuring->told += (uint64_t)(in->at - before);
        }
}

static void measure_context(measuring *measuring, const tally *tally, kin__bytes_in *in)
{
    uint64_t words[2 * KIN__MOST_LEAF_WORDS + 2] = {0};
    kin__span_reader reader = {.in = in, .layout = &tally->layout};
    reader.run.leaves = words;
    reader.run.toggled = words + tally->layout.words;
    while (kin__span_next(&reader))
        for (uint32_t i = 0; reader.run.kind != KIN__WENT && i < reader.run.count && in->fault == NULL; i++)
            measure_entity(measuring, tally, &reader);
}

static const tally *find_tally(const measuring *measuring, uint64_t number, bool is_owner)
{
    for (uint32_t i = 0; number != 0 && i < measuring->context_count; i++) {
        const kin__net_context *net = measuring->contexts[i]->core->replicated;
        if (net != NULL && net->number == number - 1)
            return &measuring->tallies[2 * i + is_owner];
    }
    return NULL;
}

static void measure_frame(measuring *measuring, kin__bytes_in *in)
{
    kin__frame_in frame;
    const unsigned char *begin = in->at;
    if (!kin__frame_head_take(in, &frame))
        return;
    const tally *tally;
    while ((tally = find_tally(measuring, kin__take_number(in), frame.view.is_owner)) != NULL)
        measure_context(measuring, tally, in);
    kin__take_bytes(in, sizeof(uint32_t)); // the sum
    measuring->all += (uint64_t)(in->at - begin);
}

static void visit_tally(const tally *tally, kin_network_visitor *visit, void *user)
{
    const kin__layout *layout = &tally->layout;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        const kin__net_component *component = layout->components[i];
        const char *name = layout->info->components[component->id].name;
        for (uint32_t leaf = 0; leaf < component->leaf_count; leaf++) {
            uint64_t bytes = tally->bytes[layout->firsts[i] + leaf];
            if (bytes > 0)
                visit(&(kin_network_cost){layout->info->name, name, component->leaves[leaf].path, bytes}, user);
        }
    }
}

static bool begin(measuring *measuring)
{
    size_t count = 2 * (size_t)measuring->context_count;
    measuring->tallies = kin__allocate_zero(measuring->memory, count * sizeof *measuring->tallies);
    if (measuring->tallies == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const kin__net_context *net = measuring->contexts[i / 2]->core->replicated;
        if (net != NULL && !begin_tally(&measuring->tallies[i], measuring->memory, net, i % 2 == 1))
            return false;
    }
    return true;
}

uint64_t kin__frames_cost(const kin__world *world, kin__memory *memory, const void *frames, size_t size,
                          kin_network_visitor *visit, void *user)
{
    measuring measuring = {.memory = memory, .contexts = world->contexts, .context_count = world->info->context_count};
    kin__bytes_in in = kin__bytes_begin(frames, size < MOST_BYTES ? size : MOST_BYTES);
    bool is_begun = begin(&measuring);
    while (is_begun && in.fault == NULL && kin__bytes_left(&in) > 0)
        measure_frame(&measuring, &in);
    for (uint32_t i = 0; is_begun && i < 2 * measuring.context_count; i++)
        if (measuring.tallies[i].bytes != NULL)
            visit_tally(&measuring.tallies[i], visit, user);
    if (measuring.all > measuring.told)
        visit(&(kin_network_cost){NULL, NULL, NULL, measuring.all - measuring.told}, user);
    for (uint32_t i = 0; measuring.tallies != NULL && i < 2 * measuring.context_count; i++)
        if (measuring.contexts[i / 2]->core->replicated != NULL)
            end_tally(&measuring.tallies[i], memory);
    kin__release(memory, measuring.tallies, 2 * (size_t)measuring.context_count * sizeof *measuring.tallies);
    return measuring.all;
}

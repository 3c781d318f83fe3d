// Frames of two recordings, one after the other, up to the first that differs.
//
// Of a frame that differs, the states before or after its update are compared, entity by entity. What is unknown there,
// as the recordings have no states, is compared by hashes, component by component.
#include "save/private/diffing.h"
#include "save/save_frame.h"
#include "save/save_text.h"

#include <inttypes.h>
#include <string.h>

// A frame in both recordings.
typedef struct frame_pair {
    diffing *diffing;
    save_file *files[2];
    kin__read_frame frames[2];
    bool have_same_names; // so that both number contexts and components alike
    bool have_states;
} frame_pair;

static bool is_faulty(const frame_pair *pair)
{
    return save_file_is_faulty(pair->files[0]) || save_file_is_faulty(pair->files[1]);
}

// ---- lines

// Writes `diffing->line` as what differs in a frame.
static void write_line(const frame_pair *pair, uint64_t frame)
{
    diffing *diffing = pair->diffing;
    text_clear(&diffing->title);
    diff_count(diffing);
    fprintf(diffing->output, "frame %" PRIu64 ": %s\n", frame, diffing->line.bytes);
}

static void write_text(const frame_pair *pair, uint64_t frame, const char *what)
{
    text_clear(&pair->diffing->line);
    text_append_string(&pair->diffing->line, what);
    write_line(pair, frame);
}

// Writes that a component differs, of which no more is known.
static void write_changed(const frame_pair *pair, uint32_t context, uint32_t component, const char *when)
{
    const save_file *file = pair->files[0];
    text *line = &pair->diffing->line;
    text_clear(line);
    save_append_changed(line, file, context, component);
    text_append_format(line, " differs %s the update", when);
    write_line(pair, pair->frames[0].number);
    if (context < file->schema.context_count && component < file->schema.contexts[context].component_count)
        diff_note_component(pair->diffing, file->schema.contexts[context].components[component].name);
}

// ---- whole states

// Compares the states that both files keep.
static void diff_moments(frame_pair *pair, const char *when)
{
    diffing *diffing = pair->diffing;
    uint64_t entities = diffing->entities;
    text_clear(&diffing->title);
    text_append_format(&diffing->title, "frame %" PRIu64 ", %s the update:\n", pair->frames[0].number, when);
    for (int side = 0; side < 2; side++) {
        save_file_replay(pair->files[side], pair->have_same_names ? pair->files[1 - side]->moment : NULL);
        diffing->sides[side].has_next = false;
    }
    diff_states(diffing);
    if (!pair->have_states)
        diffing->entities = entities;
}

// ---- what the program changed before the update

static bool is_same_part(const kin__frame_part *one, const kin__frame_part *other)
{
    size_t size = kin__decoder_left(&one->decoder);
    return kin__frame_part_is(one, other->kind) && size == kin__decoder_left(&other->decoder) &&
           memcmp(one->decoder.at, other->decoder.at, size) == 0;
}

static bool are_parts_equal(const kin__frame_parts *one, const kin__frame_parts *other)
{
    uint32_t same = 0;
    while (same < one->count && same < other->count && is_same_part(&one->parts[same], &other->parts[same]))
        same++;
    return same == one->count && same == other->count;
}

static bool has_part(const kin__frame_parts *parts, const kin__frame_part *part)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (is_same_part(&parts->parts[i], part))
            return true;
    return false;
}

// Writes the component of a part, if the states do not show what differs in it. `written` has those before.
static void write_part(frame_pair *pair, int side, const kin__frame_part *part, dictionary *written)
{
    save_file *file = pair->files[side];
    const save_place *place = &file->place;
    if (has_part(&pair->frames[1 - side].outside, part) || !save_frame_read_place(file, part) ||
        (save_moment_knows(file->moment, place) && save_moment_knows(pair->files[1 - side]->moment, place)))
        return;
    bool is_of_slots = place->kind == SAVE_CONTEXT || place->kind == SAVE_SLOTS;
    uint32_t context = place->kind == SAVE_SYSTEM ? UINT32_MAX : place->context;
    uint32_t component = is_of_slots ? UINT32_MAX : place->component;
    if (dictionary_add(written, arena_format(written->arena, "%" PRIu32 ".%" PRIu32, context, component), part) == NULL)
        write_changed(pair, context, component, "before");
}

static void write_unknown_parts(frame_pair *pair)
{
    arena arena = arena_beside(pair->diffing->arena);
    dictionary written = dictionary_create(&arena);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < pair->frames[side].outside.count; i++)
            write_part(pair, side, &pair->frames[side].outside.parts[i], &written);
    arena_release(&arena);
}

static void diff_outside(frame_pair *pair)
{
    bool is_equal = pair->have_same_names && are_parts_equal(&pair->frames[0].outside, &pair->frames[1].outside);
    if (!save_frame_apply(pair->files[0], &pair->frames[0].outside) ||
        !save_frame_apply(pair->files[1], &pair->frames[1].outside) || is_equal)
        return;
    diff_moments(pair, "before");
    if (pair->have_same_names && !is_faulty(pair))
        write_unknown_parts(pair);
}

// ---- what the update changed

// Returns the first hash that differs, or that only one of the frames has; NULL: none.
static const kin__frame_hash *find_hash(const kin__read_frame *one, const kin__read_frame *other)
{
    uint32_t same = 0;
    while (same < one->hash_count && same < other->hash_count &&
           memcmp(&one->hashes[same], &other->hashes[same], sizeof *one->hashes) == 0)
        same++;
    return same < one->hash_count ? &one->hashes[same] : same < other->hash_count ? &other->hashes[same] : NULL;
}

static void write_hash(const frame_pair *pair)
{
    const kin__frame_hash *hash = find_hash(&pair->frames[0], &pair->frames[1]);
    if (hash != NULL)
        write_changed(pair, hash->context, hash->component, "after");
    else
        write_text(pair, pair->frames[0].number, "the state differs after the update");
}

static void diff_update(frame_pair *pair)
{
    const kin__read_frame *one = &pair->frames[0], *other = &pair->frames[1];
    bool is_equal = pair->have_same_names && one->hash == other->hash && find_hash(one, other) == NULL;
    if (!save_frame_update(pair->files[0], one) || !save_frame_update(pair->files[1], other) || is_equal)
        return;
    if (!pair->have_same_names && !pair->have_states) {
        write_text(pair, one->number, "not compared: the recordings have different names or types, and no states");
        return;
    }
    diff_moments(pair, "after");
    if (pair->diffing->differences == 0 && pair->have_same_names && !is_faulty(pair))
        write_hash(pair);
}

// ---- all together

// Compares when the updates were, and how long.
static void diff_time(frame_pair *pair)
{
    const kin__read_frame *one = &pair->frames[0], *other = &pair->frames[1];
    text *line = &pair->diffing->line;
    text_clear(line);
    if (one->number != other->number) {
        text_append_format(line, "in the second recording it is frame %" PRIu64, other->number);
        write_line(pair, one->number);
    } else if (one->delta != other->delta) {
        text_append_string(line, "its delta differs: ");
        save_append_double(line, one->delta);
        text_append_string(line, " -> ");
        save_append_double(line, other->delta);
        write_line(pair, one->number);
    }
}

static void diff_frame(frame_pair *pair)
{
    static void (*const parts[])(frame_pair *) = {diff_time, diff_outside, diff_update};
    pair->have_states = save_frame_has_states(&pair->frames[0]) && save_frame_has_states(&pair->frames[1]);
    for (size_t i = 0; i < 3 && pair->diffing->differences == 0 && !is_faulty(pair); i++)
        parts[i](pair);
}

bool diff_frames(diffing *diffing)
{
    frame_pair pair = {.diffing = diffing, .files = {&diffing->sides[0].file, &diffing->sides[1].file}};
    pair.have_same_names = pair.files[0]->schema_hash == pair.files[1]->schema_hash;
    while (diffing->differences == 0) {
        bool has_one = save_frame_next(pair.files[0], &pair.frames[0]);
        bool has_other = save_frame_next(pair.files[1], &pair.frames[1]);
        if ((!has_one && !has_other) || is_faulty(&pair))
            break;
        if (has_one && has_other)
            diff_frame(&pair);
        else
            write_text(&pair, pair.frames[has_other].number,
                       has_one ? "only the first recording has it" : "only the second recording has it");
    }
    return !is_faulty(&pair);
}

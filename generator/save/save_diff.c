#include "save/save_diff.h"

#include "base/status.h"
#include "save/private/diffing.h"
#include "save/save_frame.h"
#include "save/save_state.h"
#include "save/save_system.h"

#include <inttypes.h>
#include <string.h>

// ---- the state besides entities, as lines

static bool append_state(text *out, save_walk *walk, save_step step)
{
    switch (step) {
    case SAVE_STEP_CONTEXT:
        return save_append_slots(out, walk);
    case SAVE_STEP_KEPT:
        return save_append_kept(out, walk);
    case SAVE_STEP_LINKS:
        return save_append_links(out, walk);
    default:
        return save_append_system(out, walk);
    }
}

static dictionary index_lines(arena *arena, const text *lines)
{
    dictionary index = dictionary_create(arena);
    for (const char *at = lines->bytes, *end; *at != '\0'; at = end + 1) {
        end = strchr(at, '\n');
        dictionary_add(&index, arena_copy(arena, at, (size_t)(end - at)), at);
    }
    return index;
}

static bool is_of_slots(const char *line)
{
    const char *colon = strchr(line, ':');
    return colon != NULL && strncmp(colon, ":\"slots\"", 8) == 0;
}

// Lists the lines that only one of the files has. Which slots come next follows from entities, if these differ.
static void diff_lines(diffing *diffing, const text lines[2], int side, bool has_entities)
{
    dictionary others = index_lines(diffing->arena, &lines[1 - side]);
    for (const char *at = lines[side].bytes, *end; *at != '\0'; at = end + 1) {
        end = strchr(at, '\n');
        const char *line = arena_copy(diffing->arena, at, (size_t)(end - at));
        if (dictionary_find(&others, line) != NULL || (has_entities && is_of_slots(line)))
            continue;
        fprintf(diffing->output, "%s %s\n", side == 0 ? "-" : "+", line);
        diffing->differences++;
    }
}

// ---- side by side

// Reads on to the next chunk. False at the end.
static bool next_chunk(save_walk *walk, text *state)
{
    for (;;) {
        save_step step = save_walk_next(walk);
        if (step == SAVE_STEP_CHUNK)
            return true;
        if (step == SAVE_STEP_END || !append_state(state, walk, step))
            return false;
    }
}

static const char *context_of(const save_walk *walk)
{
    return walk->file.schema.contexts[walk->chunk.context].name;
}

static int compare_chunks(const save_walk *one, const save_walk *other)
{
    int order = strcmp(context_of(one), context_of(other));
    if (order != 0)
        return order;
    return (one->chunk.number > other->chunk.number) - (one->chunk.number < other->chunk.number);
}

static bool is_faulty(const diffing *diffing)
{
    return save_file_is_faulty(&diffing->sides[0].file) || save_file_is_faulty(&diffing->sides[1].file);
}

// Stops where one of the files is damaged: what follows there is unknown, not missing.
static bool diff_walks(diffing *diffing)
{
    save_walk *before = &diffing->sides[0], *after = &diffing->sides[1];
    text lines[2] = {text_create(diffing->arena), text_create(diffing->arena)};
    bool has_one = next_chunk(before, &lines[0]), has_other = next_chunk(after, &lines[1]);
    while ((has_one || has_other) && !is_faulty(diffing)) {
        int order = !has_one ? 1 : !has_other ? -1 : compare_chunks(before, after);
        diff_chunks(diffing, order <= 0 ? &before->chunk : NULL, order >= 0 ? &after->chunk : NULL);
        if (order <= 0)
            has_one = next_chunk(before, &lines[0]);
        if (order >= 0)
            has_other = next_chunk(after, &lines[1]);
    }
    if (is_faulty(diffing))
        return false;
    bool has_entities = diffing->differences > 0;
    diff_lines(diffing, lines, 0, has_entities);
    diff_lines(diffing, lines, 1, has_entities);
    return true;
}

// Compares the frames of two recordings that begin with the same state, up to the first that differs.
static bool diff_frames(diffing *diffing)
{
    save_file *before = &diffing->sides[0].file, *after = &diffing->sides[1].file;
    if (!before->is_recording || !after->is_recording)
        return true;
    while (diffing->differences == 0) {
        kin__read_frame frames[2] = {{0}, {0}};
        bool has_one = save_frame_next(before, &frames[0]), has_other = save_frame_next(after, &frames[1]);
        if ((!has_one && !has_other) || save_file_is_faulty(before) || save_file_is_faulty(after))
            break;
        diffing->differences += save_append_frame_difference(&diffing->line, before, has_one ? &frames[0] : NULL,
                                                             has_other ? &frames[1] : NULL);
    }
    fwrite(diffing->line.bytes, 1, diffing->line.size, diffing->output);
    return !save_file_is_faulty(before) && !save_file_is_faulty(after);
}

static void write_count(const diffing *diffing)
{
    fprintf(diffing->output, "%" PRIu64 " difference%s in %zu component%s of %" PRIu64 " entit%s\n",
            diffing->differences, diffing->differences == 1 ? "" : "s", diffing->components.count,
            diffing->components.count == 1 ? "" : "s", diffing->entities, diffing->entities == 1 ? "y" : "ies");
}

int save_diff(arena *arena, diagnostics *diagnostics, const char *const *paths, FILE *output)
{
    diffing *diffing = arena_allocate(arena, sizeof *diffing);
    diffing->arena = arena;
    diffing->output = output;
    diffing->components = dictionary_create(arena);
    diffing->line = text_create(arena);
    diffing->what = text_create(arena);
    bool is_read = save_file_begin(&diffing->sides[0].file, arena, paths[0]);
    is_read = save_file_begin(&diffing->sides[1].file, arena, paths[1]) && is_read;
    if (is_read && diff_walks(diffing)) {
        text_clear(&diffing->line);
        if (diff_frames(diffing))
            write_count(diffing);
    }
    int status = save_file_report(&diffing->sides[0].file, diagnostics);
    int other = save_file_report(&diffing->sides[1].file, diagnostics);
    save_walk_end(&diffing->sides[0]);
    save_walk_end(&diffing->sides[1]);
    if (status != STATUS_DONE || other != STATUS_DONE)
        return status > other ? status : other;
    return diffing->differences > 0 ? STATUS_DIFFERENCE : STATUS_DONE;
}

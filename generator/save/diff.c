// What differs between two files.
#include "generator/save/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// ---- states

// Two states: entities, component by component and leaf by leaf, and then what else they have.

enum { SUBJECT_WIDTH = 20, WHAT_WIDTH = 18 };

void diff_count(diffing *diffing)
{
    fwrite(diffing->title.bytes, 1, diffing->title.size, diffing->output);
    text_clear(&diffing->title);
    diffing->differences++;
}

// Writes a string and at least one space.
static void write_column(FILE *output, const char *string, int width)
{
    fprintf(output, "%-*s ", width - 1, string);
}

// Writes a line in columns: the subject, what of it differs, and how.
static void write_row(diffing *diffing, const char *subject, const char *what, const char *how)
{
    diff_count(diffing);
    write_column(diffing->output, subject, SUBJECT_WIDTH);
    if (what[0] != '\0')
        write_column(diffing->output, what, WHAT_WIDTH);
    fprintf(diffing->output, "%s\n", how);
}

// An entity in both files, or in one of them.
typedef struct pair {
    diffing *diffing;
    const char *subject;
} pair;

void diff_note_component(diffing *diffing, const char *name)
{
    if (dictionary_find(&diffing->components, name) == NULL)
        dictionary_add(&diffing->components, arena_copy(diffing->arena, name, strlen(name)), name);
}

// ---- leaves

static bool is_text_equal(diffing *diffing, const save_leaf_value *one, const save_leaf_value *other)
{
    text_clear(&diffing->line);
    save_append_leaf(&diffing->line, one);
    size_t size = diffing->line.size;
    save_append_leaf(&diffing->line, other);
    return diffing->line.size == 2 * size && memcmp(diffing->line.bytes, diffing->line.bytes + size, size) == 0;
}

// Enums are equal by their names, and values of other types by what they are in JSON.
static bool are_equal(diffing *diffing, const save_leaf_value *one, const save_leaf_value *other)
{
    if (one->leaf->type != KIN_TYPE_ENUM && save_leaf_values_are_equal(one, other))
        return true;
    bool is_like = one->leaf->type == other->leaf->type && one->leaf->type != KIN_TYPE_ENUM;
    return !is_like && is_text_equal(diffing, one, other);
}

static void write_leaf(const pair *pair, const char *component, const save_leaf_value *one,
                       const save_leaf_value *other)
{
    diffing *diffing = pair->diffing;
    assert(one != NULL || other != NULL);
    text *line = &diffing->line;
    text_clear(line);
    text_clear(&diffing->what);
    if (one == NULL)
        text_append_string(line, "+ ");
    else if (other == NULL)
        text_append_string(line, "- ");
    if (one != NULL)
        save_append_leaf(line, one);
    if (one != NULL && other != NULL)
        text_append_string(line, " -> ");
    if (other != NULL)
        save_append_leaf(line, other);
    else
        other = one;
    text_append_format(&diffing->what, "%s.%s", component, other->leaf->path);
    write_row(diffing, pair->subject, diffing->what.bytes, diffing->line.bytes);
    diff_note_component(diffing, component);
}

// Returns whether both are arrays of the same type and count, whose elements can be compared one by one.
static bool are_arrays(const save_leaf_value *one, const save_leaf_value *other)
{
    bool are_lists = one->leaf->is_list || other->leaf->is_list;
    bool are_alike = one->leaf->type == other->leaf->type && one->count == other->count;
    bool are_numbers = one->leaf->type != KIN_TYPE_ENUM && one->letters == NULL;
    bool are_compared_whole = are_lists || one->count <= 1;
    return are_alike && are_numbers && !are_compared_whole;
}

static void write_elements(const pair *pair, const char *component, const save_leaf_value *one,
                           const save_leaf_value *other)
{
    diffing *diffing = pair->diffing;
    size_t size = one->element_size;
    for (uint32_t i = 0; i < one->count; i++) {
        if (memcmp(one->elements + i * size, other->elements + i * size, size) == 0)
            continue;
        text_clear(&diffing->line);
        text_clear(&diffing->what);
        save_append_number(&diffing->line, one, i);
        text_append_string(&diffing->line, " -> ");
        save_append_number(&diffing->line, other, i);
        text_append_format(&diffing->what, "%s.%s[%" PRIu32 "]", component, one->leaf->path, i);
        write_row(diffing, pair->subject, diffing->what.bytes, diffing->line.bytes);
    }
    diff_note_component(diffing, component);
}

// Returns the order of the next items of two sorted lists: negative if only the first list has one, positive if only
// the second has; 0 if both have, whose order the caller compares.
static int order_of_ends(bool has_one, bool has_other)
{
    assert(has_one || has_other);
    return (int)has_other - (int)has_one;
}

// Writes each leaf that differs. Both are sorted by their paths.
static void diff_leaves(const pair *pair, const save_values *before, const save_values *after)
{
    uint32_t one = 0;
    uint32_t other = 0;
    uint32_t count = before->component->leaf_count;
    uint32_t with = after->component->leaf_count;
    while (one < count || other < with) {
        const char *name = before->component->name;
        const save_leaf_value *left = &before->next[one];
        const save_leaf_value *right = &after->next[other];
        int order = order_of_ends(one < count, other < with);
        if (order == 0)
            order = strcmp(left->leaf->path, right->leaf->path);
        one += order <= 0;
        other += order >= 0;
        if (order < 0)
            write_leaf(pair, name, left, NULL);
        else if (order > 0)
            write_leaf(pair, name, NULL, right);
        else if (are_equal(pair->diffing, left, right))
            continue;
        else if (are_arrays(left, right))
            write_elements(pair, name, left, right);
        else
            write_leaf(pair, name, left, right);
    }
}

// ---- components

static save_column *column_at(save_column *column, uint32_t place)
{
    while (column != NULL && !save_has(column->has, place))
        column = column->next;
    return column;
}

// Takes the values of an entity from all columns that have one.
static void take_values(const save_chunk *chunk, uint32_t place)
{
    for (save_column *column = column_at(chunk->first, place); column != NULL; column = column_at(column->next, place))
        for (uint32_t i = 0; i < column->values.component->leaf_count; i++)
            column->values.next[i] = save_values_next(&column->values, i);
}

static void write_component(const pair *pair, const save_column *column, bool is_added)
{
    diffing *diffing = pair->diffing;
    const char *name = column->values.component->name;
    text_clear(&diffing->line);
    if (is_added) {
        text_append_string(&diffing->line, "+ ");
        save_append_taken(&diffing->line, &column->values);
    } else {
        text_append_string(&diffing->line, "-");
    }
    write_row(diffing, pair->subject, name, diffing->line.bytes);
    diff_note_component(diffing, name);
}

static void diff_components(const pair *pair, const save_chunk *before, const save_chunk *after, uint32_t place)
{
    save_column *left = column_at(before->first, place);
    save_column *right = column_at(after->first, place);
    while (left != NULL || right != NULL) {
        int order = order_of_ends(left != NULL, right != NULL);
        if (order == 0)
            order = strcmp(left->values.component->name, right->values.component->name);
        if (order == 0)
            diff_leaves(pair, &left->values, &right->values);
        else if (order < 0)
            write_component(pair, left, false);
        else
            write_component(pair, right, true);
        if (order <= 0)
            left = column_at(left->next, place);
        if (order >= 0)
            right = column_at(right->next, place);
    }
}

// ---- entities

static void append_label(text *out, const save_chunk *chunk, uint32_t place)
{
    for (save_column *column = column_at(chunk->first, place); column != NULL;
         column = column_at(column->next, place)) {
        const kin__file_component *component = column->values.component;
        const save_leaf_value *value = column->values.next;
        if (strcmp(component->name, "Name") != 0 || component->leaf_count != 1)
            continue;
        bool is_text = value->letters != NULL && value->leaf->type != KIN_TYPE_OPAQUE;
        if (!is_text || value->count != 1)
            continue;
        text_append_string(out, " '");
        text_append_escaped(out, (const char *)value->letters, value->text_size);
        text_append_string(out, "'");
    }
}

static const char *subject_of(diffing *diffing, const save_chunk *chunk, uint32_t place)
{
    const char *context = diffing->sides[chunk == &diffing->sides[1].chunk].file.schema.contexts[chunk->context].name;
    text text = text_create(&diffing->sides[0].chunk.arena);
    text_append_string(&text, context);
    text_append_format(&text, " %" PRIu64 "@%" PRIu32, chunk->entities[place] >> 24,
                       (uint32_t)(chunk->entities[place] & 0xffffff));
    append_label(&text, chunk, place);
    return text.bytes;
}

static void write_created(diffing *diffing, const save_chunk *chunk, uint32_t place)
{
    const char *before = " (";
    text_clear(&diffing->line);
    text_append_string(&diffing->line, "+ created");
    for (save_column *column = column_at(chunk->first, place); column != NULL;
         column = column_at(column->next, place)) {
        text_append_format(&diffing->line, "%s%s", before, column->values.component->name);
        diff_note_component(diffing, column->values.component->name);
        before = ", ";
    }
    if (before[0] == ',')
        text_append_string(&diffing->line, ")");
    write_row(diffing, subject_of(diffing, chunk, place), "", diffing->line.bytes);
}

static void diff_entity(diffing *diffing, const save_chunk *before, const save_chunk *after, uint32_t place)
{
    uint64_t one = before->entities[place];
    uint64_t other = after->entities[place];
    take_values(before, place);
    take_values(after, place);
    diffing->entities += other != 0;
    if (one == other && one != 0) {
        pair pair = {diffing, subject_of(diffing, after, place)};
        diff_components(&pair, before, after, place);
        return;
    }
    if (one != 0)
        write_row(diffing, subject_of(diffing, before, place), "", "- destroyed");
    if (other != 0)
        write_created(diffing, after, place);
}

// ---- the state besides entities, as lines

static bool append_state(text *out, save_walk *walk, save_step step)
{
    switch (step) {
    case SAVE_STEP_CONTEXT:
        return save_append_slots(out, walk);
    case SAVE_STEP_KEPT:
        return save_append_kept(out, walk);
    case SAVE_STEP_SHARED:
        return save_append_shared(out, walk);
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

static bool says(const char *line, const char *what)
{
    const char *colon = strchr(line, ':');
    return colon != NULL && strncmp(colon, what, strlen(what)) == 0;
}

// Whether a line follows from entities: which slots come next, and where shared values are.
static bool is_of_entities(const char *line)
{
    return says(line, ":\"slots\"") || says(line, ":\"shared\"");
}

// Lists the lines that only one of the files has. If entities differ, those that follow from them are left out.
static void diff_lines(diffing *diffing, const text lines[2], int side, bool has_entities)
{
    arena arena = arena_beside(diffing->arena);
    dictionary others = index_lines(&arena, &lines[1 - side]);
    for (const char *at = lines[side].bytes, *end; *at != '\0'; at = end + 1) {
        end = strchr(at, '\n');
        const char *line = arena_copy(&arena, at, (size_t)(end - at));
        bool follows = has_entities && is_of_entities(line);
        if (follows || dictionary_find(&others, line) != NULL)
            continue;
        diff_count(diffing);
        fprintf(diffing->output, "%c %s\n", "-+"[side], line);
    }
    arena_release(&arena);
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
static bool diff_walks(diffing *diffing, text lines[2])
{
    static const save_chunk nothing; // where one of the files has no chunk
    save_walk *before = &diffing->sides[0];
    save_walk *after = &diffing->sides[1];
    bool has_one = next_chunk(before, &lines[0]);
    bool has_other = next_chunk(after, &lines[1]);
    while (!is_faulty(diffing)) {
        if (!has_one && !has_other)
            break;
        int order = order_of_ends(has_one, has_other);
        if (order == 0)
            order = compare_chunks(before, after);
        const save_chunk *left = &nothing;
        const save_chunk *right = &nothing;
        if (order <= 0)
            left = &before->chunk;
        if (order >= 0)
            right = &after->chunk;
        // Compares two chunks of the same number and context.
        for (uint32_t place = 0; place < SAVE_CHUNK_SLOTS; place++)
            diff_entity(diffing, left, right, place);
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

bool diff_states(diffing *diffing)
{
    arena arena = arena_beside(diffing->arena);
    text lines[2] = {text_create(&arena), text_create(&arena)};
    diffing->entities = 0;
    bool is_read = diff_walks(diffing, lines);
    arena_release(&arena);
    return is_read;
}

// ---- frames

// Frames of two recordings, one after the other, up to the first that differs.
//
// Of a frame that differs, the states before or after its update are compared, entity by entity. What is unknown there,
// as the recordings have no states, is compared by hashes, component by component.

// A frame in both recordings.
typedef struct frame_pair {
    diffing *diffing;
    save_file *files[2];
    kin__read_frame frames[2];
    bool have_same_names; // so that both number contexts and components alike
    bool have_states;
} frame_pair;

static bool are_faulty(const frame_pair *pair)
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
        save_moment *other = NULL;
        if (pair->have_same_names)
            other = pair->files[1 - side]->moment;
        save_file_replay(pair->files[side], other);
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
    if (!kin__frame_part_is(one, other->kind) || size != kin__decoder_left(&other->decoder))
        return false;
    return memcmp(one->decoder.at, other->decoder.at, size) == 0;
}

static bool are_parts_equal(const kin__frame_parts *one, const kin__frame_parts *other)
{
    if (one->count != other->count)
        return false;
    for (uint32_t i = 0; i < one->count; i++)
        if (!is_same_part(&one->parts[i], &other->parts[i]))
            return false;
    return true;
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
    if (has_part(&pair->frames[1 - side].outside, part) || !save_frame_read_place(file, part))
        return;
    if (save_moment_knows(file->moment, place) && save_moment_knows(pair->files[1 - side]->moment, place))
        return;
    uint32_t context = place->context;
    uint32_t component = place->component;
    if (place->kind == SAVE_SYSTEM)
        context = UINT32_MAX;
    if (place->kind == SAVE_CONTEXT || place->kind == SAVE_SLOTS)
        component = UINT32_MAX;
    if (dictionary_add(written, arena_format(written->arena, "%" PRIu32 ".%" PRIu32, context, component), part) == NULL)
        write_changed(pair, context, component, "before");
}

static void diff_outside(frame_pair *pair)
{
    bool is_equal = pair->have_same_names && are_parts_equal(&pair->frames[0].outside, &pair->frames[1].outside);
    for (int side = 0; side < 2; side++)
        if (!save_frame_apply(pair->files[side], &pair->frames[side].outside))
            return;
    if (is_equal)
        return;
    diff_moments(pair, "before");
    if (pair->have_same_names && !are_faulty(pair)) {
        arena arena = arena_beside(pair->diffing->arena);
        dictionary written = dictionary_create(&arena);
        for (int side = 0; side < 2; side++)
            for (uint32_t i = 0; i < pair->frames[side].outside.count; i++)
                write_part(pair, side, &pair->frames[side].outside.parts[i], &written);
        arena_release(&arena);
    }
}

// ---- what the update changed

// Returns the first hash that differs, or that only one of the frames has; NULL if all are equal.
static const kin__frame_hash *find_hash(const kin__read_frame *one, const kin__read_frame *other)
{
    for (uint32_t i = 0; i < one->hash_count; i++) {
        bool is_of_both = i < other->hash_count;
        if (!is_of_both || memcmp(&one->hashes[i], &other->hashes[i], sizeof *one->hashes) != 0)
            return &one->hashes[i];
    }
    if (one->hash_count < other->hash_count)
        return &other->hashes[one->hash_count];
    return NULL;
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
    const kin__read_frame *one = &pair->frames[0];
    const kin__read_frame *other = &pair->frames[1];
    bool has_same_hash = one->hash == other->hash && find_hash(one, other) == NULL;
    if (!save_frame_update(pair->files[0], one) || !save_frame_update(pair->files[1], other))
        return;
    if (pair->have_same_names && has_same_hash)
        return;
    if (!pair->have_same_names && !pair->have_states) {
        write_text(pair, one->number, "not compared: the recordings have different names or types, and no states");
        return;
    }
    diff_moments(pair, "after");
    bool is_known = pair->diffing->differences > 0 || are_faulty(pair);
    if (pair->have_same_names && !is_known)
        write_hash(pair);
}

// ---- all together

// Compares when the updates were, and how long.
static void diff_time(frame_pair *pair)
{
    const kin__read_frame *one = &pair->frames[0];
    const kin__read_frame *other = &pair->frames[1];
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
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (pair->diffing->differences > 0 || are_faulty(pair))
            return;
        parts[i](pair);
    }
}

bool diff_frames(diffing *diffing)
{
    frame_pair pair = {.diffing = diffing, .files = {&diffing->sides[0].file, &diffing->sides[1].file}};
    pair.have_same_names = pair.files[0]->schema_hash == pair.files[1]->schema_hash;
    while (diffing->differences == 0) {
        bool has_one = save_frame_next(pair.files[0], &pair.frames[0]);
        bool has_other = save_frame_next(pair.files[1], &pair.frames[1]);
        bool is_end = !has_one && !has_other;
        if (is_end || are_faulty(&pair))
            break;
        if (has_one && has_other)
            diff_frame(&pair);
        else if (has_one)
            write_text(&pair, pair.frames[0].number, "only the first recording has it");
        else
            write_text(&pair, pair.frames[1].number, "only the second recording has it");
    }
    return !are_faulty(&pair);
}

// ---- files

// Prepares to compare the frames of two recordings.
static void begin_recordings(diffing *diffing)
{
    text_append_string(&diffing->title, "before the first frame:\n");
    for (int side = 0; side < 2; side++) {
        save_file *file = &diffing->sides[side].file;
        file->moment = save_moment_create(diffing->arena, &file->schema);
    }
}

// Files of two packages have nothing in common.
static bool is_one_package(const diffing *diffing, diagnostics *diagnostics)
{
    const save_file *one = &diffing->sides[0].file;
    const save_file *other = &diffing->sides[1].file;
    if (strcmp(one->package, other->package) == 0)
        return true;
    diagnostic_error(diagnostics, CODE_SAVE_FOREIGN, (span){0},
                     "'%s' is of the package '%s', and '%s' of '%s'; compare saves of one package", one->path,
                     text_escaped(diffing->arena, one->package), other->path,
                     text_escaped(diffing->arena, other->package));
    diagnostic_about(diagnostics, other->path);
    return false;
}

static bool diff_files(diffing *diffing)
{
    bool are_recordings = diffing->sides[0].file.is_recording && diffing->sides[1].file.is_recording;
    if (are_recordings)
        begin_recordings(diffing);
    if (!diff_states(diffing))
        return false;
    if (!are_recordings || diffing->differences > 0)
        return true;
    return diff_frames(diffing);
}

static void write_count(const diffing *diffing)
{
    const char *differences = diffing->differences == 1 ? "difference" : "differences";
    const char *components = diffing->components.count == 1 ? "component" : "components";
    const char *entities = diffing->entities == 1 ? "entity" : "entities";
    fprintf(diffing->output, "%" PRIu64 " %s in %zu %s of %" PRIu64 " %s\n", diffing->differences, differences,
            diffing->components.count, components, diffing->entities, entities);
}

int save_diff(arena *arena, diagnostics *diagnostics, const char *const *paths, FILE *output)
{
    diffing *diffing = arena_allocate(arena, sizeof *diffing);
    diffing->arena = arena;
    diffing->output = output;
    diffing->components = dictionary_create(arena);
    diffing->line = text_create(arena);
    diffing->what = text_create(arena);
    diffing->title = text_create(arena);
    bool is_read = save_file_begin(&diffing->sides[0].file, arena, paths[0]);
    is_read = save_file_begin(&diffing->sides[1].file, arena, paths[1]) && is_read;
    bool is_foreign = is_read && !is_one_package(diffing, diagnostics);
    bool are_comparable = is_read && !is_foreign;
    if (are_comparable && diff_files(diffing))
        write_count(diffing);
    int status = save_file_report(&diffing->sides[0].file, diagnostics);
    int other = save_file_report(&diffing->sides[1].file, diagnostics);
    save_walk_end(&diffing->sides[0]);
    save_walk_end(&diffing->sides[1]);
    if (is_foreign)
        return STATUS_SCHEMA;
    if (other > status)
        status = other;
    if (status == STATUS_DONE && diffing->differences > 0)
        return STATUS_DIFFERENCE;
    return status;
}

// A file as lines of JSON.
#include "generator/save/save.h"

#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

typedef struct dump {
    save_walk walk;
    dump_kind kind;
    FILE *output;
    text line;
    text slots, state;  // of the context: its line, and those that follow it
    uint64_t *entities; // by context
    uint32_t systems;
    uint64_t frames; // after the first state
} dump;

static void write_text(dump *dump, text *text)
{
    if (dump->kind == DUMP_LINES)
        fwrite(text->bytes, 1, text->size, dump->output);
    text_clear(text);
}

// ---- lines

static void append_head(text *out, const save_file *file)
{
    text_append_string(out, "{\"kin\":1,\"package\":");
    save_append_quoted(out, file->package);
    text_append_format(out, ",\"version\":%" PRIu32 ",\"frame\":", file->version);
    save_append_unsigned(out, file->frame);
    if (file->meta != NULL) {
        text_append_string(out, ",\"meta\":");
        save_append_bytes(out, (const unsigned char *)file->meta, file->meta_size, false);
    }
    text_append_string(out, "}\n");
}

static void append_entity(text *out, const save_walk *walk, uint32_t place)
{
    const save_chunk *chunk = &walk->chunk;
    assert(place < SAVE_CHUNK_SLOTS);
    text_append_string(out, "{");
    save_append_quoted(out, walk->file.schema.contexts[chunk->context].name);
    text_append_string(out, ":");
    save_append_handle(out, chunk->entities[place]);
    for (save_column *column = chunk->first; column != NULL; column = column->next) {
        if (!save_has(column->has, place))
            continue;
        text_append_string(out, ",");
        save_append_quoted(out, column->values.component->name);
        text_append_string(out, ":");
        save_append_value(out, &column->values);
    }
    text_append_string(out, "}\n");
}

static void dump_chunk(dump *dump)
{
    for (uint32_t place = 0; place < SAVE_CHUNK_SLOTS; place++) {
        if (!save_has(dump->walk.chunk.alive, place))
            continue;
        dump->entities[dump->walk.chunk.context]++;
        if (dump->kind != DUMP_LINES)
            continue;
        append_entity(&dump->line, &dump->walk, place);
        write_text(dump, &dump->line);
    }
}

// Writes the state of the context that ends.
static void end_context(dump *dump)
{
    write_text(dump, &dump->slots);
    write_text(dump, &dump->state);
}

static bool dump_step(dump *dump, save_step step)
{
    switch (step) {
    case SAVE_STEP_CONTEXT:
        end_context(dump);
        return save_append_slots(&dump->slots, &dump->walk);
    case SAVE_STEP_CHUNK:
        dump_chunk(dump);
        return true;
    case SAVE_STEP_KEPT:
        return save_append_kept(&dump->state, &dump->walk);
    case SAVE_STEP_SHARED:
        return save_append_shared(&dump->state, &dump->walk);
    case SAVE_STEP_LINKS:
        return save_append_links(&dump->state, &dump->walk);
    case SAVE_STEP_SYSTEM:
        dump->systems += dump->walk.file.place.kind == SAVE_SYSTEM;
        end_context(dump);
        return save_append_system(&dump->state, &dump->walk);
    default:
        return false;
    }
}

static bool dump_blocks(dump *dump)
{
    save_file *file = &dump->walk.file;
    dump->entities = arena_allocate(file->arena, file->schema.context_count * sizeof *dump->entities + 1);
    append_head(&dump->line, file);
    write_text(dump, &dump->line);
    while (dump_step(dump, save_walk_next(&dump->walk)))
        ;
    if (save_file_is_faulty(file))
        return false;
    end_context(dump);
    return true;
}

// A recording has frames after its first state.
static bool dump_frames(dump *dump)
{
    save_file *file = &dump->walk.file;
    kin__read_frame frame = {0};
    for (; save_frame_next(file, &frame); dump->frames++) {
        if (dump->kind == DUMP_LINES)
            save_append_frame(&dump->line, file, &frame);
        write_text(dump, &dump->line);
    }
    return !save_file_is_faulty(file);
}

// ---- the head

// Appends a number with commas between thousands.
static void append_grouped(text *out, uint64_t number)
{
    char digits[32];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0)
            text_append_string(out, ",");
        text_append(out, &digits[i], 1);
    }
}

static void append_info(text *out, const dump *dump)
{
    const save_file *file = &dump->walk.file;
    text_append_string(out, text_escaped(out->arena, file->package));
    text_append_format(out, ", version %" PRIu32 ", frame %" PRIu64 ", format 1", file->version, file->frame);
    for (uint32_t i = 0; i < file->schema.context_count; i++) {
        if (i == 0)
            text_append_string(out, ", ");
        text_separate(out, i, " and ");
        append_grouped(out, dump->entities[i]);
        text_append_string(out, dump->entities[i] == 1 ? " entity in " : " entities in ");
        text_append_string(out, text_escaped(out->arena, file->schema.contexts[i].name));
    }
    if (dump->systems > 0)
        text_append_format(out, ", %" PRIu32 " system%s", dump->systems, dump->systems == 1 ? "" : "s");
    text_append_string(out, ", ");
    if (file->is_recording) {
        append_grouped(out, dump->frames);
        text_append_string(out, dump->frames == 1 ? " frame recorded, " : " frames recorded, ");
    }
    append_grouped(out, file->input.offset);
    text_append_string(out, " bytes");
    if (file->input.zstd != NULL)
        text_append_string(out, " uncompressed");
    text_append_format(out, ", hash %016" PRIx64 "\n", file->hash);
}

int dump_file(arena *arena, diagnostics *diagnostics, const char *path, dump_kind kind, FILE *output)
{
    dump dump = {.kind = kind,
                 .output = output,
                 .line = text_create(arena),
                 .slots = text_create(arena),
                 .state = text_create(arena)};
    bool is_read = save_file_begin(&dump.walk.file, arena, path) && dump_blocks(&dump);
    if (is_read && kind != DUMP_HASH)
        is_read = dump_frames(&dump);
    if (is_read) {
        if (kind == DUMP_INFO)
            append_info(&dump.line, &dump);
        if (kind == DUMP_HASH)
            text_append_format(&dump.line, "%016" PRIx64 "\n", dump.walk.file.hash);
        fwrite(dump.line.bytes, 1, dump.line.size, output);
    }
    int status = save_file_report(&dump.walk.file, diagnostics);
    save_walk_end(&dump.walk);
    return status;
}

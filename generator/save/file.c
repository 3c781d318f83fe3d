// A file while it is read: head, names, blocks, hash.
#include "generator/save/save.h"

#include "file/file.h"
#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool save_file_wrong(save_file *file, int code, const char *what)
{
    return kin__block_reader_fault(&file->blocks, code, "%s", what);
}

// ---- the head

static bool read_meta(save_file *file)
{
    if (!kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT))
        return false;
    if (!kin__block_reader_is(&file->blocks, "META"))
        return true;
    if (file->blocks.size > KIN_META_SIZE)
        return save_file_wrong(file, 1307, "it has too many bytes");
    file->meta = arena_copy(file->arena, (const char *)file->blocks.bytes, file->blocks.size);
    file->meta_size = file->blocks.size;
    return kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT);
}

static bool read_head(save_file *file)
{
    kin__head head;
    if (!kin__head_read(&file->blocks, &head))
        return false;
    file->package = arena_copy(file->arena, head.package, head.package_size);
    file->version = head.version;
    file->frame = head.frame;
    file->is_recording = head.is_recording;
    if (!read_meta(file))
        return false;
    if (!kin__block_reader_is(&file->blocks, "SHAP"))
        return save_file_wrong(file, 1309, "the block of names does not follow the head");
    file->schema_hash = kin__xxh64_of(file->blocks.bytes, file->blocks.size, 0);
    return kin__file_schema_read(&file->schema, &file->blocks, &file->heap);
}

static bool open_bytes(save_file *file)
{
    if (strcmp(file->path, "-") != 0)
        return kin__read_file_begin(&file->bytes, file->path, &file->fault);
    file->path = "<stdin>";
    file->bytes = (kin__read_file){.path = file->path, .number = dup(STDIN_FILENO), .fault = &file->fault};
    return file->bytes.number >= 0 || kin__fault_note(&file->fault, KIN_ERROR_STREAM, "cannot read standard input");
}

bool save_file_begin(save_file *file, arena *arena, const char *path)
{
    assert(path != NULL);
    *file = (save_file){.arena = arena, .path = path, .bytes.number = -1, .hashing = save_hash_begin(arena)};
    file->memory = kin__memory_of((kin_allocator){NULL, NULL, NULL});
    file->heap = (kin__heap){.memory = &file->memory, .fault = &file->fault};
    kin__block_reader_begin(&file->blocks, &file->input);
    return open_bytes(file) &&
           kin__input_begin(&file->input, kin__read_file_source(&file->bytes), UINT64_MAX, &file->fault) &&
           read_head(file);
}

void save_file_end(save_file *file)
{
    kin__block_reader_end(&file->blocks);
    kin__input_end(&file->input);
    if (file->frames.memory != NULL)
        kin__heap_release(&file->frames);
    kin__heap_release(&file->heap);
    if (file->bytes.number >= 0)
        kin__read_file_end(&file->bytes);
}

// ---- the hash

static void add_to_hash(save_file *file)
{
    const save_place *place = &file->place;
    kin__decoder content = file->decoder;
    uint64_t name;
    size_t size;
    assert(place->kind != SAVE_DONE);
    if (place->kind == SAVE_SYSTEM) {
        const char *path = kin__decode_text(&content, &size);
        name = kin__xxh64_of(path, size, 0);
    } else {
        const kin__file_context *context = &file->schema.contexts[place->context];
        const char *component = NULL;
        if (place->kind >= SAVE_COLUMN)
            component = context->components[place->component].name;
        name = save_hash_name(context->name, component);
    }
    save_hash_add(&file->hashing, place, name, content.at, kin__decoder_left(&content));
}

// ---- blocks

static bool has_numbers(save_file *file)
{
    const save_place *place = &file->place;
    if (place->kind >= SAVE_SYSTEM)
        return true;
    if (place->context >= file->schema.context_count)
        return save_file_wrong(file, 1307, "there is no context with its number");
    const kin__file_context *context = &file->schema.contexts[place->context];
    if (place->kind >= SAVE_COLUMN && place->component >= context->component_count)
        return save_file_wrong(file, 1307, "there is no component with its number");
    if (place->kind == SAVE_LINKS && place->leaf >= context->components[place->component].leaf_count)
        return save_file_wrong(file, 1307, "there is no field with its number");
    return true;
}

bool save_file_read_place(save_file *file)
{
    return save_place_read(&file->blocks, &file->decoder, &file->place) && has_numbers(file);
}

bool save_file_keep(save_file *file)
{
    if (file->moment == NULL || save_moment_put(file->moment, &file->place, &file->decoder))
        return true;
    return save_file_wrong(file, 1307, "its state has more bytes than there can be");
}

// Every context has its block, the last one too. Saves of a single context have the names of that one alone.
static bool read_done(save_file *file)
{
    uint32_t count = kin__decode_32(&file->decoder);
    uint64_t hash = kin__decode_64(&file->decoder);
    if (!kin__decoder_end(&file->decoder, &file->blocks))
        return false;
    if (count != file->blocks.number)
        return kin__block_reader_fault(&file->blocks, 1307, "%" PRIu32 " blocks were written before it", count);
    file->hash = save_hash_end(&file->hashing);
    if (file->hash != hash)
        return save_file_wrong(file, 1303, "its hash is not that of the blocks before it");
    file->is_done = true;
    return file->is_recording || kin__input_is_over(&file->input);
}

void save_file_replay(save_file *file, const save_moment *other)
{
    assert(file->moment != NULL);
    file->other = other;
    file->is_replayed = true;
    file->has_block = file->is_done = false;
    save_moment_begin(file->moment);
}

bool save_file_next(save_file *file)
{
    save_place last = file->place;
    if (file->is_done)
        return false;
    if (file->is_replayed) {
        if (!save_moment_next(file->moment, file->other, &file->place, &file->decoder)) {
            file->is_done = true;
            return false;
        }
        memcpy(file->blocks.kind, save_kind_letters(file->place.kind), sizeof file->blocks.kind);
        bool is_next = save_place_follows(&file->blocks, file->has_block ? &last : NULL, &file->place);
        file->has_block = true;
        return is_next;
    }
    if (!kin__block_reader_next(&file->blocks, KIN__BLOCK_LIMIT))
        return false;
    file->decoder = kin__decoder_of(&file->blocks);
    if (!save_file_read_place(file) || !save_place_follows(&file->blocks, file->has_block ? &last : NULL, &file->place))
        return false;
    file->has_block = true;
    if (file->place.kind == SAVE_DONE)
        return read_done(file);
    add_to_hash(file);
    return save_file_keep(file);
}

// ---- faults

// The sentences of save/src end with their code: " [K1303]".
static size_t find_code(const char *sentence, diagnostic_code *code)
{
    static const diagnostic_code codes[] = {CODE_NOT_A_SAVE, CODE_SAVE_ENDS,  CODE_SAVE_CHECKSUM, CODE_SAVE_FOREIGN,
                                            CODE_SAVE_TWICE, CODE_SAVE_BLOCK, CODE_SAVE_NUMBER};
    size_t size = strlen(sentence);
    size_t tail = strlen(" [K1303]");
    long number = 0;
    if (size >= tail)
        number = strtol(sentence + size - tail + strlen(" [K"), NULL, 10);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        *code = codes[i];
        if (*code == (diagnostic_code)number)
            return size - tail;
    }
    return size;
}

int save_file_report(const save_file *file, diagnostics *diagnostics)
{
    const kin__fault *fault = &file->fault;
    diagnostic_code code;
    int size = (int)find_code(fault->text, &code);
    if (fault->status == KIN_OK)
        return STATUS_DONE;
    if (fault->status == KIN_ERROR_NO_MEMORY)
        code = CODE_NO_MEMORY;
    else if (fault->status == KIN_ERROR_STREAM)
        code = CODE_FILE_UNREADABLE;
    if (fault->status == KIN_ERROR_NO_MEMORY || fault->status == KIN_ERROR_STREAM) {
        diagnostic_system_error(diagnostics, code, "%s", fault->text);
        diagnostic_about(diagnostics, file->path);
        return STATUS_SYSTEM;
    }
    diagnostic_error(diagnostics, code, (span){0}, "'%s' cannot be read: %.*s", file->path, size, fault->text);
    diagnostic_about(diagnostics, file->path);
    return STATUS_SCHEMA;
}

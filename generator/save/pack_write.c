// The blocks of a file from what was packed.
#include "generator/save/internal.h"

#include "base/base.h"
#include "file/file.h"
#include "generator/base/base.h"

#include <assert.h>
#include <kin/entity.h>
#include <string.h>

// The values of one component in one chunk, by place; NULL: none.
typedef struct column {
    const pack_value *values[SAVE_CHUNK_SLOTS];
    uint64_t has[SAVE_CHUNK_WORDS];
} column;

typedef struct writing {
    packing *packing;
    kin__fault fault;
    kin__block_writer writer;
    save_hash hash;
    uint32_t context; // its number in the file
    const pack_context *of;
} writing;

// ---- blocks

// Ends a block whose content begins after `numbers` bytes.
static void put(writing *writing, const save_place *place, size_t numbers)
{
    kin__block_writer *writer = &writing->writer;
    const unsigned char *payload = writer->bytes + KIN__BLOCK_HEAD;
    if (writing->fault.status != KIN_OK)
        return;
    bool is_of_component = place->kind >= SAVE_COLUMN && place->kind < SAVE_SYSTEM;
    uint64_t name;
    if (is_of_component)
        name = writing->of->shape->components[place->component].hash;
    else if (place->kind == SAVE_SYSTEM)
        name = kin__xxh64_of(payload + 2, numbers - 2, 0);
    else
        name = writing->of->shape->hash;
    save_hash_add(&writing->hash, place, name, payload + numbers, writer->size - numbers);
    kin__block_writer_put(writer, save_kind_letters(place->kind));
}

static void begin(writing *writing, const save_place *place)
{
    kin__write_32(&writing->writer, writing->context);
    if (place->kind >= SAVE_SLOTS)
        kin__write_32(&writing->writer, place->chunk);
    if (place->kind >= SAVE_COLUMN)
        kin__write_32(&writing->writer, place->component);
}

static void write_bits(writing *writing, const uint64_t words[SAVE_CHUNK_WORDS])
{
    for (uint32_t i = 0; i < SAVE_CHUNK_WORDS; i++)
        kin__write_64(&writing->writer, words[i]);
}

// ---- CTXT

static uint32_t count_alive(const pack_context *context)
{
    return (uint32_t)context->entities.count;
}

// All slots are of entities without a blueprint: those between entities are free, those after them are fresh.
static void write_new_slots(writing *writing)
{
    const pack_context *context = writing->of;
    const pack_entity *entities = (const pack_entity *)(const void *)context->entities.items;
    uint32_t count = count_alive(context);
    uint32_t fresh = 0;
    uint32_t slot = 0;
    kin__block_writer *writer = &writing->writer;
    if (count > 0)
        fresh = kin_entity_slot(entities[count - 1].handle) + 1;
    kin__write_64(writer, context->next_index);
    kin__write_64(writer, context->first_index);
    kin__write_32(writer, context->chunk_count);
    kin__write_16(writer, count > 0);
    if (count == 0)
        return;
    kin__write_text(writer, "");
    kin__write_32(writer, fresh);
    kin__write_32(writer, context->chunk_count * SAVE_CHUNK_SLOTS);
    kin__write_32(writer, fresh - count);
    for (uint32_t i = 0; i < count; i++, slot++)
        for (; slot < kin_entity_slot(entities[i].handle); slot++)
            kin__write_32(writer, slot);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        kin__write_16(writer, 0);
}

// ---- values

static const unsigned char *leaf_at(const pack_value *value, uint32_t leaf, size_t *size)
{
    uint32_t start = pack_leaf_start(value, leaf);
    *size = value->ends[leaf] - start;
    return value->bytes + start;
}

// Writes the lengths of the texts of one value, or their letters.
static void write_texts(writing *writing, const unsigned char *bytes, size_t size, bool are_lengths)
{
    for (size_t at = 0; at < size;) {
        size_t letters = pack_letters(bytes + at);
        if (are_lengths)
            kin__write_bytes(&writing->writer, bytes + at, 4);
        else
            kin__write_bytes(&writing->writer, bytes + at + 4, letters);
        at += 4 + letters;
    }
}

typedef enum pass { PASS_COUNTS, PASS_ELEMENTS, PASS_LETTERS } pass;

static void write_pass(writing *writing, const column *column, const kin__value_leaf *leaf, uint32_t number, pass pass)
{
    bool is_text = kin__file_width(leaf->field->type) == 0;
    size_t head = 4 * leaf->is_list; // the count
    size_t size;
    for (uint32_t i = 0; i < SAVE_CHUNK_SLOTS; i++) {
        if (column->values[i] == NULL)
            continue;
        const unsigned char *bytes = leaf_at(column->values[i], number, &size);
        if (pass == PASS_COUNTS)
            kin__write_bytes(&writing->writer, bytes, head);
        else if (is_text)
            write_texts(writing, bytes + head, size - head, pass == PASS_ELEMENTS);
        else if (pass == PASS_ELEMENTS)
            kin__write_bytes(&writing->writer, bytes + head, size - head);
    }
}

static void write_values(writing *writing, const column *column, uint32_t component)
{
    const kin__leaves *leaves = &writing->of->shape->components[component].leaves;
    for (uint32_t i = 0; i < leaves->count; i++)
        for (pass pass = PASS_COUNTS; pass <= PASS_LETTERS; pass++)
            write_pass(writing, column, &leaves->leaves[i], i, pass);
}

static void add_to_column(column *column, uint32_t slot, const pack_value *value)
{
    uint32_t place = slot % SAVE_CHUNK_SLOTS;
    assert(value != NULL);
    column->values[place] = value;
    column->has[place / 64] |= (uint64_t)1 << place % 64;
}

// ---- chunks

// The entities of a chunk, and the next value of each that is to be written.
typedef struct chunk {
    uint32_t number, count;
    const pack_entity *entities;
    const pack_value *next[SAVE_CHUNK_SLOTS];
} chunk;

static void write_entities(writing *writing, const chunk *chunk)
{
    save_place place = {.kind = SAVE_SLOTS, .chunk = chunk->number};
    uint64_t alive[SAVE_CHUNK_WORDS] = {0};
    assert(chunk->count > 0 && chunk->count <= SAVE_CHUNK_SLOTS);
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t at = kin_entity_slot(chunk->entities[i].handle) % SAVE_CHUNK_SLOTS;
        alive[at / 64] |= (uint64_t)1 << at % 64;
    }
    begin(writing, &place);
    write_bits(writing, alive);
    for (uint32_t i = 0; i < chunk->count; i++) {
        uint64_t index = kin_entity_creation_index(chunk->entities[i].handle);
        kin__write_32(&writing->writer, (uint32_t)index);
        kin__write_8(&writing->writer, (uint8_t)(index >> 32));
    }
    put(writing, &place, 8);
}

// Writes the column of the lowest component that is left. False if none is.
static bool write_column(writing *writing, chunk *chunk)
{
    column column = {0};
    save_place place = {.kind = SAVE_COLUMN, .chunk = chunk->number, .component = UINT32_MAX};
    for (uint32_t i = 0; i < chunk->count; i++)
        if (chunk->next[i] != NULL && chunk->next[i]->component < place.component)
            place.component = chunk->next[i]->component;
    if (place.component == UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < chunk->count; i++) {
        const pack_value *value = chunk->next[i];
        if (value == NULL || value->component != place.component)
            continue;
        add_to_column(&column, kin_entity_slot(chunk->entities[i].handle), value);
        chunk->next[i] = value->next;
    }
    begin(writing, &place);
    write_bits(writing, column.has);
    write_values(writing, &column, place.component);
    put(writing, &place, 12);
    return true;
}

// Writes the last values of one component, from the first of them on. Returns how many there are.
static size_t write_kept(writing *writing, const pack_kept *kept, size_t count)
{
    column column = {0};
    uint64_t stashed[SAVE_CHUNK_WORDS] = {0};
    save_place place = {.kind = SAVE_KEPT, .chunk = kept->slot / SAVE_CHUNK_SLOTS, .component = kept->value->component};
    size_t end = 0;
    assert(count > 0);
    for (; end < count && kept[end].slot / SAVE_CHUNK_SLOTS == place.chunk; end++) {
        if (kept[end].value->component != place.component)
            break;
        uint32_t at = kept[end].slot % SAVE_CHUNK_SLOTS;
        add_to_column(&column, at, kept[end].value);
        stashed[at / 64] |= (uint64_t)kept[end].is_stashed << at % 64;
    }
    begin(writing, &place);
    write_bits(writing, column.has);
    write_bits(writing, stashed);
    write_values(writing, &column, place.component);
    put(writing, &place, 12);
    return end;
}

static void write_chunks(writing *writing)
{
    const pack_list *entities = &writing->of->entities;
    const pack_list *kept = &writing->of->kept;
    const pack_entity *all = pack_entities(writing->of);
    const pack_kept *values = (const pack_kept *)(const void *)kept->items;
    size_t at = 0;
    size_t at_kept = 0;
    for (uint32_t number = 0; number < writing->of->chunk_count && writing->fault.status == KIN_OK; number++) {
        chunk chunk = {.number = number, .entities = all + at};
        for (; at < entities->count && kin_entity_slot(all[at].handle) / SAVE_CHUNK_SLOTS == number; at++)
            chunk.next[chunk.count++] = all[at].first;
        if (chunk.count > 0)
            write_entities(writing, &chunk);
        while (write_column(writing, &chunk))
            ;
        while (at_kept < kept->count && values[at_kept].slot / SAVE_CHUNK_SLOTS == number)
            at_kept += write_kept(writing, values + at_kept, kept->count - at_kept);
    }
}

// ---- SHAR

static void write_shared(writing *writing)
{
    const pack_shared *all = (const pack_shared *)(const void *)writing->of->shared.items;
    for (size_t i = 0; i < writing->of->shared.count; i++) {
        save_place place = {
            .kind = SAVE_SHARED, .chunk = all[i].first / SAVE_CHUNK_SLOTS, .component = all[i].component};
        begin(writing, &place);
        kin__write_bytes(&writing->writer, all[i].uses, (size_t)all[i].count * 4);
        put(writing, &place, 12);
    }
}

// ---- LINK

static bool is_of_block(const pack_links *first, const pack_links *links)
{
    bool is_of_leaf = links->component == first->component && links->leaf == first->leaf;
    return is_of_leaf && links->target / SAVE_CHUNK_SLOTS == first->target / SAVE_CHUNK_SLOTS;
}

static void write_links(writing *writing)
{
    const pack_links *all = (const pack_links *)(const void *)writing->of->links.items;
    for (size_t at = 0, end; at < writing->of->links.count; at = end) {
        save_place place = {
            .kind = SAVE_LINKS, .chunk = all[at].target / SAVE_CHUNK_SLOTS, .component = all[at].component};
        for (end = at; end < writing->of->links.count && is_of_block(&all[at], &all[end]);)
            end++;
        begin(writing, &place);
        kin__write_16(&writing->writer, (uint16_t)all[at].leaf);
        kin__write_32(&writing->writer, (uint32_t)(end - at));
        for (size_t i = at; i < end; i++) {
            kin__write_32(&writing->writer, all[i].target);
            kin__write_32(&writing->writer, all[i].count);
            kin__write_bytes(&writing->writer, all[i].holders, (size_t)all[i].count * 4);
        }
        put(writing, &place, 14);
    }
}

// ---- the file

static void write_system(writing *writing, const unsigned char *bytes, size_t size)
{
    save_place place = {.kind = SAVE_SYSTEM};
    size_t path = (size_t)(bytes[0] | bytes[1] << 8);
    assert(size >= 2 + path);
    kin__write_bytes(&writing->writer, bytes, size);
    put(writing, &place, 2 + path);
}

// The root comes first, wherever its line was.
static void write_systems(writing *writing)
{
    const packing *packing = writing->packing;
    const unsigned char *bytes = (const unsigned char *)packing->systems.bytes;
    writing->of = NULL;
    if (packing->root.size > 0)
        write_system(writing, (const unsigned char *)packing->root.bytes, packing->root.size);
    for (size_t at = 0; at < packing->systems.size;) {
        uint32_t size = kin__little_read_32(bytes + at);
        write_system(writing, bytes + at + 4, size);
        at += 4 + (size_t)size;
    }
}

// A file of a world has all contexts, and so has one without any line of a context: these are empty.
static void write_schema(writing *writing)
{
    packing *packing = writing->packing;
    kin__written_parts parts = {.fault = &writing->fault};
    bool is_world = packing->root.size > 0;
    bool has_all = true;
    if (is_world) {
        parts.world = packing->world;
        parts.messages = packing->messages;
    }
    parts.parts = arena_allocate(packing->arena, packing->context_count * sizeof *parts.parts + 1);
    for (size_t i = 0; i < packing->context_count && !is_world; i++)
        if (packing->contexts[i].is_there)
            has_all = false;
    for (size_t i = 0; i < packing->context_count; i++) {
        pack_context *context = &packing->contexts[i];
        if (has_all)
            context->is_there = true;
        if (context->shape->info->is_unsaved)
            context->is_there = false;
        if (context->is_there)
            parts.parts[parts.count++].shape = (kin__shape *)(uintptr_t)context->shape;
    }
    kin__schema_write(&writing->writer, &parts);
}

static void write_all(writing *writing)
{
    const packing *packing = writing->packing;
    kin__head head = {.version = packing->version, .frame = packing->frame, .package = packing->package->name};
    kin_write_options options = {.meta = packing->meta, .meta_size = packing->meta_size};
    kin__head_write(&writing->writer, &head, &options);
    write_schema(writing);
    for (size_t i = 0; i < packing->context_count; i++) {
        writing->of = &packing->contexts[i];
        if (!writing->of->is_there)
            continue;
        save_place place = {.kind = SAVE_CONTEXT};
        begin(writing, &place);
        if (writing->of->slots.size > 0)
            kin__write_bytes(&writing->writer, writing->of->slots.bytes, writing->of->slots.size);
        else
            write_new_slots(writing);
        put(writing, &place, 4);
        write_chunks(writing);
        write_shared(writing);
        write_links(writing);
        writing->context++;
    }
    write_systems(writing);
    kin__write_32(&writing->writer, writing->writer.number);
    kin__write_64(&writing->writer, save_hash_end(&writing->hash));
    kin__block_writer_put(&writing->writer, "DONE");
}

int pack_write(packing *packing, const char *path)
{
    writing writing = {.packing = packing, .hash = save_hash_begin(packing->arena)};
    kin__file file;
    kin__output output;
    if (kin__file_begin(&file, path, &writing.fault)) {
        if (kin__output_begin(&output, kin__file_sink(&file), 0, &writing.fault)) {
            kin__block_writer_begin(&writing.writer, &output);
            write_all(&writing);
            kin__block_writer_end(&writing.writer);
        }
        kin__output_end(&output);
    }
    kin__file_end(&file);
    if (writing.fault.status == KIN_OK)
        return STATUS_DONE;
    diagnostic_system_error(packing->diagnostics, CODE_UNWRITABLE, "%s", writing.fault.text);
    diagnostic_about(packing->diagnostics, path);
    return STATUS_SYSTEM;
}

// The blocks that have the state of contexts and of systems.
#include "generator/save/save.h"

#include "generator/base/base.h"
#include "snapshot/snapshot.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// ---- CTXT, KEEP and LINK

enum { NO_POOL = UINT16_MAX, POOL_LEAST = 14 }; // POOL_LEAST: bytes of a pool

static bool is_too_short(save_file *file)
{
    save_file_wrong(file, 1307, "it counts more than it has");
    return false;
}

static void append_begin(text *out, const save_walk *walk, const char *what)
{
    text_append_string(out, "{");
    save_append_quoted(out, walk->file.schema.contexts[walk->file.place.context].name);
    text_append_format(out, ":\"%s\"", what);
}

// Appends numbers of slots in brackets, which the decoder has.
static void append_slot_numbers(text *out, kin__decoder *decoder, uint32_t count)
{
    text_append_string(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        text_append_format(out, "%" PRIu32, kin__decode_32(decoder));
    }
    text_append_string(out, "]");
}

// ---- CTXT

static bool append_pool(text *out, save_file *file)
{
    kin__decoder *decoder = &file->decoder;
    size_t size;
    const char *blueprint = kin__decode_text(decoder, &size);
    if (decoder->is_short || !kin__is_name(blueprint, size))
        return save_file_wrong(file, 1307, "a name is not UTF-8");
    text_append_string(out, "{\"blueprint\":");
    writer_append_quoted(out, blueprint, size);
    uint32_t fresh = kin__decode_32(decoder);
    uint32_t fresh_end = kin__decode_32(decoder);
    text_append_format(out, ",\"fresh\":%" PRIu32 ",\"fresh_end\":%" PRIu32, fresh, fresh_end);
    if (fresh_end % SAVE_CHUNK_SLOTS != 0) {
        text_append_string(out, ",\"usable\":[");
        for (uint32_t word = 0; word < SAVE_CHUNK_WORDS; word++) {
            text_separate(out, word, ",");
            save_append_unsigned(out, kin__decode_64(decoder));
        }
        text_append_string(out, "]");
    }
    text_append_string(out, ",\"free\":");
    uint32_t free_count = kin__decode_32(decoder);
    if (decoder->is_short || free_count > kin__decoder_left(decoder) / sizeof(uint32_t))
        return is_too_short(file);
    append_slot_numbers(out, decoder, free_count);
    text_append_string(out, "}");
    return true;
}

static bool append_pools(text *out, save_file *file)
{
    uint32_t count = kin__decode_16(&file->decoder);
    if (count > kin__decoder_left(&file->decoder) / POOL_LEAST)
        return is_too_short(file);
    text_append_string(out, ",\"pools\":[");
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        if (!append_pool(out, file))
            return false;
    }
    text_append_string(out, "]");
    return true;
}

bool save_append_slots(text *out, save_walk *walk)
{
    save_file *file = &walk->file;
    uint64_t next = kin__decode_64(&file->decoder);
    uint64_t first = kin__decode_64(&file->decoder);
    uint32_t chunks = kin__decode_32(&file->decoder);
    assert(file->place.kind == SAVE_CONTEXT);
    append_begin(out, walk, "slots");
    text_append_format(out, ",\"next\":%" PRIu64 ",\"first\":%" PRIu64, next, first);
    if (!append_pools(out, file))
        return false;
    if (chunks > kin__decoder_left(&file->decoder) / sizeof(uint16_t))
        return is_too_short(file);
    text_append_string(out, ",\"chunks\":[");
    for (uint32_t i = 0; i < chunks; i++) {
        uint16_t pool = kin__decode_16(&file->decoder);
        text_separate(out, i, ",");
        if (pool == NO_POOL)
            text_append_string(out, "null");
        else
            text_append_format(out, "%u", pool);
    }
    text_append_string(out, "]}\n");
    return kin__decoder_end(&file->decoder, &file->blocks);
}

// ---- KEEP

// The last values of a block.
typedef struct last_values {
    uint64_t kept[SAVE_CHUNK_WORDS], stashed[SAVE_CHUNK_WORDS];
    save_values values;
} last_values;

static bool begin_kept(last_values *last, save_walk *walk, arena *arena)
{
    save_file *file = &walk->file;
    const save_place *place = &file->place;
    uint64_t others = 0;
    last->values.component = &file->schema.contexts[place->context].components[place->component];
    last->values.count = save_bits_read(&file->decoder, last->kept);
    save_bits_read(&file->decoder, last->stashed);
    for (uint32_t word = 0; word < SAVE_CHUNK_WORDS; word++)
        others |= last->stashed[word] & ~last->kept[word];
    if (others != 0)
        return save_file_wrong(file, 1307, "it puts aside what it does not have");
    if (last->values.count == 0)
        return save_file_wrong(file, 1307, "it has no values");
    if (place->chunk >= walk->chunk_count)
        return save_file_wrong(file, 1307, "it is of a chunk that there is not");
    return save_values_begin(&last->values, file, arena, &file->decoder) &&
           kin__decoder_end(&file->decoder, &file->blocks);
}

bool save_append_kept(text *out, save_walk *walk)
{
    last_values last = {0};
    arena arena = arena_beside(walk->file.arena);
    bool is_valid = begin_kept(&last, walk, &arena);
    assert(walk->file.place.kind == SAVE_KEPT);
    for (uint32_t slot = 0; is_valid && slot < SAVE_CHUNK_SLOTS; slot++) {
        if (!save_has(last.kept, slot))
            continue;
        append_begin(out, walk, "kept");
        text_append_format(out, ",\"slot\":%" PRIu32, walk->file.place.chunk * SAVE_CHUNK_SLOTS + slot);
        if (save_has(last.stashed, slot))
            text_append_string(out, ",\"stashed\":true");
        text_append_string(out, ",");
        save_append_quoted(out, last.values.component->name);
        text_append_string(out, ":");
        save_append_value(out, &last.values);
        text_append_string(out, "}\n");
    }
    arena_release(&arena);
    return is_valid;
}

// ---- SHAR

static void append_use(text *out, uint32_t use)
{
    if (use == KIN__SHARED_FREE)
        text_append_string(out, "null");
    else if ((use & KIN__SHARED_KEPT) != 0)
        text_append_format(out, "{\"kept\":%" PRIu32 "}", use & ~KIN__SHARED_KEPT);
    else
        text_append_format(out, "%" PRIu32, use);
}

bool save_append_shared(text *out, save_walk *walk)
{
    save_file *file = &walk->file;
    const save_place *place = &file->place;
    size_t count = kin__decoder_left(&file->decoder) / sizeof(uint32_t);
    assert(place->kind == SAVE_SHARED);
    if (count == 0 || count > SAVE_CHUNK_SLOTS)
        return save_file_wrong(file, 1307, "it has no values, or too many");
    append_begin(out, walk, "shared");
    text_append_string(out, ",\"component\":");
    save_append_quoted(out, file->schema.contexts[place->context].components[place->component].name);
    text_append_format(out, ",\"first\":%" PRIu32 ",\"uses\":[", place->chunk * SAVE_CHUNK_SLOTS);
    for (size_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        append_use(out, kin__decode_32(&file->decoder));
    }
    text_append_string(out, "]}\n");
    return kin__decoder_end(&file->decoder, &file->blocks);
}

// ---- LINK

bool save_append_links(text *out, save_walk *walk)
{
    save_file *file = &walk->file;
    const save_place *place = &file->place;
    const kin__file_component *component = &file->schema.contexts[place->context].components[place->component];
    uint32_t count = kin__decode_32(&file->decoder);
    assert(place->kind == SAVE_LINKS);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = kin__decode_32(&file->decoder);
        uint32_t holders = kin__decode_32(&file->decoder);
        if (file->decoder.is_short || holders > kin__decoder_left(&file->decoder) / sizeof(uint32_t))
            return is_too_short(file);
        if (target / SAVE_CHUNK_SLOTS != place->chunk)
            return save_file_wrong(file, 1307, "a target is of another chunk");
        append_begin(out, walk, "links");
        text_append_string(out, ",\"component\":");
        save_append_quoted(out, component->name);
        text_append_string(out, ",\"field\":");
        save_append_quoted(out, component->leaves[place->leaf].path);
        text_append_format(out, ",\"target\":%" PRIu32 ",\"holders\":", target);
        append_slot_numbers(out, &file->decoder, holders);
        text_append_string(out, "}\n");
    }
    return kin__decoder_end(&file->decoder, &file->blocks);
}

// ---- SYST

enum { HANDLE = 8, COLLECTED = 12, TICK = 24 }; // bytes of an item

static bool wrong(save_file *file, const char *what)
{
    return save_file_wrong(file, 1307, what);
}

static double decode_double(kin__decoder *decoder)
{
    uint64_t bits = kin__decode_64(decoder);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void append_double(text *out, const char *key, kin__decoder *decoder)
{
    text_append_string(out, key);
    save_append_double(out, decode_double(decoder));
}

static void append_number(text *out, const char *key, kin__decoder *decoder)
{
    text_append_string(out, key);
    save_append_unsigned(out, kin__decode_64(decoder));
}

// Whether the decoder has as many items; notes a fault if not.
static bool has_items(save_file *file, uint32_t count, size_t size)
{
    if (file->decoder.is_short || count > kin__decoder_left(&file->decoder) / size)
        return wrong(file, "it counts more than it has");
    return true;
}

// ---- clocks

static bool append_clock(text *out, save_file *file)
{
    kin__decoder *decoder = &file->decoder;
    append_double(out, ",\"time\":", decoder);
    append_number(out, ",\"frame\":", decoder);
    uint8_t has_step = kin__decode_8(decoder);
    if (has_step > 1)
        return wrong(file, "its fixed step is neither there nor not");
    if (has_step == 0)
        return true;
    append_double(out, ",\"step\":{\"left\":", decoder);
    append_double(out, ",\"origin\":", decoder);
    append_double(out, ",\"dropped\":", decoder);
    append_number(out, ",\"steps\":", decoder);
    append_number(out, ",\"step_frame\":", decoder);
    text_append_string(out, "}");
    return true;
}

// ---- entities

static bool append_collected(text *out, save_file *file, const char *key)
{
    kin__decoder *decoder = &file->decoder;
    uint32_t count = kin__decode_32(decoder);
    if (!has_items(file, count, COLLECTED))
        return false;
    if (count == 0 && key[0] != '\0')
        return true;
    text_append_format(out, "%s[", key);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t context = kin__decode_32(decoder);
        if (context >= file->schema.context_count)
            return wrong(file, "there is no context with its number");
        text_separate(out, i, ",");
        text_append_string(out, "{");
        save_append_quoted(out, file->schema.contexts[context].name);
        text_append_string(out, ":");
        save_append_handle(out, kin__decode_64(decoder));
        text_append_string(out, "}");
    }
    text_append_string(out, "]");
    return true;
}

// Appends a list of 64 bits each. An empty one is left out if it may be.
static bool append_words(text *out, save_file *file, const char *key, bool is_optional, void append(text *, uint64_t))
{
    uint32_t count = kin__decode_32(&file->decoder);
    if (!has_items(file, count, HANDLE))
        return false;
    if (count == 0 && is_optional)
        return true;
    text_append_string(out, key);
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        append(out, kin__decode_64(&file->decoder));
    }
    text_append_string(out, "]");
    return true;
}

static bool append_others(text *out, save_file *file)
{
    uint32_t count = kin__decode_16(&file->decoder);
    text_append_string(out, ",\"others\":[");
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        if (!append_collected(out, file, ""))
            return false;
    }
    text_append_string(out, "]");
    return true;
}

// ---- messages

static bool append_message(text *out, save_file *file, const kin__file_component *message)
{
    arena arena = arena_beside(file->arena);
    save_values values = {.component = message, .count = 1};
    append_number(out, "{\"serial\":", &file->decoder);
    bool is_valid = save_values_begin(&values, file, &arena, &file->decoder);
    text_append_string(out, ",\"value\":");
    if (is_valid)
        save_append_value(out, &values);
    text_append_string(out, "}");
    arena_release(&arena);
    return is_valid;
}

static bool append_inbox(text *out, save_file *file)
{
    uint32_t number = kin__decode_32(&file->decoder);
    uint32_t count = kin__decode_32(&file->decoder);
    if (number >= file->schema.message_count)
        return wrong(file, "there is no message with its number");
    if (!has_items(file, count, HANDLE))
        return false;
    text_append_string(out, "{\"message\":");
    save_append_quoted(out, file->schema.messages[number].name);
    text_append_string(out, ",\"messages\":[");
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        if (!append_message(out, file, &file->schema.messages[number]))
            return false;
    }
    text_append_string(out, "]}");
    return true;
}

static bool append_inboxes(text *out, save_file *file, uint32_t *count)
{
    *count = kin__decode_16(&file->decoder);
    if (*count == 0)
        return true;
    text_append_string(out, ",\"inboxes\":[");
    for (uint32_t i = 0; i < *count; i++) {
        text_separate(out, i, ",");
        if (!append_inbox(out, file))
            return false;
    }
    text_append_string(out, "]");
    return true;
}

// ---- the root

static bool append_root(text *out, save_file *file, bool has_seed)
{
    uint32_t count = kin__decode_8(&file->decoder);
    if (!has_items(file, count, TICK))
        return false;
    if (count > 0)
        text_append_string(out, ",\"pushed\":[");
    for (uint32_t i = 0; i < count; i++) {
        text_separate(out, i, ",");
        append_double(out, "{\"delta\":", &file->decoder);
        append_double(out, ",\"time\":", &file->decoder);
        append_number(out, ",\"frame\":", &file->decoder);
        text_append_string(out, "}");
    }
    if (count > 0)
        text_append_string(out, "]");
    append_number(out, ",\"published\":", &file->decoder);
    if (has_seed)
        append_number(out, ",\"seed\":", &file->decoder);
    return true;
}

static bool append_warned(text *out, save_file *file, uint32_t inboxes)
{
    static const char *const words[] = {"false", "true"};
    text_append_string(out, ",\"warned\":[");
    for (uint32_t i = 0; i < inboxes; i++) {
        uint8_t warned = kin__decode_8(&file->decoder);
        if (warned > 1)
            return wrong(file, "an inbox is neither full nor not");
        text_separate(out, i, ",");
        text_append_string(out, words[warned]);
    }
    text_append_string(out, "]");
    return true;
}

static bool append_state(text *out, save_file *file, bool is_root)
{
    uint8_t flags = kin__decode_8(&file->decoder);
    uint32_t inboxes;
    bool has_seed = (flags & SAVE_SYSTEM_SEED) != 0;
    if (has_seed && !is_root)
        return wrong(file, "it has an unknown flag");
    static const char *const names[] = {"enabled", "updated", "current", "deactivated"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((flags >> i & 1) != 0)
            text_append_format(out, ",\"%s\":true", names[i]);
    if (!append_clock(out, file) || !append_collected(out, file, ",\"collected\":"))
        return false;
    if (!append_words(out, file, ",\"members\":[", true, save_append_handle) || !append_inboxes(out, file, &inboxes))
        return false;
    if ((flags & SAVE_SYSTEM_OTHERS) != 0 && !append_others(out, file))
        return false;
    bool has_marks = (flags & SAVE_SYSTEM_MARKS) != 0;
    if (has_marks && !append_words(out, file, ",\"marks\":[", false, save_append_unsigned))
        return false;
    if ((flags & SAVE_SYSTEM_WARNED) != 0 && !append_warned(out, file, inboxes))
        return false;
    return !is_root || append_root(out, file, has_seed);
}

bool save_append_system(text *out, save_walk *walk)
{
    save_file *file = &walk->file;
    size_t size;
    const char *path = kin__decode_text(&file->decoder, &size);
    assert(walk->file.place.kind == SAVE_SYSTEM);
    if (file->decoder.is_short || !kin__is_name(path, size))
        return wrong(file, "a name is not UTF-8");
    text_append_string(out, "{\"system\":");
    writer_append_quoted(out, path, size);
    if (!append_state(out, file, size == 0))
        return false;
    text_append_string(out, "}\n");
    return kin__decoder_end(&file->decoder, &file->blocks);
}

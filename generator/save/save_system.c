#include "save/save_system.h"

#include "generator/base/base.h"
#include "save/save_text.h"

#include <inttypes.h>
#include <string.h>

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
    return (!file->decoder.is_short && count <= kin__decoder_left(&file->decoder) / size) ||
           wrong(file, "it counts more than it has");
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
        text_append_string(out, i == 0 ? "{" : ",{");
        save_append_quoted(out, file->schema.contexts[context].name);
        text_append_string(out, ":");
        save_append_handle(out, kin__decode_64(decoder));
        text_append_string(out, "}");
    }
    text_append_string(out, "]");
    return true;
}

static bool append_words(text *out, save_file *file, const char *key, void append(text *, uint64_t))
{
    uint32_t count = kin__decode_32(&file->decoder);
    if (!has_items(file, count, HANDLE))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        text_append_string(out, i == 0 ? key : ",");
        append(out, kin__decode_64(&file->decoder));
    }
    text_append_string(out, count > 0 ? "]" : "");
    return true;
}

static bool append_others(text *out, save_file *file)
{
    uint32_t count = kin__decode_16(&file->decoder);
    text_append_string(out, ",\"others\":[");
    for (uint32_t i = 0; i < count; i++) {
        text_append_string(out, i == 0 ? "" : ",");
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
    uint32_t number = kin__decode_32(&file->decoder), count = kin__decode_32(&file->decoder);
    if (number >= file->schema.message_count)
        return wrong(file, "there is no message with its number");
    if (!has_items(file, count, HANDLE))
        return false;
    text_append_string(out, "{\"message\":");
    save_append_quoted(out, file->schema.messages[number].name);
    text_append_string(out, ",\"messages\":[");
    for (uint32_t i = 0; i < count; i++) {
        text_append_string(out, i == 0 ? "" : ",");
        if (!append_message(out, file, &file->schema.messages[number]))
            return false;
    }
    text_append_string(out, "]}");
    return true;
}

static bool append_inboxes(text *out, save_file *file, uint32_t *count)
{
    *count = kin__decode_16(&file->decoder);
    for (uint32_t i = 0; i < *count; i++) {
        text_append_string(out, i == 0 ? ",\"inboxes\":[" : ",");
        if (!append_inbox(out, file))
            return false;
    }
    text_append_string(out, *count > 0 ? "]" : "");
    return true;
}

// ---- the root

static bool append_root(text *out, save_file *file)
{
    uint32_t count = kin__decode_8(&file->decoder);
    if (!has_items(file, count, TICK))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        append_double(out, i == 0 ? ",\"pushed\":[{\"delta\":" : ",{\"delta\":", &file->decoder);
        append_double(out, ",\"time\":", &file->decoder);
        append_number(out, ",\"frame\":", &file->decoder);
        text_append_string(out, "}");
    }
    text_append_string(out, count > 0 ? "]" : "");
    append_number(out, ",\"published\":", &file->decoder);
    return true;
}

static void append_flags(text *out, uint8_t flags)
{
    static const char *const names[] = {"enabled", "updated", "current", "deactivated"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((flags >> i & 1) != 0)
            text_append_format(out, ",\"%s\":true", names[i]);
}

static bool append_warned(text *out, save_file *file, uint32_t inboxes)
{
    for (uint32_t i = 0; i < inboxes; i++) {
        uint8_t warned = kin__decode_8(&file->decoder);
        if (warned > 1)
            return wrong(file, "an inbox is neither full nor not");
        text_append_format(out, "%s%s", i == 0 ? ",\"warned\":[" : ",", warned != 0 ? "true" : "false");
    }
    text_append_string(out, inboxes > 0 ? "]" : ",\"warned\":[]");
    return true;
}

static bool append_state(text *out, save_file *file, bool is_root)
{
    uint8_t flags = kin__decode_8(&file->decoder);
    uint32_t inboxes;
    if (flags > 2 * SAVE_SYSTEM_WARNED - 1)
        return wrong(file, "it has an unknown flag");
    append_flags(out, flags);
    if (!append_clock(out, file) || !append_collected(out, file, ",\"collected\":") ||
        !append_words(out, file, ",\"members\":[", save_append_handle) || !append_inboxes(out, file, &inboxes))
        return false;
    if ((flags & SAVE_SYSTEM_OTHERS) != 0 && !append_others(out, file))
        return false;
    if ((flags & SAVE_SYSTEM_MARKS) != 0) {
        size_t size = out->size;
        if (!append_words(out, file, ",\"marks\":[", save_append_unsigned))
            return false;
        text_append_string(out, out->size == size ? ",\"marks\":[]" : "");
    }
    if ((flags & SAVE_SYSTEM_WARNED) != 0 && !append_warned(out, file, inboxes))
        return false;
    return !is_root || append_root(out, file);
}

bool save_append_system(text *out, save_walk *walk)
{
    save_file *file = &walk->file;
    size_t size;
    const char *path = kin__decode_text(&file->decoder, &size);
    if (file->decoder.is_short || !kin__is_name(path, size))
        return wrong(file, "a name is not UTF-8");
    text_append_string(out, "{\"system\":");
    writer_append_quoted(out, path, size);
    if (!append_state(out, file, size == 0))
        return false;
    text_append_string(out, "}\n");
    return kin__decoder_end(&file->decoder, &file->blocks);
}

#include "capture/capture.h"

#include <string.h>

enum { ALIGNMENT = 16 };

void *kin__capture_reserve(kin__capture *capture, size_t size)
{
    size_t begin = (capture->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (capture->is_full || begin > capture->capacity || size > capture->capacity - begin) {
        capture->is_full = true;
        return NULL;
    }
    capture->size = begin + size;
    return memset(capture->at + begin, 0, size);
}

// Returns a copy of the bytes behind their count, and with a NUL behind them.
static void *keep(kin__capture *capture, const void *bytes, size_t size, kin__captured_size count)
{
    char *block = kin__capture_reserve(capture, ALIGNMENT + size + 1);
    if (block == NULL)
        return NULL;
    memcpy(block + ALIGNMENT - sizeof count, &count, sizeof count);
    if (size > 0)
        memcpy(block + ALIGNMENT, bytes, size);
    return block + ALIGNMENT;
}

kin__captured_size kin__captured_size_of(const void *captured)
{
    kin__captured_size size;
    memcpy(&size, (const char *)captured - sizeof size, sizeof size);
    return size;
}

// Returns the most bytes up to `size` that end with a character of UTF-8.
static size_t cut_of(const char *text, size_t size)
{
    size_t cut = size;
    while (cut > 0 && size - cut < 3 && (text[cut] & 0xC0) == 0x80)
        cut--;
    return (text[cut] & 0xC0) == 0x80 ? size : cut;
}

const char *kin__capture_string(kin__capture *capture, const char *text)
{
    if (text == NULL)
        return NULL;
    size_t whole = strlen(text), kept = whole < capture->string_limit ? whole : capture->string_limit;
    if (kept < whole)
        kept = cut_of(text, kept);
    return keep(capture, text, kept, (kin__captured_size){(uint32_t)whole, (uint32_t)kept});
}

// ---- values

static bool capture_element(kin__capture *capture, const kin_field_info *field, char *at)
{
    if (field->type == KIN_TYPE_STRUCT)
        return kin__capture_fields(capture, field->of->fields, field->of->field_count, at);
    if (field->type != KIN_TYPE_STRING)
        return true;
    const char *text;
    memcpy(&text, at, sizeof text);
    text = kin__capture_string(capture, text);
    memcpy(at, &text, sizeof text);
    return !capture->is_full;
}

static bool capture_elements(kin__capture *capture, const kin_field_info *field, char *at, uint32_t count, size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        if (!capture_element(capture, field, at + i * size))
            return false;
    return true;
}

static bool capture_list(kin__capture *capture, const kin_field_info *field, char *at)
{
    struct {
        const void *at;
        uint32_t count;
    } list;
    memcpy(&list, at, sizeof list);
    uint32_t kept = list.count < KIN__CAPTURED_ELEMENTS ? list.count : KIN__CAPTURED_ELEMENTS;
    char *elements = keep(capture, list.at, kept * field->element_size, (kin__captured_size){list.count, kept});
    if (elements == NULL)
        return false;
    list.at = elements;
    list.count = kept;
    memcpy(at, &list, sizeof list);
    if (field->type == KIN_TYPE_OPAQUE)
        memset(elements, 0, kept * field->element_size);
    return capture_elements(capture, field, elements, kept, field->element_size);
}

// Structs do not contain themselves, so this ends.
bool kin__capture_fields(kin__capture *capture, const kin_field_info *fields, uint32_t count, char *value)
{
    bool is_whole = true;
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        char *at = value + field->offset;
        uint32_t elements = field->count > 0 ? field->count : 1;
        if (field->inspect == KIN_INSPECT_HIDDEN || (field->type == KIN_TYPE_OPAQUE && !field->is_list))
            memset(at, 0, field->size);
        else if (field->is_list)
            is_whole = capture_list(capture, field, at) && is_whole;
        else
            is_whole = capture_elements(capture, field, at, elements, field->size / elements) && is_whole;
    }
    return is_whole;
}

void *kin__capture_component(kin__capture *capture, const kin_context *context, kin_entity entity, kin_component_id id)
{
    const kin_component_info *info = &kin_context_info_of(context)->components[id];
    char *value = kin__capture_reserve(capture, info->size > 0 ? info->size : 1);
    if (value == NULL || !kin_look_read(context, entity, id, value))
        return NULL;
    if (info->inspect == KIN_INSPECT_HIDDEN)
        memset(value, 0, info->size);
    else if (!kin__capture_fields(capture, info->fields, info->field_count, value))
        return NULL;
    return value;
}

const void *kin__capture_label(kin__capture *capture, const kin_context *context, kin_entity entity)
{
    const kin_key_info *label = kin_context_info_of(context)->label;
    if (label == NULL || label->field->inspect == KIN_INSPECT_HIDDEN || !kin_has(context, entity, label->component))
        return NULL;
    return kin__capture_component(capture, context, entity, label->component);
}

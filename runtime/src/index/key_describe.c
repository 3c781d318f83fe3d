// Keys as text, for messages and tools: `"bob"`, `(3, -1)`. Shortened to the size of the buffer.
#include "index/key.h"
#include "store/store.h"

#include <string.h>

// Returns where to cut a text that is longer than `size`: not within a character of several bytes.
static size_t cut_at(const char *text, size_t size)
{
    size_t shorter = size;
    while (shorter > 0 && size - shorter < 3 && ((unsigned char)text[shorter] & 0xC0) == 0x80)
        shorter--;
    return shorter;
}

// Ends a text that did not fit with three dots.
static void shorten(const kin__writer *writer, char *text, size_t size)
{
    if (writer->length + 1 >= size && size > 4)
        memcpy(text + cut_at(text, size - 4), "...", 4);
}

void kin__key_describe(const kin_context *context, uint32_t slot, const kin_index_info *info,
                       kin__new_values new_values, char *text, size_t size)
{
    kin__writer writer = kin__writer_begin(text, size);
    writer.is_key = true;
    kin__writer_append(&writer, info->key_count > 1 ? "(" : "");
    for (uint32_t i = 0; i < info->key_count; i++) {
        const kin_key_info *part = &info->key[i];
        kin__leaf first = {.component = part->component, .offset = part->field->offset};
        kin__writer_append(&writer, i == 0 ? "" : ", ");
        kin__value_describe(&writer, part->field, kin__key_part(context, slot, &first, new_values));
    }
    kin__writer_append(&writer, info->key_count > 1 ? ")" : "");
    shorten(&writer, text, size);
}

void kin__key_describe_value(const kin_index_info *info, const void *value, char *text, size_t size)
{
    kin__writer writer = kin__writer_begin(text, size);
    kin__value_describe(&writer, info->key_type, value);
    shorten(&writer, text, size);
}

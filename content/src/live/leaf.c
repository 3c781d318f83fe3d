// Memory of content, and the leaves of components by paths of names.
#include "live/live.h"

#include "snapshot/snapshot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- arenas

enum { BLOCK_SIZE = 16 * 1024 };

struct kin__arena_block {
    kin__arena_block *next;
    size_t size, used;
};

static size_t header(void)
{
    return kin__round_up(sizeof(kin__arena_block));
}

void *kin__arena_take(kin__arena *arena, size_t size)
{
    kin__arena_block *block = arena->blocks;
    size = kin__round_up(size + 1);
    if (block == NULL || block->size - block->used < size) {
        size_t whole = header() + kin__max_size(size, BLOCK_SIZE);
        block = size > SIZE_MAX / 2 ? NULL : kin__allocate_zero(arena->memory, whole);
        if (block == NULL) {
            arena->is_short = true;
            return NULL;
        }
        *block = (kin__arena_block){arena->blocks, whole, header()};
        arena->blocks = block;
    }
    void *taken = (char *)block + block->used;
    block->used += size;
    KIN_ASSERT(block->used <= block->size);
    return taken;
}

void *kin__arena_copy(kin__arena *arena, const void *bytes, size_t size)
{
    void *copy = kin__arena_take(arena, size);
    if (copy != NULL && size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

void kin__arena_release(kin__arena *arena)
{
    while (arena->blocks != NULL) {
        kin__arena_block *block = arena->blocks;
        arena->blocks = block->next;
        kin__release(arena->memory, block, block->size);
    }
}

void *kin__arena_grow(kin__arena *arena, void *list, uint32_t count, uint32_t *capacity, size_t size)
{
    KIN_ASSERT(count <= *capacity);
    if (count < *capacity)
        return list;
    uint32_t larger = kin__max_32(16, 2 * *capacity);
    void *grown = kin__arena_take(arena, larger * size);
    if (grown == NULL)
        return NULL;
    if (count > 0)
        memcpy(grown, list, count * size);
    *capacity = larger;
    return grown;
}

// ---- names

uint32_t kin__name_hash_bytes(uint32_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    return hash;
}

uint32_t kin__name_hash_more(uint32_t hash, const char *text)
{
    return kin__name_hash_bytes(hash, text, strlen(text));
}

uint32_t kin__name_hash(const char *name)
{
    return kin__name_hash_end(kin__name_hash_more(kin__name_begin, name));
}

bool kin__refuse(kin__why *why, kin_status status, const char *format, ...)
{
    va_list arguments;
    KIN_ASSERT(status != KIN_OK);
    why->status = status;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

bool kin__refuse_memory(kin__why *why)
{
    return kin__refuse(why, KIN_ERROR_NO_MEMORY, "out of memory");
}

kin_status kin__why_report(const kin_context *context, const char *verb, kin_entity entity, const kin__why *why)
{
    kin__attempt attempt = {.verb = verb, .entity = entity};
    KIN_ASSERT(why->status != KIN_OK);
    if (why->status != KIN_ERROR_NO_MEMORY) // whose text the runtime has
        attempt.reason = why->text;
    return kin__report_error(context, why->status, &attempt);
}

kin_status kin__content_refuse(const kin_content *content, const char *verb, const kin__why *why)
{
    return kin__why_report(content->context, verb, 0, why);
}

// ---- leaves

static bool is_text(const char *text, const char *bytes, size_t size)
{
    return strlen(text) == size && memcmp(text, bytes, size) == 0;
}

static bool is_named(const kin_field_info *field, const char *name, size_t size)
{
    return is_text(field->name, name, size) || is_text(kin__field_identity(field), name, size);
}

static const kin_field_info *find_field(const kin_field_info *fields, uint32_t count, const char *name, size_t size)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_named(&fields[i], name, size))
            return &fields[i];
    return NULL;
}

// Moves into a field. False if it is in a list in a list, or too deep in arrays.
static bool enter(kin__live_leaf *leaf, const kin_field_info *field)
{
    leaf->field = field;
    if (field->is_list) {
        if (leaf->list != NULL || leaf->dimensions > 0)
            return false;
        leaf->list = field;
        leaf->list_offset = leaf->offset + field->offset;
        leaf->offset = 0;
        return true;
    }
    leaf->offset += field->offset;
    if (field->count == 0)
        return true;
    if (leaf->dimensions == KIN__LEAF_DIMENSIONS)
        return false;
    leaf->counts[leaf->dimensions] = field->count;
    leaf->strides[leaf->dimensions++] = field->size / field->count;
    leaf->elements *= field->count;
    return true;
}

bool kin__leaf_find(const kin_context_info *info, kin_component_id id, const char *path, kin__live_leaf *leaf)
{
    const kin_field_info *fields = info->components[id].fields;
    uint32_t count = info->components[id].field_count;
    *leaf = (kin__live_leaf){.component = id, .elements = 1};
    while (*path != '\0') {
        size_t size = strcspn(path, ".");
        const kin_field_info *field = find_field(fields, count, path, size);
        if (field == NULL || !enter(leaf, field))
            return false;
        fields = NULL;
        count = 0;
        if (field->type == KIN_TYPE_STRUCT) {
            fields = field->of->fields;
            count = field->of->field_count;
        }
        path += size + (path[size] == '.');
    }
    return true;
}

char *kin__leaf_place(const kin__live_leaf *leaf, char *base, uint32_t element)
{
    char *place = base + leaf->offset;
    KIN_ASSERT(element < leaf->elements && leaf->dimensions <= KIN__LEAF_DIMENSIONS);
    for (uint32_t i = leaf->dimensions; i-- > 0; element /= leaf->counts[i])
        place += element % leaf->counts[i] * leaf->strides[i];
    return place;
}

// Memory of content, and the leaves of components by paths of names.
#include "live/live.h"

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

// ---- names

uint32_t kin__name_hash_more(uint32_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

uint32_t kin__name_hash(const char *name)
{
    uint32_t hash = kin__name_hash_more(kin__name_begin, name);
    return hash == 0 ? 1 : hash;
}

bool kin__refuse(kin__why *why, kin_status status, const char *format, ...)
{
    va_list arguments;
    why->status = status;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

kin_status kin__content_refuse(const kin_content *content, const char *verb, const kin__why *why)
{
    kin__attempt attempt = {.verb = verb, .reason = why->status == KIN_ERROR_NO_MEMORY ? NULL : why->text};
    return kin__report_error(content->context, why->status, &attempt);
}

// ---- leaves

static bool is_named(const kin_field_info *field, const char *name, size_t size)
{
    const char *identity = field->identity == NULL ? field->name : field->identity;
    bool has_name = strlen(field->name) == size && memcmp(field->name, name, size) == 0;
    return has_name || (strlen(identity) == size && memcmp(identity, name, size) == 0);
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
        count = field->type == KIN_TYPE_STRUCT ? field->of->field_count : 0;
        fields = count == 0 ? NULL : field->of->fields;
        path += size + (path[size] == '.');
    }
    return true;
}

char *kin__leaf_place(const kin__live_leaf *leaf, char *base, uint32_t element)
{
    char *place = base + leaf->offset;
    for (uint32_t i = leaf->dimensions; i-- > 0; element /= leaf->counts[i])
        place += element % leaf->counts[i] * leaf->strides[i];
    return place;
}

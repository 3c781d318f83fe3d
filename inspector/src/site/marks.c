#include "site/marks.h"

#include <string.h>

enum { MOST_COMPONENTS = 1024, SCRATCH = 4096 };

static size_t round_up(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

// Copies the start of a component behind its header. Hidden ones are left out, and so are large ones without a struct.
static void copy_value(const kin_context *context, kin_entity entity, kin__marked_part *part, uint32_t whole)
{
    const void *value = kin_get(context, entity, part->id);
    uint64_t scratch[SCRATCH / 8] = {0};
    if (value == NULL && whole <= SCRATCH && kin_look_read(context, entity, part->id, scratch))
        value = scratch;
    if (value == NULL)
        part->size = 0;
    if (part->size > 0)
        memcpy(part + 1, value, part->size);
}

static bool append_part(kin__site_mark *mark, const kin_context *context, kin_entity entity, kin_component_id id)
{
    uint32_t whole = (uint32_t)kin_context_info_of(context)->components[id].size;
    uint16_t size = (uint16_t)(whole < KIN__MARKED_BYTES ? whole : KIN__MARKED_BYTES);
    size_t needed = sizeof(kin__marked_part) + round_up(size);
    if (needed > KIN__MARK_SIZE - mark->size)
        return false;
    kin__marked_part *part = (kin__marked_part *)(void *)(mark->at + mark->size);
    *part = (kin__marked_part){id, size, (uint32_t)needed};
    copy_value(context, entity, part, whole);
    mark->size += needed;
    return true;
}

bool kin__site_mark_append(kin__site_mark *mark, const kin_context *context, kin_entity entity)
{
    kin_component_id ids[MOST_COMPONENTS];
    size_t begin = mark->size;
    uint32_t count = kin_entity_components(context, entity, ids, MOST_COMPONENTS);
    bool fits = count <= MOST_COMPONENTS && sizeof(kin__marked) <= KIN__MARK_SIZE - mark->size;
    if (fits)
        mark->size += sizeof(kin__marked);
    kin__marked marked = {.entity = entity};
    for (uint32_t i = 0; fits && i < count; i++) {
        if (kin_context_info_of(context)->components[ids[i]].inspect == KIN_INSPECT_HIDDEN)
            continue;
        fits = append_part(mark, context, entity, ids[i]);
        marked.part_count++;
    }
    if (!fits) {
        mark->size = begin;
        mark->is_complete = false;
        return false;
    }
    marked.whole = (uint32_t)(mark->size - begin);
    memcpy(mark->at + begin, &marked, sizeof marked);
    mark->count++;
    return true;
}

const kin__marked *kin__site_mark_next(const kin__site_mark *mark, const kin__marked *marked)
{
    const char *at = marked == NULL ? mark->at : (const char *)marked + marked->whole;
    return at < mark->at + mark->size ? (const kin__marked *)(const void *)at : NULL;
}

const kin__marked_part *kin__marked_next(const kin__marked *marked, const kin__marked_part *part)
{
    const char *at = part == NULL ? (const char *)(marked + 1) : (const char *)part + part->whole;
    return at < (const char *)marked + marked->whole ? (const kin__marked_part *)(const void *)at : NULL;
}

const kin__marked_part *kin__marked_find(const kin__marked *marked, kin_component_id id)
{
    const kin__marked_part *part = kin__marked_next(marked, NULL);
    while (part != NULL && part->id != id)
        part = kin__marked_next(marked, part);
    return part;
}

kin__site_mark *kin__site_marks_find(kin__site_marks *marks, uint32_t number)
{
    for (uint32_t i = 0; marks != NULL && i < KIN__MAX_MARKS; i++)
        if (marks->places[i].at != NULL && marks->places[i].number == number)
            return &marks->places[i];
    return NULL;
}

void kin__site_marks_release(kin__site_marks *marks)
{
    if (marks == NULL)
        return;
    for (uint32_t i = 0; i < KIN__MAX_MARKS; i++)
        kin__bounded_release(marks->heap, marks->places[i].at, KIN__MARK_SIZE);
    kin__bounded_release(marks->heap, marks, sizeof *marks);
}

// Marks: copies of the entities that matched a query, to be compared with another moment.
//
//   [ entity, parts | part: id, size, bytes | part | entity, parts | … ]     in order of slots
//
// A part has the first 64 bytes of a component; a flag has none. Entities are in order of their slots, so that two
// marks are compared in one walk. For the thread of the host; a mark that does not fit is incomplete and says so.
#ifndef KIN_INSPECT_MARKS_H
#define KIN_INSPECT_MARKS_H

#include "host/host.h"
#include "text/text.h"

enum { KIN__MAX_MARKS = 8, KIN__MARK_SIZE = 512 * 1024, KIN__MARKED_BYTES = 64 };

typedef struct kin__marked_part {
    kin_component_id id;
    uint16_t size;
    uint32_t whole; // bytes with this header, rounded up
} kin__marked_part;

typedef struct kin__marked {
    kin_entity entity;
    uint32_t part_count;
    uint32_t whole; // bytes with all parts
} kin__marked;

typedef struct kin__site_mark {
    char *at; // from the heap; NULL: unused
    size_t size;
    uint32_t number, count; // of entities
    uint64_t frame;
    bool is_complete;
} kin__site_mark;

typedef struct kin__site_marks {
    kin__bounded_heap *heap;
    uint32_t last_number;
    kin__site_mark places[KIN__MAX_MARKS];
} kin__site_marks;

// Appends an entity. Returns false, and the mark is then incomplete, when it does not fit.
bool kin__site_mark_append(kin__site_mark *mark, const kin_context *context, kin_entity entity);

// Returns the entity after `marked`, or the first one for NULL; NULL at the end.
const kin__marked *kin__site_mark_next(const kin__site_mark *mark, const kin__marked *marked);

// Returns the part after `part`, or the first one for NULL; NULL at the end. Its bytes follow it.
const kin__marked_part *kin__marked_next(const kin__marked *marked, const kin__marked_part *part);
const kin__marked_part *kin__marked_find(const kin__marked *marked, kin_component_id id);

kin__site_mark *kin__site_marks_find(kin__site_marks *marks, uint32_t number);
void kin__site_marks_release(kin__site_marks *marks);

#endif

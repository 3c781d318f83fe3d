// Columns: the components and fields of entities that a viewer wants to see.
#ifndef KIN_INSPECT_COLUMN_H
#define KIN_INSPECT_COLUMN_H

#include "host/host.h"

enum { KIN__MAX_COLUMNS = 32 };

typedef struct kin__view_column {
    const char *name; // as the viewer wrote it
    kin__path path;   // without a field: the whole component
} kin__view_column;

typedef struct kin__view_columns {
    kin__view_column columns[KIN__MAX_COLUMNS];
    uint32_t count;
} kin__view_columns;

// Reads the parameter, an array of paths. Returns false when one is wrong.
bool kin__columns_parse(kin__task *task, const char *parameter, kin__view_columns *columns);

// Adds whole components, without hidden ones, as far as there is room.
void kin__columns_add(kin__view_columns *columns, const kin_context_info *info, const kin_component_id *ids,
                      uint32_t count);

// Copies the components of a living entity. Each value is NULL when the entity lacks it; returns false when they do not
// fit.
bool kin__columns_capture(kin__task *task, const kin__view_columns *columns, kin_entity entity, const void **values);

// Writes the captured values as an object.
void kin__columns_show(const kin__task *task, kin__json *json, const kin__view_columns *columns,
                       const void *const *values);

#endif

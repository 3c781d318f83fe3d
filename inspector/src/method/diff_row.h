// Diff row: what marks.diff and snapshots.diff show of each row, and of all.
#ifndef KIN_INSPECT_METHOD_DIFF_ROW_H
#define KIN_INSPECT_METHOD_DIFF_ROW_H

#include "host/host.h"

typedef enum kin__row_kind {
    KIN__ROW_APPEARED,
    KIN__ROW_GONE,
    KIN__ROW_GOT, // a component, as are the next ones
    KIN__ROW_LOST,
    KIN__ROW_CHANGED,
    KIN__ROW_KINDS
} kin__row_kind;

// Returns the component of a row, or NULL for one of an entity.
static inline const kin_component_info *kin__row_component(const kin__site *site, kin__row_kind kind,
                                                           kin_component_id component)
{
    return kind >= KIN__ROW_GOT ? &site->info->components[component] : NULL;
}

// Writes the members e, kind and component. NULL: a row of an entity.
void kin__show_row(kin__json *json, kin__row_kind kind, kin_entity entity, const kin_component_info *component);

// Writes the members frame, appeared, gone and changed.
void kin__show_row_counts(const kin__task *task, kin__json *json, const uint32_t counts[KIN__ROW_KINDS]);

#endif

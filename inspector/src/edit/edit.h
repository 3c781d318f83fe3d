// Edit: one change of one component of an entity, as a viewer asks for it.
#ifndef KIN_INSPECT_EDIT_H
#define KIN_INSPECT_EDIT_H

#include "edit/read.h"

typedef enum kin__edit_kind { KIN__EDIT_ADD, KIN__EDIT_SET, KIN__EDIT_REPLACE, KIN__EDIT_REMOVE } kin__edit_kind;

typedef struct kin__edit {
    kin__edit_kind kind;
    kin_component_id id;
    kin__path path;                 // of KIN__EDIT_SET
    char *bytes, *mask;             // what is given
    char *base;                     // room for the component
    char *defaults;                 // the values of the schema
    char *expected, *expected_mask; // NULL: nothing is expected
    const void *previous, *value;   // captured; NULL: there is none
} kin__edit;

// Checks that the component can be written, and makes room in the capture.
bool kin__edit_begin(kin__task *task, kin__edit *edit);

// Reads the value of the whole component; of a flag true, or nothing.
bool kin__edit_read(kin__task *task, kin__edit *edit, const json_t *value);

// Reads the value of the path; and what must be there before, unless NULL.
bool kin__edit_read_path(kin__task *task, kin__edit *edit, const json_t *value, const json_t *expected);

// Makes the change to an entity, and captures the values before and after. For the thread of the host, while errors are
// caught. Returns false when it was refused.
bool kin__edit_apply(kin__task *task, kin__edit *edit, kin_entity entity);

#endif

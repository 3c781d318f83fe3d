// Path: a place in a component, such as Position.at.x or Label.lines[2].
//
// The address of a place is found by steps: an offset in a struct, and for an element of a list its pointer.
#ifndef KIN_INSPECT_PATH_H
#define KIN_INSPECT_PATH_H

#include "capture/number.h"
#include "query/scan.h"

enum { KIN__PATH_STEPS = 6 };

typedef struct kin__path_step {
    size_t offset;
    bool is_list; // then an element of the list there
    uint32_t index;
    size_t stride;
} kin__path_step;

typedef struct kin__path {
    kin_component_id component;
    const kin_field_info *field; // the last one; NULL: the whole component
    bool is_element;             // of the array or list that `field` is
    bool is_read_only;           // the schema says so, of the component or a field on the way
    uint32_t step_count;
    kin__path_step steps[KIN__PATH_STEPS];
} kin__path;

// Parses the path at the current token. Without a component in front, the field is one of `component`, or if that is
// KIN_NO_COMPONENT of the one among `named` that has such a field.
typedef struct kin__path_scope {
    const kin_context_info *info;
    kin_component_id component;
    const kin_component_id *named;
    uint32_t named_count;
    bool may_be_text; // a string could be here: a word that is no field lacks its quotes
} kin__path_scope;

bool kin__path_parse(kin__scan *scan, const kin__path_scope *scope, kin__path *path);

// Returns the field of a name; NULL: there is none.
const kin_field_info *kin__find_field(const kin_field_info *fields, uint32_t count, const char *name);

// Finds the component of the current token, and moves behind it.
bool kin__path_component(kin__scan *scan, const kin_context_info *info, kin_component_id *id);

// Returns whether the path leads to a single value that can be compared.
bool kin__path_is_single(const kin__path *path);

// Returns the address of the place in a value of the component; NULL beyond the end of a list.
const void *kin__path_address(const kin__path *path, const void *value);

#endif

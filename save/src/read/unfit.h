// What does not fit the schema: the faults of a file that name fields, types and values, and say what to do.
#ifndef KIN_SRC_UNFIT_H
#define KIN_SRC_UNFIT_H

#include "read/values.h"

enum { KIN__UNFIT_NAMES = 260 };

// Names of things in all contexts of a file that the schema lacks, and of fields whose types have no conversion.
typedef struct kin__unfit {
    char unknown[KIN__UNFIT_NAMES], types[KIN__UNFIT_NAMES];
} kin__unfit;

// Adds a name to a list of them. One that has no room becomes "…", once.
void kin__unfit_add(char names[KIN__UNFIT_NAMES], const char *name);

// Adds a field whose type in the file cannot become the type of `now`, or whose length or target cannot.
void kin__unfit_add_type(kin__unfit *unfit, const char *name, const kin__file_leaf *leaf, const kin__value_leaf *now,
                         bool fits_length);

// Returns true if nothing was added; else notes a fault. `version` is that of the schema that wrote the file.
bool kin__unfit_report(const kin__unfit *unfit, kin__fault *fault, const kin_package_info *package, uint32_t version);

// Notes that the schema has no room for the value of an entity, or of a message: false. `from` are the bytes of a
// number or enum in the file; NULL: it is a text, or an element that the array has no place for.
bool kin__unfit_value(const kin__read_values *values, const kin__file_leaf *leaf, uint32_t number,
                      const unsigned char *from);

#endif

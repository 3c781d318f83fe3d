// Vial: an opaque type whose save function can break its contract. tests/save/readable/oddity_case.c has the functions.
#ifndef KIN_TESTS_SCHEMAS_SAVES_VIAL_H
#define KIN_TESTS_SCHEMAS_SAVES_VIAL_H

#include <stdbool.h>
#include <stddef.h>

struct vial {
    int drops;
};

size_t vial_save(struct vial vial, void *bytes, size_t capacity);
bool vial_load(struct vial *vial, const void *bytes, size_t size);

#endif

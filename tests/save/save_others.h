// Save others: contexts of the packages almanac and archive, whose types have the names of those of the past case.
#ifndef KIN_TESTS_SAVE_SAVE_OTHERS_H
#define KIN_TESTS_SAVE_SAVE_OTHERS_H

#include <kin/kin.h>
#include <stdbool.h>

// Each returns a context with the options of the past case, empty or with some entities.
kin_context *save_almanac_create(bool is_filled);
kin_context *save_archive_create(bool is_filled);

#endif

// Archive key: an opaque value that the schemas of archives save. tests/runtime/snapshot/test_hash.c has the functions.
#ifndef KIN_TESTS_SCHEMAS_ARCHIVE_KEY_H
#define KIN_TESTS_SCHEMAS_ARCHIVE_KEY_H

#include <stdbool.h>
#include <stddef.h>

struct archive_key {
    int number;
    const void *cache; // not saved
};

size_t archive_key_save(struct archive_key key, void *bytes, size_t capacity);
bool archive_key_load(struct archive_key *key, const void *bytes, size_t size);

#endif

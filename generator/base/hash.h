// Hash: XXH64 with seed 0.
//
// Hashes are written into files, so they are the same on every machine and in every version. They detect edits but are
// not cryptographic: someone can construct two contents with the same hash.
#ifndef KIN_GENERATOR_BASE_HASH_H
#define KIN_GENERATOR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_of(const char *bytes, size_t size);

// Extends a hash by more bytes, for content in several pieces.
uint64_t hash_combine(uint64_t hash, const char *bytes, size_t size);
uint64_t hash_combine_number(uint64_t hash, uint64_t number);

#endif

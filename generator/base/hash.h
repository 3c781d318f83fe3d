// Hash: a number that stands for bytes, XXH64 with the seed 0.
//
// It is the same on every machine and in every version, since it is written into files. It detects edits; it is not
// cryptographic, so it does not protect against two contents that were made to have the same hash.
#ifndef KIN_GENERATOR_BASE_HASH_H
#define KIN_GENERATOR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_of(const char *bytes, size_t size);

// Extends a hash by more bytes, for content that is not in one piece.
uint64_t hash_combine(uint64_t hash, const char *bytes, size_t size);
uint64_t hash_combine_number(uint64_t hash, uint64_t number);

#endif

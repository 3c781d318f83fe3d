// Scarce: an allocator that counts bytes, and one of whose requests fails. One at a time.
#ifndef KIN_TESTS_SAVE_SCARCE_H
#define KIN_TESTS_SAVE_SCARCE_H

#include <kin/error.h>

#include <stddef.h>
#include <stdint.h>

extern size_t scarce_used;      // bytes
extern int64_t scarce_requests; // that succeed before one fails; -1: all do

kin_allocator scarce_allocator(void);

#endif

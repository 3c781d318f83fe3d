// base: what needs no context: memory, sets of bits, matchers, clocks, seeds and fixed steps
//
// Owns nothing: each file is a tool with its own state.
//
//   memory.h      the allocator of the caller, with counts; growing arrays
//   assertion.h   KIN_ASSERT and KIN_VALIDATE, which a release build leaves out
//   bits.h        sets of small numbers
//   counter.h     numbers that several threads count up
//   lock.h        locks that are held briefly
//   copy.h        copies of small values
//   number.h      reads integers and floating-point numbers of each size from memory
//   matcher.h     matchers: checks and normalises them, and matches rows and chunks
//   fixed_step.h  the clock of a collection that runs in fixed steps
//   clock.h       the monotonic clock
//   seed.h        the factors of a context's hashes
//   fold.h        a step of a hash: multiplies to 128 bits and combines the halves
//   little.h      integers as little-endian bytes
//   xxh64.h       the hash of canonical bytes, the same on every machine

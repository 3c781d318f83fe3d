// base: tools that need no context: memory, sets of bits, matchers, clocks, hashes
#ifndef KIN_SRC_BASE_H
#define KIN_SRC_BASE_H

#include <kin/error.h>
#include <kin/generated/storage.h>
#include <kin/platform.h>
#include <kin/systems.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Assertions: checks for faults of the library itself. Mistakes of callers are reported as errors instead.
//
//   KIN_ASSERT      cheap preconditions and postconditions; on unless NDEBUG is defined
//   KIN_VALIDATE    walks a structure and checks its numbered invariants; on with KIN_CHECKED, in the tests
//
// The release build defines NDEBUG: neither macro evaluates its condition or makes an instruction there.

#ifdef KIN_CHECKED
#undef NDEBUG
#endif

#include <assert.h>

#define KIN_ASSERT(condition) assert(condition)

#ifdef KIN_CHECKED
#define KIN_VALIDATE(condition) assert(condition)
#else
#define KIN_VALIDATE(condition) ((void)(0 && (condition)))
#endif

// Marks the general case that a fast path calls: inlined there, it costs the fast path the registers that it saves.
#if defined(__GNUC__)
#define KIN__NOINLINE __attribute__((noinline))
#else
#define KIN__NOINLINE
#endif

// Bits: sets of small numbers as arrays of 64-bit words; number n is bit n % 64 of word n / 64.
//
// Code that is inlined into every accessor or runs for every entity writes its shifts out instead: with these functions
// gcc 12 needs an instruction more for each.

// The word that has only the bit of `number`.
static inline uint64_t kin__bit_of(uint32_t number)
{
    return (uint64_t)1 << (number % 64);
}

static inline bool kin__bits_have(const uint64_t *words, uint32_t number)
{
    return (words[number / 64] >> (number % 64) & 1) != 0;
}

static inline void kin__bits_add(uint64_t *words, uint32_t number)
{
    words[number / 64] |= kin__bit_of(number);
}

static inline void kin__bits_remove(uint64_t *words, uint32_t number)
{
    words[number / 64] &= ~kin__bit_of(number);
}

static inline void kin__bits_flip(uint64_t *words, uint32_t number)
{
    words[number / 64] ^= kin__bit_of(number);
}

static inline void kin__bits_write(uint64_t *words, uint32_t number, bool on)
{
    words[number / 64] = (words[number / 64] & ~kin__bit_of(number)) | (uint64_t)on << (number % 64);
}

// Returns the number of bits that are set.
static inline uint32_t kin__bits_count(const uint64_t *words, uint32_t word_count)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < word_count; word++)
        count += kin__count_bits(words[word]);
    return count;
}

// Returns the number of bits that are set in the 8 words of a chunk. Adds the words up in parallel, which compilers
// vectorise: the instruction that counts bits is not on every machine that they compile for.
static inline uint32_t kin__count_chunk_bits(const uint64_t words[8])
{
    const uint64_t ones = UINT64_C(0x5555555555555555);
    const uint64_t pairs = UINT64_C(0x3333333333333333);
    const uint64_t nibbles = UINT64_C(0x0F0F0F0F0F0F0F0F);
    const uint64_t bytes = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t sum = 0; // of 8 bytes, at most 64 each
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t bits = words[i] - (words[i] >> 1 & ones);
        bits = (bits & pairs) + (bits >> 2 & pairs);
        sum += (bits + (bits >> 4)) & nibbles;
    }
    sum = (sum & bytes) + (sum >> 8 & bytes);
    return (uint32_t)(sum * UINT64_C(0x0001000100010001) >> 48);
}

// The monotonic clock of the machine.

// Nanoseconds since an unspecified moment; never decreases.
uint64_t kin__clock_read(void);

// Copies of values: memcpy without a call for the most common sizes.

static inline void *kin__value_copy(void *to, const void *from, size_t size)
{
    if (size == 4)
        return memcpy(to, from, 4);
    switch (size) {
    case 8:
        return memcpy(to, from, 8);
    case 12:
        return memcpy(to, from, 12);
    case 16:
        return memcpy(to, from, 16);
    }
    return memcpy(to, from, size);
}

// Counters: numbers that several threads may count up at once. Without atomics in the compiler, one thread may.

#ifdef __STDC_NO_ATOMICS__
typedef uint_least32_t kin__counter;
#else
#include <stdatomic.h>
typedef atomic_uint_least32_t kin__counter;
#endif

static inline void kin__counter_add(kin__counter *counter)
{
#ifdef __STDC_NO_ATOMICS__
    ++*counter;
#else
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
#endif
}

// Returns the number and sets it to 0. No other thread is counting.
static inline uint32_t kin__counter_take(kin__counter *counter)
{
    uint32_t count = *counter;
    *counter = 0;
    return count;
}

// Fixed step: accumulates time and splits it into steps of equal length; also the ticks that replace the clocks.
//
//   accumulated   time that is in no step yet; slightly below 0 if rounding made a step due too early
//   origin        the time before the steps that `steps` counts: the time now is origin + steps * step
//   due           steps of the current update that have not run yet
//
// A step is due as soon as its time is complete up to rounding, so that deltas that add up to a step make one.
//
// Invariants:
//   1. step > 0, and at most max_steps are due
//   2. less than one step is accumulated once the due steps are taken out, up to rounding

enum { KIN__MAX_PUSHED = 8 };

typedef struct kin__fixed_step {
    double step;
    uint32_t max_steps;
    double accumulated, origin, dropped;
    uint64_t steps, frame;
    uint32_t due;
} kin__fixed_step;

// The stack of pushed ticks; the last one is in use. Empty: the clocks are in use.
typedef struct kin__pushed {
    kin_tick ticks[KIN__MAX_PUSHED];
    uint32_t count;
} kin__pushed;

// Replaces isfinite(): MinGW's macro also handles other types, and warns at each use.
static inline bool kin__is_finite(double number)
{
    return fabs(number) <= DBL_MAX;
}

// Adds `delta` seconds. Complete steps become due; steps beyond max_steps are dropped.
void kin__fixed_step_advance(kin__fixed_step *fixed_step, double delta);

// Takes the next due step and writes its tick. False if none is due.
bool kin__fixed_step_next(kin__fixed_step *fixed_step, kin_tick *tick);

// Continues at another time, with nothing accumulated or due.
void kin__fixed_step_set(kin__fixed_step *fixed_step, double time);

// Fold: the exclusive or of the two halves of a product of 128 bits. A fast mixing step for hashes.

// The same from four products of 32 bits, for compilers without integers of 128 bits.
static inline uint64_t kin__fold_parts(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t high = (a >> 32) * (b >> 32);
    uint64_t one = (a >> 32) * (b & UINT32_MAX);
    uint64_t other = (a & UINT32_MAX) * (b >> 32);
    uint64_t middle = (low >> 32) + (one & UINT32_MAX) + (other & UINT32_MAX);
    high += (one >> 32) + (other >> 32) + (middle >> 32);
    return high ^ (middle << 32 | (low & UINT32_MAX));
}

static inline uint64_t kin__fold(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && !defined(__wasm__)
    (void)kin__fold_parts; // used by other builds and by a test
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
#else
    return kin__fold_parts(a, b);
#endif
}

// Little: integers as little-endian bytes, which need not be aligned. Compilers make one instruction of each function.

static inline uint32_t kin__little_read_32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t kin__little_read_64(const unsigned char *bytes)
{
    return kin__little_read_32(bytes) | (uint64_t)kin__little_read_32(bytes + 4) << 32;
}

static inline void kin__little_write_16(unsigned char *bytes, uint16_t number)
{
    bytes[0] = (unsigned char)number;
    bytes[1] = (unsigned char)(number >> 8);
}

static inline void kin__little_write_32(unsigned char *bytes, uint32_t number)
{
    bytes[0] = (unsigned char)number;
    bytes[1] = (unsigned char)(number >> 8);
    bytes[2] = (unsigned char)(number >> 16);
    bytes[3] = (unsigned char)(number >> 24);
}

static inline void kin__little_write_64(unsigned char *bytes, uint64_t number)
{
    kin__little_write_32(bytes, (uint32_t)number);
    kin__little_write_32(bytes + 4, (uint32_t)(number >> 32));
}

// Locks that are held briefly, such as for an allocation: waiting threads do not sleep. Without atomics in the
// compiler, one thread uses them.

#ifdef __STDC_NO_ATOMICS__
typedef int kin__lock;
#else
#include <stdatomic.h>
typedef atomic_flag kin__lock;
#endif

static inline void kin__lock_init(kin__lock *lock)
{
#ifdef __STDC_NO_ATOMICS__
    *lock = 0;
#else
    atomic_flag_clear(lock);
#endif
}

static inline void kin__lock_acquire(kin__lock *lock)
{
#ifdef __STDC_NO_ATOMICS__
    *lock = 1;
#else
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire)) {
    }
#endif
}

static inline void kin__lock_release(kin__lock *lock)
{
#ifdef __STDC_NO_ATOMICS__
    *lock = 0;
#else
    atomic_flag_clear_explicit(lock, memory_order_release);
#endif
}

// Matchers in normal form: equal matchers have equal bytes, so that one group serves all of them.
//
//   all(A, B), all(A), any(C, D), none(E)   →   all(A, B), any(C, D), none(E)
//
// Invariants of a normal matcher, checked by kin__matcher_is_normal():
//   1. it has 1 to 8 rules of 1 to 30 ids; the ids of a rule ascend, each once
//   2. the rules are in the order all, any, none, only; any and only rules of a kind ascend, each once
//   3. the ids of the `all` rules ascend across rules, and as few rules as possible hold them; likewise `none`
//   4. unused ids and rules are zero
//
// A normal matcher is compared with a row (one entity) or with the bits of a chunk (64 or 512 entities at once).

// Returns KIN_OK, KIN_ERROR_LIMIT or KIN_ERROR_INVALID; `*reason` then says what is wrong and how to fix it.
kin_status kin__matcher_check(const kin_matcher *matcher, const kin_context_info *info, const char **reason);

// Returns the normal form of a matcher that was checked.
kin_matcher kin__matcher_normalise(const kin_matcher *matcher);

bool kin__matcher_is_normal(const kin_matcher *matcher);

// Returns whether a rule names the component.
bool kin__matcher_names(const kin_matcher *normal, kin_component_id id);

// Leaves out entities with the flag, unless the matcher names it. `off` may be NULL. Refuses a matcher that has no room
// for the flag with KIN_ERROR_LIMIT and a reason.
kin_status kin__matcher_leave_out(kin_matcher *normal, const kin_component_id *off, const char **reason);

uint64_t kin__matcher_hash(const kin_matcher *normal);

// Returns how many components a row has.
static inline uint32_t kin__row_count(const uint64_t *row, uint32_t row_words)
{
    uint32_t count = 0;
    KIN_ASSERT(row_words > 0);
    for (uint32_t i = 0; i < row_words; i++)
        count += kin__count_bits(row[i]);
    return count;
}

// Runs the statement after it for each component of a row, by id; or for each place of other bits, such as those of a
// column. `break` ends only the current word.
#define EACH_OF_ROW(id, row, row_words)                                                                                \
    for (uint32_t id##_word = 0; id##_word < (row_words); id##_word++)                                                 \
        for (uint64_t id##_bits = (row)[id##_word]; id##_bits != 0; id##_bits &= id##_bits - 1)                        \
            for (uint32_t id = id##_word * 64 + kin__lowest_bit(id##_bits), id##_once = 1; id##_once != 0;             \
                 id##_once = 0)

// Returns whether an entity with these components matches.
bool kin__matcher_holds(const kin_matcher *normal, const uint64_t *row, uint32_t row_words);

// Returns whether an entity with these components matches, or could after losing some of them: all rules hold but for
// components that it has in excess.
bool kin__matcher_may_hold(const kin_matcher *normal, const uint64_t *row);

// Returns whether entities without components match: all rules are `none` rules.
bool kin__matcher_allows_empty(const kin_matcher *normal);

// Returns whether the matcher has an `only` rule, so that every component matters to it.
bool kin__matcher_is_exact(const kin_matcher *normal);

// Writes which slots of the chunk with a number match now, one bit each.
void kin__matcher_chunk(const kin_matcher *normal, const kin_context *context, uint32_t number,
                        uint64_t match[KIN__CHUNK_WORDS]);

// Returns whether all slots of the chunk match. A fast test: false for matchers with other rules than `all` and `none`.
bool kin__matcher_is_full(const kin_matcher *normal, const kin_context *context, uint32_t number);

// Returns which of 64 slots of the chunk match now.
uint64_t kin__matcher_word(const kin_matcher *normal, const kin_context *context, uint32_t number, uint32_t word);

// Memory: all memory of the runtime comes from the user's allocator and is released with its size.
//
//   whole   the context: counts all bytes that are allocated
//     part  its columns, groups, collectors, indices and strings: each counts its bytes, and the whole counts them too
//
// Invariants:
//   1. allocated is the sum of the sizes of all blocks that are not released. The exception is a kin__memory that is
//      made only to release a block which another one has counted: it wraps below 0
//   2. a whole has allocated at least as many bytes as each of its parts
//   3. a block of 64 bytes or more is aligned to a cache line

enum { KIN__CACHE_LINE = 64 };

typedef struct kin__memory {
    kin_allocator allocator;
    size_t refused;            // bytes of the last request that failed, for its message
    size_t allocated;          // bytes
    struct kin__memory *whole; // NULL: not a part
} kin__memory;

// Memory of the given allocator, or of malloc if its functions are NULL.
kin__memory kin__memory_of(kin_allocator allocator);

// Returns an empty part of `whole`. The whole must exist until kin__memory_leave, or until the part is no longer used.
kin__memory kin__memory_part(kin__memory *whole);

// Makes `memory` a part of `whole`, which then also counts all that the part has allocated; and separates them again.
// Leaving twice does nothing.
void kin__memory_join(kin__memory *memory, kin__memory *whole);
void kin__memory_leave(kin__memory *memory);

// Notes the size of a request that failed, in `memory` and all that it is a part of, for the message about it.
void kin__memory_note_refusal(kin__memory *memory, size_t size);

// Returns what is wrong with an allocator, for a message; NULL if it is valid.
const char *kin__allocator_fault(const kin_allocator *allocator);

// Returns `size` bytes, not initialised; NULL when out of memory.
void *kin__allocate(kin__memory *memory, size_t size);

// The same, all zero.
void *kin__allocate_zero(kin__memory *memory, size_t size);

// Releases a block of that size. NULL is allowed.
void kin__release(kin__memory *memory, void *block, size_t size);

// The bytes of `count` elements. SIZE_MAX, which kin__allocate always refuses, if the product overflows on 32 bits.
static inline size_t kin__bytes_of(uint32_t count, size_t size)
{
    KIN_ASSERT(size > 0);
    return count > SIZE_MAX / size ? SIZE_MAX : count * size;
}

static inline uint32_t kin__min_32(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

static inline uint32_t kin__max_32(uint32_t one, uint32_t other)
{
    return one > other ? one : other;
}

static inline size_t kin__min_size(size_t one, size_t other)
{
    return one < other ? one : other;
}

static inline size_t kin__max_size(size_t one, size_t other)
{
    return one > other ? one : other;
}

// Rounds a size up, so that an object of any type can follow in the same block.
static inline size_t kin__round_up(size_t size)
{
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

// An array with room for `capacity` elements; its owner knows their size and how many are in use.
typedef struct kin__array {
    void *elements;
    uint32_t capacity;
} kin__array;

// Makes room for `least` elements of `size` bytes. Moves the array if it grows, to at least twice its capacity. False,
// with nothing changed, when out of memory.
bool kin__array_reserve(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

// The same for an array of pointers; new pointers are NULL, up to the capacity.
bool kin__array_reserve_pointers(kin__memory *memory, kin__array *array, uint32_t least);

// Moves the array to a smaller block if `least` elements need at most half of it. Keeps it when out of memory.
void kin__array_trim(kin__memory *memory, kin__array *array, uint32_t least, size_t size);

void kin__array_release(kin__memory *memory, kin__array *array, size_t size);

// Numbers in memory: reads an integer or floating-point number of any size, which need not be aligned.

// Reads an integer of 1, 2, 4 or 8 bytes and extends its sign.
static inline int64_t kin__read_signed(const void *bytes, size_t size)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (size) {
    case sizeof one:
        return *(int8_t *)memcpy(&one, bytes, sizeof one);
    case sizeof two:
        return *(int16_t *)memcpy(&two, bytes, sizeof two);
    case sizeof four:
        return *(int32_t *)memcpy(&four, bytes, sizeof four);
    default:
        KIN_ASSERT(size == sizeof eight);
        return *(int64_t *)memcpy(&eight, bytes, sizeof eight);
    }
}

static inline uint64_t kin__read_unsigned(const void *bytes, size_t size)
{
    uint64_t number = (uint64_t)kin__read_signed(bytes, size);
    return size == sizeof number ? number : number & (((uint64_t)1 << 8 * size) - 1);
}

// Reads a float or a double.
static inline double kin__read_floating(const void *bytes, size_t size)
{
    float narrow;
    double broad;
    if (size == sizeof narrow)
        return (double)*(float *)memcpy(&narrow, bytes, sizeof narrow);
    KIN_ASSERT(size == sizeof broad);
    return *(double *)memcpy(&broad, bytes, sizeof broad);
}

// Seeds: random numbers that make the hashes of a context unpredictable, so that input cannot be chosen to collide.
//
// Two hashes use the factors of the seed: keys of indices (key.c) and owners (retain.c). The hash of matchers does
// not (matcher.c): matchers come from the program, and each makes a group, which costs more than a long look-up.

// Returns a seed that is not 0, made from the clocks and the addresses of the block, of a function and of the stack.
// Blocks that exist at the same time get different seeds.
uint64_t kin__seed_make(const void *block);

// Makes the two odd factors of a seed.
void kin__seed_spread(uint64_t seed, uint64_t *factors);

// XXH64: the hash of 64 bits of the xxHash specification, by Yann Collet. Of canonical bytes it is the same on every
// machine, whatever its word size and byte order. It does not protect from bytes that somebody forged.
//
//   lanes[4]   each takes 8 of every 32 bytes
//   tail       bytes that do not fill the lanes yet
//
// Invariant: tail_size is total % 32.

enum { KIN__XXH64_STRIPE = 32 }; // bytes

// A hash of bytes that come in parts.
typedef struct kin__xxh64 {
    uint64_t lanes[4];
    uint64_t seed, total; // bytes so far
    size_t tail_size;
    unsigned char tail[KIN__XXH64_STRIPE];
} kin__xxh64;

kin__xxh64 kin__xxh64_begin(uint64_t seed);

// Adds `size` bytes. They may be NULL if `size` is 0.
void kin__xxh64_add(kin__xxh64 *hash, const void *bytes, size_t size);

// Returns the hash of all bytes so far. More can be added after that.
uint64_t kin__xxh64_end(const kin__xxh64 *hash);

// Returns the hash of `size` bytes at once.
uint64_t kin__xxh64_of(const void *bytes, size_t size, uint64_t seed);

// Writer: text of any length into a buffer of fixed size, as snprintf writes: what fits, with a NUL, and the length of
// the whole.

// Text that is being written into `size` bytes; `length` counts also what did not fit.
typedef struct kin__writer {
    char *text;
    size_t size, length;
    bool is_key; // the number -0 is written as 0, which is the same key
} kin__writer;

// `text` may be NULL if `size` is 0.
kin__writer kin__writer_begin(char *text, size_t size);

void kin__writer_append(kin__writer *writer, const char *text);

// Escape: makes strings of users in messages safe for a terminal, on one line.
//
//   bob          unchanged
//   \x1b[31m     control characters, DEL, marks of the writing direction, invisible characters, and bytes that are not
//                UTF-8: each byte in hexadecimal
//   first ...    a long string is cut between two characters
//
// Names of the schema are C identifiers and need no escaping.

enum {
    KIN__ESCAPE_LIMIT = 48,                           // bytes of a string that are shown
    KIN__ESCAPED_SIZE = 4 * KIN__ESCAPE_LIMIT + 3 + 1 // of the result, if all bytes are escaped, with ellipsis and NUL
};

// Writes `size` bytes of a string, escaped and without quotes, and returns the result.
const char *kin__escape(char escaped[KIN__ESCAPED_SIZE], const char *string, size_t size);

// Returns whether the bytes are UTF-8 without NUL.
bool kin__is_text(const unsigned char *bytes, size_t size);

#endif

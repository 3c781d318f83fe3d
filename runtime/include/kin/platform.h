/// What differs between compilers: linkage, visibility, aliasing and two bit operations, each with a portable form.
#ifndef KIN_PLATFORM_H
#define KIN_PLATFORM_H

#ifdef __cplusplus
#if __cplusplus < 201103L
#error "Kin's headers need C++11: compile with -std=c++11 or later"
#endif
#elif !defined __STDC_VERSION__ || __STDC_VERSION__ < 201112L
#error "Kin's headers and generated code need C11: compile with -std=c11 or later"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of these headers; kin_version() tells that of the loaded library.
#define KIN_VERSION "0.1.0"

/// Counts the changes of what generated code relies on. Code that was generated for another number does not compile,
/// and a context is not created when a shared library of another one was loaded.
#define KIN_INTERFACE_VERSION 4

/// Around the declarations of a header, which C++ then takes for those of C.
#ifdef __cplusplus
#define KIN_BEGIN_DECLARATIONS extern "C" {
#define KIN_END_DECLARATIONS   }
#else
#define KIN_BEGIN_DECLARATIONS
#define KIN_END_DECLARATIONS
#endif

/// Before each function that the shared library exports. On Windows the library is built with KIN_SHARED defined to
/// become a DLL; programs that link it, shared or static, define nothing.
#if defined(_WIN32) && defined(KIN_SHARED)
#define KIN_API __declspec(dllexport)
#elif defined(__GNUC__)
#define KIN_API __attribute__((visibility("default")))
#else
#define KIN_API
#endif

/// Between `struct` and the name of a struct through which objects of other types are read and written: compilers then
/// assume nothing from its type. MSVC never does.
#if defined(__GNUC__)
#define KIN_MAY_ALIAS __attribute__((may_alias))
#else
#define KIN_MAY_ALIAS
#endif

/// Says that the memory will be read soon.
static inline void kin__prefetch(const void *memory)
{
#if defined(__GNUC__)
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

/// How many bits of `word` are set.
static inline uint32_t kin__count_bits(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(word);
#else
    uint32_t count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
#endif
}

/// The position of the lowest set bit; `word` is not 0.
static inline uint32_t kin__lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    uint32_t position = 0;
    for (; (word & 1) == 0; word >>= 1)
        position++;
    return position;
#endif
}

#endif

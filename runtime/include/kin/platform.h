/// Compiler differences: linkage, visibility, aliasing and bit operations, each with a portable form.
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

/// The version of these headers. kin_version() returns the version of the loaded library.
#define KIN_VERSION "0.2.0"

/// Incremented when anything changes that generated code relies on. Code generated for another number does not compile.
/// Creating a context fails when the loaded shared library has another number.
#define KIN_INTERFACE_VERSION 4

/// Enclose the declarations of a header, to give them C linkage in C++. Internal names begin with kin__, which C allows
/// and C++ reserves: clang's -Wreserved-identifier and -Wreserved-macro-identifier are off for these names only. So is
/// -Wold-style-cast, as C has no other casts.
#if defined(__cplusplus) && defined(__clang__) && __clang_major__ >= 13
#define KIN_BEGIN_DECLARATIONS                                                                                         \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wreserved-identifier\"")                     \
        _Pragma("clang diagnostic ignored \"-Wreserved-macro-identifier\"")                                            \
            _Pragma("clang diagnostic ignored \"-Wold-style-cast\"") extern "C"                                        \
    {
#define KIN_END_DECLARATIONS                                                                                           \
    }                                                                                                                  \
    _Pragma("clang diagnostic pop")
#elif defined(__cplusplus) && defined(__GNUC__)
#define KIN_BEGIN_DECLARATIONS                                                                                         \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") extern "C"                   \
    {
#define KIN_END_DECLARATIONS                                                                                           \
    }                                                                                                                  \
    _Pragma("GCC diagnostic pop")
#elif defined(__cplusplus)
#define KIN_BEGIN_DECLARATIONS extern "C" {
#define KIN_END_DECLARATIONS   }
#else
#define KIN_BEGIN_DECLARATIONS
#define KIN_END_DECLARATIONS
#endif

#ifdef __GNUC__
#define KIN_INFINITY(type) ((type)__builtin_huge_val())
#define KIN_NAN(type)      ((type)__builtin_nan(""))
#else
#include <math.h>
/// Infinity as a constant of `float` or `double`, which schemas write as .inf.
#define KIN_INFINITY(type) ((type)INFINITY)
/// NaN as a constant of `float` or `double`, which schemas write as .nan.
#define KIN_NAN(type)      ((type)NAN)
#endif

/// Marks each function that the shared library exports. On Windows, define KIN_SHARED when you build the library as a
/// DLL. Programs that link the library, shared or static, define nothing.
#if defined(_WIN32) && defined(KIN_SHARED)
#define KIN_API __declspec(dllexport)
#elif defined(__GNUC__)
#define KIN_API __attribute__((visibility("default")))
#else
#define KIN_API
#endif

KIN_BEGIN_DECLARATIONS

/// Declares a function that a component, an index or a job cannot have. With gcc and clang a call of it is an error
/// that shows the sentence; with other compilers there is no such function.
#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define KIN__NO_FUNCTION(result, function, sentence)                                                                   \
    result function(const void *of, ...) __attribute__((unavailable(sentence)))
#endif
#endif
#ifndef KIN__NO_FUNCTION
#ifdef __GNUC__
#define KIN__NO_FUNCTION(result, function, sentence)                                                                   \
    result function(const void *of, ...) __attribute__((error(sentence)))
#else
#define KIN__NO_FUNCTION(result, function, sentence) struct kin__no_function
#endif
#endif

KIN_END_DECLARATIONS

/// Goes between `struct` and the name of a struct that accesses objects of other types. It exempts the struct from
/// type-based alias analysis. MSVC has no such analysis.
#if defined(__GNUC__)
#define KIN_MAY_ALIAS __attribute__((may_alias))
#else
#define KIN_MAY_ALIAS
#endif

/// Marks a function that writes nothing: its result depends on its arguments and on memory alone.
#if defined(__GNUC__)
#define KIN_PURE __attribute__((pure))
#else
#define KIN_PURE
#endif

KIN_BEGIN_DECLARATIONS

/// Marks a function that takes a function as a parameter and is only fast where both are inlined.
#if defined(__GNUC__)
#define KIN__INLINE static inline __attribute__((always_inline))
#else
#define KIN__INLINE static inline
#endif

/// Marks a function of a header that callers call, so that they stay small.
#if defined(__GNUC__)
#define KIN__APART static __attribute__((noinline, unused))
#else
#define KIN__APART static inline
#endif

/// Hints that the memory will be read soon.
static inline void kin__prefetch(const void *memory)
{
#if defined(__GNUC__)
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

/// Returns the number of set bits in `word`.
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

/// Returns the position of the lowest set bit. `word` must not be 0.
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

KIN_END_DECLARATIONS

#endif

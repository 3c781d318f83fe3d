// Check for machines without Check: the part of its interface that the suites of the runtime use, in plain C11.
//
// Check runs each test in a process of its own and goes on after one that fails. Where there are neither processes nor
// signals, tests run one after the other in this one, and the first failure ends it with its place and message. The
// suites are the same; this header is found first (portability.mk).
#ifndef KIN_TESTS_PORTABILITY_CHECK_H
#define KIN_TESTS_PORTABILITY_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Suite Suite;
typedef struct TCase TCase;
typedef struct SRunner SRunner;
typedef void check_test(int _i);
typedef void check_fixture(void);

enum { CK_ENV };

Suite *suite_create(const char *name);
void suite_add_tcase(Suite *suite, TCase *tests);

TCase *tcase_create(const char *name);
void tcase_add_checked_fixture(TCase *tests, check_fixture *begin, check_fixture *end);
void tcase_add_unchecked_fixture(TCase *tests, check_fixture *begin, check_fixture *end); // once for the whole case

// Ignored: there is no process to end after the time.
#define tcase_set_timeout(tests, seconds) ((void)(tests), (void)(seconds))

// Called with each number from `first` up to and without `end`.
void check_add_test(TCase *tests, const char *name, check_test *test, int64_t first, int64_t end);
#define tcase_add_test(tests, test) check_add_test(tests, #test, test, 0, 1)
#define tcase_add_loop_test(tests, test, first, end)                                                                   \
    check_add_test(tests, #test, test, (int64_t)(first), (int64_t)(end))

// Check's runners; the totals are printed as Check prints them.
SRunner *srunner_create(Suite *suite);
void srunner_add_suite(SRunner *runner, Suite *suite);
void srunner_run_all(SRunner *runner, int mode);
int srunner_ntests_failed(SRunner *runner);
void srunner_free(SRunner *runner);

// clang-format off
#define START_TEST(name) static void name(int _i) { (void)_i;
#define END_TEST }
// clang-format on

#if defined(__MINGW32__)
__attribute__((noreturn, format(gnu_printf, 3, 4)))
#elif defined(__GNUC__)
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void check_fail(const char *file, int line, const char *format, ...);
void check_text(const char *place, int line, const char *what, const char *left, const char *right, bool equal);

#define ck_abort_msg(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(condition, ...)                                                                                  \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            check_fail(__FILE__, __LINE__, __VA_ARGS__);                                                               \
    } while (0)
#define ck_assert(condition)                                                                                           \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            check_fail(__FILE__, __LINE__, "%s", #condition);                                                          \
    } while (0)

#define CHECK_NUMBERS(type, conversion, left, relation, right)                                                         \
    do {                                                                                                               \
        type check_left = (left), check_right = (right);                                                               \
        ck_assert_msg(check_left relation check_right, "%s: %" conversion " and %" conversion,                         \
                      #left " " #relation " " #right, check_left, check_right);                                        \
    } while (0)

#define ck_assert_int_eq(left, right)  CHECK_NUMBERS(intmax_t, PRIdMAX, left, ==, right)
#define ck_assert_int_ne(left, right)  CHECK_NUMBERS(intmax_t, PRIdMAX, left, !=, right)
#define ck_assert_int_lt(left, right)  CHECK_NUMBERS(intmax_t, PRIdMAX, left, <, right)
#define ck_assert_int_le(left, right)  CHECK_NUMBERS(intmax_t, PRIdMAX, left, <=, right)
#define ck_assert_int_gt(left, right)  CHECK_NUMBERS(intmax_t, PRIdMAX, left, >, right)
#define ck_assert_int_ge(left, right)  CHECK_NUMBERS(intmax_t, PRIdMAX, left, >=, right)
#define ck_assert_uint_eq(left, right) CHECK_NUMBERS(uintmax_t, PRIuMAX, left, ==, right)
#define ck_assert_uint_ne(left, right) CHECK_NUMBERS(uintmax_t, PRIuMAX, left, !=, right)
#define ck_assert_uint_lt(left, right) CHECK_NUMBERS(uintmax_t, PRIuMAX, left, <, right)
#define ck_assert_uint_le(left, right) CHECK_NUMBERS(uintmax_t, PRIuMAX, left, <=, right)
#define ck_assert_uint_gt(left, right) CHECK_NUMBERS(uintmax_t, PRIuMAX, left, >, right)
#define ck_assert_uint_ge(left, right) CHECK_NUMBERS(uintmax_t, PRIuMAX, left, >=, right)

#define ck_assert_str_eq(left, right)  check_text(__FILE__, __LINE__, #left " is " #right, left, right, true)
#define ck_assert_str_ne(left, right)  check_text(__FILE__, __LINE__, #left " is not " #right, left, right, false)
#define ck_assert_pstr_eq(left, right) ck_assert_str_eq(left, right)

#define ck_assert_ptr_eq(left, right)       ck_assert((const void *)(left) == (const void *)(right))
#define ck_assert_ptr_ne(left, right)       ck_assert((const void *)(left) != (const void *)(right))
#define ck_assert_ptr_null(pointer)         ck_assert((pointer) == NULL)
#define ck_assert_ptr_nonnull(pointer)      ck_assert((pointer) != NULL)
#define ck_assert_mem_eq(left, right, size) ck_assert(memcmp(left, right, size) == 0)
#define ck_assert_float_eq(left, right)     ck_assert((float)(left) == (float)(right))
#define ck_assert_double_eq(left, right)    ck_assert((double)(left) == (double)(right))
#define ck_assert_double_lt(left, right)    ck_assert((double)(left) < (double)(right))
#define ck_assert_double_le(left, right)    ck_assert((double)(left) <= (double)(right))
#define ck_assert_double_gt(left, right)    ck_assert((double)(left) > (double)(right))

#endif

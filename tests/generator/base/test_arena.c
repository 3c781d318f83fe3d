// Arena: allocations that keep their addresses until the arena is released as a whole.
#include "generator/base/base.h"
#include "suites.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static arena memory;

static void release_memory(void)
{
    arena_release(&memory);
}

static const size_t sizes[] = {0, 1, 15, 16, 17, 4096, 65535, 65536, 65537, 1000000};

START_TEST(memory_is_aligned_zeroed_and_writable)
{
    for (int round = 0; round < 3; round++) {
        char *bytes = arena_allocate(&memory, sizes[_i]);
        ck_assert_uint_eq((uintptr_t)bytes % _Alignof(max_align_t), 0);
        size_t zeros = 0;
        for (size_t i = 0; i < sizes[_i]; i++)
            zeros += bytes[i] == 0;
        ck_assert_uint_eq(zeros, sizes[_i]);
        memset(bytes, 0xff, sizes[_i]);
    }
}
END_TEST

START_TEST(allocations_keep_their_addresses_and_content)
{
    int *numbers[2000];
    for (int i = 0; i < 2000; i++) {
        numbers[i] = arena_allocate(&memory, sizeof(int) * 100);
        *numbers[i] = i;
    }
    for (int i = 0; i < 2000; i++)
        ck_assert_int_eq(*numbers[i], i);
}
END_TEST

START_TEST(a_copy_ends_in_a_nul)
{
    ck_assert_str_eq(arena_copy(&memory, "abcdef", 3), "abc");
    ck_assert_str_eq(arena_copy(&memory, NULL, 0), "");
}
END_TEST

START_TEST(a_format_is_as_long_as_it_needs_to_be)
{
    const char *formatted = arena_format(&memory, "%s-%0100000d", "x", 7);
    ck_assert_uint_eq(strlen(formatted), 100002);
    ck_assert_str_eq(formatted + 100001, "7");
    ck_assert_str_eq(arena_format(&memory, "%s", ""), "");
}
END_TEST

START_TEST(a_released_arena_is_empty_and_can_be_used_again)
{
    arena_allocate(&memory, 100000);
    arena_release(&memory);
    ck_assert_ptr_null(memory.blocks);
    ck_assert_uint_eq(memory.capacity, 0);
    arena_release(&memory);
    ck_assert_str_eq(arena_copy(&memory, "again", 5), "again");
}
END_TEST

static const size_t impossible[] = {SIZE_MAX, SIZE_MAX - 16, SIZE_MAX - 32, (size_t)PTRDIFF_MAX + 1};

START_TEST(a_failed_allocation_ends_the_program_with_status_3)
{
    fclose(stderr);
    arena_allocate(&memory, impossible[_i]);
}
END_TEST

Suite *arena_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *cases = tcase_create("arena");
    tcase_add_checked_fixture(cases, NULL, release_memory);
    tcase_add_loop_test(cases, memory_is_aligned_zeroed_and_writable, 0, sizeof sizes / sizeof *sizes);
    tcase_add_test(cases, allocations_keep_their_addresses_and_content);
    tcase_add_test(cases, a_copy_ends_in_a_nul);
    tcase_add_test(cases, a_format_is_as_long_as_it_needs_to_be);
    tcase_add_test(cases, a_released_arena_is_empty_and_can_be_used_again);
    tcase_add_loop_exit_test(cases, a_failed_allocation_ends_the_program_with_status_3, 3, 0,
                             sizeof impossible / sizeof *impossible);
    suite_add_tcase(suite, cases);
    return suite;
}

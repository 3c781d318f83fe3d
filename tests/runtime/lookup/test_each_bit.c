// KIN_EACH_BIT: a loop over the set bits of a mask.
#include "suites.h"

#include <check.h>
#include <kin/group.h>

static const uint64_t masks[] = {0, 1, 2, (uint64_t)1 << 63, ~(uint64_t)0, 0x8000000000000001, 0xA5A5000000000F00};

START_TEST(each_bit_walks_the_set_bits_upward)
{
    uint64_t rebuilt = 0;
    int last = -1;
    KIN_EACH_BIT(i, masks[_i])
    {
        ck_assert_int_gt((int)i, last);
        last = (int)i;
        rebuilt |= (uint64_t)1 << i;
    }
    ck_assert_uint_eq(rebuilt, masks[_i]);
}
END_TEST

START_TEST(each_bit_knows_break_and_continue)
{
    uint64_t even = 0, low = 0;
    KIN_EACH_BIT(i, ~(uint64_t)0)
    {
        if (i % 2 == 1)
            continue;
        even |= (uint64_t)1 << i;
    }
    ck_assert_uint_eq(even, 0x5555555555555555);
    KIN_EACH_BIT(i, ~(uint64_t)0)
    {
        if (i == 20)
            break;
        low |= (uint64_t)1 << i;
    }
    ck_assert_uint_eq(low, (1 << 20) - 1);
}
END_TEST

START_TEST(each_bit_nests_and_needs_no_braces)
{
    uint32_t pairs = 0, evaluated = 0;
    if (evaluated == 0)
        KIN_EACH_BIT(i, 0x8001u)
    KIN_EACH_BIT(j, (evaluated++, 0x700000000u))
    {
        if (j == 33 && i == 0)
            break; // ends the inner loop only
        pairs += 100 * i + j;
    }
    else ck_abort_msg("the else belongs to the if");
    ck_assert_uint_eq(pairs, 32 + 3 * 1500 + 32 + 33 + 34);
    ck_assert_uint_eq(evaluated, 2); // the mask once for each loop
}
END_TEST

Suite *runtime_each_bit_suite(void)
{
    enum { MASKS = sizeof masks / sizeof *masks };
    Suite *suite = suite_create("runtime_each_bit");
    TCase *tests = tcase_create("tests");
    tcase_add_loop_test(tests, each_bit_walks_the_set_bits_upward, 0, MASKS);
    tcase_add_test(tests, each_bit_knows_break_and_continue);
    tcase_add_test(tests, each_bit_nests_and_needs_no_braces);
    suite_add_tcase(suite, tests);
    return suite;
}

#include "query/compare.h"

#include <math.h>
#include <string.h>

// What a comparison of two values comes to: one of these bits. A NaN is UNORDERED, also beside itself.
enum { BEFORE = 1, SAME = 2, AFTER = 4, UNORDERED = 8 };

// Returns the bit without a branch: which one it is changes from entity to entity.
static int order(bool is_less, bool is_equal, bool is_greater)
{
    return is_less * BEFORE | is_equal * SAME | is_greater * AFTER;
}

static double as_real(const kin__scalar *scalar)
{
    return scalar->kind == KIN__SCALAR_REAL      ? scalar->as.real
           : scalar->kind == KIN__SCALAR_INTEGER ? (double)scalar->as.integer
                                                 : (double)scalar->as.natural;
}

static int compare_naturals(uint64_t left, uint64_t right)
{
    return order((left < right), left == right, (left > right));
}

static int compare_numbers(const kin__scalar *left, const kin__scalar *right)
{
    if (left->kind == KIN__SCALAR_REAL || right->kind == KIN__SCALAR_REAL) {
        double a = as_real(left), b = as_real(right);
        int result = order((a < b), a == b, (a > b));
        return result | (result == 0) * UNORDERED;
    }
    bool is_left_negative = left->kind != KIN__SCALAR_NATURAL && left->as.integer < 0;
    bool is_right_negative = right->kind != KIN__SCALAR_NATURAL && right->as.integer < 0;
    if (is_left_negative != is_right_negative)
        return is_left_negative ? BEFORE : AFTER;
    // Of two numbers with the same sign, the order of the bits is theirs.
    return compare_naturals(left->as.natural, right->as.natural);
}

static int compare_texts(const char *left, const char *right)
{
    if (left == NULL || right == NULL)
        return order(left == NULL && right != NULL, left == right, left != NULL && right == NULL);
    int difference = strcmp(left, right);
    return order((difference < 0), difference == 0, (difference > 0));
}

static int compare(const kin__scalar *left, const kin__scalar *right)
{
    switch (left->kind) {
    case KIN__SCALAR_TEXT:
        return compare_texts(left->as.text, right->as.text);
    case KIN__SCALAR_BOOL:
        return compare_naturals(left->as.boolean, right->as.boolean);
    case KIN__SCALAR_ENTITY:
        return compare_naturals(left->as.entity, right->as.entity);
    default:
        return compare_numbers(left, right);
    }
}

// Returns what is behind the character of UTF-8 at `text`, or behind the byte if there is none.
static const char *after_character(const char *text, const char *end)
{
    for (text++; text < end && (*text & 0xC0) == 0x80; text++)
        continue;
    return text;
}

bool kin__compare_like(const char *text, const char *pattern)
{
    const char *star = NULL, *resume = NULL, *end = text + strnlen(text, KIN__LIKE_SIZE);
    while (text < end) {
        bool is_escaped = *pattern == '\\' && pattern[1] != '\0';
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern == '?') {
            pattern++;
            text = after_character(text, end);
        } else if (pattern[is_escaped] == *text) {
            pattern += 1 + is_escaped;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = resume = after_character(resume, end);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool kin__compare_holds(kin__comparison comparison, const kin__scalar *left, const kin__scalar *right)
{
    static const int accepted[] = {
        [KIN__EQUAL] = SAME,    [KIN__UNEQUAL] = BEFORE | AFTER | UNORDERED,
        [KIN__LESS] = BEFORE,   [KIN__LESS_EQUAL] = BEFORE | SAME,
        [KIN__GREATER] = AFTER, [KIN__GREATER_EQUAL] = AFTER | SAME,
    };
    if (comparison == KIN__LIKE)
        return left->as.text != NULL && right->as.text != NULL && kin__compare_like(left->as.text, right->as.text);
    return (accepted[comparison] & compare(left, right)) != 0;
}

bool kin__compare_precedes(const kin__scalar *left, const kin__scalar *right)
{
    if (left->kind == KIN__SCALAR_REAL && isnan(left->as.real) != isnan(right->as.real))
        return isnan(right->as.real);
    return compare(left, right) == BEFORE;
}

#include "query/suggest.h"

#include <string.h>

enum { LONGEST = 63 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

// Returns how many letters differ, whatever their case.
static uint32_t distance(const char *a, const char *b)
{
    uint32_t row[LONGEST + 1];
    size_t size = strlen(b);
    if (strlen(a) > LONGEST || size > LONGEST)
        return UINT32_MAX;
    for (uint32_t i = 0; i <= size; i++)
        row[i] = i;
    for (uint32_t i = 0; a[i] != '\0'; i++) {
        uint32_t diagonal = row[0];
        row[0] = i + 1;
        for (uint32_t j = 0; j < size; j++) {
            uint32_t changed = diagonal + (lower(a[i]) != lower(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = least(row[j] + 1, diagonal + 1, changed);
        }
    }
    return row[size];
}

kin__suggest kin__suggest_begin(const char *wanted, kin__mistake *mistake)
{
    kin__suggest suggest = {.wanted = wanted, .mistake = mistake};
    for (size_t i = 0; i < KIN__MEANT; i++) {
        suggest.distances[i] = UINT32_MAX;
        mistake->meant[i] = NULL;
    }
    return suggest;
}

void kin__suggest_offer(kin__suggest *suggest, const char *name)
{
    uint32_t far = distance(suggest->wanted, name);
    if (far > (uint32_t)(strlen(suggest->wanted) + 1) / 3)
        return;
    for (size_t i = 0; i < KIN__MEANT; i++) {
        if (far >= suggest->distances[i])
            continue;
        for (size_t k = KIN__MEANT - 1; k > i; k--) {
            suggest->distances[k] = suggest->distances[k - 1];
            suggest->mistake->meant[k] = suggest->mistake->meant[k - 1];
        }
        suggest->distances[i] = far;
        suggest->mistake->meant[i] = name;
        return;
    }
}

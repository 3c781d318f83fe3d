// Names in their cases, and similar ones.
#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

enum { NEAR_LIMIT = 2, COMPARE_LIMIT = 64 }; // wrong letters; longer names are not compared

static bool begins_word(const char *name, size_t index)
{
    if (index == 0 || !byte_is_upper(name[index]) || name[index - 1] == '_')
        return false;
    return byte_is_lower(name[index - 1]) || byte_is_digit(name[index - 1]) || byte_is_lower(name[index + 1]);
}

// Converts every letter with `change` and puts an underscore before each word.
static const char *convert(arena *arena, const char *name, char (*change)(char))
{
    char *converted = arena_allocate(arena, 2 * strlen(name) + 1);
    size_t size = 0;
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (begins_word(name, i))
            converted[size++] = '_';
        converted[size++] = change(name[i]);
    }
    return converted;
}

const char *name_to_snake_case(arena *arena, const char *name)
{
    return convert(arena, name, byte_to_lower);
}

const char *name_to_upper_case(arena *arena, const char *name)
{
    return convert(arena, name, byte_to_upper);
}

static bool is_letter_or_digit(char letter)
{
    return byte_is_upper(letter) || byte_is_lower(letter) || byte_is_digit(letter);
}

static bool is_ascii(const char *name)
{
    while (*name != '\0' && (unsigned char)*name < 0x80)
        name++;
    return *name == '\0';
}

const char *name_suggest_pascal_case(arena *arena, const char *name)
{
    char *suggested = arena_allocate(arena, strlen(name) + 1);
    size_t size = 0;
    for (size_t i = 0; name[i] != '\0'; i++) {
        bool begins = i == 0 || !is_letter_or_digit(name[i - 1]);
        if (!is_letter_or_digit(name[i]))
            continue;
        suggested[size] = name[i];
        if (begins)
            suggested[size] = byte_to_upper(name[i]);
        size++;
    }
    if (is_ascii(name) && name_is_pascal_case(suggested))
        return suggested;
    return NULL;
}

const char *name_suggest_snake_case(arena *arena, const char *name)
{
    char *suggested = arena_allocate(arena, strlen(name) + 1);
    size_t size = 0;
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (is_letter_or_digit(name[i]))
            suggested[size++] = name[i];
        else if (size > 0 && suggested[size - 1] != '_' && is_letter_or_digit(name[i + 1]))
            suggested[size++] = '_';
    }
    const char *snake = name_to_snake_case(arena, suggested);
    if (is_ascii(name) && name_is_snake_case(snake))
        return snake;
    return NULL;
}

bool name_is_identifier(const char *name)
{
    if (byte_is_digit(name[0]))
        return false;
    size_t length = 0;
    while (is_letter_or_digit(name[length]) || name[length] == '_')
        length++;
    return length > 0 && name[length] == '\0';
}

bool name_is_pascal_case(const char *name)
{
    size_t length = 0;
    while (is_letter_or_digit(name[length]))
        length++;
    return byte_is_upper(name[0]) && name[length] == '\0';
}

bool name_is_snake_case(const char *name)
{
    if (!byte_is_lower(name[0]))
        return false;
    for (size_t i = 0; name[i] != '\0'; i++) {
        bool joins = name[i] == '_' && name[i - 1] != '_' && name[i + 1] != '\0';
        if (!byte_is_lower(name[i]) && !byte_is_digit(name[i]) && !joins)
            return false;
    }
    return true;
}

// costs[row][column]: the distance of the first `row` letters of `from` and the first `column` letters of `to`.
typedef struct comparison {
    const char *from, *to;
    size_t costs[COMPARE_LIMIT + 1][COMPARE_LIMIT + 1];
} comparison;

static bool is_same(const comparison *comparison, size_t row, size_t column)
{
    return byte_to_lower(comparison->from[row - 1]) == byte_to_lower(comparison->to[column - 1]);
}

static size_t cost_at(const comparison *comparison, size_t row, size_t column)
{
    assert(row <= COMPARE_LIMIT && column <= COMPARE_LIMIT);
    if (row == 0 || column == 0)
        return row + column;
    size_t changed = comparison->costs[row - 1][column - 1] + !is_same(comparison, row, column);
    size_t left_out = comparison->costs[row - 1][column] + 1;
    size_t added = comparison->costs[row][column - 1] + 1;
    size_t cost = size_min(changed, size_min(left_out, added));
    if (row > 1 && column > 1 && is_same(comparison, row, column - 1) && is_same(comparison, row - 1, column))
        cost = size_min(cost, comparison->costs[row - 2][column - 2] + 1); // swapped
    return cost;
}

static size_t distance_between(const char *from, const char *to)
{
    size_t from_size = strlen(from);
    size_t to_size = strlen(to);
    size_t difference = size_max(from_size, to_size) - size_min(from_size, to_size);
    if (from_size > COMPARE_LIMIT || to_size > COMPARE_LIMIT || difference > NEAR_LIMIT)
        return NEAR_LIMIT + 1;
    comparison comparison;
    comparison.from = from;
    comparison.to = to;
    assert(from_size < sizeof comparison.costs / sizeof *comparison.costs);
    for (size_t row = 0; row <= from_size; row++)
        for (size_t column = 0; column <= to_size; column++)
            comparison.costs[row][column] = cost_at(&comparison, row, column);
    return comparison.costs[from_size][to_size];
}

// The words in which two names differ: from `start` to the end of each, without what both have before and after.
typedef struct word_pair {
    const char *start[2];
    size_t size[2];
} word_pair;

static word_pair differing_words(const char *name, const char *other)
{
    assert(strcmp(name, other) != 0);
    size_t size = strlen(name);
    size_t other_size = strlen(other);
    size_t start = 0;
    size_t end = 0;
    while (name[start] != '\0' && name[start] == other[start])
        start++;
    while (end < size - start && end < other_size - start && name[size - 1 - end] == other[other_size - 1 - end])
        end++;
    while (start > 0 && byte_is_letter(name[start - 1]) &&
           (byte_is_letter(name[start]) || byte_is_letter(other[start])))
        start--;
    while (end > 0 && byte_is_letter(name[size - end]) && byte_is_letter(name[size - end - 1]))
        end--;
    return (word_pair){{name + start, other + start}, {size - end - start, other_size - end - start}};
}

static size_t count_letters(const char *word, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += byte_is_letter(word[i]);
    return count;
}

bool name_is_misspelled(const char *name, const char *other)
{
    enum { LONG_NAME = 8, SHORT_WORD = 2 };
    size_t limit = NEAR_LIMIT;
    if (strlen(name) < LONG_NAME)
        limit = 1;
    if (strcmp(name, other) == 0 || distance_between(name, other) > limit)
        return false;
    word_pair words = differing_words(name, other);
    return count_letters(words.start[0], words.size[0]) > SHORT_WORD ||
           count_letters(words.start[1], words.size[1]) > SHORT_WORD;
}

name_search name_search_begin(const char *wanted)
{
    // In a short name two wrong letters make another word, and in a name of one letter a single one does.
    size_t length = strlen(wanted);
    size_t limit = NEAR_LIMIT;
    if (length <= 3)
        limit = length > 1;
    return (name_search){.wanted = wanted, .distance = limit + 1};
}

void name_search_offer(name_search *search, const char *candidate)
{
    assert(search->distance <= NEAR_LIMIT + 1);
    size_t distance = distance_between(search->wanted, candidate);
    if (distance >= search->distance)
        return;
    search->distance = distance;
    search->nearest = candidate;
}

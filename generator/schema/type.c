// The types of fields: scalars and their ranges, and the C types that users name.
#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const scalar_type types[] = {
    {"bool", TYPE_BOOL, 1, 0, 0},
    {"int8", TYPE_INT8, 1, INT8_MIN, INT8_MAX},
    {"int16", TYPE_INT16, 2, INT16_MIN, INT16_MAX},
    {"int32", TYPE_INT32, 4, INT32_MIN, INT32_MAX},
    {"int64", TYPE_INT64, 8, INT64_MIN, INT64_MAX},
    {"uint8", TYPE_UINT8, 1, 0, UINT8_MAX},
    {"uint16", TYPE_UINT16, 2, 0, UINT16_MAX},
    {"uint32", TYPE_UINT32, 4, 0, UINT32_MAX},
    {"uint64", TYPE_UINT64, 8, 0, UINT64_MAX},
    {"float", TYPE_FLOAT, 4, 0, 0},
    {"double", TYPE_DOUBLE, 8, 0, 0},
    {"entity", TYPE_ENTITY, 8, 0, 0},
};

enum { TYPE_COUNT = sizeof types / sizeof types[0] };

const scalar_type *scalar_type_find(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const scalar_type *scalar_type_of(type_kind kind)
{
    size_t index = 0;
    while (index < TYPE_COUNT && types[index].kind != kind)
        index++;
    assert(index < TYPE_COUNT);
    return &types[index];
}

const char *scalar_type_name(size_t index)
{
    if (index >= TYPE_COUNT)
        return NULL;
    return types[index].name;
}

// Returns -1 if the letter is not a digit of the base.
static int digit_value(char letter, unsigned base)
{
    int value = -1;
    if (byte_is_digit(letter))
        value = letter - '0';
    else if (letter >= 'a' && letter <= 'f')
        value = letter - 'a' + 10;
    else if (letter >= 'A' && letter <= 'F')
        value = letter - 'A' + 10;
    if (value >= (int)base)
        return -1;
    return value;
}

// Returns the end of the digits of a whole number; `text` itself if there are none, or a leading zero.
static const char *skip_digits(const char *text)
{
    const char *end = text;
    while (byte_is_digit(*end))
        end++;
    if (text[0] == '0' && end > text + 1)
        return text;
    return end;
}

static number_verdict read_magnitude(const char *digits, unsigned base, uint64_t *magnitude)
{
    assert(base == 10 || base == 16);
    bool is_too_large = false;
    if (*digits == '\0' || (base == 10 && *skip_digits(digits) != '\0'))
        return NUMBER_IS_NONE;
    *magnitude = 0;
    for (; *digits != '\0'; digits++) {
        int digit = digit_value(*digits, base);
        if (digit < 0)
            return NUMBER_IS_NONE;
        is_too_large = is_too_large || *magnitude > (UINT64_MAX - (unsigned)digit) / base;
        *magnitude = *magnitude * base + (unsigned)digit;
    }
    if (is_too_large)
        return NUMBER_IS_OUT_OF_RANGE;
    return NUMBER_FITS;
}

number_verdict integer_read(const char *text, const scalar_type *type, integer *integer)
{
    integer->is_negative = text[0] == '-';
    text += integer->is_negative;
    bool is_hexadecimal = text[0] == '0' && text[1] == 'x';
    number_verdict verdict = NUMBER_IS_NONE;
    if (is_hexadecimal)
        verdict = read_magnitude(text + 2, 16, &integer->magnitude);
    else
        verdict = read_magnitude(text, 10, &integer->magnitude);
    bool is_invalid_sign = integer->is_negative && (is_hexadecimal || strcmp(text, "0") == 0);
    if (verdict == NUMBER_IS_NONE || is_invalid_sign)
        return NUMBER_IS_NONE;
    uint64_t limit = type->maximum;
    if (integer->is_negative)
        limit = (uint64_t)0 - (uint64_t)type->minimum;
    if (integer->magnitude > limit)
        return NUMBER_IS_OUT_OF_RANGE;
    return verdict;
}

const char *integer_literal(arena *arena, integer integer, type_kind kind)
{
    assert(kind >= TYPE_INT8 && kind <= TYPE_UINT64);
    assert(!integer.is_negative || kind <= TYPE_INT64);
    const char *sign = text_if(integer.is_negative, "-");
    switch (kind) {
    case TYPE_INT32:
        if (integer.magnitude == (uint64_t)INT32_MAX + 1)
            return "INT32_MIN"; // its digits alone would be a long
        break;
    case TYPE_INT64:
        if (integer.magnitude == (uint64_t)INT64_MAX + 1)
            return "INT64_MIN";
        return arena_format(arena, "INT64_C(%s%" PRIu64 ")", sign, integer.magnitude);
    case TYPE_UINT32:
        return arena_format(arena, "%" PRIu64 "u", integer.magnitude);
    case TYPE_UINT64:
        return arena_format(arena, "UINT64_C(%" PRIu64 ")", integer.magnitude);
    default:
        break;
    }
    return arena_format(arena, "%s%" PRIu64, sign, integer.magnitude);
}

// Sets the end of the digits at `text`. Returns whether there are any.
static bool skip_some_digits(const char **end, const char *text)
{
    *end = text + strspn(text, "0123456789");
    return *end > text;
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
static bool is_floating(const char *text)
{
    text += text[0] == '-';
    const char *end = skip_digits(text);
    if (end == text)
        return false;
    if (*end == '.' && !skip_some_digits(&end, end + 1))
        return false;
    if (*end == 'e' || *end == 'E') {
        bool has_sign = end[1] == '-' || end[1] == '+';
        if (!skip_some_digits(&end, end + 1 + has_sign))
            return false;
    }
    return *end == '\0';
}

// The numbers that have no digits, and what schemas of other languages and programs call them.
typedef struct special {
    const char *text;    // in a schema
    const char *literal; // in C, before the type in parentheses
    double value;
    const char *also[6]; // in a schema, as in YAML
    const char *other[4];
} special;

static const special specials[] = {
    {".inf", "KIN_INFINITY", HUGE_VAL, {".Inf", ".INF", "+.inf", "+.Inf", "+.INF"}, {"inf", "infinity", "huge_val"}},
    {"-.inf", "-KIN_INFINITY", -HUGE_VAL, {"-.Inf", "-.INF"}, {"-inf", "-infinity", "-huge_val"}},
    {".nan", "KIN_NAN", NAN, {".NaN", ".NAN"}, {"nan", "-nan"}},
};

enum { SPECIALS = sizeof specials / sizeof *specials };

static const special *special_find(const char *text)
{
    for (size_t i = 0; i < SPECIALS; i++) {
        if (strcmp(specials[i].text, text) == 0)
            return &specials[i];
        for (const char *const *also = specials[i].also; *also != NULL; also++)
            if (strcmp(*also, text) == 0)
                return &specials[i];
    }
    return NULL;
}

// Returns the one that the C literal is; NULL for a literal with digits.
static const special *special_of_literal(const char *literal)
{
    for (size_t i = 0; i < SPECIALS; i++) {
        size_t size = strlen(specials[i].literal);
        if (strncmp(specials[i].literal, literal, size) == 0 && literal[size] == '(')
            return &specials[i];
    }
    return NULL;
}

static bool is_same_word(const char *text, const char *word)
{
    for (; *text != '\0' && *word != '\0'; text++, word++) {
        if (byte_to_lower(*text) != *word)
            return false;
    }
    return *text == *word;
}

const char *floating_meant(const char *text)
{
    char word[16]; // without a plus sign and dots
    size_t size = 0;
    for (const char *letter = text + (text[0] == '+'); *letter != '\0'; letter++) {
        if (*letter == '.')
            continue;
        if (size + 1 == sizeof word)
            return NULL;
        word[size++] = *letter;
    }
    word[size] = '\0';
    for (size_t i = 0; i < SPECIALS; i++)
        for (const char *const *other = specials[i].other; *other != NULL; other++)
            if (is_same_word(word, *other))
                return specials[i].text;
    return NULL;
}

bool floating_is_zero(const char *text)
{
    return text[strspn(text, "-0.")] == '\0' || strchr("eE", text[strspn(text, "-0.")]) != NULL;
}

// The generator never calls setlocale, so the decimal separator is a dot.
static double floating_of(const char *text, type_kind kind)
{
    assert(kind == TYPE_FLOAT || kind == TYPE_DOUBLE);
    if (kind == TYPE_FLOAT)
        return (double)strtof(text, NULL);
    return strtod(text, NULL);
}

number_verdict floating_read(const char *text, type_kind kind)
{
    if (special_find(text) != NULL)
        return NUMBER_FITS;
    if (!is_floating(text))
        return NUMBER_IS_NONE;
    double value = floating_of(text, kind);
    bool has_vanished = fpclassify(value) == FP_ZERO && !floating_is_zero(text);
    if (isinf(value) || has_vanished)
        return NUMBER_IS_OUT_OF_RANGE;
    return NUMBER_FITS;
}

const char *floating_literal(arena *arena, const char *text, type_kind kind)
{
    assert(kind == TYPE_FLOAT || kind == TYPE_DOUBLE);
    const special *special = special_find(text);
    if (special != NULL)
        return arena_format(arena, "%s(%s)", special->literal, scalar_type_of(kind)->name);
    return arena_format(arena, "%s%s%s", text, text_if(strpbrk(text, ".eE") == NULL, ".0"),
                        text_if(kind == TYPE_FLOAT, "f"));
}

const char *literal_number(arena *arena, const char *literal)
{
    assert(literal[0] != '\0');
    if (strcmp(literal, "INT32_MIN") == 0)
        return "-2147483648";
    if (strcmp(literal, "INT64_MIN") == 0)
        return "-9223372036854775808";
    const special *special = special_of_literal(literal);
    if (special != NULL)
        return special->text;
    const char *digits = literal;
    if (strchr(literal, '(') != NULL)
        digits = strchr(literal, '(') + 1;
    return arena_copy(arena, digits, strcspn(digits, ")uf"));
}

bool literal_is_nan(const char *literal)
{
    const special *special = special_of_literal(literal);
    return special != NULL && isnan(special->value);
}

static double floating_of_literal(arena *arena, const char *literal, type_kind kind)
{
    const special *special = special_of_literal(literal);
    if (special != NULL)
        return special->value;
    return floating_of(literal_number(arena, literal), kind);
}

int literal_compare(arena *arena, const char *a, const char *b, type_kind kind)
{
    assert(kind >= TYPE_INT8 && kind <= TYPE_DOUBLE);
    if (kind == TYPE_FLOAT || kind == TYPE_DOUBLE) {
        double left = floating_of_literal(arena, a, kind);
        double right = floating_of_literal(arena, b, kind);
        return (left > right) - (left < right);
    }
    a = literal_number(arena, a);
    b = literal_number(arena, b);
    if (scalar_type_of(kind)->minimum == 0)
        return (strtoull(a, NULL, 10) > strtoull(b, NULL, 10)) - (strtoull(a, NULL, 10) < strtoull(b, NULL, 10));
    return (strtoll(a, NULL, 10) > strtoll(b, NULL, 10)) - (strtoll(a, NULL, 10) < strtoll(b, NULL, 10));
}

// ---- the spelling of opaque types

// The words of C's built-in types, in the order of the counts below.
enum { BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, SHORT, SIGNED, UNSIGNED, VOID, BUILTIN_COUNT };
static const char *const builtins[BUILTIN_COUNT] = {"bool", "char",  "double", "float",    "int",
                                                    "long", "short", "signed", "unsigned", "void"};

// The words read so far.
typedef struct words {
    size_t tags, names, stars;
    size_t counts[BUILTIN_COUNT], builtins;
    const char *name;
    bool ends_in_const;  // the last word or star is followed by `const`
    bool is_tag_pending; // the next word must be the name of a struct, union or enum
} words;

static bool is_keyword(const char *word)
{
    const char *reserved = name_reserved_as(word);
    return reserved != NULL && strncmp(reserved, "a keyword", strlen("a keyword")) == 0;
}

static bool is_tag(const char *word)
{
    return strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 || strcmp(word, "enum") == 0;
}

static bool take_builtin(words *words, const char *word)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        if (strcmp(builtins[i], word) != 0)
            continue;
        words->counts[i]++;
        words->builtins++;
        return true;
    }
    return false;
}

// Returns whether the word is valid at this position.
static bool take_word(words *words, const char *word)
{
    assert(word[0] != '\0');
    bool was_tag = words->is_tag_pending;
    words->is_tag_pending = false;
    if (strcmp(word, "const") == 0) {
        words->ends_in_const = true;
        return !was_tag;
    }
    if (words->stars > 0 || (was_tag && is_keyword(word)))
        return false;
    if (is_tag(word)) {
        words->is_tag_pending = true;
        return ++words->tags == 1 && words->names + words->builtins == 0;
    }
    if (take_builtin(words, word))
        return words->names == 0;
    words->name = word;
    return name_is_identifier(word) && !is_keyword(word) && ++words->names == 1 && words->builtins == 0;
}

static bool take_star(words *words)
{
    words->stars++;
    words->ends_in_const = false;
    return !words->is_tag_pending && words->names + words->builtins > 0;
}

static bool take_words(arena *arena, words *words, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    while (*text != '\0') {
        size_t size = strspn(text, letters);
        if (size > 0 && !take_word(words, arena_copy(arena, text, size)))
            return false;
        if (size == 0 && *text != '*' && *text != ' ')
            return false;
        if (*text == '*' && !take_star(words))
            return false;
        text += size_max(size, 1);
    }
    return true;
}

// Returns whether the words name a built-in type of C, in any order.
static bool is_type_of_words(const words *words)
{
    const size_t *counts = words->counts;
    size_t signs = counts[SIGNED] + counts[UNSIGNED];
    if (counts[VOID] > 0)
        return words->builtins == 1 && words->stars > 0;
    if (counts[BOOL] + counts[FLOAT] > 0)
        return words->builtins == 1;
    if (counts[DOUBLE] > 0)
        return counts[DOUBLE] == 1 && counts[LONG] <= 1 && words->builtins == 1 + counts[LONG];
    if (counts[CHAR] > 0)
        return counts[CHAR] == 1 && signs <= 1 && words->builtins == 1 + signs;
    bool is_one_size = counts[LONG] <= 2;
    if (counts[SHORT] > 0)
        is_one_size = counts[SHORT] == 1 && counts[LONG] == 0;
    return signs <= 1 && counts[INT] <= 1 && is_one_size;
}

bool opaque_spelling_read(arena *arena, const char *text, opaque_spelling *spelling)
{
    words words = {.tags = 0};
    if (!take_words(arena, &words, text) || words.is_tag_pending || words.ends_in_const)
        return false;
    if (words.names + words.builtins == 0 || (words.builtins > 0 && (words.tags > 0 || !is_type_of_words(&words))))
        return false;
    *spelling = (opaque_spelling){words.name, words.tags > 0, words.stars};
    return true;
}

// Headers that generated code includes declare the _t types of C and those of the runtime.
bool opaque_spelling_is_known(const opaque_spelling *spelling)
{
    assert(spelling->name != NULL || !spelling->has_tag);
    const char *name = spelling->name;
    if (name == NULL || (spelling->has_tag && spelling->stars > 0))
        return true;
    bool is_of_headers = name_reserved_as(name) != NULL && text_ends_in(name, "_t");
    return !spelling->has_tag && (is_of_headers || strncmp(name, "kin_", strlen("kin_")) == 0);
}

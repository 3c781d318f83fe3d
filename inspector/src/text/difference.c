#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// ---- reading

// Returns what follows a string.
static const char *skip_string(const char *at)
{
    KIN_ASSERT(*at == '"');
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

// Returns what follows a value.
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth > 0 || strchr(",}]", *at) == NULL); // or the NUL
    return at;
}

static kin__json_part value_at(const char *at)
{
    return (kin__json_part){at, (size_t)(skip_value(at) - at)};
}

static bool is_same(kin__json_part a, kin__json_part b)
{
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static bool is_object(kin__json_part part)
{
    return part.size > 0 && part.at[0] == '{';
}

// A member of an object: `"key":value`. After the last one `key` is empty.
typedef struct member {
    kin__json_part key, value;
} member;

static member member_at(const char *at)
{
    if (*at != '"')
        return (member){{at, 0}, {at, 0}};
    const char *end = skip_string(at);
    return (member){{at, (size_t)(end - at)}, value_at(end + 1)};
}

static member first_member(kin__json_part object)
{
    KIN_ASSERT(object.at[0] == '{');
    return member_at(object.at + 1);
}

static member next_member(member before)
{
    const char *end = before.value.at + before.value.size;
    return member_at(end + (*end == ','));
}

static uint32_t count_members(kin__json_part object)
{
    uint32_t count = 0;
    for (member one = first_member(object); one.key.size > 0; one = next_member(one))
        count++;
    return count;
}

// Returns the value of a member. Looks first at `guess`, which then moves on: objects of the same kind have the same
// order.
static kin__json_part find_member(kin__json_part object, kin__json_part key, member *guess)
{
    member guessed = *guess;
    if (guessed.key.size > 0)
        *guess = next_member(guessed);
    if (is_same(guessed.key, key))
        return guessed.value;
    for (member one = first_member(object); one.key.size > 0; one = next_member(one))
        if (is_same(one.key, key))
            return one.value;
    return (kin__json_part){object.at, 0};
}

kin__json_part kin__json_member(const char *object, const char *name)
{
    KIN_ASSERT(object[0] == '{');
    size_t size = strlen(name);
    for (member one = member_at(object + 1); one.key.size > 0; one = next_member(one))
        if (one.key.size == size + 2 && memcmp(one.key.at + 1, name, size) == 0)
            return one.value;
    return (kin__json_part){object, 0};
}

// ---- merging

static void write_key(kin__json *json, kin__json_part key)
{
    kin__json_raw(json, key.at, key.size);
    json->needs_comma = false;
    kin__json_raw(json, ":", 1);
    json->needs_comma = false;
}

static bool write_members(kin__json *json, kin__json_part last, kin__json_part now);

// Writes what replaces or is merged into the former value. Returns false if that has members that have gone.
static bool write_value(kin__json *json, kin__json_part last, kin__json_part now)
{
    if (!is_object(last) || !is_object(now)) {
        kin__json_raw(json, now.at, now.size);
        return true;
    }
    kin__json_begin(json, '{');
    bool is_whole = write_members(json, last, now);
    kin__json_end(json, '}');
    return is_whole;
}

// Writes the members that differ. Recursive in the depth of values, which schemas bound.
static bool write_members(kin__json *json, kin__json_part last, kin__json_part now)
{
    member guess = first_member(last);
    if (count_members(last) != count_members(now))
        return false;
    for (member one = first_member(now); one.key.size > 0; one = next_member(one)) {
        kin__json_part former = find_member(last, one.key, &guess);
        if (former.size == 0)
            return false;
        if (is_same(former, one.value))
            continue;
        write_key(json, one.key);
        if (!write_value(json, former, one.value))
            return false;
    }
    return true;
}

// ---- rows

// Rows of a result; the first member of each is its entity: {"e":"creation:slot",…}
typedef struct row {
    kin__json_part text, handle; // after the last row `text` is empty
    uint32_t slot;
} row;

static row row_at(const char *at)
{
    if (*at != '{')
        return (row){{at, 0}, {at, 0}, UINT32_MAX};
    member entity = member_at(at + 1);
    row row = {value_at(at), entity.value, 0};
    const char *colon = memchr(entity.value.at, ':', entity.value.size);
    if (colon != NULL)
        row.slot = (uint32_t)strtoul(colon + 1, NULL, 10);
    return row;
}

static row next_row(row before)
{
    const char *end = before.text.at + before.text.size;
    return row_at(end + (*end == ','));
}

static bool is_ascending(row first)
{
    for (row after = first; first.text.size > 0; first = after) {
        after = next_row(first);
        if (after.text.size > 0 && after.slot <= first.slot)
            return false;
    }
    return true;
}

static bool has_same_order(row a, row b)
{
    while (a.text.size > 0 && is_same(a.handle, b.handle)) {
        a = next_row(a);
        b = next_row(b);
    }
    return a.text.size == 0 && b.text.size == 0;
}

static void write_row(kin__json *json, row last, row now)
{
    size_t size = json->size;
    bool needs_comma = json->needs_comma;
    if (is_same(last.text, now.text))
        return;
    kin__json_begin(json, '{');
    kin__json_key(json, "e");
    kin__json_raw(json, now.handle.at, now.handle.size);
    bool is_merged = write_members(json, last.text, now.text);
    kin__json_end(json, '}');
    if (is_merged || json->is_full)
        return;
    kin__json_cut(json, size, needs_comma);
    kin__json_begin(json, '{');
    kin__json_put_bool(json, "whole", true);
    kin__json_raw(json, now.text.at + 1, now.text.size - 2);
    kin__json_end(json, '}');
}

static void write_rows(kin__json *json, row last, row now)
{
    kin__json_begin_member(json, "rows", '[');
    while (now.text.size > 0 && !json->is_full) {
        if (is_same(last.handle, now.handle)) {
            write_row(json, last, now);
            last = next_row(last);
            now = next_row(now);
        } else if (last.text.size > 0 && last.slot <= now.slot) {
            last = next_row(last);
        } else {
            kin__json_raw(json, now.text.at, now.text.size);
            now = next_row(now);
        }
    }
    kin__json_end(json, ']');
}

static void write_gone(kin__json *json, row last, row now)
{
    kin__json_begin_member(json, "gone", '[');
    while (last.text.size > 0) {
        if (is_same(last.handle, now.handle)) {
            now = next_row(now);
            last = next_row(last);
        } else if (now.text.size > 0 && now.slot <= last.slot) {
            now = next_row(now);
        } else {
            kin__json_raw(json, last.handle.at, last.handle.size);
            last = next_row(last);
        }
    }
    kin__json_end(json, ']');
}

static bool write_all_rows(kin__json *json, kin__json_part last, kin__json_part now)
{
    row former = row_at(last.at + 1);
    row first = row_at(now.at + 1);
    bool are_ascending = is_ascending(former) && is_ascending(first);
    if (!are_ascending && !has_same_order(former, first))
        return false;
    write_rows(json, former, first);
    write_gone(json, former, first);
    return true;
}

// ---- results

bool kin__difference_write(kin__json *change, kin__json_part last, kin__json_part now, bool has_rows)
{
    static const kin__json_part rows = {"\"rows\"", 6};
    if (!is_object(last) || !is_object(now))
        return false;
    if (count_members(last) != count_members(now))
        return false;
    member guess = first_member(last);
    kin__json_begin(change, '{');
    for (member one = first_member(now); one.key.size > 0; one = next_member(one)) {
        kin__json_part former = find_member(last, one.key, &guess);
        if (former.size == 0)
            return false;
        if (is_same(former, one.value))
            continue;
        if (has_rows && is_same(one.key, rows)) {
            if (!write_all_rows(change, former, one.value))
                return false;
            continue;
        }
        write_key(change, one.key);
        kin__json_raw(change, one.value.at, one.value.size);
    }
    kin__json_end(change, '}');
    return !change->is_full;
}

// ---- words

enum { LONGEST = 63 };

static char lower(char c)
{
    if (c < 'A' || c > 'Z')
        return c;
    return (char)(c + 'a' - 'A');
}

uint32_t kin__word_distance(const char *a, const char *b)
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
            row[j + 1] = kin__min_32(changed, kin__min_32(row[j], diagonal) + 1);
        }
    }
    return row[size];
}

uint32_t kin__word_distance_limit(const char *word)
{
    return (uint32_t)(strlen(word) + 1) / 3;
}

// The manifest of a package: its files and their hashes.
#include "generator/render/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "# Written by kin, which knows by it what it wrote here. Do not edit.\n"
                           "kin-manifest 1\n";

enum { HEAD_LINES = 2, HASH_DIGITS = 16, SIZE_DIGITS = 12 };

manifest manifest_create(arena *arena)
{
    return (manifest){.arena = arena};
}

void manifest_append(manifest *manifest, manifest_entry entry)
{
    manifest->entries =
        arena_grow(manifest->arena, manifest->entries, manifest->count, &manifest->capacity, sizeof *manifest->entries);
    manifest->entries[manifest->count++] = entry;
}

static int compare_entries(const void *a, const void *b)
{
    const manifest_entry *first = a;
    const manifest_entry *second = b;
    int order = strcmp(first->name, second->name);
    if (order == 0)
        order = (first->hash > second->hash) - (first->hash < second->hash);
    if (order == 0)
        order = size_compare(first->size, second->size);
    return order;
}

void manifest_sort(manifest *manifest)
{
    if (manifest->count == 0)
        return;
    qsort(manifest->entries, manifest->count, sizeof *manifest->entries, compare_entries);
    size_t kept = 1;
    for (size_t i = 1; i < manifest->count; i++)
        if (compare_entries(&manifest->entries[kept - 1], &manifest->entries[i]) != 0)
            manifest->entries[kept++] = manifest->entries[i];
    manifest->count = kept;
}

text manifest_text(const manifest *manifest)
{
    text text = text_create(manifest->arena);
    text_append_string(&text, head);
    if (manifest->made != 0)
        text_append_format(&text, "made %016" PRIx64 "\n", manifest->made);
    text_append_string(&text, text_if(manifest->is_locked, "locked\n"));
    if (manifest->schema != NULL)
        text_append_format(&text, "schema %s\n", manifest->schema);
    for (size_t i = 0; i < manifest->count; i++) {
        const manifest_entry *entry = &manifest->entries[i];
        assert(i == 0 || compare_entries(entry - 1, entry) < 0);
        text_append_format(&text, "%016" PRIx64 " %zu %s\n", entry->hash, entry->size, entry->name);
    }
    text_append_format(&text, "end %016" PRIx64 "\n", hash_of(text.bytes, text.size));
    return text;
}

const manifest_entry *manifest_find(const manifest *manifest, const char *name)
{
    size_t low = 0;
    size_t high = manifest->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(manifest->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < manifest->count && strcmp(manifest->entries[low].name, name) == 0)
        return &manifest->entries[low];
    return NULL;
}

bool manifest_has(const manifest *manifest, const manifest_entry *entry)
{
    return manifest->count > 0 &&
           bsearch(entry, manifest->entries, manifest->count, sizeof *entry, compare_entries) != NULL;
}

bool manifest_name_is_valid(const char *name)
{
    if (name[0] == '.' || name[0] == '\0')
        return false;
    for (; *name != '\0'; name++)
        if ((unsigned char)*name <= ' ' || *name == '/' || *name == 0x7f)
            return false;
    return true;
}

bool manifest_schema_is_valid(const char *path)
{
    const char *at = path;
    while ((unsigned char)*at >= ' ' && *at != 0x7f)
        at++;
    return at > path && *at == '\0';
}

// ---- parsing: each function consumes its token at the front of the line, or returns false

static bool take_hash(const char **line, uint64_t *hash)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (int i = 0; i < HASH_DIGITS; i++, ++*line) {
        const char *digit = strchr(digits, **line);
        if (digit == NULL || *digit == '\0')
            return false;
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static bool take_size(const char **line, size_t *size)
{
    const char *start = *line;
    *size = 0;
    for (; **line >= '0' && **line <= '9' && *line - start < SIZE_DIGITS; ++*line)
        *size = *size * 10 + (size_t)(**line - '0');
    return *line > start && (*start != '0' || *line == start + 1);
}

static bool take_space(const char **line)
{
    return *(*line)++ == ' ';
}

static bool read_entry(manifest *manifest, const char *line)
{
    manifest_entry entry;
    if (!take_hash(&line, &entry.hash) || !take_space(&line))
        return false;
    if (!take_size(&line, &entry.size) || !take_space(&line))
        return false;
    entry.name = line;
    if (!manifest_name_is_valid(line))
        return false;
    if (manifest->count > 0 && compare_entries(&manifest->entries[manifest->count - 1], &entry) >= 0)
        return false;
    manifest_append(manifest, entry);
    return true;
}

// Reads the optional line after the head, which has the hash of all inputs.
static bool read_made(manifest *manifest, const char *line)
{
    line += strlen("made ");
    return manifest->made == 0 && !manifest->is_locked && take_hash(&line, &manifest->made) && *line == '\0' &&
           manifest->made != 0;
}

static bool read_line(manifest *manifest, const char *line)
{
    bool is_first = manifest->schema == NULL && manifest->count == 0; // the optional lines come before the entries
    if (is_first && strncmp(line, "made ", strlen("made ")) == 0)
        return read_made(manifest, line);
    if (is_first && strncmp(line, "schema ", strlen("schema ")) == 0) {
        manifest->schema = line + strlen("schema ");
        return manifest_schema_is_valid(manifest->schema);
    }
    if (strcmp(line, "locked") != 0)
        return read_entry(manifest, line);
    is_first = is_first && !manifest->is_locked;
    manifest->is_locked = true;
    return is_first;
}

static bool is_end(const char *line, uint64_t hash_before)
{
    assert(strncmp(line, "end ", strlen("end ")) == 0);
    uint64_t hash;
    line += strlen("end ");
    return take_hash(&line, &hash) && *line == '\0' && hash == hash_before;
}

size_t manifest_parse(manifest *manifest, const char *bytes, size_t size)
{
    assert(manifest->count == 0 && manifest->made == 0);
    size_t head_size = sizeof head - 1;
    if (size < head_size || memcmp(bytes, head, head_size) != 0)
        return 1;
    const char *end = bytes + size;
    const char *next;
    size_t number = HEAD_LINES + 1;
    for (const char *at = bytes + head_size; at < end; at = next, number++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (feed == NULL || memchr(at, '\0', (size_t)(feed - at)) != NULL)
            return number;
        next = feed + 1;
        const char *line = arena_copy(manifest->arena, at, (size_t)(feed - at));
        bool is_last = strncmp(line, "end ", strlen("end ")) == 0;
        bool is_whole = is_last && next == end;
        if (is_whole && is_end(line, hash_of(bytes, (size_t)(at - bytes))))
            return 0;
        if (is_last || !read_line(manifest, line))
            return number;
    }
    return number;
}

#include "output/private/compare.h"

#include "generator/base/base.h"
#include "render/generated_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads until the buffer is full or the file ends. Returns 0 or the errno.
static int read_full(int descriptor, char *buffer, size_t capacity, size_t *size)
{
    *size = 0;
    while (*size < capacity) {
        ssize_t count = read(descriptor, buffer + *size, capacity - *size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        if (count == 0)
            break;
        *size += (size_t)count;
    }
    return 0;
}

static found_file find_open(arena *arena, int descriptor, size_t limit)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return (found_file){.kind = FOUND_FAULT, .fault = errno};
    if (!S_ISREG(status.st_mode))
        return (found_file){.kind = FOUND_OTHER};
    size_t size = status.st_size < 0 ? 0 : (size_t)status.st_size;
    size_t most = 2 * limit;                             // of lines that git made longer
    size_t capacity = size < most ? size + 1 : most + 1; // one more byte detects the end of the file
    char *bytes = arena_allocate(arena, capacity + 1);
    found_file found = {.kind = FOUND_FILE, .bytes = bytes};
    found.fault = read_full(descriptor, bytes, capacity, &found.size);
    found.kind = found.fault == 0 ? FOUND_FILE : FOUND_FAULT;
    found.size = text_without_returns(bytes, found.size);
    bytes[found.size] = '\0';
    return found;
}

found_file output_find(arena *arena, const char *path, size_t limit)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return (found_file){.kind = errno == ENOENT ? FOUND_NOTHING : FOUND_FAULT, .fault = errno};
    if (!S_ISREG(status.st_mode))
        return (found_file){.kind = FOUND_OTHER};
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return (found_file){.kind = FOUND_FAULT, .fault = errno};
    found_file found = find_open(arena, descriptor, limit);
    close(descriptor);
    return found;
}

size_t output_limit(const manifest *recorded, const wanted_file *wanted)
{
    size_t limit = wanted->size > GENERATED_MARK_SIZE ? wanted->size : GENERATED_MARK_SIZE;
    const manifest_entry *entry = manifest_find(recorded, wanted->name);
    if (entry == NULL) // there may be no entries at all
        return limit;
    const manifest_entry *end = recorded->entries + recorded->count;
    for (; entry < end && strcmp(entry->name, wanted->name) == 0; entry++)
        limit = entry->size > limit ? entry->size : limit;
    return limit;
}

output_state output_compare(const found_file *found, const wanted_file *wanted, const manifest *recorded)
{
    if (found->kind == FOUND_NOTHING)
        return OUTPUT_MISSING;
    if (found->kind == FOUND_FAULT)
        return OUTPUT_UNREADABLE;
    if (found->kind == FOUND_OTHER)
        return OUTPUT_FOREIGN;
    if (wanted->bytes != NULL && found->size == wanted->size && memcmp(found->bytes, wanted->bytes, found->size) == 0)
        return OUTPUT_EQUAL;
    manifest_entry entry = {wanted->name, hash_of(found->bytes, found->size), found->size};
    if (manifest_has(recorded, &entry))
        return OUTPUT_DIFFERENT;
    if (manifest_find(recorded, wanted->name) != NULL)
        return OUTPUT_EDITED;
    return generated_file_has_mark(found->bytes, found->size) ? OUTPUT_UNKNOWN : OUTPUT_FOREIGN;
}

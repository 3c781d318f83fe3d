#include "output_compare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Reads until the buffer is full or the file ends: the bytes read, or -1.
static ssize_t read_full(int descriptor, char *buffer, size_t capacity)
{
    size_t size = 0;
    while (size < capacity) {
        ssize_t count = read(descriptor, buffer + size, capacity - size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        size += (size_t)count;
    }
    return (ssize_t)size;
}

static output_state compare_bytes(int descriptor, const output_file *file, output_owner *is_own)
{
    char buffer[16 * 1024];
    bool is_ours = false, is_equal;
    size_t at = 0, length;
    do {
        ssize_t count = read_full(descriptor, buffer, sizeof buffer);
        if (count < 0)
            return OUTPUT_UNREADABLE;
        length = (size_t)count;
        is_ours = is_ours || (at == 0 && is_own(buffer, length));
        is_equal = length <= file->size - at && memcmp(buffer, file->bytes + at, length) == 0;
        at += length;
    } while (is_equal && length == sizeof buffer);
    if (is_equal && at == file->size)
        return OUTPUT_EQUAL;
    return is_ours ? OUTPUT_DIFFERENT : OUTPUT_FOREIGN;
}

static output_state compare_descriptor(int descriptor, const output_file *file, output_owner *is_own)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return OUTPUT_UNREADABLE;
    if (!S_ISREG(status.st_mode))
        return OUTPUT_FOREIGN;
    return compare_bytes(descriptor, file, is_own);
}

output_state output_compare(const char *path, const output_file *file, output_owner *is_own, int *fault)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        *fault = errno;
        return errno == ENOENT ? OUTPUT_MISSING : OUTPUT_UNREADABLE;
    }
    if (!S_ISREG(status.st_mode))
        return OUTPUT_FOREIGN;
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        *fault = errno;
        return OUTPUT_UNREADABLE;
    }
    output_state state = compare_descriptor(descriptor, file, is_own);
    *fault = errno;
    close(descriptor);
    return state;
}

bool output_has_mark(const char *bytes, size_t size)
{
    static const char mark[] = OUTPUT_MARK;
    size_t length = sizeof mark - 1, end = size < OUTPUT_MARK_SIZE ? size : OUTPUT_MARK_SIZE;
    for (size_t at = 0; at + length <= end; at++)
        if (memcmp(bytes + at, mark, length) == 0)
            return true;
    return false;
}

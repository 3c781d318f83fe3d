#include "render/generated_file.h"

#include <string.h>

bool generated_file_has_mark(const char *bytes, size_t size)
{
    static const char mark[] = GENERATED_MARK;
    size_t length = sizeof mark - 1, end = size < GENERATED_MARK_SIZE ? size : GENERATED_MARK_SIZE;
    for (size_t at = 0; at + length <= end; at++)
        if (memcmp(bytes + at, mark, length) == 0)
            return true;
    return false;
}

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

static bool take(const void *bytes, size_t size, void *user)
{
    buffer *buffer = user;
    if (size == 0)
        return true;
    if (buffer->fail_after != 0 && ++buffer->calls > buffer->fail_after)
        return false;
    if (buffer->size + size > buffer->capacity) {
        buffer->capacity = (buffer->size + size) * 2;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    }
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

static size_t give(void *bytes, size_t size, void *user)
{
    buffer *buffer = user;
    size_t left = buffer->size - buffer->at;
    if (size > left)
        size = left;
    if (buffer->part != 0 && size > buffer->part)
        size = buffer->part;
    if (size > 0)
        memcpy(bytes, buffer->bytes + buffer->at, size);
    buffer->at += size;
    return size;
}

static bool begin_again(void *user)
{
    ((buffer *)user)->at = 0;
    return true;
}

kin_sink buffer_sink(buffer *buffer)
{
    return (kin_sink){take, buffer};
}

kin_source buffer_source(buffer *buffer)
{
    buffer->at = 0;
    return (kin_source){give, begin_again, buffer};
}

void buffer_release(buffer *buffer)
{
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}

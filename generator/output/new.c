#include "output/new.h"

#include "output/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

int output_write_new(const char *path, const char *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return errno;
    int error = output_write_all(descriptor, bytes, size);
    if (close(descriptor) != 0 && error == 0)
        error = errno;
    if (error != 0)
        unlink(path);
    return error;
}

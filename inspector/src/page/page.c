#include "page/page.h"

#include <string.h>

const kin__page_file *kin__page_find(const char *path)
{
    for (const kin__page_file *file = kin__page_files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

#include "harness.h"

#include <stdarg.h>

void show(const char *format, ...)
{
    if (!here->shows)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%*s", (int)here->level * 2, "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

// Mistakes of tasks: the first one counts.

#include "task/task.h"

#include <stdarg.h>
#include <stdio.h>

bool kin__task_fail(kin__task *task, int code, const char *format, ...)
{
    va_list arguments;
    if (task->mistake.code != 0)
        return false;
    task->mistake = (kin__mistake){.code = code};
    va_start(arguments, format);
    vsnprintf(task->mistake.message, sizeof task->mistake.message, format, arguments);
    va_end(arguments);
    return false;
}

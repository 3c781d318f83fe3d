// Mistakes of tasks: the first one counts.

#include "task/task.h"

#include <stdarg.h>
#include <stdio.h>

void kin__task_refuse(kin__task *task, kin_status status)
{
    if (task->mistake.code != 0)
        return;
    task->status = kin_status_name(status);
    kin__task_fail(task, KIN__CODE_REFUSED - (int)status, "%s refuses this now, such as while threads share it",
                   task->site->name);
}

bool kin__task_needs_living(kin__task *task)
{
    if (kin_entity_is_alive(task->site->context, task->entity))
        return true;
    kin__task_fail(task, KIN__CODE_REFUSED - KIN_ERROR_NOT_ALIVE, "%s has no such living entity", task->site->name);
    task->status = kin_status_name(KIN_ERROR_NOT_ALIVE);
    return false;
}

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

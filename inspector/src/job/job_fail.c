// Mistakes of jobs: the first one counts.

#include "job/job.h"

#include <stdarg.h>
#include <stdio.h>

bool kin__job_fail(kin__job *job, int code, const char *format, ...)
{
    va_list arguments;
    if (job->mistake.code != 0)
        return false;
    job->mistake = (kin__mistake){.code = code};
    va_start(arguments, format);
    vsnprintf(job->mistake.message, sizeof job->mistake.message, format, arguments);
    va_end(arguments);
    return false;
}

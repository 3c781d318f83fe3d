#include "frame/fault.h"

#include <stdarg.h>
#include <stdio.h>

bool kin__fault_note(kin__fault *fault, kin_status status, const char *format, ...)
{
    va_list arguments;
    if (fault->status != KIN_OK)
        return false;
    fault->status = status;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return false;
}

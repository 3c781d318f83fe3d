#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool option_number(const char *text, uint64_t limit, uint64_t *number)
{
    if (text == NULL || *text < '0' || *text > '9')
        return false;
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number <= limit;
}

bool option_rule(Rules *rules, const char *name, const char *text)
{
    bool is_seed = strcmp(name, "--seed") == 0;
    uint64_t number = 0;
    if (!option_number(text, is_seed ? UINT64_MAX : INT32_MAX, &number))
        return false;
    if (is_seed)
        rules->seed = number;
    else if (strcmp(name, "--columns") == 0)
        rules->columns = (int32_t)number;
    else if (strcmp(name, "--rows") == 0)
        rules->rows = (int32_t)number;
    else
        return false;
    return true;
}

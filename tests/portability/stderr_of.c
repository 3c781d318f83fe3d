// Like tests/runtime/support/stderr_of.c, for machines without other processes: from the first call on stderr is a
// file.
#include "runtime/support/stderr_of.h"

#include <check.h>
#include <stdio.h>

static const char path[] = "stderr.txt";

const char *stderr_of(void (*attempt)(void))
{
    static char text[2048];
    ck_assert_ptr_nonnull(freopen(path, "w", stderr));
    attempt();
    fflush(stderr);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

const char *stderr_of_abort(void (*attempt)(void))
{
    (void)attempt;
    return NULL;
}

#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_has_colours(int descriptor)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    bool is_refused = refused != NULL && refused[0] != '\0';
    return !is_refused && (kind == NULL || strcmp(kind, "dumb") != 0) && isatty(descriptor);
}

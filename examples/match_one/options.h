// Options: what the command line says of the rules.
#ifndef MATCH_ONE_OPTIONS_H
#define MATCH_ONE_OPTIONS_H

#include "match_one/match_one.h"

// A whole number up to `limit`, else false. NULL is none.
bool option_number(const char *text, uint64_t limit, uint64_t *number);

// --seed, --columns or --rows; false when it is none of them, or `text` no number for it.
bool option_rule(Rules *rules, const char *name, const char *text);

#endif

// Options: reads the rules from the command line.
#ifndef MATCH_ONE_OPTIONS_H
#define MATCH_ONE_OPTIONS_H

#include "match_one/match_one.h"

// Reads a whole number up to `limit`. Returns false if `text` is NULL or not such a number.
bool option_number(const char *text, uint64_t limit, uint64_t *number);

// Reads --seed, --columns or --rows. Returns false for any other name, or if `text` is not a valid number for it.
bool option_rule(Rules *rules, const char *name, const char *text);

#endif

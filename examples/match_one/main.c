// Match-One: the example game of Entitas, on Kin.
//
//     match_one [--seed N] [--columns N] [--rows N]                   to be played, in a terminal
//     match_one --demo [--moves N] [--seed N] [--columns N] [--rows N]
//
// The demo is played by chance and printed: the same seed prints the same lines, on every machine. A game to be played is
// another one each time, unless a seed is given.

#include "demo.h"
#include "play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATUS_USAGE = 2 };

typedef struct options {
    Rules rules;
    uint32_t moves;
    bool demo, has_seed;
} options;

static const char usage[] = "usage: match_one [--demo [--moves N]] [--seed N] [--columns N] [--rows N]\n";

// A whole number up to `limit`, else false.
static bool read_number(const char *text, uint64_t limit, uint64_t *number)
{
    if (text == NULL || *text < '0' || *text > '9')
        return false;
    char *end = NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number <= limit;
}

static bool read_option(options *options, const char *name, const char *text)
{
    bool is_seed = strcmp(name, "--seed") == 0;
    uint64_t number = 0;
    if (!read_number(text, is_seed ? UINT64_MAX : INT32_MAX, &number))
        return false;
    options->has_seed |= is_seed;
    if (is_seed)
        options->rules.seed = number;
    else if (strcmp(name, "--moves") == 0)
        options->moves = (uint32_t)number;
    else if (strcmp(name, "--columns") == 0)
        options->rules.columns = (int32_t)number;
    else if (strcmp(name, "--rows") == 0)
        options->rules.rows = (int32_t)number;
    else
        return false;
    return true;
}

static bool read_options(options *options, char **arguments)
{
    while (*arguments != NULL)
        if (strcmp(*arguments, "--demo") == 0) {
            options->demo = true;
            arguments++;
        } else {
            if (!read_option(options, arguments[0], arguments[1]))
                return false;
            arguments += 2;
        }
    return true;
}

int main(int argc, char **argv)
{
    options options = {.rules = rules_default(), .moves = 30};
    if (argc < 1 || !read_options(&options, argv + 1)) {
        fputs(usage, stderr);
        return STATUS_USAGE;
    }
    if (!options.demo && !options.has_seed)
        options.rules.seed = (uint64_t)time(NULL);
    bool done = options.demo ? demo_play(options.rules, options.moves) : play(options.rules);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

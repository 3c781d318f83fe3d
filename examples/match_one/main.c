// Match-One: the example game of Entitas, on Kin.
//
//     match_one [--seed N] [--columns N] [--rows N]                   plays in the terminal
//     match_one --demo [--moves N] [--seed N] [--columns N] [--rows N]
//
// The demo makes random moves and prints them: the same seed prints the same lines on every machine. A played game
// differs each time unless a seed is given.

#include "demo.h"
#include "options.h"
#include "play.h"

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

static bool read_option(options *options, const char *name, const char *text)
{
    uint64_t number = 0;
    if (strcmp(name, "--moves") != 0) {
        options->has_seed |= strcmp(name, "--seed") == 0;
        return option_rule(&options->rules, name, text);
    }
    if (!option_number(text, INT32_MAX, &number))
        return false;
    options->moves = (uint32_t)number;
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

// Program: kin itself, run as its users run it. $KIN is its path, build/bin/kin when that is not set.
#ifndef KIN_TESTS_PROGRAM_H
#define KIN_TESTS_PROGRAM_H

enum { ARGUMENT_LIMIT = 8 };

// The arguments behind the program; the first NULL ends them.
typedef struct arguments {
    const char *items[ARGUMENT_LIMIT];
} arguments;

typedef struct outcome {
    int status;
    const char *output, *messages;
} outcome;

// A package with one context, one component and one flag.
extern const char tiny[];

const char *program(void);

outcome run(arguments arguments);
outcome run_with_input(arguments arguments, const char *input);

// `input` is what standard input holds. `output` becomes the program's standard output, closed when negative, and is
// not in the outcome.
outcome run_into(arguments arguments, const char *input, int output);

#define RUN(...) run((arguments){{__VA_ARGS__}})

void check_outcome(outcome outcome, int status, const char *output, const char *messages);

#endif

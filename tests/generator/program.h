// Program: runs kin as a separate process. $KIN is its path; the default is build/bin/kin.
#ifndef KIN_TESTS_PROGRAM_H
#define KIN_TESTS_PROGRAM_H

enum { ARGUMENT_LIMIT = 10 };

// The arguments after the program's name; the first NULL ends them.
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

// Runs kin with the file at `path` as standard input.
outcome run_with_file(arguments arguments, const char *path);

// Runs kin with `input` on standard input and the descriptor `output` as standard output, closed if negative. The
// outcome's `output` is NULL.
outcome run_into(arguments arguments, const char *input, int output);

#define RUN(...) run((arguments){{__VA_ARGS__}})

void check_outcome(outcome outcome, int status, const char *output, const char *messages);

#endif

// Top: the systems of a game by time, and files that are fetched from it.
#ifndef KIN_INSPECT_TOP_H
#define KIN_INSPECT_TOP_H

#include "command/arguments.h"

// Shows the systems by their time in the last updates: on a terminal each second, else once.
int top_run(const arguments *arguments);

// Prints the metrics of the game.
int metrics_run(const arguments *arguments);

// Records the timeline for some seconds, and writes it to the file of the option --output.
int trace_run(const arguments *arguments);

#endif

// Recording: measures what recording a world adds to its frames.
#ifndef KIN_BENCH_FILES_RECORDING_H
#define KIN_BENCH_FILES_RECORDING_H

// Returns the time in nanoseconds.
double time_now(void);

// Prints the rows `f.record`.
void measure_recordings(void);

#endif

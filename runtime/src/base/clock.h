// The monotonic clock of the machine.
#ifndef KIN_SRC_CLOCK_H
#define KIN_SRC_CLOCK_H

#include <stdint.h>

// Nanoseconds since an unspecified moment; never decreases.
uint64_t kin__clock_read(void);

#endif

// Shared values: assigns numbers in the order of the first use of each value, as files do not contain the numbers.
#ifndef KIN_SRC_READ_SHARED_H
#define KIN_SRC_READ_SHARED_H

#include "read/reading.h"

bool kin__shared_values_finish(kin__reading *reading);

#endif

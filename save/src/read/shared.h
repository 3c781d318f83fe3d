// Shared values: which number each gets, that of its first place. Files do not have the numbers.
#ifndef KIN_SRC_READ_SHARED_H
#define KIN_SRC_READ_SHARED_H

#include "read/reading.h"

bool kin__shared_values_finish(kin__reading *reading);

#endif

// Checks that unique components, and keys of primary indices, occur only once. A key with a NaN or a NULL string does
// not count, as no look-up can find it.
#ifndef KIN_SRC_READ_KEYS_H
#define KIN_SRC_READ_KEYS_H

#include "read/reading.h"

// False, with a fault noted that names both entities, if one occurs twice.
bool kin__keys_check(kin__reading *reading);

#endif

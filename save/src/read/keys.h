// What a context has only once: unique components, and keys of primary indices. A key that no entity can be found by,
// with a NaN or a string that is NULL, is none.
#ifndef KIN_SRC_READ_KEYS_H
#define KIN_SRC_READ_KEYS_H

#include "read/reading.h"

// False, with a fault noted that names both entities, if something is there twice.
bool kin__keys_check(kin__reading *reading);

#endif

// Keys of primary indices, each of which only one entity may have. A key with a NaN or a NULL string does not count, as
// no look-up can find it.
#ifndef KIN_SRC_WRITE_KEYS_H
#define KIN_SRC_WRITE_KEYS_H

#include "file/file.h"
#include "image/part.h"

// Finds two entities of a part with one key of an index: `twice`, or 0 and 0. The heap is released afterwards. False,
// with a fault noted, when out of memory.
bool kin__key_find_twice(const kin__context_snapshot *part, const kin_index_info *index, kin__heap *heap,
                         kin_entity twice[2]);

// Checks the keys that functions give: a value that was edited in place may have another key than the index has. False,
// with a fault noted that names both entities, if two have one key.
bool kin__written_keys_check(const kin__context_snapshot *part, kin__fault *fault);

#endif

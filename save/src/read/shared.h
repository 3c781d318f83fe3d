// SHAR: the order of shared values (snapshot/snapshot.h). A component without such blocks has its values in the order
// of their first uses: by slot, then those that only last values have.
#ifndef KIN_SRC_READ_SHARED_H
#define KIN_SRC_READ_SHARED_H

#include "read/reading.h"

// Reads a block, from the number of its component on. Its row replaces the one that the order has. False, with a fault
// noted, if it is wrong, and when out of memory.
bool kin__shared_order_read(kin__reading *reading, kin__decoder *decoder, uint32_t row);

// Ends the order of a component of the file before a row, which no longer exists.
bool kin__shared_order_cut(kin__reading *reading, uint32_t component, uint32_t row);

// Makes the order of a component that of a part. False, with a fault noted, when out of memory.
bool kin__shared_order_share(kin__reading *reading, const kin__context_snapshot *present, kin_component_id id);

// Numbers the shared values of the part, once all values are there. What the order has without its use gets no value,
// and values that it lacks get the lowest free numbers: values may have been converted, or decided by a migration.
bool kin__shared_values_finish(kin__reading *reading);

#endif

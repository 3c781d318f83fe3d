// storage: slots, columns and values, and what values own
//
// Owns where every value is. An address stays valid until its component is removed.
//
//   chunk.h       chunks of 512 slots: rows, columns, holders
//   pool.h        the slot that a new entity gets
//   slot.h        the check of one slot
//   column.h      the values of one component in one chunk
//   shelf.h       the memory of all columns of one component
//   canary.h      what shows a checked build that a loop wrote past a column
//   value.h       a value wherever it is: in a column, boxed, or a column for each field
//   slab.h        memory of boxed values
//   shared.h      equal values that are stored once
//   owned.h       strings and opaque values that belong to the context
//   list.h        arrays in values that grow
//   opaque.h      which opaque values two values share, and their drop
//   last_value.h  values of removed components, for removed events, leave and stash
//   keepsake.h    last values in snapshots
//   shared_restore.h  shared values in snapshots
//   payload.h     former values that listeners of a running change read
//
// Cycle: owned.c and shared.c. A retired shared value is in the same list as other owned blocks, which frees it.

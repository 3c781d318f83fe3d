/// Memory of a context: measuring it, and returning what is not needed to the allocator.
#ifndef KIN_MEMORY_H
#define KIN_MEMORY_H

#include <kin/context.h>

KIN_BEGIN_DECLARATIONS

/// A number of bytes.
typedef struct kin_memory {
    size_t used;      ///< bytes that hold data now
    size_t allocated; ///< bytes obtained from the allocator and not yet freed
} kin_memory;

/// Memory of a context by purpose. `total.allocated` is the exact number of bytes that the context has obtained from
/// its allocator, including those of its collectors, event systems and cleanup systems.
typedef struct kin_context_usage {
    kin_memory chunks;     ///< handles and rows, in chunks of 512 slots; owners; the context and its tables.
                           ///< Used: the slots of entities, alive or held, and everything that exists once
    kin_memory columns;    ///< component values, boxed ones included, shared ones with their strings, and last values
                           ///< that events have yet to deliver.
                           ///< Used: existing values, and the bits of columns that have values
    kin_memory groups;     ///< groups and their arrays, and all subscriptions. Used: all groups and subscriptions, and
                           ///< the entities in the arrays that were returned last
    kin_memory collectors; ///< collectors whose first trigger is of this context, also those of reactive systems; event
                           ///< and cleanup systems. Used: these objects, and what is collected or was returned last
    kin_memory indices;    ///< indices. Used: existing keys
    kin_memory strings;    ///< strings and opaque values with a `drop`, one block for each value. All of it is used
    kin_memory snapshots;  ///< snapshots, and spare memory for the next ones. Used: what snapshots have
    kin_memory total;      ///< the sum of the above
} kin_context_usage;

/// Measures the memory of the context. Cost: visits every column of every chunk, and every subscription.
KIN_API kin_context_usage kin_context_memory(const kin_context *context);

/// Frees columns without values, and shrinks indices, collectors and other buffers that are larger than needed.
///
/// Values, handles and non-empty arrays that were returned to you do not move. Room that later operations rely on, so
/// that they cannot run out of memory, is kept. Columns of one component beyond the first eight are allocated together,
/// up to eight at a time, and are freed when all of them are without values. Shrinking a buffer needs memory for a
/// moment; when out of memory, the buffer keeps its size. The `used` figures of kin_context_memory do not change.
///
/// Inside a listener the call does nothing, because the change in progress may need the memory. Inside a loop over a
/// group it also frees columns of the current run or block whose values are all gone: do not read these columns
/// afterwards, continue with the next run or block.
///
/// Cost: visits every column of every chunk, and copies each buffer that shrinks.
KIN_API void kin_context_trim(kin_context *context);

KIN_END_DECLARATIONS

#endif

/// Memory: what a context has of it, and giving back what it does not need.
#ifndef KIN_MEMORY_H
#define KIN_MEMORY_H

#include <kin/context.h>

KIN_BEGIN_DECLARATIONS

/// Bytes of something.
typedef struct kin_memory {
    size_t used;      ///< those that hold something now
    size_t allocated; ///< those that the allocator gave and has not got back
} kin_memory;

/// What a context has. `total` is the sum of the others: its `allocated` is to the byte what the context's allocator
/// gave for it, what its collectors and its event and cleanup systems have included.
typedef struct kin_context_usage {
    kin_memory chunks;     ///< handles and rows of 512 slots each, owners, and the context itself with its tables.
                           ///< Used: by the slots of entities, alive or held, and all that there is once
    kin_memory columns;    ///< values, those of boxed components too, and values that events still have to tell.
                           ///< Used: by the values that there are, and by the bits of the columns that have any
    kin_memory groups;     ///< groups and their arrays, and all who listen. Used: by all groups and listeners, and by
                           ///< the entities in the arrays that were given out last
    kin_memory collectors; ///< those whose first trigger is of this context, also in reactive systems; event and
                           ///< cleanup systems. Used: by what is collected or was given out last, and by themselves
    kin_memory indices;    ///< Used: by the keys that there are
    kin_memory strings;    ///< strings and opaque values with a `drop`, each value in a block of its own: all is used
    kin_memory total;      ///< the sum of these
} kin_context_usage;

/// What the context has now. Cost: looks at every column of every chunk, and at every listener.
KIN_API kin_context_usage kin_context_memory(const kin_context *context);

/// Gives back columns without a value, and what else has more room than is needed: indices, collectors, arrays that
/// were given out last without an entity. No value, handle or array that was given out moves, and all goes on working;
/// what must not need memory later keeps its room. Moving what is left into less room needs memory for a moment; where
/// there is none it stays. What `kin_context_memory` calls used stays as it is.
///
/// Inside a listener it does nothing, as the change under way may need what it would give back. In a loop over a group,
/// columns of the run or block at hand that have no value any more go too: go on with the next one.
///
/// Cost: looks at every column of every chunk, and moves what gets less room.
KIN_API void kin_context_trim(kin_context *context);

KIN_END_DECLARATIONS

#endif

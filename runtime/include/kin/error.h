/// Statuses, errors and allocators.
///
/// A failed operation changes nothing, unless its description says otherwise. It returns its status (or NULL, or entity
/// 0) and calls `on_error` once, with one sentence that states what failed, why, and what to do instead.
#ifndef KIN_ERROR_H
#define KIN_ERROR_H

#include <kin/entity.h>

KIN_BEGIN_DECLARATIONS

/// The result of an operation. All values except KIN_OK are errors.
typedef enum kin_status {
    KIN_OK,                  ///< success
    KIN_ERROR_NOT_ALIVE,     ///< the entity is destroyed, being destroyed, or not of this context
    KIN_ERROR_HAS_COMPONENT, ///< cannot add: the entity already has the component
    KIN_ERROR_NO_COMPONENT,  ///< cannot remove or touch: the entity lacks the component
    KIN_ERROR_UNIQUE,        ///< another entity has the unique component
    KIN_ERROR_DUPLICATE_KEY, ///< another entity has the key in a primary index
    KIN_ERROR_NOT_SINGLE,    ///< the group has more than one member
    KIN_ERROR_RETAINED,      ///< this owner already retains the entity, or destroyed entities are still retained
    KIN_ERROR_NOT_RETAINED,  ///< cannot release: this owner does not retain the entity
    KIN_ERROR_INVALID,       ///< an argument is invalid, or the call is not allowed here
    KIN_ERROR_LIMIT,         ///< a limit would be exceeded; the message names it
    KIN_ERROR_NO_MEMORY,     ///< the allocator returned NULL
    KIN_ERROR_REFERENCED,    ///< cannot destroy: a relation with `on_destroy: refuse` names the entity
    KIN_ERROR_CIRCLE,        ///< the entity would be below itself in a tree
    KIN_ERROR_CORRUPT,       ///< what was read is not what was written
    KIN_ERROR_SHAPE,         ///< what was read does not fit the schema of the program
    KIN_ERROR_STREAM,        ///< a source or a sink failed
    KIN_ERROR_REPLICA,       ///< the context replicates and its world follows a host, which alone changes it
    KIN_ERROR_DIFFERS        ///< a replica has another state than its host
} kin_status;

/// Returns the name of a status as spelled in C, such as "KIN_ERROR_NOT_ALIVE", or "unknown status" for any other
/// number. The string is constant. Cost: one load.
KIN_API const char *kin_status_name(kin_status status);

/// Returns the version of the loaded library, such as "0.2.0". The string is constant. Cost: none.
KIN_API const char *kin_version(void);

/// A failed operation, as passed to `on_error`. The strings are valid only during the call.
typedef struct kin_error {
    kin_status status;     ///< never KIN_OK
    const char *message;   ///< one sentence, safe to print: strings of the program are escaped and shortened
    const char *context;   ///< the context's name in the schema, or NULL
    const char *component; ///< the component's name in the schema, or NULL
    kin_entity entity;     ///< the entity, or 0
} kin_error;

/// A custom allocator. Set both functions or neither.
typedef struct kin_allocator {
    /// Returns `size` bytes (never 0), aligned to `alignment` (a power of two), or NULL when out of memory.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Frees memory that allocate returned. `size` is the requested size. `memory` is never NULL.
    void (*release)(void *memory, size_t size, void *user);
    void *user; ///< passed to both functions and never read
} kin_allocator;

KIN_END_DECLARATIONS

#endif

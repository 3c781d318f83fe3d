/// Statuses, errors and the two things that every part of the runtime is given by its user: memory and somebody to
/// tell of a mistake.
///
/// An operation that fails has changed nothing: it returns its status (or NULL, or no entity) and tells `on_error`
/// once, in one sentence that says what was tried, why it was refused and what to do instead.
#ifndef KIN_ERROR_H
#define KIN_ERROR_H

#include <kin/entity.h>

KIN_BEGIN_DECLARATIONS

/// How an operation ended. All but KIN_OK are errors.
typedef enum kin_status {
    KIN_OK,                  ///< done
    KIN_ERROR_NOT_ALIVE,     ///< the entity is destroyed, being destroyed, or never was one of this context
    KIN_ERROR_HAS_COMPONENT, ///< added, but it was there already
    KIN_ERROR_NO_COMPONENT,  ///< removed or touched, but it was not there
    KIN_ERROR_UNIQUE,        ///< another entity carries the unique component
    KIN_ERROR_DUPLICATE_KEY, ///< another entity has the key in a primary index
    KIN_ERROR_NOT_SINGLE,    ///< a group that was to have one member has more
    KIN_ERROR_RETAINED,      ///< already retained by this owner; or destroyed entities are still held
    KIN_ERROR_NOT_RETAINED,  ///< released by one who does not hold it
    KIN_ERROR_INVALID,       ///< an argument makes no sense
    KIN_ERROR_LIMIT,         ///< a limit would be passed; the message names it
    KIN_ERROR_NO_MEMORY      ///< the allocator gave none
} kin_status;

/// The name of a status as C spells it, such as "KIN_ERROR_NOT_ALIVE"; "unknown status" for any other number.
/// The text is constant. Cost: one load.
KIN_API const char *kin_status_name(kin_status status);

/// The version of the loaded library, such as "0.1.0". The text is constant. Cost: none.
KIN_API const char *kin_version(void);

/// One refused operation. The texts are valid during the call only.
typedef struct kin_error {
    kin_status status;     ///< never KIN_OK
    const char *message;   ///< one sentence, safe to print: strings of the user in it are escaped and cut
    const char *context;   ///< the context's name in the schema; NULL when there is none
    const char *component; ///< the component's name in the schema; NULL when there is none
    kin_entity entity;     ///< 0 when there is none
} kin_error;

/// Where memory comes from. Both functions or none.
typedef struct kin_allocator {
    /// `size` bytes (never 0), aligned to `alignment` (a power of two), or NULL.
    void *(*allocate)(size_t size, size_t alignment, void *user);
    /// Takes back what allocate gave, with the size it was asked for; `memory` is never NULL.
    void (*release)(void *memory, size_t size, void *user);
    void *user; ///< passed on to both and never read
} kin_allocator;

KIN_END_DECLARATIONS

#endif

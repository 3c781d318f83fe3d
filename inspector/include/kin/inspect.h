/// Inspector: shows a running game to viewers, which ask it in JSON-RPC 2.0 over HTTP. A separate library,
/// libkin-inspect.
///
///     kin_inspect(arena_world_base(world), NULL);     // prints: kin: inspect arena at http://127.0.0.1:5460/#token=…
///
/// It listens on 127.0.0.1, and on a Unix socket when asked to, and answers requests with its token. kin-inspect finds
/// it by a file in $XDG_RUNTIME_DIR/kin or /tmp/kin-UID that only its user can read. The inspector reads and changes
/// the world inside each `arena_world_update`, before the first system or where a viewer holds it, and ends with the
/// world. A game without a world makes three calls:
///
///     kin_inspector *inspector = kin_inspector_create(NULL);
///     kin_inspector_add(inspector, &game->base, systems);
///     …
///     if (kin_inspector_frame(inspector, &delta))     // once a frame
///         kin_systems_execute(systems, delta);
///
/// Looking changes nothing that the game can see. An update in which nobody asks for anything costs one indirect call
/// and one load.
///
/// With -DKIN_NO_INSPECT each function is an empty inline one: a game that is shipped without the inspector need not
/// change a line. The environment can restrict every game: KIN_INSPECT=off makes no inspector, KIN_INSPECT=read one
/// that is read-only, KIN_INSPECT=port=6000 one that listens on this port; several are separated by commas.
#ifndef KIN_INSPECT_H
#define KIN_INSPECT_H

#include <kin/probe.h>

KIN_BEGIN_DECLARATIONS

/// An inspector. Functions that take one accept NULL, and do nothing then.
typedef struct kin_inspector kin_inspector;

/// Functions that save and restore the whole game, for games whose state is not only in their world. All three are
/// called by the thread that updates the world, before its systems. `world` is NULL for kin_inspector_add.
typedef struct kin_inspector_snapshots {
    /// Returns a snapshot of the game, and sets `*bytes` to its size; NULL when there is no memory.
    void *(*take)(kin_world *world, size_t *bytes, void *user);
    /// Returns to a snapshot. On an error nothing may have changed.
    kin_status (*restore)(kin_world *world, const void *snapshot, size_t bytes, void *user);
    void (*release)(void *snapshot, size_t bytes, void *user); ///< frees a snapshot
    void *user;                                                ///< passed to the functions and never read
} kin_inspector_snapshots;

/// Options of an inspector. Zero is the default of each field.
typedef struct kin_inspector_options {
    const char *name;        ///< copied; NULL: that of the first world or context
    uint16_t port;           ///< 0: the first free one of 5460 to 5475; another one must be free
    const char *socket;      ///< listens on this Unix socket too, which only its user can open; NULL: on none
    const char *token;       ///< copied; 32 to 128 of A-Z, a-z, 0-9, _ and -; NULL: 128 random bits
    bool quiet;              ///< does not print the address to stderr
    bool offline;            ///< opens no socket and starts no thread: only kin_inspector_request is answered
    bool read_only;          ///< refuses all that changes the game or its time
    uint32_t budget;         ///< microseconds of an update at most; 0: 500
    size_t memory;           ///< bytes in all at most; 0: 32 MiB
    kin_allocator allocator; ///< zero: malloc; called by any thread that calls kin_inspector_request, too
    /// Called for each failed operation of this library, and, by the inspector's own thread and once a second at most,
    /// for requests that it refuses, such as those without the token. NULL: prints one line to stderr.
    void (*on_error)(const kin_error *error, void *user);
    void *error_user; ///< passed to on_error and never read
    /// Called every 10 ms while a viewer holds an update at a system: pump the window here. It must not update or
    /// destroy the world, nor destroy the inspector; kin_inspector_request may be called, for example to ask
    /// time.resume when the window is closed. NULL: the game stands still while it is held.
    void (*on_hold)(void *user);
    void *hold_user; ///< passed to on_hold and never read
    /// How viewers save and restore the game; copied. NULL: snapshots of the world, and none without a world.
    const kin_inspector_snapshots *snapshots;
} kin_inspector_options;

#ifndef KIN_NO_INSPECT

/// Makes an inspector for a world, which ends with this world. Worlds that are added to it may end before; one that is
/// updated by another thread must. NULL on failure, reported; and with KIN_INSPECT=off.
/// Prints the address to stderr, unless the options say otherwise. Errors: KIN_ERROR_INVALID without a world, if the
/// world has a probe, and for a token of another length or with other characters; KIN_ERROR_LIMIT without a
/// free port, descriptor or thread; KIN_ERROR_NO_MEMORY.
KIN_API kin_inspector *kin_inspect(kin_world *world, const kin_inspector_options *options);

/// Makes an inspector without worlds and contexts, for kin_inspector_add. NULL on failure, as of kin_inspect. Destroy
/// it with kin_inspector_destroy.
KIN_API kin_inspector *kin_inspector_create(const kin_inspector_options *options);

/// Destroys an inspector of either kind, outside of updates of its worlds. What it started, such as the timing of
/// systems, ends. NULL is allowed.
KIN_API void kin_inspector_destroy(kin_inspector *inspector);

/// Adds a world with its contexts and systems. Worlds may be updated by threads of their own. The world may end before
/// the inspector; then another one of the same package takes over its name and place. Errors: KIN_ERROR_INVALID without
/// a world, and if the world has a probe; KIN_ERROR_LIMIT with more than 16 worlds or 64 contexts.
KIN_API kin_status kin_inspector_add_world(kin_inspector *inspector, kin_world *world);

/// Adds a context and systems, one of which may be NULL, that kin_inspector_frame serves. Both must outlive the
/// inspector. Errors: KIN_ERROR_INVALID without both; KIN_ERROR_LIMIT with more than 64 contexts or 16 systems.
KIN_API kin_status kin_inspector_add(kin_inspector *inspector, kin_context *context, kin_systems *systems);

/// Serves what was added by kin_inspector_add. Call it once a frame, outside of systems and listeners. Returns false
/// when a viewer has paused the game: do not run its systems then. May change `*delta`, for a speed that a viewer set.
/// True for NULL.
KIN_API bool kin_inspector_frame(kin_inspector *inspector, double *delta);

/// Returns the address with the token, "" for an inspector that is offline. The string belongs to the inspector. "" for
/// NULL.
KIN_API const char *kin_inspector_address(const kin_inspector *inspector);

/// Returns the nanoseconds that the last update took in which the inspector did something. 0 for NULL.
KIN_API uint64_t kin_inspector_cost(const kin_inspector *inspector);

/// Answers a request of JSON-RPC 2.0 without a socket, of at most 64 KiB, and writes the answer to `answer`, terminated
/// by a NUL if `capacity` is not 0. Like snprintf it returns the length of the complete answer. The request is done at
/// once: call this on the thread that updates the worlds, outside of updates. With NULL as the request it writes the
/// last answer again, for one that did not fit. A notification has the answer "".
KIN_API size_t kin_inspector_request(kin_inspector *inspector, const char *request, size_t size, char *answer,
                                     size_t capacity);

#else

static inline kin_inspector *kin_inspect(kin_world *world, const kin_inspector_options *options)
{
    (void)world, (void)options;
    return NULL;
}

static inline kin_inspector *kin_inspector_create(const kin_inspector_options *options)
{
    (void)options;
    return NULL;
}

static inline void kin_inspector_destroy(kin_inspector *inspector)
{
    (void)inspector;
}

static inline kin_status kin_inspector_add_world(kin_inspector *inspector, kin_world *world)
{
    (void)inspector, (void)world;
    return KIN_OK;
}

static inline kin_status kin_inspector_add(kin_inspector *inspector, kin_context *context, kin_systems *systems)
{
    (void)inspector, (void)context, (void)systems;
    return KIN_OK;
}

static inline bool kin_inspector_frame(kin_inspector *inspector, double *delta)
{
    (void)inspector, (void)delta;
    return true;
}

static inline const char *kin_inspector_address(const kin_inspector *inspector)
{
    (void)inspector;
    return "";
}

static inline uint64_t kin_inspector_cost(const kin_inspector *inspector)
{
    (void)inspector;
    return 0;
}

static inline size_t kin_inspector_request(kin_inspector *inspector, const char *request, size_t size, char *answer,
                                           size_t capacity)
{
    (void)inspector, (void)request, (void)size;
    if (capacity > 0)
        answer[0] = '\0';
    return 0;
}

#endif

KIN_END_DECLARATIONS

#endif

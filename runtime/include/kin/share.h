/// Sharing a context with threads, for programs that schedule their threads themselves.
///
/// A context belongs to one thread at a time. Between kin_context_begin_shared and kin_context_end_shared any number of
/// threads may use it at once, because its structure stands still: entities, components and members of groups stay what
/// they are.
///
///     kin_context_begin_shared(&game->base);
///     // on any threads: each piece on one of them
///     for (game_movers_iter it = game_movers_iterate_piece(game, piece, 0); game_movers_next(&it);)
///         ...
///     // on this thread, after the others have finished
///     kin_context_end_shared(&game->base);
///
/// Allowed meanwhile, from any thread: get, has, is and alive; kin_matches, kin_group_contains, kin_group_count and
/// kin_group_copy_entities; looking up primary indices, `game_copy_entities_with_…`, relations; iterating, whole or in
/// pieces; and writing values in place, through the columns of an iterator or `edit`. Two threads must not use one
/// value at once if one of them writes it.
///
/// Refused with KIN_ERROR_INVALID, NULL or no entity, with nothing changed: everything else, which changes the context
/// or an array that belongs to it. That is creating, destroying, spawning, cloning; adding, removing, replacing and
/// touching components, and changing lists; retaining and releasing; subscribing and unsubscribing; making groups and
/// collectors, and clearing collectors; `game_movers_entities` and the arrays of multi indices; walking an index;
/// saving, restoring, resetting, trimming. Setting a flag to the state that it has does nothing. `on_error` is not
/// called meanwhile: failures are counted, and reported with one call when sharing ends.
///
/// The executors of <kin/executor.h> run tasks on threads; libkin starts none.
#ifndef KIN_SHARE_H
#define KIN_SHARE_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

/// Begins sharing. The thread that updates the context calls it, and starts the work of other threads afterwards. Calls
/// nest: sharing ends with the last kin_context_end_shared.
///
/// Errors: KIN_ERROR_INVALID without a context, and inside a listener of the context. Cost: a few instructions for each
/// component and each declared group.
KIN_API kin_status kin_context_begin_shared(kin_context *context);

/// Ends what one kin_context_begin_shared began. The thread that updates the context calls it, after all others have
/// finished. If calls were refused since sharing began, `on_error` is called once with their number.
///
/// Errors: KIN_ERROR_INVALID without a context, and for a context that is not shared, as inside its listeners. Cost:
/// that of kin_context_begin_shared.
KIN_API kin_status kin_context_end_shared(kin_context *context);

KIN_END_DECLARATIONS

#endif

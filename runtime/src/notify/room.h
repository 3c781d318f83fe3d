// notify: the subscribers of groups, entities, contexts and events, and their calls when something changes
//
// watch.h lists the groups that watch a component; mask.h decides which of them a change concerns; their subscribers
// are called.
//
//   subscriber.h          lists of subscribers
//   watch.h               for each component the groups that watch it, and subscriptions to groups
//   spawn_watch.h         for each blueprint whether its spawns notify any group
//   walk.h                a walk over those groups that tolerates changes of the list
//   mask.h                whether a change of a component concerns a group, as one compare
//   journal.h             for each component its last additions and removals, for groups that patch their arrays
//   note.h                notes changes in the journal of a tool
//   direct.h              the one subscriber of a component that a replace calls without the library
//   event.h               subscriptions to entities and to the context
//   listener.h            listeners of generated events
//   dispatch.h            the changes that are being notified, nested
//   notify_subscribers.h  calls one list
//   notify_component.h    notifies that a component is added, removed or replaced
//   notify.h              the same for callers outside of the fast path, and the events of entities and groups

// context: contexts from creation to destruction, and all their memory and entities at once
//
//   context.c   create, destroy
//   share.c     begin and end sharing with threads
//   reset.h     destroy all entities, reset
//   holders.h   what holds a destroyed entity, in words
//   trim.c      release memory that is not needed
//   usage.c     memory in use, by kind
//   validate.h  all invariants of a context

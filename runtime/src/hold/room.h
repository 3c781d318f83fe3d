// hold: holds, which keep the slot of a destroyed entity from being used again
//
// Owns the counts of holds and the table of owners.
//
//   hold.h          adding and removing holds of an entity
//   retain.h        holds of owners, which users name by an address
//   hold_restore.h  holds after a restore of a snapshot
//
// Cycle: hold_restore.c and retain.c. Owners are in a table or counted, and what is saved is the same.

// hold: holders, which keep the slot of a destroyed entity from being used again
//
// Owns the counts of holders and the table of owners.
//
//   hold.h    holding an entity, and letting go of it
//   retain.h  holders that users name by an address

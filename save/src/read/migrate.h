// Migrations: functions of the program that decide about components which have another shape in the file, or which it
// lacks. Each is called for all entities of a chunk once its blocks were read: by component id, then by slot.
//
// What a value points to is copied after each call: strings, and the elements of lists. Opaque values are those of the
// value if the function returns true, and are dropped if not.
#ifndef KIN_SRC_MIGRATE_H
#define KIN_SRC_MIGRATE_H

#include "read/reading.h"

// Finds the components that are decided, once the file was matched. False, with a fault noted, if one has no function.
bool kin__migrating_begin(kin__reading *reading, const kin__matching *matching);

// Decides about the pending chunk, then makes this one pending; the last one of all. In a frame of a recording, where
// the blocks of a chunk do not follow each other, the first does nothing.
bool kin__migrating_next(kin__reading *reading, uint32_t chunk);
bool kin__migrating_finish(kin__reading *reading);

// Makes a chunk pending. False, with a fault noted, when out of memory.
bool kin__migrating_open(kin__reading *reading, uint32_t chunk);

// Drops what was loaded and not decided. Always called.
void kin__migrating_end(kin__reading *reading);

// Keeps the rest of the payload for records: values of a column, or values that were put aside and others.
bool kin__migrating_keep_column(kin__reading *reading, uint32_t component, const uint64_t has[KIN__CHUNK_WORDS],
                                const kin__decoder *decoder);
bool kin__migrating_keep_stashed(kin__reading *reading, uint32_t component, const kin__kept_places *places,
                                 const kin__decoder *decoder);

// Decodes the values of a component that is decided, to be stored when it is.
bool kin__migrating_decode(kin__reading *reading, kin__read_values *values);

#endif

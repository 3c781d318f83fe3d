// What the files of this room share.
#ifndef KIN_SRC_SAVE_READING_INTERNAL_H
#define KIN_SRC_SAVE_READING_INTERNAL_H

#include "base/base.h"
#include "reading/reading.h"

// Returns whether the migration of a component is to be asked about values that do not meet a condition of now, which
// ends this reading without a fault. False if it has none, or has decided.
static inline bool kin__migrating_ask(const kin__reading *reading, kin_component_id id)
{
    kin__asking *asking = reading->asking;
    bool may_ask = asking != NULL && !asking->is_asked;
    if (!may_ask || kin__decided_of(reading, id) != NULL)
        return false;
    asking->is_wanted = reading->context->info->components[id].migrates;
    return asking->is_wanted;
}

// Reads all blocks from a source that has begun, and completes the parts of the contexts, which the caller releases.
bool kin__file_read(kin__file_reading *file);

// ---- matching

// Finds the current component and field of each one of the file, by identities.
//
// These are kept if all values fit: numbers of another width or sign, numbers and enums, enums by name, bool to a
// number, strings of any kind, arrays of another length, `entity<a>` to `entity`. Anything else does not fit the
// schema, nor does what the schema neither has nor gives up. In a component with a migration, what does not fit has its
// default, and the migration decides.

enum { KIN__UNFIT_NAMES = 260 };

// Names of things in all contexts of a file that the schema lacks, and of fields whose types have no conversion.
typedef struct kin__unfit {
    char unknown[KIN__UNFIT_NAMES], types[KIN__UNFIT_NAMES];
} kin__unfit;

// What a file is matched with.
typedef struct kin__matching {
    const kin__shape *shape;
    const kin_read_options *options;
    const kin__migrations *migrations; // or NULL
} kin__matching;

// Matches a context of the file. What does not fit is added to `unfit`.
void kin__file_context_match(kin__file_context *context, const kin__matching *matching, kin__unfit *unfit);

// Matches a message of the file with a current one. Fields that do not fit are left out, as messages are of one moment.
void kin__file_message_match(kin__file_component *message, const kin__component_shape *now, const kin__shape *shape,
                             const kin_world_info *world);

// Returns the migration of a component, or NULL.
const kin__migration *kin__migration_of(const kin__matching *matching, kin_component_id id);

// Returns whether the schema gives up what has this name, or what it is in.
bool kin__is_given_up(const kin_package_info *package, const char *name);

// Adds a name to a list of names. The first name without room becomes "…".
void kin__unfit_add(char names[KIN__UNFIT_NAMES], const char *name);

// Returns true if nothing was added; else notes a fault. `version` is that of the schema that wrote the file.
bool kin__unfit_report(const kin__unfit *unfit, kin__fault *fault, const kin_package_info *package, uint32_t version);

// Notes that the schema has no room for the value of an entity, or of a message, and returns false. `from` are the
// bytes of a number or enum in the file; NULL for a text, and for an element that the array has no place for.
bool kin__unfit_value(const kin__read_values *values, const kin__file_leaf *leaf, uint32_t number,
                      const unsigned char *from);

// ---- values

// Decodes all leaves. False, with a fault noted, if a value is wrong or does not fit, or, with the first one, if more
// follows.
bool kin__values_decode(kin__read_values *values);
bool kin__values_decode_leaves(kin__read_values *values);

// Drops the opaque values that were loaded, of the values from this number on: they could not be stored.
void kin__values_drop(const kin__read_values *values, uint32_t from);

// ---- columns

// Begins the image of a column, which is the part's. NULL, with a fault noted, when out of memory. Values are copied,
// except opaque ones, which it has from then on. Ending it gives the entities their component.
kin__image *kin__column_begin(kin__reading *reading, uint32_t chunk, kin_component_id id);
bool kin__column_store(kin__reading *reading, kin__image *image, uint32_t place, const void *value);
bool kin__column_end(kin__reading *reading, uint32_t chunk, kin__image *image);

// Zeroes a field without ownership in the value at a place of an image that kin__column_copy has made. False, with a
// fault noted, when out of memory, which only shared values need.
bool kin__column_clear(kin__reading *reading, kin__image *image, uint32_t place, const kin_field_info *field);

// ---- kept values

// The places of a chunk that a block KEEP has values of, and of those the stashed ones.
typedef struct kin__kept_places {
    uint32_t chunk;
    uint64_t kept[KIN__CHUNK_WORDS], stashed[KIN__CHUNK_WORDS];
} kin__kept_places;

// Sets the bits of the slots whose last value of a component was read.
void kin__kept_mark(const kin__reading *reading, kin_component_id id, uint64_t *bits);

// Forgets the values that an entity has stashed: it is destroyed.
void kin__kept_forget(kin__reading *reading, uint32_t slot);

// ---- slots

// Makes the part of a context that the file does not have: it is empty.
bool kin__slots_make_empty(kin__reading *reading);

// Before slots are checked: makes the slot of an entity, whose components were removed, free.
void kin__slots_destroy(kin__reading *reading, uint32_t slot);

// After that: returns whether a system can have collected the entity, because it is alive, or its slot is in no list.
bool kin__slots_check_entity(kin__reading *reading, kin_entity entity);

// Then: holds the slot of the entity, if it is dead. False, with a fault noted, if another dead entity has it.
bool kin__slots_hold(kin__reading *reading, kin_entity entity);

// ---- records

// The entities of a chunk as the file has them, for migrations.
//
//   record    file | columns, by number of the component | place
//                        └→ has[8] | leaves ─→ the payload of a block COLM, or of KEEP for stashed values
//
// Invariants:
//   1. the payloads were decoded before, so that counts and lengths in them are those of the bytes that follow
//   2. nothing of a record is read before a migration asks for it; asking for ascending entities and elements costs no
//      more than one walk over the payload

// The elements of a leaf in a payload, and the place of the last one that was asked for.
typedef struct kin__record_leaf {
    kin__file_elements elements;
    uint32_t number;      // of a value
    size_t first;         // elements of all values before it
    size_t element, text; // a text by its number among all, and where it begins
} kin__record_leaf;

// The values that entities of the chunk had, or had put aside.
typedef struct kin__record_column {
    uint64_t has[KIN__CHUNK_WORDS];
    uint64_t places[KIN__CHUNK_WORDS]; // of the values in the payload, which may have more
    const unsigned char *bytes;
    size_t size;
    kin__record_leaf *leaves; // NULL before one was asked for
} kin__record_column;

struct kin_record {
    const kin__file_context *file;
    kin__record_column *columns, *stashed; // by number of the component
    uint32_t place;
    uint32_t version;
    void *user;
    kin__heap *heap; // of leaves and texts
};

// ---- migrations

// Finds the components that are decided, once the file was matched. False, with a fault noted, if one has no function.
bool kin__migrating_begin(kin__reading *reading, const kin__matching *matching);

// Decides about the pending chunk, then makes this one pending. In a frame of a recording, where the blocks of a chunk
// do not follow each other, it does nothing.
bool kin__migrating_next(kin__reading *reading, uint32_t chunk);

// Keeps the rest of the payload for records: values of a column, or values that were put aside and others.
bool kin__migrating_keep_column(kin__reading *reading, uint32_t component, const uint64_t has[KIN__CHUNK_WORDS],
                                const kin__decoder *decoder);
bool kin__migrating_keep_stashed(kin__reading *reading, uint32_t component, const kin__kept_places *places,
                                 const kin__decoder *decoder);

// Decodes the values of a component that is decided, to be stored when it is.
bool kin__migrating_decode(kin__reading *reading, kin__read_values *values);

// ---- when all blocks were read and slots were checked

// Frees the slots that are in no list, and that are not held.
bool kin__slots_finish(kin__reading *reading);

// Makes the links of all relations, which name living entities. LINK has the order of the holders of a target; holders
// that it does not list come last, by slot. False, with a fault noted, if a tree has a circle.
bool kin__links_finish(kin__reading *reading);

// Puts the kept values into the part.
bool kin__kept_finish(kin__reading *reading);

// Numbers the shared values of the part. A component without SHAR has its values in the order of their first uses: by
// slot, then those that only last values have. What the order has without its use gets no value, and values that it
// lacks get the lowest free numbers: values may have been converted, or decided by a migration.
bool kin__shared_values_finish(kin__reading *reading);

// Checks that unique components, and keys of primary indices, occur only once. A key with a NaN or a NULL string does
// not count, as no look-up can find it. The fault names both entities.
bool kin__keys_check(kin__reading *reading);

#endif

// file: files as blocks with checksums, their names and numbers; replaces files as a whole
//
//   writing  block writer → output → sink → kin__file, which writes beside the path and renames
//   reading  source → input → block reader → decoder of one payload
//
// This room needs no context and no allocator of one: kin itself reads and writes saves with it (generator/save).
//
// Invariants:
//   1. the first fault of a file is kept, and after it nothing is read, written or renamed
//   2. what a block or a list claims to have is allocated only as its bytes arrive, or after they were counted
//   3. a payload has up to KIN__BLOCK_LIMIT bytes, which the writer refuses to exceed and the reader to read
//   4. the numbers of the blocks of a file ascend from 0, and are part of their sums
//   5. names of one list ascend, so each occurs once; a file has up to KIN__FILE_COMPONENTS components
//   6. at a path is always the former file or the new one, complete
#ifndef KIN_SRC_SAVE_FILE_H
#define KIN_SRC_SAVE_FILE_H

#include "snapshot/snapshot.h"

#include <kin/error.h>
#include <kin/generated/save.h>
#include <kin/info.h>
#include <kin/save.h>
#include <kin/world.h>

#include <stddef.h>
#include <stdint.h>

// ---- faults

// A fault says why a file was refused. The first one is kept; later ones, which follow from it, are ignored.

enum { KIN__FAULT_SIZE = 448 }; // the message of a kin_error has 512

typedef struct kin__fault {
    kin_status status; // KIN_OK while nothing was noted
    char text[KIN__FAULT_SIZE];
} kin__fault;

#if defined(__MINGW32__)
#define KIN__LIKE_PRINTF(text, arguments) __attribute__((format(gnu_printf, text, arguments)))
#elif defined(__GNUC__)
#define KIN__LIKE_PRINTF(text, arguments) __attribute__((format(printf, text, arguments)))
#else
#define KIN__LIKE_PRINTF(text, arguments)
#endif

// Notes a fault, unless one is noted already. Returns false.
bool kin__fault_note(kin__fault *fault, kin_status status, const char *format, ...) KIN__LIKE_PRINTF(3, 4);

// ---- memory

// A heap is memory that is released as a whole, such as what a reading has from the allocator of its context.

typedef struct kin__heap_block kin__heap_block;

typedef struct kin__heap {
    kin__memory *memory;
    kin__heap_block *blocks; // newest first; bytes are taken from the newest
    kin__fault *fault;
} kin__heap;

// Returns memory for `count` elements, all zero. It is NULL, with a fault noted, only when out of memory.
void *kin__heap_take(kin__heap *heap, size_t count, size_t size);

void kin__heap_release(kin__heap *heap);

// ---- format

// Format 1 of files. Numbers are little-endian; a text is its length as u16, then UTF-8.
//
//   file    89 4B 49 4E 0D 0A 1A 0A | block | block | …     or one zstd frame of these
//   block   kind[4] size:u32 sum:u64 payload[size]
//
// The sum is the XXH64 of the kind, the size, the number of the block as u32, and the payload.

enum {
    KIN__FORMAT = 1,
    KIN__MAGIC_SIZE = 8,
    KIN__BLOCK_HEAD = 16,       // bytes of a block before its payload
    KIN__BLOCK_LIMIT = 1 << 26, // bytes of a payload
    KIN__WINDOW_LOG = 23,       // zstd may look back 8 MiB
    KIN__WHAT_SAVE = 1,
    KIN__WHAT_RECORDING = 2
};

static const unsigned char kin__magic[KIN__MAGIC_SIZE] = {0x89, 'K', 'I', 'N', '\r', '\n', 0x1a, '\n'};

// Returns the sum of a block. `kind` has four letters.
uint64_t kin__block_sum(const char *kind, uint32_t size, uint32_t number, const void *payload);

// ---- output

// Bytes to a sink, compressed or not. An output uses malloc, as the thread that writes need not be that of the context.

typedef struct kin__output {
    kin_sink sink;
    struct ZSTD_CCtx_s *zstd; // NULL if the file is not compressed
    unsigned char *packed;    // compressed bytes for the sink
    kin__fault *fault;
} kin__output;

// False, with a fault noted, when out of memory. Call kin__output_end in any case.
bool kin__output_begin(kin__output *output, kin_sink sink, int level, kin__fault *fault);

// Writes bytes. False after a fault.
bool kin__output_write(kin__output *output, const void *bytes, size_t size);

// Passes all bytes written so far to the sink, so that a reader can read them. False after a fault.
bool kin__output_flush(kin__output *output);

// Writes the remaining bytes, unless a fault is noted, and releases all memory. False after a fault.
bool kin__output_end(kin__output *output);

// ---- input

// Bytes from a source, which may be compressed. It never reads more of the source than it needs.

typedef struct kin__input {
    kin_source source;
    uint64_t offset, limit;   // bytes read so far, and the most allowed
    struct ZSTD_DCtx_s *zstd; // NULL if the file is not compressed
    unsigned char *packed;    // compressed bytes from the source
    size_t packed_at, packed_size, hint;
    bool frame_is_over;
    bool has_ended; // the source gave fewer bytes than were asked for
    kin__fault *fault;
} kin__input;

// Reads the magic bytes. `limit` counts bytes after decompression. False, with a fault noted, if it is not a file of
// Kin. Call kin__input_end in any case.
bool kin__input_begin(kin__input *input, kin_source source, uint64_t limit, kin__fault *fault);

// Returns the number of bytes read, less than `size` at the end or after a fault.
size_t kin__input_read(kin__input *input, void *bytes, size_t size);

// Whether the compressed frame ends here and its own checksum is correct. False, with a fault noted, if not.
bool kin__input_is_over(kin__input *input);

void kin__input_end(kin__input *input);

// ---- writer

// Writes blocks, one after the other. The payload of a block is kept in memory until it ends, as its size and sum
// precede it.

typedef struct kin__block_writer {
    kin__output *output;
    uint32_t number;      // of the next block
    unsigned char *bytes; // room for the head of a block, then its payload
    size_t size, capacity;
} kin__block_writer;

// Writes the magic bytes.
void kin__block_writer_begin(kin__block_writer *writer, kin__output *output);
void kin__block_writer_end(kin__block_writer *writer);

// Append to the payload. When out of memory, or beyond the limit of a block, they note a fault and append nothing.
void kin__write_bytes(kin__block_writer *writer, const void *bytes, size_t size);
void kin__write_8(kin__block_writer *writer, uint8_t number);
void kin__write_16(kin__block_writer *writer, uint16_t number);
void kin__write_32(kin__block_writer *writer, uint32_t number);
void kin__write_64(kin__block_writer *writer, uint64_t number);
void kin__write_text(kin__block_writer *writer, const char *text);

// Returns the address of `size` new bytes of the payload, for the caller to fill; NULL after a fault.
unsigned char *kin__block_writer_room(kin__block_writer *writer, size_t size);

// Ends the payload and writes the block. `kind` has four letters.
void kin__block_writer_put(kin__block_writer *writer, const char *kind);

// ---- reader

// Reads blocks, one after the other. The size that a block claims is allocated only as its bytes arrive.

typedef struct kin__block_reader {
    kin__input *input;
    bool has_block;       // a block was read
    uint32_t number;      // of the block that was read last
    char kind[4];         // of that block
    uint64_t offset;      // at which it begins
    unsigned char *bytes; // its payload
    size_t size, capacity;
} kin__block_reader;

void kin__block_reader_begin(kin__block_reader *reader, kin__input *input);
void kin__block_reader_end(kin__block_reader *reader);

// Reads the next block, whose payload has up to `limit` bytes. False, with a fault noted, if it fails.
bool kin__block_reader_next(kin__block_reader *reader, size_t limit);

// Whether the block that was read last is of this kind.
bool kin__block_reader_is(const kin__block_reader *reader, const char *kind);

// Notes that the block is invalid, with its number and place. Returns false.
bool kin__block_reader_fault(kin__block_reader *reader, int code, const char *format, ...) KIN__LIKE_PRINTF(3, 4);

// ---- decoding

// The numbers and texts of a payload. After the end of the payload, numbers are 0, and `is_short` is set.

typedef struct kin__decoder {
    const unsigned char *at, *end;
    bool is_short; // the payload ended too early
} kin__decoder;

// Returns a decoder of the block that was read last, valid until the next block is read.
static inline kin__decoder kin__decoder_of(const kin__block_reader *reader)
{
    const unsigned char *end = reader->bytes;
    if (reader->size > 0) // `bytes` may be NULL otherwise
        end += reader->size;
    return (kin__decoder){reader->bytes, end, false};
}

static inline size_t kin__decoder_left(const kin__decoder *decoder)
{
    return (size_t)(decoder->end - decoder->at);
}

// Returns the next `size` bytes; NULL if fewer are left.
const unsigned char *kin__decode_bytes(kin__decoder *decoder, size_t size);

uint8_t kin__decode_8(kin__decoder *decoder);
uint16_t kin__decode_16(kin__decoder *decoder);
uint32_t kin__decode_32(kin__decoder *decoder);
uint64_t kin__decode_64(kin__decoder *decoder);

// Returns the letters of a text, without a NUL, and sets `*size` to their number.
const char *kin__decode_text(kin__decoder *decoder, size_t *size);

// Whether the block was decoded exactly to its end. Notes a fault if not.
bool kin__decoder_end(kin__decoder *decoder, kin__block_reader *reader);

// Whether the bytes are UTF-8 without NUL and control characters.
bool kin__is_name(const char *letters, size_t size);

// ---- head

// The first two blocks of a file, HEAD and META.
//
//   HEAD   format:u16 what:u16 version:u32 frame:u64 package:text writer:text
//   META   the program's own bytes; may be missing

typedef struct kin__head {
    uint32_t version;
    uint64_t frame;
    bool is_recording;
    const char *package; // `package_size` letters without a NUL; after a read valid until the next block is read
    size_t package_size;
} kin__head;

// Writes both. `package` ends with a NUL.
void kin__head_write(kin__block_writer *writer, const kin__head *head, const kin_write_options *options);

// Reads HEAD, the first block.
bool kin__head_read(kin__block_reader *reader, kin__head *head);

// ---- the schema of a file

// The identities and types of everything in a file, from its block SHAP. All lists are sorted by the bytes of their
// names; later blocks refer to entries by their index.
//
//   SHAP    contexts:u32 × context, messages:u32 × message
//   context name:text, components:u32 × { name:text, flags:u8 (1 unique), leaves:u16 × leaf }
//   message name:text, leaves:u16 × leaf
//   leaf    path:text, type:u8 (kin_type, and 128 of a list), elements:u32, values:u16 × { name:text, number:i64 }
//
// The values of an enum are its names; a handle of one context has that context, with the number 0, as its only value.
// `elements` of a list counts those in each of its elements.
//
// Names are copies, which end with a NUL. What begins with `now`, or says what becomes of a value, is empty until the
// schema is matched (read/match.c).

enum {
    KIN__LEAF_IS_LIST = 128,
    KIN__COMPONENT_IS_UNIQUE = 1,
    KIN__FILE_COMPONENTS = 65535, // of a file, at most; also the names of an enum, and the leaves of a component
};

// A name of an enum, or the context of a handle.
typedef struct kin__file_value {
    const char *name;
    int64_t number;
    int64_t now;   // the current number of the name
    bool is_known; // the current enum has the name
    bool is_given_up;
} kin__file_value;

typedef struct kin__file_leaf {
    const char *path;
    kin_type type;
    bool is_list;
    uint32_t elements, value_count;
    kin__file_value *values;
    const kin__value_leaf *now; // NULL if its values are dropped
    bool is_converted;
} kin__file_leaf;

typedef struct kin__file_component {
    const char *name;
    uint32_t leaf_count;
    kin__file_leaf *leaves;
    bool is_unique;
    bool is_reshaped;                            // other fields, types, lengths, names of values, or `unique`, than now
    const kin__component_shape *now;             // NULL if its values are dropped
    const kin__migration *migration;             // of the component of now, or NULL
    bool is_converted, is_defaulted, is_dropped; // for each value: of some of its fields
} kin__file_component;

typedef struct kin__file_context {
    const char *name;
    uint32_t component_count;
    kin__file_component *components;
    const kin_world_info *world; // has the contexts that handles may be of; NULL if it is not known
} kin__file_context;

typedef struct kin__file_schema {
    uint32_t context_count;
    kin__file_context *contexts;
    uint32_t message_count;
    kin__file_component *messages;
} kin__file_schema;

// Parses the block that was read last. False, with a fault noted, if it is invalid.
bool kin__file_schema_read(kin__file_schema *schema, kin__block_reader *reader, kin__heap *heap);

// ---- the schema that is written

// The contexts of a snapshot that are in its file, sorted by the bytes of their identities, and the leaves of its
// messages.

typedef struct kin__written_part {
    const kin__context_snapshot *part;
    kin__shape *shape;
} kin__written_part;

typedef struct kin__written_parts {
    kin__written_part *parts;
    uint32_t count;
    const kin_world_info *world; // whose systems are in the file; NULL if the file has no systems
    kin__message_leaves messages;
    kin__memory memory; // of the shapes: malloc's
    kin__fault *fault;
} kin__written_parts;

// Writes SHAP. Notes a fault if a list is longer than files may have it.
void kin__schema_write(kin__block_writer *writer, const kin__written_parts *parts);

// ---- values

// The values that files may have. Writers and readers ask the same functions.

// A bool is 0 or 1, a handle is 0 or has a creation index. All numbers of other types are values, also those that an
// enum does not name, and NaN.
static inline bool kin__leaf_allows(kin_type type, uint64_t bits)
{
    if (type == KIN_TYPE_BOOL)
        return bits <= 1;
    if (type != KIN_TYPE_ENTITY || bits == 0)
        return true;
    return kin_entity_creation_index(bits) != 0;
}

// Whether a string in place has room for the letters and a NUL.
static inline bool kin__leaf_has_room(const kin__value_leaf *leaf, size_t length)
{
    return length < leaf->width;
}

// Whether files may have the clock.
static inline bool kin__clock_is_finite(const kin__saved_clock *clock)
{
    bool is_step_finite = kin__is_finite(clock->accumulated) && kin__is_finite(clock->origin);
    bool is_rest_finite = kin__is_finite(clock->time) && kin__is_finite(clock->dropped);
    return is_step_finite && is_rest_finite;
}

// Returns the name of an enum value in files.
static inline const char *kin__enum_value_identity(const kin_enum_value_info *info)
{
    if (info->identity == NULL)
        return info->name;
    return info->identity;
}

// ---- elements

// The elements that one leaf has in several values, in a payload. The length of a NULL string is KIN__NO_TEXT, and so
// is the length of an opaque value that could not be saved.
//
//   [ count:u32 of each value, of a list ] [ length:u32 of each text ] the numbers, or the letters of the texts

#define KIN__NO_TEXT UINT32_MAX

typedef struct kin__file_elements {
    kin_type type;
    bool is_list;
    uint32_t per_value;           // elements of each value, unless it is a list
    const unsigned char *counts;  // of lists, or NULL
    const unsigned char *lengths; // of texts, or NULL
    const unsigned char *bytes;   // the numbers or letters; NULL if the payload ends before their end
    uint64_t total;               // elements of all values
} kin__file_elements;

// Finds the elements of so many values by the first three members, and moves past them. False if the payload ends too
// early; `lengths` is set if all lengths are there.
bool kin__file_elements_take(kin__file_elements *elements, kin__decoder *decoder, uint32_t values);

static inline uint32_t kin__file_elements_of(const kin__file_elements *elements, uint32_t value)
{
    if (elements->counts == NULL)
        return elements->per_value;
    return kin__little_read_32(elements->counts + value * sizeof(uint32_t));
}

static inline uint32_t kin__file_text_length(const kin__file_elements *elements, size_t text)
{
    return kin__little_read_32(elements->lengths + text * sizeof(uint32_t));
}

// ---- numbers

// Converts one number, handle or enum of a file to its current type, if the value fits.

// A number of any type, exactly.
typedef struct kin__file_number {
    bool is_floating;
    bool is_large; // `integer` is to be read as unsigned
    int64_t integer;
    double floating;
} kin__file_number;

// Only KIN__CONVERTED has written something.
typedef enum kin__conversion {
    KIN__CONVERTED,
    KIN__GIVEN_UP, // a name of an enum that the schema gives up
    KIN__UNFIT,    // the type of now has no room for it
    KIN__WRONG     // no value of the type that it had
} kin__conversion;

// Returns the size in bytes of one element in a file; 0 for strings and opaque values, which have a length.
size_t kin__file_width(kin_type type);

// Reads an element that is a number, a bool, an enum or a handle.
kin__file_number kin__file_number_read(kin_type type, const unsigned char *from);

// Returns the nearest double. Integers beyond 2^53 are rounded.
double kin__file_number_as_double(const kin__file_number *number);

// Writes the element of now to `to`, which need not be aligned.
kin__conversion kin__convert(const kin__file_leaf *leaf, const unsigned char *from, void *to);

// ---- frames

// A block FRAM of a recording, as it is read. Its parts point into the payload, and are valid until the next block is
// read.
//
//   FRAM   frame:u64, delta:f64, hash of the state after the update:u64,
//          hashes:u16 × { context:u32, component:u32, hash:u64 }, the parts that changed before the update,
//          and the parts that the update changed, which are empty if the recording has no states
//   parts  count:u32 × { kind[4], size:u32, payload[size] }

// A block that replaces another one.
typedef struct kin__frame_part {
    char kind[4];
    kin__decoder decoder; // of its payload
} kin__frame_part;

typedef struct kin__frame_parts {
    kin__frame_part *parts;
    uint32_t count;
} kin__frame_parts;

typedef struct kin__frame_hash {
    uint32_t context, component;
    uint64_t hash;
} kin__frame_hash;

typedef struct kin__read_frame {
    uint64_t number;
    double delta;
    uint64_t hash;
    kin__frame_hash *hashes;
    uint32_t hash_count;
    kin__frame_parts outside, states;
} kin__read_frame;

// Reads the block that was read last. Its lists are in the heap. False, with a fault noted, if it is wrong.
bool kin__frame_read(kin__read_frame *frame, kin__block_reader *reader, kin__heap *heap);

// Returns the number of the frame that was read last, and nothing else of it.
uint64_t kin__frame_number(const kin__block_reader *reader);

static inline bool kin__frame_part_is(const kin__frame_part *part, const char *kind)
{
    return memcmp(part->kind, kind, sizeof part->kind) == 0;
}

// ---- files at paths

// A file is written beside the former one, flushed to the disk and renamed, then the folder is flushed. Whenever this
// is interrupted, the path has the former file or the new one. Files are what the user has made them: links are
// followed, and the file at their end is replaced; it keeps its rights. Pipes and devices are written to, and so are
// descriptors of the process, such as /dev/stdout, at their position.

enum { KIN__TARGET_SIZE = 4096 };

typedef enum kin__target_kind {
    KIN__TARGET_MISSING, // to be created
    KIN__TARGET_FILE,    // to be replaced
    KIN__TARGET_STREAM   // a pipe, a device or a file without a name: to be written to
} kin__target_kind;

// What stands at a path that is to be written.
typedef struct kin__target {
    kin__target_kind kind;
    char path[KIN__TARGET_SIZE]; // without links at its end, unless it is a stream
    int descriptor;              // that the path names, or -1
    uint32_t mode, owner, group; // of a file
} kin__target;

// Finds what stands at the path. Returns 0 or the errno: ELOOP for a circle of links, EISDIR for a folder, EACCES for a
// file without the right to write.
int kin__target_find(kin__target *target, const char *path);

// Opens a stream to write to. Returns the descriptor, or -1 with errno set.
int kin__target_open(const kin__target *target);

// Gives a new file the owner, the rights and the attributes of the file that it is to replace, as far as the process
// may. A file that was missing has the rights that it was created with.
void kin__target_keep(const kin__target *target, int descriptor);

typedef struct kin__file {
    const char *path;
    kin__target target;
    char *beside;   // the path of the target with ".new", or the path of the stream
    bool is_beside; // false for a stream
    int number;     // the descriptor, or -1 while the file is not open
    kin__fault *fault;
} kin__file;

// Opens the file beside `path`. False, with a fault noted, when that fails. Call kin__file_end in any case.
bool kin__file_begin(kin__file *file, const char *path, kin__fault *fault);

// Returns a sink that writes to the file, and notes a fault with the system's message.
kin_sink kin__file_sink(kin__file *file);

// Renames the file to `path`; after a fault, removes it instead. False after a fault.
bool kin__file_end(kin__file *file);

// A file to read from.
typedef struct kin__read_file {
    const char *path;
    int number;
    kin__fault *fault;
} kin__read_file;

// Opens the file. False, with a fault noted, when that fails.
bool kin__read_file_begin(kin__read_file *file, const char *path, kin__fault *fault);

// Returns a source that reads the file, and notes a fault with the system's message.
kin_source kin__read_file_source(kin__read_file *file);

void kin__read_file_end(kin__read_file *file);

#endif

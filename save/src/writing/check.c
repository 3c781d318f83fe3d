
#include "file/file.h"
#include "world/world.h"
#include "writing/writing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PLACE = 300, SYSTEM_NAME = 150 }; // letters
enum { COLLECTED_SIZE = 12 };            // bytes of an entity that was collected

// The values of some entities, or of one message, in a payload.
typedef struct check {
    kin__fault *fault;
    kin__decoder decoder;
    const char *name; // of the component, or of the message
    const kin__leaves *leaves;
    uint32_t count;          // of the values
    const kin__block *block; // NULL for a message
    const uint64_t *has;     // the places of the values in the block
    const char *system;      // the system that the message waits for
} check;

// The elements of one leaf of all values.
typedef struct elements {
    const kin__value_leaf *leaf;
    kin__file_elements in; // the payload
} elements;

// ---- what is reported

// Writes where a value is. An entity that is dead has a last value, and is named by its slot.
static void describe_entity(const check *check, uint32_t number, char place[PLACE])
{
    const kin__block *block = check->block;
    const kin__image *head = kin__part_image(block->part, block->chunk, kin__head_number(block->shape->info));
    uint32_t at = 0;
    KIN_ASSERT(number < check->count);
    for (; at < KIN__CHUNK_SLOTS; at++)
        if (kin__bits_have(check->has, at) && number-- == 0)
            break;
    KIN_ASSERT(at < KIN__CHUNK_SLOTS);
    uint32_t slot = block->chunk * KIN__CHUNK_SLOTS + at;
    if (head != NULL && kin__bits_have(kin__image_alive(head), at))
        snprintf(place, PLACE, "entity %" PRIu64 " in slot %" PRIu32 " of '%.63s'",
                 kin_entity_creation_index(kin__image_ids(head)[at]), slot, block->shape->info->name);
    else
        snprintf(place, PLACE, "the dead entity of slot %" PRIu32 " of '%.63s'", slot, block->shape->info->name);
}

// Finds the value that an element is of, and its number in that value.
static uint32_t value_of(const kin__file_elements *elements, size_t *element)
{
    uint32_t number = 0;
    for (uint32_t count; *element >= (count = kin__file_elements_of(elements, number)); number++)
        *element -= count;
    return number;
}

// Notes a fault in an element of a leaf.
static bool refuse(const check *check, const elements *elements, size_t element, const char *what)
{
    char place[PLACE];
    char which[32] = "";
    uint32_t number = value_of(&elements->in, &element);
    if (elements->in.counts != NULL || elements->leaf->elements > 1)
        snprintf(which, sizeof which, "element %zu of ", element);
    if (check->block != NULL)
        describe_entity(check, number, place);
    else
        snprintf(place, sizeof place, "a message that waits for '%s'", check->system);
    return kin__fault_note(check->fault, KIN_ERROR_INVALID, "%s%.80s.%.80s of %s %s", which, check->name,
                           elements->leaf->path, place, what);
}

// ---- leaves

// Whether a leaf may have a value that no file may have.
static bool is_checked(const kin__value_leaf *leaf)
{
    switch (leaf->field->type) {
    case KIN_TYPE_BOOL:
    case KIN_TYPE_ENTITY:
    case KIN_TYPE_INLINE_STRING:
    case KIN_TYPE_OPAQUE:
        return true;
    default:
        return false;
    }
}

// Looks at all before it looks for the first: compilers make the loops wide.
static bool check_bools(const check *check, const elements *elements)
{
    bool are_valid = true;
    size_t i = 0;
    for (size_t k = 0; k < elements->in.total; k++)
        are_valid &= kin__leaf_allows(KIN_TYPE_BOOL, elements->in.bytes[k]);
    while (!are_valid && kin__leaf_allows(KIN_TYPE_BOOL, elements->in.bytes[i]))
        i++;
    return are_valid || refuse(check, elements, i, "is neither true nor false; store only these in a bool");
}

static bool check_handles(const check *check, const elements *elements)
{
    bool are_valid = true;
    size_t i = 0;
    for (size_t k = 0; k < elements->in.total; k++)
        are_valid &= kin__leaf_allows(KIN_TYPE_ENTITY, kin__little_read_64(elements->in.bytes + k * sizeof(uint64_t)));
    while (!are_valid &&
           kin__leaf_allows(KIN_TYPE_ENTITY, kin__little_read_64(elements->in.bytes + i * sizeof(uint64_t))))
        i++;
    return are_valid ||
           refuse(check, elements, i, "is no handle that Kin has made; store one that a call returned, or none");
}

static bool check_lengths(const check *check, const elements *elements)
{
    const kin__value_leaf *leaf = elements->leaf;
    for (size_t i = 0; i < elements->in.total; i++) {
        uint32_t length = kin__file_text_length(&elements->in, i);
        if (leaf->field->type == KIN_TYPE_INLINE_STRING && !kin__leaf_has_room(leaf, length))
            return refuse(check, elements, i,
                          "has no NUL at its end; shorten the text, or give the field more letters");
        if (leaf->field->type == KIN_TYPE_OPAQUE && length == KIN__NO_TEXT)
            return refuse(check, elements, i, "needs more than 65536 bytes, as its save function says; save fewer");
    }
    return true;
}

static bool check_leaf(check *check, const kin__value_leaf *leaf)
{
    elements elements = {.leaf = leaf,
                         .in = {.type = leaf->field->type, .is_list = leaf->is_list, .per_value = leaf->elements}};
    bool is_whole = kin__file_elements_take(&elements.in, &check->decoder, check->count);
    if (elements.in.lengths != NULL && !check_lengths(check, &elements))
        return false;
    if (!is_whole)
        return false;
    if (leaf->field->type == KIN_TYPE_BOOL)
        return check_bools(check, &elements);
    return leaf->field->type != KIN_TYPE_ENTITY || check_handles(check, &elements);
}

// Only the save function of an opaque type can write less, or more, than it has announced.
static bool refuse_save_function(const check *check)
{
    return kin__fault_note(check->fault, KIN_ERROR_INVALID,
                           "the save function of an opaque field of %.80s wrote another number of bytes than it had "
                           "returned; make both depend on the value alone",
                           check->name);
}

static bool check_leaves(check *check, uint32_t count)
{
    KIN_ASSERT(count <= check->leaves->count);
    for (uint32_t i = 0; i < count; i++)
        if (!check_leaf(check, &check->leaves->leaves[i]))
            return refuse_save_function(check);
    return true;
}

// Returns how many leaves to look at: up to the last one that is checked, and all if one is opaque.
static uint32_t count_leaves(const kin__leaves *leaves)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < leaves->count; i++) {
        if (leaves->leaves[i].field->type == KIN_TYPE_OPAQUE)
            return leaves->count;
        if (is_checked(&leaves->leaves[i]))
            count = i + 1;
    }
    return count;
}

// ---- blocks of contexts

static void decode_words(kin__decoder *decoder, uint64_t words[KIN__CHUNK_WORDS])
{
    for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
        words[i] = kin__decode_64(decoder);
}

static kin__decoder decoder_of(const kin__block_writer *writer, size_t begin)
{
    const unsigned char *payload = writer->bytes + KIN__BLOCK_HEAD;
    KIN_ASSERT(begin <= writer->size);
    return (kin__decoder){payload + begin, payload + writer->size, false};
}

static bool has_values(const kin__block *block)
{
    return block->kind == KIN__BLOCK_COLUMN || block->kind == KIN__BLOCK_KEPT;
}

bool kin__block_check(const kin__block_writer *writer, const kin__block *block, size_t begin)
{
    uint64_t has[KIN__CHUNK_WORDS], stashed[KIN__CHUNK_WORDS];
    if (!has_values(block))
        return true;
    const kin__component_shape *component = &block->shape->components[block->component];
    uint32_t count = count_leaves(&component->leaves);
    if (count == 0)
        return true;
    check check = {.fault = writer->output->fault,
                   .decoder = decoder_of(writer, begin),
                   .name = component->info->name,
                   .leaves = &component->leaves,
                   .block = block,
                   .has = has};
    decode_words(&check.decoder, has);
    if (block->kind == KIN__BLOCK_KEPT)
        decode_words(&check.decoder, stashed);
    check.count = kin__bits_count(has, KIN__CHUNK_WORDS);
    KIN_ASSERT(check.count > 0);
    if (!check_leaves(&check, count))
        return false;
    bool is_whole = count < component->leaves.count || kin__decoder_left(&check.decoder) == 0;
    return is_whole || refuse_save_function(&check);
}

// ---- systems

static double decode_double(kin__decoder *decoder)
{
    uint64_t bits = kin__decode_64(decoder);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static bool check_clock(check *check)
{
    kin__decoder *decoder = &check->decoder;
    kin__saved_clock clock = {.time = decode_double(decoder)};
    clock.frame = kin__decode_64(decoder);
    if (kin__decode_8(decoder) == 1) {
        clock.accumulated = decode_double(decoder);
        clock.origin = decode_double(decoder);
        clock.dropped = decode_double(decoder);
        kin__decode_bytes(decoder, 2 * sizeof(uint64_t));
    }
    return kin__clock_is_finite(&clock) ||
           kin__fault_note(check->fault, KIN_ERROR_INVALID,
                           "the time of '%s' is not a finite number, as its deltas add up to more than a double has; "
                           "set the time, and pass smaller deltas",
                           check->system);
}

static void skip(kin__decoder *decoder, size_t size)
{
    kin__decode_bytes(decoder, kin__decode_32(decoder) * size);
}

static bool check_inbox(const kin__written_parts *parts, check *check)
{
    uint32_t number = kin__decode_32(&check->decoder);
    uint32_t count = kin__decode_32(&check->decoder);
    uint32_t message = 0;
    KIN_ASSERT(number < parts->world->message_count);
    while (kin__message_number(parts->world, message) != number)
        message++;
    check->name = parts->world->messages[message].name;
    check->leaves = &parts->messages.of[message];
    for (uint32_t i = 0; i < count; i++) {
        kin__decode_64(&check->decoder); // the serial
        if (!check_leaves(check, check->leaves->count))
            return false;
    }
    return true;
}

bool kin__system_check(const kin__block_writer *writer, const kin__written_parts *parts, size_t begin)
{
    char name[SYSTEM_NAME];
    size_t size;
    check check = {.fault = writer->output->fault, .decoder = decoder_of(writer, begin), .count = 1, .system = name};
    const char *path = kin__decode_text(&check.decoder, &size);
    if (size == 0)
        snprintf(name, sizeof name, "%s", "the world");
    else
        snprintf(name, sizeof name, "%.*s", (int)kin__min_size(size, SYSTEM_NAME - 1), path);
    kin__decode_8(&check.decoder); // the flags
    if (!check_clock(&check))
        return false;
    skip(&check.decoder, COLLECTED_SIZE);
    skip(&check.decoder, sizeof(kin_entity)); // the members
    uint32_t count = kin__decode_16(&check.decoder);
    for (uint32_t i = 0; i < count; i++)
        if (!check_inbox(parts, &check))
            return false;
    return true;
}

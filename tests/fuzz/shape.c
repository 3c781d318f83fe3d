// Fuzzing shapes: any bytes as a shape, or edits of one of three versions of a schema, which a program of another
// version reads. Where both can meet, the rest of the input edits a frame of the first version, which goes through the
// map, and is read as a message.
//
// What is refused changes nothing. What is accepted can be restored, which a checked build checks.
#include "net/ferry_case.h"
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { VERSIONS = 3, MOST = 1 << 16, EDIT_SIZE = 4, SUM_SIZE = 4 };

typedef struct bytes {
    unsigned char at[MOST];
    size_t size, read;
} bytes;

static bytes shapes[VERSIONS], frame;
static kin__net_info infos[VERSIONS];

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool take(const void *from, size_t size, void *user)
{
    bytes *to = user;
    expect(size <= MOST, "a frame is too large for this program");
    memcpy(to->at, from, size);
    to->size = size;
    return true;
}

static size_t give(void *to, size_t size, void *user)
{
    bytes *from = user;
    size_t left = from->size - from->read;
    size_t piece = left < size ? left : size;
    memcpy(to, from->at + from->read, piece);
    from->read += piece;
    return piece;
}

// A host of the first version, a replica of the second one, and what they would send.
static void begin(void)
{
    static const kin_memory_options network;
    for (uint32_t i = 0; i < VERSIONS; i++) {
        kin__bytes_out out = {.memory = kin__memory_of((kin_allocator){0})};
        infos[i] = ferry_info((ferry_version)i, "ferry");
        kin__shape_put(&out, &infos[i]);
        expect(!out.has_failed && take(out.at, out.size, &shapes[i]), "a shape is not written");
        kin__bytes_out_release(&out);
    }
    ferry_begin(FERRY_FIRST, &network);
    ferry_fill();
    ferry_join(FERRY_SECOND);
    ferry_steps(4);
    kin_view view = {.zone = 1, .epoch = 1, .number = 1000};
    kin_snapshot *now = NULL;
    expect(first_ferry1_world_save(ferries[0].first, &now) == KIN_OK, "it is not saved");
    expect(kin_frame_make(NULL, now, &view, (kin_sink){take, &frame}) == KIN_OK, "it makes no frame");
    kin_snapshot_destroy(now);
}

static void edit(bytes *edited, const uint8_t *by)
{
    size_t at = ((size_t)by[0] | (size_t)by[1] << 8) % edited->size;
    switch (by[2] % 4) {
    case 0:
        edited->at[at] = by[3];
        break;
    case 1:
        edited->at[at] ^= (unsigned char)(1 << by[3] % 8);
        break;
    case 2: // takes bytes out
        if (edited->size - at > (size_t)by[3] + SUM_SIZE) {
            memmove(edited->at + at, edited->at + at + by[3], edited->size - at - by[3]);
            edited->size -= by[3];
        }
        break;
    default: // puts a byte in
        if (edited->size == MOST)
            return;
        memmove(edited->at + at + 1, edited->at + at, edited->size - at);
        edited->at[at] = by[3];
        edited->size++;
    }
}

static void apply(const kin__shape_map *map, const uint8_t *by, size_t size)
{
    static bytes edited;
    static kin_snapshot *shown;
    edited = frame;
    for (; size >= EDIT_SIZE; by += EDIT_SIZE, size -= EDIT_SIZE)
        edit(&edited, by);
    size_t end = edited.size - SUM_SIZE;
    kin__little_write_32(edited.at + end, (uint32_t)kin__xxh64_of(edited.at, end, 0));
    expect(second_ferry2_world_save(ferries[1].second, &shown) == KIN_OK, "it is not saved");
    uint64_t hash = kin_snapshot_hash(shown);
    error_log_clear(&ferries[1].errors);
    if (kin__frames_apply(&shown, (kin_source){give, NULL, &edited}, map) != KIN_OK) {
        expect(ferries[1].errors.count == 1, "a frame was refused without a word");
        expect(kin_snapshot_hash(shown) == hash, "a frame that was refused changed something");
        return;
    }
    second_ocean_context *other = second_ocean_context_create(NULL);
    expect(second_ocean_restore(other, shown, KIN_RESTORE_EXACTLY) == KIN_OK, "it is not restored");
    second_ocean_context_destroy(other);
}

static void read_messages(const kin__shape_map *map, const uint8_t *by, size_t size)
{
    static max_align_t value[64];
    for (uint32_t i = 0; i < map->from->message_count; i++) {
        const kin__net_message *to = map->messages[i].to;
        kin__bytes_in in = kin__bytes_begin(by, size);
        expect(to == NULL || to->size <= sizeof value, "a message is too large for this program");
        kin__net_message_convert(&in, &map->messages[i], to == NULL ? NULL : value);
    }
}

// Reads a shape as a replica of the second version does, or as a host.
static void read_shape(const bytes *shape, const uint8_t *by, size_t size)
{
    char names[KIN__SHAPE_NAMES];
    kin__memory memory = kin__memory_of((kin_allocator){0});
    kin__fault fault = {KIN_OK, ""};
    kin__heap heap = {.memory = &memory, .fault = &fault};
    kin__bytes_in in = kin__bytes_begin(shape->at, shape->size);
    const kin__net_info *info = kin__shape_take(&in, &heap);
    expect((info == NULL) == (in.fault != NULL), "a shape was refused without a word");
    if (info != NULL && kin__shapes_meet(info, &infos[FERRY_SECOND], names)) {
        const kin__shape_map *map = kin__shape_map_make(&heap, info, &infos[FERRY_SECOND], false);
        apply(map, by, size);
        read_messages(map, by, size);
    }
    if (info != NULL && kin__shapes_meet(&infos[FERRY_SECOND], info, names))
        read_messages(kin__shape_map_make(&heap, info, &infos[FERRY_SECOND], true), by, size);
    kin__heap_release(&heap);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static bytes shape;
    if (size < 2)
        return 0;
    if (frame.size == 0)
        begin();
    size_t version = input[0] % (VERSIONS + 1);
    size_t edits = input[1] % 8;
    input += 2;
    size -= 2;
    if (version == VERSIONS) {
        take(input, size < MOST ? size : MOST, &shape);
        read_shape(&shape, input, 0);
        return 0;
    }
    shape = shapes[version];
    for (size_t i = 0; i < edits && size >= EDIT_SIZE; i++, input += EDIT_SIZE, size -= EDIT_SIZE)
        edit(&shape, input);
    read_shape(&shape, input, size);
    return 0;
}

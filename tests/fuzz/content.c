// Fuzzing content: any bytes as a pack, with the sums of its blocks made right, or as a content file.
//
// A pack that is read makes the same bytes when it is written. A file that is compiled makes a pack that can be read.
#undef _XOPEN_SOURCE
#define _GNU_SOURCE // for memfd_create
#include "generator/content/content.h"
#include "fuzz/verbs.h"
#include "generator/schema/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// ---- packs

static void sum(unsigned char *bytes, size_t size)
{
    uint32_t number = 0;
    for (size_t at = 8; size >= 24 && at <= size - 16; number++) {
        unsigned char numbers[8];
        uint32_t length = kin__little_read_32(bytes + at + 4);
        if (length > size - at - 16)
            return;
        kin__xxh64 hash = kin__xxh64_begin(0);
        kin__little_write_32(numbers, length);
        kin__little_write_32(numbers + 4, number);
        kin__xxh64_add(&hash, bytes + at, 4);
        kin__xxh64_add(&hash, numbers, sizeof numbers);
        if (length > 0)
            kin__xxh64_add(&hash, bytes + at + 16, length);
        kin__little_write_64(bytes + at + 8, kin__xxh64_end(&hash));
        at += 16 + length;
    }
}

static void read_pack(arena *arena, const unsigned char *bytes, size_t size, bool must_be_read)
{
    kin__memory memory = kin__memory_of((kin_allocator){NULL, NULL, NULL});
    kin__pack pack;
    kin__pack_fault fault;
    bool is_read = kin__pack_read(&pack, &memory, bytes, size, &fault);
    expect(is_read || !must_be_read, fault.text);
    if (is_read) {
        kin__pack_bytes again = {.memory = &memory};
        text lines = text_create(arena);
        content_append_lines(&lines, &pack);
        expect(kin__pack_write(&pack, &again), "a pack cannot be written");
        kin__pack_bytes_release(&again);
        kin__pack_release(&pack);
    }
    expect(memory.allocated == 0, "a reading leaves memory");
}

// ---- files

static const char schema[] =
    "kin: 1\npackage: past\ncontexts: { game: { content: true, placed_by: Local.at } }\n"
    "types: { Vec3: { fields: { x: float, y: float, z: float } }, Side: { values: [Red, Blue] } }\n"
    "components:\n"
    "  Local: { fields: { at: Vec3, turn: double } }\n"
    "  ChildOf: { fields: { parent: { type: entity<game>, reverse: parts, tree: true } } }\n"
    "  Gun: { fields: { interval: { type: float, default: 1, range: [0.01, 10] }, side: Side } }\n"
    "  Watch: { fields: { by: entity<game>, all: \"entity<game>[2]\" } }\n"
    "  Path: { fields: { steps: \"Vec3[]\", tag: \"string[15]\", text: string, flags: \"bool[3]\" } }\n"
    "  Number: { fields: { value: { type: int32, index: primary } } }\n"
    "  Battle: { unique: true, fields: { money: uint64, waves: \"int32[]\" } }\n"
    "blueprints:\n"
    "  Block: { components: { Local: {} } }\n"
    "  Cannon: { components: { Local: {}, Watch: {} }, knobs: { at: Local.at },\n"
    "    children: { head: { components: { Gun: {} }, children: { left: { of: Block } } } } }\n"
    "  Ticket: { components: { Number: {}, Path: {}, Battle: {} } }\n";

static void compile(arena *arena, const uint8_t *bytes, size_t size)
{
    const package *package = read_schema(arena, schema);
    const kin_context_info *const *tables = schema_context_tables(arena, package);
    memory_file file = memory_file_create(bytes, size);
    const char *path = file.path;
    diagnostics diagnostics = diagnostics_create(arena);
    kin__pack *pack = content_compile(arena, &diagnostics, (content_schema){tables, 1}, (content_paths){&path, 1});
    bool has_errors = diagnostics_error_count(&diagnostics) > 0;
    expect((pack == NULL) == has_errors, "a pack with errors, or none without");
    print(&diagnostics);
    close(file.number);
    if (pack != NULL) {
        text written = text_create(arena);
        content_append_file(pack, &written);
        read_pack(arena, (const unsigned char *)written.bytes, written.size, true);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    arena arena = {.blocks = NULL};
    bool is_pack = size > 0 && bytes[0] == 0x89;
    if (is_pack) {
        unsigned char *copy = (unsigned char *)arena_copy(&arena, (const char *)bytes, size);
        sum(copy, size);
        read_pack(&arena, copy, size, false);
    } else {
        compile(&arena, bytes, size);
    }
    arena_release(&arena);
    return 0;
}

// Measures files of saves beside CBOR: the size of one with 100,000 entities, and how long reading it takes, which for
// CBOR is that of libcbor's tree alone, without checks and without entities. Both take turns.
//
//   files [COUNT]
//
// In CBOR the file is an array of entities. Each is a map with the handle under 0, and an array with the fields of each
// component under its number; numbers take as few bytes as CBOR needs.
#include "recording.h"

#include <cbor.h>
#include <hamlet/hamlet.h>
#include <kin/save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 100000, TURNS = 15, WARMING_UP = 2 };

// Bytes in memory, as a sink and a source.
typedef struct bytes {
    unsigned char *at;
    size_t size, capacity, read;
} bytes;

typedef struct town {
    hamlet_context *hamlet;
    kin_snapshot *saved, *read;
    uint32_t count;
    bytes file, packed, cbor;
} town;

static void *checked(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static bool append(const void *from, size_t size, void *user)
{
    bytes *to = user;
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->at = checked(realloc(to->at, to->capacity));
    }
    memcpy(to->at + to->size, from, size);
    to->size += size;
    return true;
}

static size_t give(void *to, size_t size, void *user)
{
    bytes *from = user;
    if (size > from->size - from->read)
        size = from->size - from->read;
    memcpy(to, from->at + from->read, size);
    from->read += size;
    return size;
}

// ---- the town

static void fill(town *town)
{
    hamlet_entity leader = {0};
    char name[32];
    for (uint32_t i = 0; i < town->count; i++) {
        hamlet_entity entity = hamlet_create_entity(town->hamlet);
        hamlet_add_place(town->hamlet, entity, (Place){{(float)i, 2}});
        hamlet_add_motion(town->hamlet, entity, (Motion){{1.5f * (float)i, -1}});
        hamlet_add_health(town->hamlet, entity, (Health){(int16_t)(i % 1000)});
        hamlet_add_team(town->hamlet, entity, (Team){i % 2 == 0 ? SIDE_RED : SIDE_BLUE});
        hamlet_add_leader(town->hamlet, entity, (Leader){leader});
        hamlet_add_mana(town->hamlet, entity, (Mana){3});
        snprintf(name, sizeof name, "citizen %u", i);
        if (i % 3 == 0)
            hamlet_add_name(town->hamlet, entity, (Name){name});
        leader = entity;
    }
}

static void write_file(town *town, bytes *to, int level)
{
    kin_write_options options = {.level = level};
    to->size = 0;
    if (kin_snapshot_write(town->saved, (kin_sink){append, to}, &options) != KIN_OK)
        abort();
}

// ---- CBOR

static void put(bytes *to, size_t (*encode)(size_t, unsigned char *, size_t), size_t number)
{
    unsigned char head[16];
    append(head, encode(number, head, sizeof head), to);
}

static void put_number(bytes *to, int64_t number)
{
    unsigned char head[16];
    append(head,
           number < 0 ? cbor_encode_negint((uint64_t)(-1 - number), head, sizeof head)
                      : cbor_encode_uint((uint64_t)number, head, sizeof head),
           to);
}

static void put_float(bytes *to, float number)
{
    unsigned char head[16];
    append(head, cbor_encode_single(number, head, sizeof head), to);
}

// The number of a component, and the head of its fields.
static void put_component(bytes *to, kin_component_id id, size_t fields)
{
    put_number(to, id + 1);
    put(to, cbor_encode_array_start, fields);
}

static void put_entity(const town *town, bytes *to, hamlet_entity entity)
{
    const Name *name = hamlet_get_name(town->hamlet, entity);
    put(to, cbor_encode_map_start, name == NULL ? 7 : 8);
    put_number(to, 0);
    put_number(to, (int64_t)entity.id);
    put_component(to, HAMLET_HEALTH, 1);
    put_number(to, hamlet_get_health(town->hamlet, entity)->hp);
    put_component(to, HAMLET_LEADER, 1);
    put_number(to, (int64_t)hamlet_get_leader(town->hamlet, entity)->who.id);
    put_component(to, HAMLET_MANA, 1);
    put_number(to, hamlet_get_mana(town->hamlet, entity)->left);
    put_component(to, HAMLET_MOTION, 2);
    put_float(to, hamlet_get_motion(town->hamlet, entity)->by.x);
    put_float(to, hamlet_get_motion(town->hamlet, entity)->by.y);
    put_component(to, HAMLET_PLACE, 2);
    put_float(to, hamlet_get_place(town->hamlet, entity)->at.x);
    put_float(to, hamlet_get_place(town->hamlet, entity)->at.y);
    put_component(to, HAMLET_TEAM, 1);
    put_number(to, (int64_t)hamlet_get_team(town->hamlet, entity)->side);
    if (name == NULL)
        return;
    put_component(to, HAMLET_NAME, 1);
    put(to, cbor_encode_string_start, strlen(name->value));
    append(name->value, strlen(name->value), to);
}

static void write_cbor(town *town)
{
    uint32_t count;
    const hamlet_entity *entities = hamlet_entities(town->hamlet, &count);
    town->cbor.size = 0;
    put(&town->cbor, cbor_encode_array_start, count);
    for (uint32_t i = 0; i < count; i++)
        put_entity(town, &town->cbor, entities[i]);
}

// ---- reading

static void read_cbor(town *town)
{
    struct cbor_load_result result;
    cbor_item_t *tree = cbor_load(town->cbor.at, town->cbor.size, &result);
    if (tree == NULL || cbor_array_size(tree) != town->count)
        abort();
    cbor_decref(&tree);
}

static void read_from(town *town, bytes *file)
{
    file->read = 0;
    if (kin_context_read(&town->hamlet->base, &town->read, (kin_source){give, NULL, file}, NULL, NULL) != KIN_OK)
        abort();
}

static void read_file(town *town)
{
    read_from(town, &town->file);
}

static void read_packed(town *town)
{
    read_from(town, &town->packed);
}

static void write_again(town *town)
{
    write_file(town, &town->file, 0);
}

static void write_cbor_again(town *town)
{
    write_cbor(town);
}

// ---- measuring

double time_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double time_of(town *town, void (*work)(struct town *))
{
    double start = time_now();
    work(town);
    return (time_now() - start) / town->count;
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *samples)
{
    qsort(samples, TURNS, sizeof *samples, compare);
    return samples[TURNS / 2];
}

static void print_row(const char *id, const char *what, double cbor, double kin, double ratio, double bar)
{
    printf("%-10s %-32s %12.2f %12.2f %8.2f", id, what, cbor, kin, ratio);
    if (bar > 0)
        printf("  %4.2f %s", bar, ratio < bar + 0.005 ? "met" : "above");
    printf("\n");
}

static void measure(town *town, const char *id, const char *what, void (*cbor)(struct town *),
                    void (*kin)(struct town *), double bar)
{
    double cbors[TURNS], kins[TURNS], ratios[TURNS];
    for (int i = -WARMING_UP; i < TURNS; i++) {
        double one = time_of(town, cbor), other = time_of(town, kin);
        if (i >= 0) {
            cbors[i] = one;
            kins[i] = other;
            ratios[i] = other / one;
        }
    }
    print_row(id, what, median(cbors), median(kins), median(ratios), bar);
}

int main(int argc, char **argv)
{
    town town = {.count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : COUNT};
    town.hamlet = checked(hamlet_context_create(NULL));
    fill(&town);
    if (hamlet_save(town.hamlet, &town.saved) != KIN_OK)
        abort();
    write_file(&town, &town.file, 0);
    write_file(&town, &town.packed, 3);
    write_cbor(&town);
    printf("\nFiles of %u entities beside CBOR: cbor, kin, ratio, bar.\n\n", town.count);
    double cbor = (double)town.cbor.size / town.count, file = (double)town.file.size / town.count;
    double packed = (double)town.packed.size / town.count;
    print_row("f.size", "size, bytes an entity", cbor, file, file / cbor, 0.75);
    print_row("f.packed", "size compressed, level 3", cbor, packed, packed / cbor, 0);
    measure(&town, "f.read", "read, ns an entity", read_cbor, read_file, 0.15);
    measure(&town, "f.unpack", "read compressed, ns an entity", read_cbor, read_packed, 0);
    measure(&town, "f.write", "write, ns an entity", write_cbor_again, write_again, 0);
    kin_snapshot_destroy(town.saved);
    kin_snapshot_destroy(town.read);
    hamlet_context_destroy(town.hamlet);
    measure_recordings();
    free(town.file.at);
    free(town.packed.at);
    free(town.cbor.at);
    return 0;
}

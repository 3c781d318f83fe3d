#include "past_make.h"

#include "base/base.h"
#include "file/file.h"
#include "past_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static past_entity of(kin_entity entity)
{
    return (past_entity){entity};
}

void past_make_begin(void)
{
    past_case_begin(0);
}

void past_make_end(void)
{
    past_case_end();
}

void past_make_write_as(buffer *file, const char *package)
{
    enum { AT = KIN__MAGIC_SIZE + KIN__BLOCK_HEAD + 18, OLD = 4 };
    uint32_t length = (uint32_t)strlen(package), more = length - OLD;
    buffer_release(file);
    ck_assert_int_eq(past_save(past, &past_snapshot), KIN_OK);
    past_case_write(file);
    ck_assert_ptr_nonnull(file->bytes = realloc(file->bytes, file->size + more));
    memmove(file->bytes + AT + length, file->bytes + AT + OLD, file->size - AT - OLD);
    memcpy(file->bytes + AT, package, length);
    file->bytes[AT - 2] = (unsigned char)length;
    file->size += more;
    file->capacity = file->size;
    unsigned char *block = file->bytes + KIN__MAGIC_SIZE;
    uint32_t size = kin__little_read_32(block + 4) + more;
    kin__little_write_32(block + 4, size);
    kin__little_write_64(block + 8, kin__block_sum("HEAD", size, 0, block + KIN__BLOCK_HEAD));
}

void past_make_write(buffer *file)
{
    past_make_write_as(file, "present");
}

kin_entity past_make_entity(void)
{
    return past_create_entity(past).id;
}

kin_entity past_make_citizen(void)
{
    return past_spawn_citizen(past).id;
}

void past_make_clear(kin_entity entity)
{
    past_remove_all_components(past, of(entity));
}

void past_make_destroy(kin_entity entity)
{
    past_destroy_entity(past, of(entity));
}

void past_make_frozen(kin_entity entity)
{
    past_set_frozen(past, of(entity), true);
}

void past_make_place(kin_entity entity, float x, float y, int16_t cell)
{
    past_readd_place(past, of(entity), (Place){{x, y}, cell});
}

void past_make_speed(kin_entity entity, float x, float y, uint8_t turns)
{
    past_readd_speed(past, of(entity), (Speed){{x, y}, turns});
}

void past_make_health(kin_entity entity, int16_t hp, int32_t armor)
{
    past_readd_health(past, of(entity), (Health){hp, armor});
}

void past_make_team(kin_entity entity, int side, bool ready)
{
    past_readd_team(past, of(entity), (Team){(Side)side, ready});
}

void past_make_name(kin_entity entity, const char *value, const char *code)
{
    Name name = {.value = value};
    strcpy(name.code, code);
    past_readd_name(past, of(entity), name);
}

void past_make_grid(kin_entity entity, const int32_t cells[4], float second_spot)
{
    Grid grid = {.spots = {{1, 2}, {second_spot, 0}}, .label = "grid"};
    memcpy(grid.cells, cells, sizeof grid.cells);
    past_readd_grid(past, of(entity), grid);
}

void past_make_path(kin_entity entity, const float *xs, uint32_t count)
{
    past_readd_path(past, of(entity), (Path){.amount = 0.5});
    for (uint32_t i = 0; i < count; i++) {
        past_push_path_stops(past, of(entity), (Spot){xs[i], 1});
        past_push_path_sides(past, of(entity), SIDE_RED);
    }
}

void past_make_look(kin_entity entity, const char *model, float size)
{
    past_readd_look(past, of(entity), (Look){model, size});
}

void past_make_memo(kin_entity entity, const char *text, uint32_t number)
{
    past_readd_memo(past, of(entity), (Memo){text, number});
}

void past_make_mana(kin_entity entity)
{
    past_readd_mana(past, of(entity), (Mana){5});
}

void past_make_wide(kin_entity entity, int64_t big, uint64_t large, int8_t tiny)
{
    past_readd_wide(past, of(entity), (Wide){big, large, tiny});
}

void past_make_shift(kin_entity entity, const int32_t row[3], const uint8_t *many, uint32_t count)
{
    Shift shift = {.one = 1.5f, .many = {many, count}};
    memcpy(shift.row, row, sizeof shift.row);
    past_readd_shift(past, of(entity), shift);
}

void past_make_crown(kin_entity entity, kin_entity named)
{
    past_readd_crown(past, of(entity), (Crown){named});
}

void past_make_child(kin_entity entity, kin_entity parent)
{
    past_readd_child_of(past, of(entity), (ChildOf){of(parent)});
}

void past_make_stash(kin_entity entity)
{
    past_stash_memo(past, of(entity));
}

void past_make_worn(kin_entity entity, int number)
{
    past_readd_worn(past, of(entity), (Worn){.badge = past_case_badge(number), .text = "worn"});
}

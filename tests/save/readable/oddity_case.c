#include "oddity_case.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

oddity_world *odd_world;
field_context *field;
char message[512], planted[MOST_PLANTED][32];
uint32_t planted_count;

static uint32_t chance;
static uint64_t state;

// ---- functions of the package

size_t vial_save(struct vial vial, void *bytes, size_t capacity)
{
    static int calls;
    if (vial.drops < 0)
        return capacity + 1;
    if (vial.drops == 1000)
        return (size_t)(++calls % 2);
    memcpy(bytes, &vial.drops, sizeof vial.drops);
    return sizeof vial.drops;
}

bool vial_load(struct vial *vial, const void *bytes, size_t size)
{
    if (size == sizeof vial->drops)
        memcpy(&vial->drops, bytes, size);
    return size == sizeof vial->drops;
}

uint32_t cell_of(const Cell *cell, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = cell->x;
    return 1;
}

void hear_execute(oddity_world *of, const kin_tick *tick)
{
    (void)of;
    (void)tick;
}

void hear_on_said(oddity_world *of, const Said *said)
{
    (void)of;
    (void)said;
}

void beat_execute(oddity_world *of, const kin_tick *tick)
{
    (void)of;
    (void)tick;
}

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    snprintf(message, sizeof message, "%s", error->message);
}

// ---- the world

oddity_world *oddity_case_make(void)
{
    kin_context_options options = {.on_error = on_error};
    oddity_world *made = oddity_world_create(&options, NULL);
    ck_assert_ptr_nonnull(made);
    return made;
}

void oddity_case_begin(uint64_t seed, uint32_t odd_chance)
{
    oddity_world_destroy(odd_world);
    odd_world = oddity_case_make();
    field = odd_world->contexts->field;
    planted_count = 0;
    message[0] = '\0';
    state = seed;
    chance = odd_chance;
}

void oddity_case_plant(uint32_t odd_chance)
{
    chance = odd_chance;
}

void oddity_case_end(void)
{
    oddity_world_destroy(odd_world);
    odd_world = NULL;
}

uint32_t odd_below(uint32_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

// Returns whether a value of this field is to be one that no file can have.
static bool plant(const char *name)
{
    bool is_odd = chance > 0 && planted_count < MOST_PLANTED && odd_below(chance) == 0;
    if (is_odd)
        snprintf(planted[planted_count++], sizeof planted[0], "%s", name);
    return is_odd;
}

static void set_bool(bool *at, const char *name)
{
    unsigned char byte = (unsigned char)odd_below(2);
    if (plant(name))
        byte = (unsigned char)(2 + odd_below(254));
    memcpy(at, &byte, 1);
}

// The bytes after the NUL are any.
static void set_text(char *at, size_t size, const char *name)
{
    memset(at, 'a' + (int)odd_below(26), size);
    if (!plant(name))
        at[odd_below((uint32_t)size)] = '\0';
}

static kin_entity handle(const char *name)
{
    if (plant(name))
        return 1 + odd_below(1 << 20);
    uint64_t made = (uint64_t)(1 + odd_below(40)) << 24 | odd_below(40); // alive, dead, or never made
    return odd_below(4) == 0 ? 0 : made;
}

static Tag tag(const char *text, const char *on, const char *who)
{
    Tag made;
    memset(&made, 0, sizeof made);
    set_text(made.t, sizeof made.t, text);
    set_bool(&made.on, on);
    made.who = handle(who);
    return made;
}

static void add_tags(field_entity entity)
{
    Tag tags[3];
    Tags value = {.all = {tags, odd_below(4)}};
    for (uint32_t i = 0; i < value.all.count; i++)
        tags[i] = tag("Tags.all.t", "Tags.all.on", "Tags.all.who");
    for (int i = 0; i < 2; i++)
        value.row[i] = tag("Tags.row.t", "Tags.row.on", "Tags.row.who");
    field_add_tags(field, entity, value);
}

static void add_real(field_entity entity)
{
    static const double odd[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0, DBL_MAX, DBL_MIN / 2};
    Real value = {.wide = odd[odd_below(7)], .narrow = (float)odd[odd_below(5)], .hue = (Hue)odd_below(100)};
    uint64_t bits = 0x7ff0000000000000u | (1 + odd_below(1000)); // a NaN that signals
    if (odd_below(3) == 0)
        memcpy(&value.wide, &bits, sizeof bits);
    field_add_real(field, entity, value);
}

static void add_memo(field_entity entity)
{
    Memo memo;
    set_text(memo.text, sizeof memo.text, "Memo.text");
    set_bool(&memo.on, "Memo.on");
    field_add_memo(field, entity, memo);
    if (odd_below(2) == 0)
        field_stash_memo(field, entity);
}

static void add_look(field_entity entity)
{
    Look look;
    set_text(look.title, sizeof look.title, "Look.title");
    set_bool(&look.bright, "Look.bright");
    field_add_look(field, entity, look);
}

static void add_lamp(field_entity entity)
{
    Lamp lamp;
    set_bool(&lamp.lit, "Lamp.lit");
    for (int i = 0; i < 3; i++)
        set_bool(&lamp.bulbs[i], "Lamp.bulbs");
    field_add_lamp(field, entity, lamp);
}

static void add_wave(field_entity entity)
{
    Wave wave;
    set_bool(&wave.on, "Wave.on");
    set_text(wave.code, sizeof wave.code, "Wave.code");
    wave.who = handle("Wave.who");
    field_add_wave(field, entity, wave);
}

static void add_aim(field_entity entity)
{
    Aim aim = {.at = {handle("Aim.at")}, .hue = (Hue)odd_below(10)};
    for (int i = 0; i < 2; i++)
        aim.others[i] = handle("Aim.others");
    field_add_aim(field, entity, aim);
}

static void add_chest(field_entity entity)
{
    Chest chest = {.name = odd_below(3) == 0 ? NULL : "chest"};
    set_bool(&chest.locked, "Chest.locked");
    field_add_chest(field, entity, chest);
}

static void add_flask(field_entity entity)
{
    int drops = (int)odd_below(900);
    if (plant("Flask"))
        drops = odd_below(2) == 0 ? -1 : 1000;
    field_add_flask(field, entity, (Flask){{drops}});
}

static void add_label(field_entity entity)
{
    Label label;
    set_text(label.text, sizeof label.text, "Label.text");
    field_add_label(field, entity, label);
}

// A value that is edited in place is under its former key.
static void add_cell(field_entity entity)
{
    int32_t x = (int32_t)kin_entity_creation_index(entity.id);
    field_add_cell(field, entity, (Cell){x});
    if (x > 1 && field_entity_with_cells(field, 1).id != 0 && plant("cells"))
        field_edit_cell(field, entity)->x = 1;
}

void odd_change(void)
{
    static void (*const add[])(field_entity entity) = {add_label, add_lamp,  add_aim,   add_tags, add_look, add_memo,
                                                       add_wave,  add_chest, add_flask, add_real, add_cell};
    field_entity entity = field_create_entity(field);
    for (uint32_t i = 0; i < sizeof add / sizeof *add; i++)
        if (odd_below(3) == 0)
            add[i](entity);
    if (odd_below(6) == 0 && planted_count == 0)
        field_destroy_entity(field, entity);
}

void odd_publish(void)
{
    Said said = {.who = {handle("Said.who")}};
    set_text(said.what, sizeof said.what, "Said.what");
    set_bool(&said.on, "Said.on");
    for (int i = 0; i < 2; i++)
        set_bool(&said.all[i], "Said.all");
    oddity_publish_said(odd_world, said);
}

void check_names_planted(void)
{
    bool is_named = false;
    for (uint32_t i = 0; i < planted_count; i++)
        is_named = is_named || strstr(message, planted[i]) != NULL;
    ck_assert_msg(is_named, "%s", message);
}

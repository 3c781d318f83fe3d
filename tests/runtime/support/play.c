#include "play.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void write(play *play, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(play->text + play->size, PLAY_SIZE - play->size, format, arguments);
    va_end(arguments);
    play->size = play->size + (size_t)length < PLAY_SIZE ? play->size + (size_t)length : PLAY_SIZE - 1;
}

static uint32_t draw(play *play, uint32_t end)
{
    play->random = play->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(play->random >> 33) % end;
}

// Returns a living entity, or sometimes a random handle, which may be dead or never used.
static cellar_entity draw_entity(play *play)
{
    uint32_t count = 0;
    const cellar_entity *entities = cellar_entities(play->cellar, &count);
    if (count > 0 && draw(play, 16) > 0)
        return entities[draw(play, count)];
    kin_entity creation_index = draw(play, 40);
    return cellar_entity_of(creation_index << 24 | draw(play, 8));
}

static void write_entities(play *play, const cellar_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        write(play, "%" PRIx64 " ", entities[i].id);
    write(play, "\n");
}

static void on_change(const kin_change *change, void *user)
{
    write(user, "  called %" PRIx64 " of %u in %d\n", change->entity, change->component, change->group != NULL);
}

// ---- operations; each returns a number for the text: a status, a slot or a count
//
// The order in which C evaluates arguments is unspecified: each random number is drawn in a statement of its own.

typedef int operation(play *play);

static int create(play *play)
{
    return (int)kin_entity_slot(cellar_create_entity(play->cellar).id);
}

static int destroy(play *play)
{
    return (int)cellar_destroy_entity(play->cellar, draw_entity(play));
}

static int clone(play *play)
{
    return (int)kin_entity_slot(cellar_clone_entity(play->cellar, draw_entity(play)).id);
}

static int label(play *play)
{
    char text[32];
    snprintf(text, sizeof text, "label %u", draw(play, 1000));
    return (int)cellar_replace_label(play->cellar, draw_entity(play), (Label){text, 2000});
}

static int add_bottle(play *play)
{
    Bottle bottle = {.number = draw(play, 50)};
    bottle.row = draw(play, 2) ? ROW_UPPER : ROW_LOWER;
    return (int)cellar_add_bottle(play->cellar, draw_entity(play), bottle);
}

static int remove_bottle(play *play)
{
    return (int)cellar_remove_bottle(play->cellar, draw_entity(play));
}

static int shelve(play *play)
{
    Shelf shelf = {.x = (int32_t)draw(play, 4)};
    shelf.y = (int32_t)draw(play, 4);
    return (int)cellar_replace_shelf(play->cellar, draw_entity(play), shelf);
}

static int seal(play *play)
{
    cellar_entity entity = draw_entity(play);
    return (int)cellar_set_sealed(play->cellar, entity, draw(play, 2) == 0);
}

static int turn_key(play *play)
{
    return (int)kin_entity_slot(cellar_replace_unique_key(play->cellar, (Key){(int32_t)draw(play, 9)}).id);
}

static int light(play *play)
{
    return (int)cellar_set_unique_lit(play->cellar, draw(play, 2) == 0);
}

static int empty(play *play)
{
    return (int)cellar_remove_all_components(play->cellar, draw_entity(play));
}

static int retain(play *play)
{
    return (int)cellar_retain_entity(play->cellar, draw_entity(play), play);
}

static int release(play *play)
{
    return (int)cellar_release_entity(play->cellar, draw_entity(play), play);
}

static int list_shelved(play *play)
{
    uint32_t count = 0;
    const cellar_entity *shelved = cellar_shelved_entities(play->cellar, &count);
    write_entities(play, shelved, count);
    return (int)count;
}

static int list_row(play *play)
{
    uint32_t count = 0;
    const cellar_entity *row = cellar_entities_with_bottle_row(play->cellar, ROW_UPPER, &count);
    write_entities(play, row, count);
    return (int)count;
}

static int look_up(play *play)
{
    return (int)kin_entity_slot(cellar_entity_with_bottle_number(play->cellar, draw(play, 50)).id);
}

static operation *const operations[] = {
    create, create,   create, destroy, clone,  label,   add_bottle,   remove_bottle, shelve,  shelve,
    seal,   turn_key, light,  empty,   retain, release, list_shelved, list_row,      look_up,
};

enum { OPERATION_COUNT = sizeof operations / sizeof *operations };

static void write_collected(play *play, kin_collector *collector)
{
    uint32_t count = 0;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    write(play, "collected ");
    write_entities(play, cellar_entities_of(entities), count);
    kin_collector_destroy(collector);
}

static void write_slots(play *play)
{
    const cellar_context *cellar = play->cellar;
    uint32_t count = 0;
    const cellar_entity *entities = cellar_entities(play->cellar, &count);
    write_entities(play, entities, count);
    write(play, "%u reusable, %u retained\n", kin_context_reusable_count(&cellar->base),
          kin_context_retained_count(&cellar->base));
}

void play_run(play *play, cellar_context *cellar, uint64_t seed, uint32_t count)
{
    play->cellar = cellar;
    play->random = seed;
    play->size = 0;
    kin_trigger triggers[] = {{cellar_shelved_group(cellar), KIN_ADDED_OR_REMOVED},
                              {cellar_labelled_group(cellar), KIN_REMOVED}};
    kin_collector *collector = kin_collector_create(triggers, 2);
    kin_subscription shelved = kin_group_subscribe(cellar_shelved_group(cellar), KIN_ADDED_OR_REMOVED, on_change, play);
    kin_subscription dying = kin_context_subscribe(&cellar->base, KIN_ENTITY_WILL_BE_DESTROYED, on_change, play);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = draw(play, OPERATION_COUNT);
        write(play, "%u: %d\n", number, operations[number](play));
    }
    kin_unsubscribe(shelved);
    kin_unsubscribe(dying);
    write_slots(play);
    write_collected(play, collector);
}

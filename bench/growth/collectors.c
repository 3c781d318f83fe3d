// Growth by collectors: replacing a component that an increasing number of collectors watch.

#include "growth.h"
#include "kin/store.h"

enum { SIZES = 4, MOST = 64, ENTITIES = 10000, TURNS = 9 };

static const uint32_t sizes[SIZES] = {1, 4, 16, MOST};

typedef struct crowd {
    kin_store base;
    kin_collector *collectors[MOST];
    uint32_t collector_count;
} crowd;

static uint32_t collector_count; // collectors of the next world

static void *create(uint32_t count)
{
    crowd *made = kin_store_create(count, sizeof *made);
    made->collector_count = collector_count;
    for (uint32_t i = 0; i < count; i++) {
        made->base.handles[i] = game_create_entity(made->base.game);
        game_add_health(made->base.game, made->base.handles[i], (Health){1});
    }
    for (uint32_t i = 0; i < collector_count; i++)
        made->collectors[i] = kin_collector_create(&(kin_trigger){game_living_group(made->base.game), KIN_MODIFIED}, 1);
    return made;
}

static void destroy(void *user)
{
    crowd *crowd = user;
    for (uint32_t i = 0; i < crowd->collector_count; i++)
        kin_collector_destroy(crowd->collectors[i]);
    kin_store_destroy(user);
}

static void clear(void *user)
{
    crowd *crowd = user;
    for (uint32_t i = 0; i < crowd->collector_count; i++)
        kin_collector_clear(crowd->collectors[i]);
}

static void replace_all(void *user)
{
    const kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_replace_health(world->game, world->handles[i], (Health){2});
}

static void clear_and_replace_all(void *user)
{
    clear(user);
    replace_all(user);
}

static void read_all(void *user)
{
    crowd *crowd = user;
    for (uint32_t i = 0; i < crowd->collector_count; i++) {
        uint32_t count = 0;
        const kin_entity *collected = kin_collector_entities(crowd->collectors[i], &count);
        for (uint32_t k = 0; k < count; k++)
            crowd->base.sum += collected[k];
    }
    clear(user);
}

static void print(const char *what, const char *unit, const side_work *work, bool by_collector)
{
    double figures[SIZES];
    for (uint32_t size = 0; size < SIZES; size++) {
        collector_count = sizes[size];
        figures[size] = measure_work(work, ENTITIES, 1, TURNS).median / ENTITIES / (by_collector ? collector_count : 1);
    }
    growth_print_line(what, unit, figures, SIZES);
}

void growth_collectors(void)
{
    static const side_work first = {"first", create, clear, replace_all, kin_sum_of_work, destroy};
    static const side_work again = {"again", create, NULL, replace_all, kin_sum_of_work, destroy};
    static const side_work drain = {"drain", create, clear_and_replace_all, read_all, kin_sum_of_work, destroy};
    growth_print_head("collectors of a component's changes", sizes, SIZES);
    print("replace it, collected", "ns/replace", &first, false);
    print("the same, collected before", "ns/replace", &again, false);
    print("read and clear a collector", "ns/collected", &drain, true);
}

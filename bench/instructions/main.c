// Runs the core operations under callgrind, each in a new test world, called town. Prints a line with the name of the
// compiler, then the names of the operations in order. bench/instructions.sh counts and compares the instructions.

#include "town.h"

#include <stdio.h>

#define TEXT(x)    #x
#define VERSION(x) TEXT(x)
#if defined(__clang__)
#define COMPILER "clang-" VERSION(__clang_major__) "." VERSION(__clang_minor__) "." VERSION(__clang_patchlevel__)
#else
#define COMPILER "gcc-" VERSION(__GNUC__) "." VERSION(__GNUC_MINOR__) "." VERSION(__GNUC_PATCHLEVEL__)
#endif
#if defined(__x86_64__)
#define PROCESSOR "x86_64"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#else
#define PROCESSOR "other"
#endif

static const struct {
    const char *name;
    town_setting *setting;
    town_operation *operation;
} operations[] = {
    {"create", town_used, counted_create},
    {"create with two components", town_used, counted_create_two},
    {"destroy", town_empty, counted_destroy},
    {"destroy with two components", town_moving, counted_destroy},
    {"destroy of a group", town_moving, counted_destroy_group},
    {"clone with four components", town_whole, counted_clone},
    {"spawn with four components", town_spawned, counted_spawn},
    {"spawn with two of four values", town_spawned, counted_spawn_with},
    {"spawn many with four components", town_spawned, counted_spawn_many},
    {"spawn beside a listener", town_aside, counted_spawn},
    {"destroy, one listener", town_warned, counted_destroy},
    {"iterate by runs", town_moving, counted_iterate_runs},
    {"iterate by blocks", town_ragged, counted_iterate_blocks},
    {"get", town_whole, counted_get},
    {"get by id", town_whole, counted_get_by_id},
    {"get unchecked", town_whole, counted_get_unchecked},
    {"has", town_ragged, counted_has},
    {"add", town_moving, counted_add},
    {"add, 32 groups watch", town_watched, counted_add},
    {"add, 32 groups with a listener", town_subscribed, counted_add},
    {"remove", town_whole, counted_remove},
    {"set a flag", town_moving, counted_set_flag},
    {"clear a flag", town_flagged, counted_clear_flag},
    {"replace", town_whole, counted_replace},
    {"replace, one listener", town_notified, counted_replace},
    {"replace, collected", town_collected, counted_replace},
    {"replace, collected before", town_full, counted_replace},
    {"drain a collector", town_full, counted_drain},
    {"find by a number", town_named, counted_find_number},
    {"find by a text", town_named, counted_find_text},
    {"find by a string", town_named, counted_find_string},
    {"count of a group", town_moving, counted_group_count},
    {"count after a change", town_moving, counted_group_count_changed},
    {"entities of a group", town_moving, counted_group_entities},
    {"entities after a change", town_moving, counted_group_entities_changed},
    {"add a relation", town_apart, counted_link},
    {"remove a relation", town_tree, counted_unlink},
    {"move a leaf", town_tree, counted_move_leaf},
    {"move a branch, two levels above", town_tree, counted_move_branch},
    {"destroy a tree", town_tree, counted_destroy_tree},
    {"destroy beside a relation", town_apart, counted_destroy_apart},
};

int main(void)
{
    static town town;
    printf("%s-%s\n", COMPILER, PROCESSOR);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        town_create(&town, operations[i].setting);
        operations[i].operation(&town);
        town_destroy(&town);
        printf("%s\n", operations[i].name);
    }
}

#include "compare/compare_kept.h"

#include "compare/same.h"
#include "store/store.h"

// The last values of a part, in ascending component, then slot.
typedef struct walk {
    const kin__context_snapshot *part;
    size_t at;
    kin__keepsake *now; // NULL: at the end
} walk;

static void advance(walk *walk)
{
    const kin__context_snapshot *part = walk->part;
    do
        walk->now = part == NULL
                        ? NULL
                        : kin__keepsake_next(part->context, part->keepsakes.at, part->keepsakes.size, &walk->at);
    while (walk->now != NULL && part->info->components[walk->now->id].is_unsaved);
}

// Negative if the value of the first walk comes first, 0 if both have the same component and slot.
static int order_of(const walk *one, const walk *other)
{
    const kin__keepsake *first = one->now, *second = other->now;
    if (first == NULL || second == NULL)
        return first == NULL ? 1 : -1;
    if (first->id != second->id)
        return first->id < second->id ? -1 : 1;
    return first->slot < second->slot ? -1 : first->slot > second->slot;
}

static bool is_same(const walk *one, const walk *other)
{
    const kin_component_info *component = &one->part->info->components[one->now->id];
    const void *first = kin__keepsake_value(one->now), *second = kin__keepsake_value(other->now);
    if (component->is_shared) {
        first = *(void *const *)first;
        second = *(void *const *)second;
    }
    return one->now->is_stashed == other->now->is_stashed &&
           kin__fields_are_same(component->fields, component->field_count, first, second);
}

uint64_t kin__count_kept_differences(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    walk one = {.part = before}, other = {.part = after};
    uint64_t count = 0;
    advance(&one);
    advance(&other);
    while (one.now != NULL || other.now != NULL) {
        int order = order_of(&one, &other);
        count += order != 0 || !is_same(&one, &other);
        if (order <= 0)
            advance(&one);
        if (order >= 0)
            advance(&other);
    }
    return count;
}

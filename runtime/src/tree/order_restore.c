// Saves and restores the marks of an order, for the snapshot of a world.
//
//   saved   has_all | words of marks, without trailing words that are 0

#include "base/base.h"
#include "group/group.h"
#include "relation/relation.h"
#include "tree/order.h"

#include <string.h>

// Whether the next turn visits all members: a restore of the context alone is noticed when that turn is prepared.
static bool has_all(const kin__tree_order *order)
{
    return order->marks.has_all || order->restores != order->group->context->core->relations->restores;
}

static uint32_t word_count(const kin__tree_order *order)
{
    const uint64_t *words = order->marks.words.elements;
    uint32_t count = has_all(order) ? 0 : order->marks.words.capacity;
    while (count > 0 && words[count - 1] == 0)
        count--;
    return count;
}

size_t kin__tree_order_saved_size(const kin__tree_order *order)
{
    return order->info->is_changed ? (1 + (size_t)word_count(order)) * sizeof(uint64_t) : 0;
}

void kin__tree_order_save(const kin__tree_order *order, void *bytes)
{
    uint64_t saved_has_all = has_all(order);
    uint32_t count = word_count(order);
    if (!order->info->is_changed)
        return;
    memcpy(bytes, &saved_has_all, sizeof saved_has_all);
    if (count > 0)
        memcpy((char *)bytes + sizeof saved_has_all, order->marks.words.elements, count * sizeof(uint64_t));
}

static uint32_t words_of(size_t size)
{
    return size == 0 ? 0 : (uint32_t)(size / sizeof(uint64_t) - 1);
}

bool kin__tree_order_restore_reserve(kin__tree_order *order, size_t size)
{
    kin__marks *marks = &order->marks;
    uint32_t capacity = marks->words.capacity;
    if (words_of(size) <= capacity)
        return true;
    if (!kin__array_reserve(marks->memory, &marks->words, words_of(size), sizeof(uint64_t)))
        return false;
    memset((uint64_t *)marks->words.elements + capacity, 0, (marks->words.capacity - capacity) * sizeof(uint64_t));
    return true;
}

void kin__tree_order_restore(kin__tree_order *order, const void *bytes, size_t size)
{
    uint64_t saved_has_all = 1;
    kin__tree_order_reset(order);
    order->restores = order->group->context->core->relations->restores;
    if (size == 0 || !order->info->is_changed)
        return;
    kin__marks_clear(&order->marks);
    memcpy(&saved_has_all, bytes, sizeof saved_has_all);
    order->marks.has_all = saved_has_all != 0;
    if (words_of(size) > 0)
        memcpy(order->marks.words.elements, (const char *)bytes + sizeof saved_has_all,
               words_of(size) * sizeof(uint64_t));
}

#include "tree/order.h"

#include "base/base.h"
#include "group/group.h"
#include "relation/relation.h"

#include <string.h>

// ---- creating and destroying

// Never 0, as generated code compares the address.
static size_t no_values_size(const kin__tree_info *info)
{
    return (1 + (size_t)info->column_count) * sizeof(void *);
}

static bool fill(kin__tree_order *order)
{
    const kin__tree_info *info = order->info;
    order->no_values = kin__allocate_zero(order->memory, no_values_size(info));
    return order->no_values != NULL &&
           (!info->is_changed || kin__marks_begin(&order->marks, order->group, info, order->memory));
}

kin__tree_order *kin__tree_order_create(kin_group *group, const kin__tree_info *info, kin__memory *memory)
{
    kin__tree_order *order = kin__allocate_zero(memory, sizeof *order);
    if (order == NULL)
        return NULL;
    order->info = info;
    order->group = group;
    order->memory = memory;
    order->stamp = order->moves = KIN__NEVER;
    order->restores = group->context->core->relations->restores;
    if (fill(order))
        return order;
    kin__tree_order_destroy(order);
    return NULL;
}

void kin__tree_order_destroy(kin__tree_order *order)
{
    if (order == NULL)
        return;
    kin__memory *memory = order->memory;
    kin__marks_release(&order->marks);
    kin__array_release(memory, &order->nodes, sizeof(kin__tree_node));
    kin__array_release(memory, &order->sorted, sizeof(kin__tree_node));
    kin__array_release(memory, &order->values, sizeof(void *));
    kin__array_release(memory, &order->members, sizeof(uint64_t));
    kin__array_release(memory, &order->starts, sizeof(uint32_t));
    kin__array_release(memory, &order->numbers, sizeof(uint32_t));
    kin__array_release(memory, &order->changed, sizeof(uint64_t));
    kin__array_release(memory, &order->states, sizeof(uint8_t));
    kin__release(memory, order->no_values, no_values_size(order->info));
    kin__release(memory, order, sizeof *order);
}

void kin__tree_order_reset(kin__tree_order *order)
{
    order->stamp = order->moves = KIN__NEVER;
    order->marks.has_all = true;
}

// ---- preparing

static bool reserve(kin__tree_order *order, uint32_t count)
{
    const kin__tree_info *info = order->info;
    uint32_t slots = order->chunk_count * KIN__CHUNK_SLOTS;
    kin__memory *memory = order->memory;
    return kin__array_reserve(memory, &order->nodes, count, sizeof(kin__tree_node)) &&
           kin__array_reserve(memory, &order->values, count * info->column_count, sizeof(void *)) &&
           kin__array_reserve(memory, &order->members, slots / 64, sizeof(uint64_t)) &&
           (!info->is_breadth || (kin__array_reserve(memory, &order->sorted, count, sizeof(kin__tree_node)) &&
                                  kin__array_reserve(memory, &order->starts, slots, sizeof(uint32_t)) &&
                                  kin__array_reserve(memory, &order->states, count, sizeof(uint8_t)))) &&
           (!info->is_divided || kin__array_reserve(memory, &order->sorted, count, sizeof(kin__tree_node))) &&
           (!(info->is_breadth || info->is_changed || info->is_divided) ||
            kin__array_reserve(memory, &order->numbers, slots, sizeof(uint32_t))) &&
           (!info->is_changed || kin__array_reserve(memory, &order->changed, (count + 63) / 64, sizeof(uint64_t)));
}

bool kin__tree_order_prepare(kin__tree_order *order)
{
    if (order->restores != order->group->context->core->relations->restores)
        kin__tree_order_reset(order);
    order->restores = order->group->context->core->relations->restores;
    const kin_context *context = order->group->context;
    uint64_t stamp = kin__group_stamp(order->group);
    uint64_t moves = kin__relation_at(context, order->info->relation)->moves;
    if (stamp == order->stamp && moves == order->moves && context->chunk_count == order->chunk_count)
        return true;
    order->stamp = order->moves = KIN__NEVER;
    order->count = 0;
    order->chunk_count = context->chunk_count;
    if (!reserve(order, kin_group_count(order->group)))
        return false;
    kin__tree_order_make(order);
    KIN_ASSERT(order->count == kin_group_count(order->group));
    order->stamp = stamp;
    order->moves = moves;
    return true;
}

// ---- beginning a turn

static void find_changed(kin__tree_order *order)
{
    uint64_t *changed = order->changed.elements;
    const uint64_t *marked = order->marks.words.elements;
    const uint32_t *numbers = order->numbers.elements;
    uint32_t slot_words = order->chunk_count * KIN__CHUNK_WORDS;
    KIN_ASSERT(order->chunk_count == order->group->context->chunk_count);
    memset(changed, order->marks.has_all ? 0xFF : 0, (order->count + 63) / 64 * sizeof *changed);
    for (uint32_t word = 0; word < order->marks.words.capacity && word < slot_words; word++)
        for (uint64_t bits = marked[word]; bits != 0; bits &= bits - 1) {
            uint32_t number = numbers[word * 64 + kin__lowest_bit(bits)];
            if (number != KIN__TREE_TOP)
                kin__bits_add(changed, number);
        }
    kin__marks_clear(&order->marks);
}

kin__tree_place kin__tree_order_begin(kin__tree_order *order)
{
    const kin__tree_info *info = order->info;
    kin__tree_place place = {.nodes = order->nodes.elements,
                             .values = order->values.elements,
                             .no_values = order->no_values,
                             .end = info->is_breadth || info->is_changed ? 0 : order->count,
                             .stamp = order->stamp,
                             .order = order};
    if (info->is_changed && order->count > 0)
        find_changed(order);
    return place;
}

kin__tree_place kin__tree_order_begin_piece(kin__tree_order *order, uint32_t piece)
{
    kin__tree_place place = kin__tree_order_begin(order);
    KIN_ASSERT(order->info->is_divided && piece < order->piece_count);
    place.next = piece == 0 ? 0 : order->piece_ends[piece - 1];
    place.end = order->piece_ends[piece];
    return place;
}

// Sorts the lists of a multi index by slot: merges lists of 1, 2, 4, … entities, without memory.
#include "index/given_keys.h"

enum { MOST_LISTS = 32 }; // two to that power are more than all slots

static kin__link *link_of(const kin__index *index, uint32_t number)
{
    return kin__index_slot_data(index, number - 1);
}

// Links name slots and kept keys by numbers, counted from 1.
static uint32_t slot_of(const kin__index *index, uint32_t number)
{
    return index->given != NULL ? ((const kin__kept_key *)kin__index_slot_data(index, number - 1))->slot : number - 1;
}

// Returns two sorted lists as one. Follows only `next`.
static uint32_t merge(const kin__index *index, uint32_t a, uint32_t b)
{
    uint32_t first = 0, *end = &first;
    while (a != 0 && b != 0) {
        uint32_t *lower = slot_of(index, a) < slot_of(index, b) ? &a : &b;
        *end = *lower;
        end = &link_of(index, *lower)->next;
        *lower = *end;
    }
    *end = a != 0 ? a : b;
    return first;
}

static bool is_sorted(const kin__index *index, uint32_t first)
{
    for (uint32_t at = first, next; at != 0; at = next) {
        next = link_of(index, at)->next;
        if (next != 0 && slot_of(index, next) < slot_of(index, at))
            return false;
    }
    return true;
}

static uint32_t sort(const kin__index *index, uint32_t first)
{
    uint32_t lists[MOST_LISTS] = {0}, sorted = 0;
    for (uint32_t at = first, next; at != 0; at = next) {
        uint32_t list = at, size = 0;
        next = link_of(index, at)->next;
        link_of(index, at)->next = 0;
        for (; lists[size] != 0; lists[size++] = 0)
            list = merge(index, lists[size], list);
        lists[size] = list;
    }
    for (uint32_t size = 0; size < MOST_LISTS; size++)
        sorted = merge(index, lists[size], sorted);
    return sorted;
}

void kin__lists_sort(const kin__index *index)
{
    kin__key_node *nodes = index->nodes.elements;
    for (uint32_t i = 0; i < index->node_count; i++) {
        if (is_sorted(index, nodes[i].first))
            continue;
        nodes[i].first = sort(index, nodes[i].first);
        for (uint32_t at = nodes[i].first, previous = 0; at != 0; previous = at, at = link_of(index, at)->next)
            link_of(index, at)->previous = previous;
    }
}

uint32_t kin__list_length_from(const kin__index *index, uint32_t at)
{
    const kin__link *link = kin__index_slot_data(index, at);
    const kin__key_node *nodes = index->nodes.elements;
    return link->node != 0 && link->previous == 0 ? nodes[link->node - 1].count : 0;
}

// Copies the entities of a key into an array of the caller, in order of slot, and writes nothing else: several threads
// may copy at once.
//
// The list of a key is in no order. The array is a heap with the highest slot first while the list is walked: an entity
// with a lower slot takes the place of the first when the array is full. Then the heap is sorted.
//
// Cost: the list, times the logarithm of the capacity; only a copy if the context has a current array of the key.
#include "index/given_keys.h"
#include "store/store.h"

#include <string.h>

// Returns whether the first entity is after the second.
static bool is_above(kin_entity a, kin_entity b)
{
    return kin_entity_slot(a) > kin_entity_slot(b);
}

// Puts an entity into the free place at the top of a heap.
static void sink(kin_entity *heap, uint32_t count, kin_entity entity)
{
    uint32_t place = 0, child;
    while ((child = place * 2 + 1) < count) {
        child += child + 1 < count && is_above(heap[child + 1], heap[child]);
        if (!is_above(heap[child], entity))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = entity;
}

// Appends an entity to a heap.
static void rise(kin_entity *heap, uint32_t count, kin_entity entity)
{
    uint32_t place = count;
    for (; place > 0 && is_above(entity, heap[(place - 1) / 2]); place = (place - 1) / 2)
        heap[place] = heap[(place - 1) / 2];
    heap[place] = entity;
}

static void sort_heap(kin_entity *heap, uint32_t count)
{
    for (uint32_t left = count; left > 1;) {
        kin_entity last = heap[--left];
        heap[left] = heap[0];
        sink(heap, left, last);
    }
}

static kin_entity entity_at(const kin_context *context, const kin__index *index, uint32_t at)
{
    uint32_t slot = index->given != NULL ? ((const kin__kept_key *)kin__index_slot_data(index, at))->slot : at;
    return kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
}

// Copies the entities with the lowest slots from the list that begins at `first`, counted from 1.
static void copy_lowest(const kin_context *context, const kin__index *index, uint32_t first, kin_entity *entities,
                        uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t at = first - 1; at != KIN__NO_SLOT && capacity > 0; at = kin__list_next(index, at)) {
        kin_entity entity = entity_at(context, index, at);
        if (count < capacity)
            rise(entities, count++, entity);
        else if (is_above(entities[0], entity))
            sink(entities, count, entity);
    }
    sort_heap(entities, count);
}

uint32_t kin__index_copy(const kin_context *context, uint32_t number, const kin__key *key, kin_entity *entities,
                         uint32_t capacity)
{
    const kin__index *index = &context->core->indices->indices[number];
    KIN_ASSERT(number < context->info->index_count && !index->info->is_primary);
    const kin__key_node *node = key->is_none ? NULL : kin__list_node(context, index, key->bytes);
    if (node == NULL || node->count == 0)
        return 0;
    if (!node->is_stale && capacity >= node->count)
        memcpy(entities, node->list.elements, node->count * sizeof *entities);
    else
        copy_lowest(context, index, node->first, entities, capacity);
    return node->count;
}

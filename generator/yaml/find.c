// Queries of a tree.
#include "yaml/tree.h"

#include <string.h>

static const tree_pair *find_pair(const tree_node *mapping, const char *key)
{
    const tree_pair *pair = mapping->pairs;
    while (pair != NULL && strcmp(pair->key->text, key) != 0)
        pair = pair->next;
    return pair;
}

const tree_node *tree_find(const tree_node *mapping, const char *key)
{
    const tree_pair *pair = find_pair(mapping, key);
    return pair == NULL ? NULL : pair->value;
}

const tree_node *tree_find_key(const tree_node *mapping, const char *key)
{
    const tree_pair *pair = find_pair(mapping, key);
    return pair == NULL ? NULL : pair->key;
}

span tree_part(const tree_node *scalar, size_t offset, size_t size)
{
    span place = scalar->span;
    place.start += offset + (scalar->is_plain ? 0 : 1); // after its quote
    bool is_inside = place.start <= place.end && place.end - place.start >= size;
    if (!is_inside || memcmp(place.source->bytes + place.start, scalar->text + offset, size) != 0)
        return scalar->span;
    place.end = place.start + size;
    return place;
}

bool tree_is_empty(const tree_node *node)
{
    return node->kind == TREE_SCALAR && node->is_plain && node->size == 0;
}

bool tree_is_text(const tree_node *node)
{
    return node->kind == TREE_SCALAR && !tree_is_empty(node);
}

#include "read/systems.h"

#include "world/world.h"

#include <string.h>

// ---- the nodes of now

// A walk over the nodes of the world and what they would save, side by side.
typedef struct walk {
    kin__state state; // first: the walk gets its address
    kin__systems_reading *systems;
    const char *paths[KIN__PATH_DEPTH + 1]; // by depth: of the nodes around
    size_t sizes[KIN__PATH_DEPTH + 1];
} walk;

static bool set_path(walk *walk, kin__read_node *to)
{
    uint32_t depth = to->saved->depth < KIN__PATH_DEPTH ? to->saved->depth : KIN__PATH_DEPTH - 1;
    const char *name = kin__node_identity(walk->systems->world->info->shown, to->saved);
    size_t begin = walk->sizes[depth], length = strlen(name);
    char *path = kin__heap_take(&walk->systems->heap, begin + 1 + length, 1);
    if (path == NULL)
        return false;
    if (begin > 0)
        memcpy(path, walk->paths[depth], begin);
    if (depth > 0)
        path[begin++] = '/';
    memcpy(path + begin, name, length);
    to->path = walk->paths[depth + 1] = path;
    to->path_size = walk->sizes[depth + 1] = begin + length;
    return true;
}

static bool add_node(kin__node *node, kin__state *state)
{
    walk *at = (walk *)(void *)state;
    kin__read_node *to = &at->systems->nodes[at->systems->node_count++];
    to->node = node;
    to->saved = (const void *)(state->bytes + state->size);
    state->size += (size_t)to->saved->size;
    return set_path(at, to);
}

// Saves the systems, to learn which pieces their state has now. Of the parts only the contexts are asked for.
static bool save_now(kin__systems_reading *systems, kin__state *state)
{
    kin__context_snapshot *parts = kin__heap_take(&systems->heap, systems->context_count, sizeof *parts);
    kin__context_snapshot **pointers = kin__heap_take(&systems->heap, systems->context_count, sizeof *pointers);
    if (parts == NULL || pointers == NULL)
        return false;
    for (uint32_t i = 0; i < systems->context_count; i++) {
        parts[i].context = systems->contexts[i].context;
        pointers[i] = &parts[i];
    }
    kin__systems_save(systems->world->root, state);
    systems->now = kin__heap_take(&systems->heap, state->size, 1);
    *state = (kin__state){.bytes = systems->now, .parts = pointers, .part_count = systems->context_count};
    if (systems->now != NULL)
        kin__systems_save(systems->world->root, state);
    return systems->now != NULL;
}

static bool make_nodes(kin__systems_reading *systems)
{
    walk walk = {.systems = systems};
    if (!save_now(systems, &walk.state))
        return false;
    systems->nodes = kin__heap_take(&systems->heap, walk.state.node_count, sizeof *systems->nodes);
    walk.state = (kin__state){.bytes = systems->now};
    return systems->nodes != NULL && kin__nodes_visit(systems->world->root, &walk.state, add_node);
}

// ---- messages

static bool make_messages(kin__systems_reading *systems)
{
    const kin_world_info *info = systems->world->info->shown;
    kin_component_info *infos = kin__heap_take(&systems->heap, info->message_count, sizeof *infos);
    systems->messages = kin__heap_take(&systems->heap, info->message_count, sizeof *systems->messages);
    if (infos == NULL || systems->messages == NULL)
        return false;
    if (!kin__message_leaves_make(&systems->leaves, info, systems->world->memory.allocator))
        return kin__fault_note(systems->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for its messages; free some and try again");
    for (uint32_t i = 0; i < info->message_count; i++) {
        infos[i] = (kin_component_info){.name = info->messages[i].name, .size = info->messages[i].size};
        systems->messages[i] = (kin__component_shape){.identity = kin__message_identity(&info->messages[i]),
                                                      .info = &infos[i],
                                                      .id = (kin_component_id)i,
                                                      .leaves = systems->leaves.of[i]};
    }
    return true;
}

bool kin__systems_match_schema(kin__systems_reading *systems, kin__file_schema *schema)
{
    const kin_world_info *info = systems->world->info->shown;
    systems->schema = schema;
    for (uint32_t i = 0; systems->context_count > 0 && i < schema->message_count; i++)
        for (uint32_t k = 0; k < info->message_count; k++)
            if (strcmp(schema->messages[i].name, systems->messages[k].identity) == 0)
                kin__file_message_match(&schema->messages[i], &systems->messages[k], systems->contexts[0].shape, info);
    return true;
}

// ---- all together

bool kin__systems_begin(kin__systems_reading *systems)
{
    systems->marks = kin__heap_take(&systems->heap, systems->context_count, sizeof *systems->marks);
    return systems->marks != NULL && make_nodes(systems) && make_messages(systems);
}

void kin__systems_end(kin__systems_reading *systems)
{
    kin__message_leaves_release(&systems->leaves);
    kin__heap_release(&systems->heap);
}

// Returns a node with this path that was not read; of several the first one. `*is_known`: there is one with this path.
static kin__read_node *find(kin__systems_reading *systems, const char *path, size_t size, bool *is_known)
{
    *is_known = false;
    for (uint32_t i = 0; i < systems->node_count; i++) {
        kin__read_node *node = &systems->nodes[i];
        if (node->path_size != size || (size > 0 && memcmp(node->path, path, size) != 0))
            continue;
        *is_known = true;
        if (!node->is_read)
            return node;
    }
    return NULL;
}

bool kin__system_block_read(kin__systems_reading *systems, kin__decoder *decoder)
{
    kin__read_node none = {0};
    size_t size;
    bool is_known;
    const char *path = kin__decode_text(decoder, &size);
    if (decoder->is_short)
        return kin__block_reader_fault(systems->blocks, 1307, "it counts more than it has");
    if (!systems->has_root)
        return size == 0 ? kin__root_decode(systems, decoder)
                         : kin__block_reader_fault(systems->blocks, 1309, "it must follow the root");
    kin__read_node *node = find(systems, path, size, &is_known);
    if (node == NULL && is_known)
        return kin__block_reader_fault(systems->blocks, 1308, "its system is there twice");
    return kin__system_decode(systems, decoder, node == NULL ? &none : node);
}

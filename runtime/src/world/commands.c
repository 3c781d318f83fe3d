// Commands: recording them in jobs, and visiting them.
#include "world/jobs.h"

#include <string.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 65536 }; // bytes with the header

// ---- memory

// Returns a new block with room for `size` bytes; NULL when out of memory. Several jobs may call this at once.
static kin__command_block *make_block(const kin__job *job, const kin__command_block *before, size_t size)
{
    kin__world *world = job->world;
    size_t bytes = before == NULL ? FIRST_BLOCK : 2 * (before->size + sizeof *before);
    bytes = bytes > LARGEST_BLOCK ? LARGEST_BLOCK : bytes;
    bytes = bytes < size + sizeof *before ? size + sizeof *before : bytes;
    kin__lock_acquire(&world->jobs->lock);
    kin__command_block *block = kin__allocate(&world->memory, bytes);
    kin__lock_release(&world->jobs->lock);
    if (block != NULL)
        *block = (kin__command_block){.size = bytes - sizeof *block};
    return block;
}

static void close_block(kin__commands *commands)
{
    if (commands->last != NULL)
        commands->last->used = (size_t)(commands->at - commands->last->bytes);
}

bool kin__job_reserve(kin__job *job, size_t size)
{
    kin__commands *commands = &job->commands;
    kin__command_block **link = commands->last == NULL ? &commands->first : &commands->last->next;
    kin__command_block *next = *link;
    if (next == NULL || next->size < size) {
        next = make_block(job, commands->last, size);
        commands->lost += next == NULL;
        if (next == NULL)
            return false;
        next->next = *link;
        *link = next;
    }
    close_block(commands);
    commands->last = next;
    commands->at = next->bytes;
    commands->left = next->size;
    return true;
}

void kin__commands_clear(kin__commands *commands)
{
    kin__command_block *first = commands->first;
    *commands = (kin__commands){.first = first};
}

void kin__commands_release(kin__commands *commands, kin__memory *memory)
{
    kin__command_block *block = commands->first;
    while (block != NULL) {
        kin__command_block *next = block->next;
        kin__release(memory, block, block->size + sizeof *block);
        block = next;
    }
    *commands = (kin__commands){0};
}

// ---- values that own memory

enum { MOST_ELEMENTS = 1 << 24 }; // of a list; more are refused when the command runs

typedef struct any_list {
    const void *at;
    uint32_t count;
} any_list;

static size_t round_up(size_t size)
{
    return (size + KIN__COMMAND_ALIGNMENT - 1) / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT;
}

// Returns what the field of the value points to, and its size; NULL if there is nothing to copy.
static const void *find_owned(const kin_field_info *field, const char *value, size_t *size)
{
    if (field->is_list) {
        any_list list;
        memcpy(&list, value + field->offset, sizeof list);
        *size = list.at == NULL || list.count > MOST_ELEMENTS ? 0 : list.count * field->element_size;
        return *size == 0 ? NULL : list.at;
    }
    const char *string = NULL;
    if (field->type == KIN_TYPE_STRING)
        memcpy(&string, value + field->offset, sizeof string);
    *size = string == NULL ? 0 : strlen(string) + 1;
    return string;
}

static size_t size_of_owned(const kin_component_info *component, const char *value)
{
    size_t sum = 0, size;
    for (uint32_t i = 0; i < component->field_count; i++)
        if (find_owned(&component->fields[i], value, &size) != NULL)
            sum += round_up(size);
    return sum;
}

// Copies what the value points to behind it, and makes it point there. Both kinds of fields begin with a pointer.
static void copy_owned(const kin_component_info *component, char *value, char *place)
{
    size_t size;
    for (uint32_t i = 0; i < component->field_count; i++) {
        const void *owned = find_owned(&component->fields[i], value, &size);
        if (owned == NULL)
            continue;
        memcpy(place, owned, size);
        memcpy(value + component->fields[i].offset, &place, sizeof place);
        place += round_up(size);
    }
}

kin_status kin__job_record_owned(kin__job *job, kin__command command, const void *value, size_t size)
{
    const kin_component_info *component = &job->contexts[command.context]->info->components[command.id];
    char *place = kin__job_append(job, command, round_up(size) + size_of_owned(component, value));
    if (place == NULL)
        return KIN_ERROR_NO_MEMORY;
    memcpy(place, value, size);
    copy_owned(component, place, place + round_up(size));
    return KIN_OK;
}

// ---- visiting

// Returns the command at the place, or in a later block; NULL after the last one.
static kin__command *command_at(const kin__commands *commands, kin__command_place *place)
{
    while (place->block != NULL) {
        kin__command_block *block = place->block;
        const char *end = block == commands->last ? commands->at : block->bytes + block->used;
        if (place->at < end)
            return (kin__command *)(void *)place->at;
        place->block = block == commands->last ? NULL : block->next;
        place->at = place->block == NULL ? NULL : place->block->bytes;
    }
    return NULL;
}

kin__command *kin__commands_begin(const kin__commands *commands, kin__command_place *place)
{
    place->block = commands->last == NULL ? NULL : commands->first;
    place->at = place->block == NULL ? NULL : place->block->bytes;
    return command_at(commands, place);
}

kin__command *kin__commands_next(const kin__commands *commands, kin__command_place *place)
{
    place->at += ((const kin__command *)(const void *)place->at)->size;
    return command_at(commands, place);
}

#include "commands/commands.h"

#include "base/base.h"
#include "store/store.h"

#include <string.h>

enum {
    LEAST_BLOCK = 4096 - sizeof(kin__command_block),
    MOST_NUMBERS = (1 << 24) - 1, // as many slots as a handle can have
};

// ---- memory

static void lock(const kin__command_buffer *buffer)
{
    if (buffer->lock != NULL)
        kin__lock_acquire(buffer->lock);
}

static void unlock(const kin__command_buffer *buffer)
{
    if (buffer->lock != NULL)
        kin__lock_release(buffer->lock);
}

static kin__command_block *allocate_block(kin__command_buffer *buffer, size_t size)
{
    lock(buffer);
    kin__command_block *made = kin__allocate(&buffer->memory, sizeof *made + size);
    unlock(buffer);
    return made;
}

static bool reserve_coming(kin__command_buffer *buffer, uint32_t count)
{
    if (count <= buffer->coming.capacity)
        return true;
    lock(buffer);
    bool is_reserved = kin__array_reserve(&buffer->memory, &buffer->coming, count, sizeof(kin_entity));
    unlock(buffer);
    return is_reserved;
}

// ---- blocks

void kin__commands_rewind(kin__command_buffer *buffer)
{
    for (kin__command_block *block = buffer->blocks; block != NULL; block = block->next)
        block->used = 0;
    buffer->current = NULL;
    buffer->head = (kin__commands){NULL, 0, 0, false};
    buffer->first_number += buffer->coming_count;
    if (buffer->first_number > MOST_NUMBERS / 2)
        buffer->first_number = 1;
    buffer->coming_count = 0;
    buffer->recorder = NULL;
    buffer->is_shared = false;
}

static void release_blocks(kin__command_buffer *buffer, kin__command_block **first)
{
    while (*first != NULL) {
        kin__command_block *next = (*first)->next;
        kin__release(&buffer->memory, *first, sizeof *next + (*first)->size);
        *first = next;
    }
}

void kin__commands_release(kin__command_buffer *buffer)
{
    release_blocks(buffer, &buffer->blocks);
    kin__array_release(&buffer->memory, &buffer->coming, sizeof(kin_entity));
}

// Returns a block of at least that size after the current one; NULL when out of memory.
static kin__command_block *append_block(kin__command_buffer *buffer, size_t least)
{
    size_t size = least > LEAST_BLOCK ? least : LEAST_BLOCK;
    if (buffer->current != NULL && size < buffer->current->size * 2 && buffer->current->size < (1 << 20))
        size = buffer->current->size * 2;
    kin__command_block *made = allocate_block(buffer, size);
    if (made == NULL)
        return NULL;
    kin__command_block **link = buffer->current == NULL ? &buffer->blocks : &buffer->current->next;
    *made = (kin__command_block){.next = *link, .size = size};
    *link = made;
    return made;
}

// Goes on in a block with `least` bytes. False, with nothing changed, when out of memory.
static bool begin_block(kin__command_buffer *buffer, size_t least)
{
    kin__command_block *next = buffer->current == NULL ? buffer->blocks : buffer->current->next;
    if (next == NULL || next->size < least)
        next = append_block(buffer, least);
    if (next == NULL)
        return false;
    if (buffer->current != NULL)
        buffer->current->used = (size_t)(buffer->head.next - buffer->current->bytes);
    buffer->current = next;
    buffer->head.next = next->bytes;
    return true;
}

// ---- misuse

#ifdef KIN_CHECKED
// Its address differs from thread to thread.
static _Thread_local char this_thread;
#endif

// Notes several threads that record, and a job that is used outside of its call. False for the latter.
static bool check_recorder(kin__command_buffer *buffer)
{
#ifdef KIN_CHECKED
    if (buffer->recorder == NULL)
        buffer->recorder = &this_thread;
    else if (buffer->recorder != &this_thread)
        buffer->is_shared = true;
    buffer->is_used_closed |= buffer->is_closed;
    return !buffer->is_closed;
#else
    (void)buffer;
    return true;
#endif
}

// ---- commands

const kin_component_info *kin__command_component(const kin__command_buffer *buffer, uint32_t op)
{
    if (kin__command_is_message(op))
        return NULL;
    const kin_context *context = kin__command_context(buffer, op);
    uint32_t id = op % KIN__COMMAND_OP(1, 0, 0) / KIN__COMMAND_KINDS;
    return id < context->info->component_count ? &context->info->components[id] : NULL;
}

// Returns the bytes of the current block that are left.
static size_t room_of(const kin__command_buffer *buffer)
{
    const kin__command_block *block = buffer->current;
    return block == NULL ? 0 : block->size - (size_t)(buffer->head.next - block->bytes);
}

void *kin__command_append(kin__commands *commands, uint32_t op, kin_entity entity, uint32_t size)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    size_t needed = sizeof(kin__command) +
                    ((size_t)size + KIN__COMMAND_ALIGNMENT - 1) / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT;
    if (!check_recorder(buffer))
        return NULL;
    if (needed > UINT32_MAX - KIN__COMMAND_ALIGNMENT || (room_of(buffer) < needed && !begin_block(buffer, needed))) {
        buffer->lost++;
        return NULL;
    }
    kin__command *command = (kin__command *)(void *)commands->next;
    *command = (kin__command){op, (uint32_t)needed, entity};
    commands->next += needed;
    commands->count++;
#ifndef KIN_CHECKED
    commands->room = room_of(buffer); // in checked builds it stays 0, so that the library records all
#endif
    return command + 1;
}

kin_entity kin__command_append_making(kin__commands *commands, uint32_t op)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    if (buffer->coming_count >= MOST_NUMBERS / 2 || !reserve_coming(buffer, buffer->coming_count + 1)) {
        buffer->lost++;
        return 0;
    }
    if (kin__command_put(commands, op, 0, 0) == NULL)
        return 0;
    commands->is_careful = true;
    return buffer->first_number + buffer->coming_count++;
}

// ---- values that own strings and lists

static size_t list_bytes(const kin_field_info *field, kin__list_field list)
{
    return kin__round_up((size_t)list.count * field->element_size);
}

// Returns the bytes of the elements of all lists, which were checked.
static size_t lists_size(const kin_component_info *info, const void *value)
{
    size_t size = 0;
    KIN__EACH_LIST(field, info)
    {
        size += list_bytes(field, kin__list_field_read(value, field));
    }
    return size;
}

// Copies the elements to `end`, which is aligned, and returns the end of them.
static char *copy_lists(const kin_component_info *info, void *value, char *end)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        if (list.count == 0)
            continue;
        memcpy(end, list.at, (size_t)list.count * field->element_size);
        list.at = end;
        end += list_bytes(field, list);
        kin__list_field_write(value, field, list);
    }
    return end;
}

// A list that an add would refuse cannot be copied, and its elements cannot be read when it is played.
static kin_status check_lists(kin__command_buffer *buffer, const kin_component_info *info, const void *value)
{
    kin_status status = info->has_lists ? kin__lists_check(info, value) : KIN_OK;
    if (status != KIN_OK && buffer->refused++ == 0)
        buffer->refusal = status;
    return status;
}

kin_status kin__command_append_owned(kin__commands *commands, uint32_t op, kin_entity entity, const void *value)
{
    const kin_component_info *info = kin__command_component(kin__buffer_of(commands), op);
    KIN_ASSERT(info != NULL && !info->has_drops);
    kin_status status = check_lists(kin__buffer_of(commands), info, value);
    if (status != KIN_OK)
        return status;
    size_t own = kin__round_up(info->size), lists = lists_size(info, value), strings = kin__strings_size(info, value);
    size_t slack = lists > 0 ? sizeof(max_align_t) : 0; // commands are aligned less than elements may be
    if (own + slack + lists + strings > UINT32_MAX / 2) {
        kin__buffer_of(commands)->lost++;
        return KIN_ERROR_NO_MEMORY;
    }
    char *place = kin__command_append(commands, op, entity, (uint32_t)(own + slack + lists + strings));
    if (place == NULL)
        return KIN_ERROR_NO_MEMORY;
    memcpy(place, value, info->size);
    char *end = place + own;
    if (lists > 0)
        end = copy_lists(info, place, (char *)kin__round_up((uintptr_t)end));
    kin__strings_copy(info, place, end);
    return KIN_OK;
}

// ---- buffers

kin__command_buffer *kin__commands_make(const kin_allocator *allocator, kin__lock *lock, kin__command_scope scope)
{
    kin__memory memory = kin__memory_of(*allocator);
    kin__command_buffer *made = kin__allocate_zero(&memory, sizeof *made);
    if (made == NULL)
        return NULL;
    made->scope = scope;
    made->memory = memory;
    made->lock = lock;
    made->first_number = 1;
    return made;
}

void kin__commands_free(kin__command_buffer *buffer)
{
    if (buffer == NULL)
        return;
    kin__memory memory = buffer->memory;
    release_blocks(buffer, &buffer->playing); // of a playback that was abandoned
    kin__commands_release(buffer);
    kin__array_release(&buffer->memory, &buffer->made, sizeof(kin_entity));
    kin__release(&memory, buffer, sizeof *buffer);
}

kin__commands *kin__commands_create(kin_context *context)
{
    kin__command_buffer *made = kin__commands_make(&context->core->options.allocator, NULL, (kin__command_scope){0});
    if (made == NULL) {
        kin__report_error(context, KIN_ERROR_NO_MEMORY, &(kin__attempt){.verb = "create a command buffer"});
        return NULL;
    }
    made->context = context;
    made->scope = (kin__command_scope){.contexts = &made->context};
    return &made->head;
}

void kin__commands_destroy(kin__commands *commands)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    if (commands != NULL && buffer->is_playing && !buffer->context->core->is_abandoned)
        kin__report_error(
            buffer->context, KIN_ERROR_INVALID,
            &(kin__attempt){.verb = "destroy a command buffer", .reason = "it is being played; destroy it after that"});
    else
        kin__commands_free(buffer);
}

void kin__commands_clear(kin__commands *commands)
{
    kin__commands_rewind(kin__buffer_of(commands));
}

uint32_t kin__commands_dropped(const kin__commands *commands)
{
    return kin__buffer_of(commands)->dropped;
}

kin_entity kin__commands_made(const kin__commands *commands, kin_entity to_come)
{
    const kin__command_buffer *buffer = kin__buffer_of(commands);
    uint64_t index = to_come - buffer->made_number;
    bool is_known = kin_entity_creation_index(to_come) == 0 && index < buffer->made_count && commands->count == 0;
    return is_known ? ((const kin_entity *)buffer->made.elements)[index] : 0;
}

#include "world/world.h"

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

// Forgets what was recorded, and keeps the memory.
static void commands_rewind(kin__command_buffer *buffer)
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
    size_t size = kin__max_size(least, LEAST_BLOCK);
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

// Returns the component that a command is about; NULL if it is about an entity as a whole, or a message.
static const kin_component_info *command_component(const kin__command_buffer *buffer, uint32_t op)
{
    if (kin__command_is_message(op))
        return NULL;
    const kin_context *context = kin__command_context(buffer, op);
    uint32_t id = op % KIN__COMMAND_OP(1, 0, 0) / KIN__COMMAND_KINDS;
    return id < context->info->component_count ? &context->info->components[id] : NULL;
}

// Returns the blueprint of a spawn.
static const kin__blueprint *command_blueprint(const kin__command_buffer *buffer, uint32_t op)
{
    const kin_context *context = kin__command_context(buffer, op);
    uint32_t first = KIN__COMMAND_OP(0, context->info->component_count, KIN__COMMAND_SPAWN);
    uint32_t number = op % KIN__COMMAND_BY_LIBRARY - first;
    KIN_ASSERT(number < context->info->blueprint_count);
    return &context->blueprints[number];
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

// Reserves the numbers of entities to come. Returns false when out of memory or numbers.
static bool reserve_numbers(kin__command_buffer *buffer, uint32_t count)
{
    bool has_numbers = count <= MOST_NUMBERS / 2 - buffer->coming_count;
    if (has_numbers && reserve_coming(buffer, buffer->coming_count + count))
        return true;
    buffer->lost++;
    return false;
}

// Takes numbers that were reserved, and returns the first entity to come.
static kin_entity take_numbers(kin__command_buffer *buffer, uint32_t count)
{
    kin_entity first = (kin_entity)buffer->first_number + buffer->coming_count;
    buffer->head.is_careful = true;
    buffer->coming_count += count;
    return first;
}

kin_entity kin__command_append_making(kin__commands *commands, uint32_t op)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    if (!reserve_numbers(buffer, 1) || kin__command_put(commands, op, 0, 0) == NULL)
        return 0;
    return take_numbers(buffer, 1);
}

static uint32_t count_entities(const kin__blueprint *blueprint)
{
    return blueprint->tree == NULL ? 1 : blueprint->tree->node_count;
}

kin_entity kin__command_append_tree(kin__commands *commands, uint32_t op, kin_entity *entities)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    uint32_t count = count_entities(command_blueprint(buffer, op));
    bool is_recorded = reserve_numbers(buffer, count) && kin__command_put(commands, op, 0, 0) != NULL;
    kin_entity first = is_recorded ? take_numbers(buffer, count) : 0;
    for (uint32_t i = 0; entities != NULL && i < count; i++)
        entities[i] = is_recorded ? first + i : 0;
    return first;
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

// Returns the bytes of a value and of all that it owns, at an address that is aligned for any type.
static size_t copied_size(const kin_component_info *info, const void *value)
{
    size_t own = kin__round_up(info->size);
    bool is_owned = info->has_lists || info->has_strings;
    return is_owned ? own + lists_size(info, value) + kin__strings_size(info, value) : own;
}

// Copies a value and then, at the next address that is aligned for any type, all that it owns.
static void copy_value(const kin_component_info *info, const void *value, char *place)
{
    memcpy(place, value, info->size);
    char *end = place + kin__round_up(info->size);
    if (!info->has_lists && !info->has_strings)
        return;
    if (lists_size(info, value) > 0)
        end = copy_lists(info, place, (char *)kin__round_up((uintptr_t)end));
    kin__strings_copy(info, place, end);
}

// Records a command with a value of this size, which may be too large for one.
static void *append_sized(kin__commands *commands, uint32_t op, kin_entity entity, size_t size)
{
    if (size <= UINT32_MAX / 2)
        return kin__command_append(commands, op, entity, (uint32_t)size);
    kin__buffer_of(commands)->lost++;
    return NULL;
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
    const kin_component_info *info = command_component(kin__buffer_of(commands), op);
    KIN_ASSERT(info != NULL && !info->has_drops);
    kin_status status = check_lists(kin__buffer_of(commands), info, value);
    if (status != KIN_OK)
        return status;
    size_t slack = lists_size(info, value) > 0 ? sizeof(max_align_t) : 0; // commands are aligned less than elements
    char *place = append_sized(commands, op, entity, slack + copied_size(info, value));
    if (place == NULL)
        return KIN_ERROR_NO_MEMORY;
    copy_value(info, value, place);
    return KIN_OK;
}

// ---- spawns with values
//
//   command | pointers to the values, NULL for the blueprint's | room to align | value, lists, strings | value …

// Returns what the values take, each aligned for any type; 0 for a list that an add would refuse.
static size_t values_size(kin__command_buffer *buffer, const kin__blueprint *blueprint, uint32_t op,
                          const void *const *values)
{
    const kin_component_info *components = kin__command_context(buffer, op)->info->components;
    size_t size = blueprint->part_count * sizeof *values + sizeof(max_align_t);
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        const kin_component_info *info = &components[blueprint->parts[i].id];
        if (values[i] == NULL)
            continue;
        if (check_lists(buffer, info, values[i]) != KIN_OK)
            return 0;
        size += kin__round_up(copied_size(info, values[i]));
    }
    return size;
}

static void copy_values(const kin_component_info *components, const kin__blueprint *blueprint,
                        const void *const *values, void **copies)
{
    char *place = (char *)kin__round_up((uintptr_t)(copies + blueprint->part_count));
    for (uint32_t i = 0; i < blueprint->part_count; i++) {
        const kin_component_info *info = &components[blueprint->parts[i].id];
        copies[i] = values[i] == NULL ? NULL : place;
        if (values[i] == NULL)
            continue;
        copy_value(info, values[i], place);
        place += kin__round_up(copied_size(info, values[i]));
    }
}

kin_entity kin__command_append_spawn(kin__commands *commands, uint32_t op, const void *const *values)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    const kin__blueprint *blueprint = command_blueprint(buffer, op);
    size_t size = values_size(buffer, blueprint, op, values);
    if (size == 0 || !reserve_numbers(buffer, 1))
        return 0;
    void *copies = append_sized(commands, op, 0, size);
    if (copies == NULL)
        return 0;
    copy_values(kin__command_context(buffer, op)->info->components, blueprint, values, copies);
    return take_numbers(buffer, 1);
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
    commands_rewind(kin__buffer_of(commands));
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

// Playing: finds the commands to call in order of recording, and the entities that they name.
//
// A command about an entity that was alive when the playback began, and died in it, is dropped (CMD-05). So before the
// first command a careful playback marks each command whose entity is alive. A playback is careful if entities can die
// or are made meanwhile: if a command destroys or makes one, or if anything watches the context, which may call
// listeners.
//
// Cost: in a careful playback each command is looked at twice; otherwise the library finds blocks alone.

enum { WAS_ALIVE = 1 }; // a flag of a command's size

static kin_status refuse(kin_context *context, const char *reason)
{
    return kin__report_error(context, KIN_ERROR_INVALID, &(kin__attempt){.verb = "play commands", .reason = reason});
}

// ---- beginning

bool kin__context_is_listened(const kin_context *context)
{
    const kin__events *events = &context->core->events;
    for (uint32_t id = 0; id <= context->info->component_count; id++)
        if (context->core->watches[id].listened > 0)
            return true;
    return events->subscribers.first != NULL || events->destroy_subscribers > 0 || events->change_subscribers > 0;
}

// Whether the entity of a command is alive; false for a message.
static bool is_alive(const kin__command_buffer *buffer, const kin__command *command)
{
    return !kin__command_is_message(command->op) &&
           kin__chunk_of(kin__command_context(buffer, command->op), command->entity) != NULL;
}

static void mark_alive(kin__command_buffer *buffer)
{
    for (kin__command_block *block = buffer->playing; block != NULL; block = block->next)
        for (size_t at = 0; at < block->used;) {
            kin__command *command = (kin__command *)(void *)(block->bytes + at);
            at += command->size;
            command->size |= is_alive(buffer, command) ? WAS_ALIVE : 0;
        }
}

void kin__commands_take(kin__command_buffer *buffer, bool is_careful)
{
    kin__array former = buffer->made;
    if (buffer->current != NULL)
        buffer->current->used = (size_t)(buffer->head.next - buffer->current->bytes);
    buffer->playing = buffer->blocks;
    buffer->made = buffer->coming;
    buffer->made_number = buffer->first_number;
    buffer->made_count = buffer->dropped = 0;
    buffer->coming = former;
    buffer->blocks = NULL;
    commands_rewind(buffer);
    buffer->is_playing = true;
    if (is_careful)
        mark_alive(buffer);
}

static void enter_block(kin__playback *playback)
{
    playback->at = playback->block->bytes;
    playback->end = playback->at + playback->block->used;
}

void kin__playback_enter(kin__playback *playback, kin__command_buffer *buffer, bool is_careful)
{
    KIN_ASSERT(buffer->is_playing);
    *playback = (kin__playback){.context = buffer->context, .commands = &buffer->head, .first = KIN_OK};
    playback->is_careful = is_careful;
    playback->block = buffer->playing;
    if (playback->block != NULL)
        enter_block(playback);
}

static kin_status check(kin_context *context, const kin__command_buffer *buffer)
{
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (buffer->is_playing)
        return refuse(context, "the buffer is being played; play it after that");
    return KIN_OK;
}

bool kin__playback_begin(kin__playback *playback, kin__commands *commands)
{
    kin__command_buffer *buffer = kin__buffer_of(commands);
    kin_context *context = buffer->context;
    kin_status status = check(context, buffer);
    if (status == KIN_OK && buffer->is_shared) {
        commands_rewind(buffer);
        status = refuse(context, "several threads recorded into the buffer; give each thread one of its own");
    }
    *playback = (kin__playback){.context = context, .commands = commands, .first = status};
    if (status != KIN_OK)
        return false;
    bool is_careful = commands->is_careful || kin__context_is_listened(context);
    kin__commands_take(buffer, is_careful);
    kin__playback_enter(playback, buffer, is_careful);
    return true;
}

// ---- entities

// Returns the entity that a handle stands for: itself, unless it is an entity to come that was made, or refused: 0.
static kin_entity entity_of(const kin__command_buffer *buffer, kin_entity entity)
{
    uint64_t index = entity - buffer->made_number;
    bool is_made = kin_entity_creation_index(entity) == 0 && entity != 0 && index < buffer->made_count;
    return is_made ? ((const kin_entity *)buffer->made.elements)[index] : entity;
}

static void resolve_reference(kin_entity *place, const kin_field_info *field, void *data)
{
    (void)field;
    *place = entity_of(data, *place);
}

// Resolves the entities in the values of a spawn.
static void resolve_values(kin__command_buffer *buffer, kin__command *command)
{
    const kin_component_info *components = kin__command_context(buffer, command->op)->info->components;
    const kin__blueprint *blueprint = command_blueprint(buffer, command->op);
    void **values = (void **)(void *)(command + 1);
    for (uint32_t i = 0; kin__command_size(command) > sizeof *command && i < blueprint->part_count; i++) {
        const kin_component_info *info = &components[blueprint->parts[i].id];
        if (values[i] != NULL && kin__has_references(info))
            kin__references_visit(info, values[i], resolve_reference, buffer);
    }
}

static void resolve_value(kin__command_buffer *buffer, kin__command *command)
{
    if ((command->op & KIN__COMMAND_BY_LIBRARY) != 0) {
        resolve_values(buffer, command);
        return;
    }
    const kin_component_info *info = command_component(buffer, command->op);
    uint32_t kind = command->op % KIN__COMMAND_KINDS;
    bool has_value = kind == KIN__COMMAND_ADD || kind == KIN__COMMAND_REPLACE;
    if (has_value && info != NULL && kin__has_references(info))
        kin__references_visit(info, command + 1, resolve_reference, buffer);
}

static void resolve_message(kin__command_buffer *buffer, kin__command *command)
{
    const kin_message_info *info = &buffer->scope.messages[command->op - KIN__COMMAND_MESSAGE(0)];
    kin__field_references_visit(info->fields, info->field_count, command + 1, resolve_reference, buffer);
}

// Resolves the entities that a command names. False if it is dropped, as its entity has died in this playback or was
// never made.
static bool resolve(kin__command_buffer *buffer, kin__command *command)
{
    if (kin__command_is_message(command->op)) {
        resolve_message(buffer, command);
        return true;
    }
    kin_entity entity = entity_of(buffer, command->entity);
    bool was_alive = (command->size & WAS_ALIVE) != 0 || entity != command->entity;
    command->entity = entity;
    if (was_alive && !is_alive(buffer, command))
        return false;
    if (buffer->made_count > 0)
        resolve_value(buffer, command);
    return true;
}

kin_status kin__playback_make(kin__playback *playback, const kin__command *command, kin_entity made)
{
    kin__command_buffer *buffer = kin__buffer_of(playback->commands);
    KIN_ASSERT(buffer->made_count < buffer->made.capacity);
    ((kin_entity *)buffer->made.elements)[buffer->made_count++] = made;
    return made == 0 ? kin__command_context(buffer, command->op)->core->last_status : KIN_OK;
}

static bool is_plain(const kin_context *context, const kin__blueprint *blueprint)
{
    bool is_plain = blueprint->tree == NULL && !blueprint->is_rich;
    for (uint32_t i = 0; i < blueprint->part_count; i++)
        is_plain = is_plain && !context->info->components[blueprint->parts[i].id].is_soa;
    return is_plain;
}

// Does what generated code does inline for a spawn with values, in a third of the instructions of kin__spawn_with.
// Returns 0 if the library has to spawn the entity.
static kin_entity spawn_fast(kin_context *context, uint32_t number, const void *const *values)
{
    const kin__blueprint *blueprint = &context->blueprints[number];
    if (!is_plain(context, blueprint))
        return 0;
    uint32_t words = context->row_words;
    kin__fast_spawn spawned = kin__fast_spawn_begin(context, number, context->info->component_count, words);
    for (uint32_t i = 0; spawned.entity != 0 && i < blueprint->part_count; i++) {
        const kin__part *part = &blueprint->parts[i];
        void *place = kin__fast_spawn_part(context, &spawned, part->id, words, part->size);
        if (part->size > 0)
            memcpy(place, values[i] != NULL ? values[i] : part->value, part->size);
    }
    return spawned.entity;
}

static kin_entity spawn_with(kin_context *context, uint32_t number, const void *const *values)
{
    kin_entity entity = spawn_fast(context, number, values);
    if (entity != 0)
        return entity;
    if (context->blueprints[number].tree != NULL)
        return kin__spawn_tree(context, number, values, NULL);
    return kin__spawn_with(context, number, values);
}

kin_status kin__playback_spawn(kin__playback *playback, const kin__command *command)
{
    kin__command_buffer *buffer = kin__buffer_of(playback->commands);
    kin_context *context = kin__command_context(buffer, command->op);
    const kin__blueprint *blueprint = command_blueprint(buffer, command->op);
    uint32_t number = (uint32_t)(blueprint - context->blueprints);
    const void *const *values = (const void *const *)(const void *)(command + 1);
    kin_entity *made = (kin_entity *)buffer->made.elements + buffer->made_count;
    bool has_values = kin__command_size(command) > sizeof *command;
    uint32_t count = has_values ? 1 : count_entities(blueprint);
    KIN_ASSERT(count <= buffer->made.capacity - buffer->made_count);
    if (has_values)
        *made = spawn_with(context, number, values);
    else
        kin__spawn_tree(context, number, NULL, made);
    buffer->made_count += count;
    return *made == 0 ? context->core->last_status : KIN_OK;
}

// ---- commands

// Returns the rest of the block.
static kin__command_run take_rest(kin__playback *playback)
{
    kin__command_run run = {(const kin__command *)(void *)playback->at, (const kin__command *)(void *)playback->end};
    playback->at = playback->end;
    return run;
}

// Moves to the next block with commands. False after the last one.
static bool next_block(kin__playback *playback)
{
    while (playback->at == playback->end && playback->block != NULL) {
        playback->block = playback->block->next;
        if (playback->block != NULL)
            enter_block(playback);
    }
    return playback->at != playback->end;
}

kin__command_run kin__playback_next(kin__playback *playback)
{
    while (next_block(playback)) {
        if (!playback->is_careful)
            return take_rest(playback);
        kin__command *command = (kin__command *)(void *)playback->at;
        playback->at += kin__command_size(command);
        if (resolve(kin__buffer_of(playback->commands), command))
            return (kin__command_run){command, kin__command_after(command)};
        kin__buffer_of(playback->commands)->dropped++;
    }
    return (kin__command_run){NULL, NULL};
}

// Gives the blocks back to the buffer, after those that a listener has filled meanwhile.
static void give_back(kin__command_buffer *buffer)
{
    kin__command_block **link = buffer->current == NULL ? &buffer->blocks : &buffer->current->next;
    kin__command_block *rest = *link;
    *link = buffer->playing;
    for (; *link != NULL; link = &(*link)->next)
        (*link)->used = 0;
    *link = rest;
    buffer->playing = NULL;
}

// The world of a job follows the trims of its contexts.
static void follow_trims(kin__command_buffer *buffer)
{
    if (buffer->context == NULL)
        return;
    uint32_t trims = buffer->context->core->trims;
    if (buffer->trims != trims && buffer->head.count == 0)
        kin__commands_release(buffer);
    buffer->trims = trims;
}

kin_status kin__playback_end(kin__playback *playback)
{
    kin__command_buffer *buffer = kin__buffer_of(playback->commands);
    KIN_ASSERT(buffer->is_playing);
    give_back(buffer);
    buffer->is_playing = false;
    follow_trims(buffer);
    return playback->first;
}

// Playing: finds the commands to call in order of recording, and the entities that they name.
//
// A command about an entity that was alive when the playback began, and died in it, is dropped (CMD-05). So before the
// first command a careful playback marks each command whose entity is alive. A playback is careful if entities can die
// or are made meanwhile: if a command destroys or makes one, or if anything watches the context, which may call
// listeners.
//
// Cost: in a careful playback each command is looked at twice; otherwise the library finds blocks alone.

#include "commands/commands.h"

#include "base/base.h"
#include "store/store.h"
#include "snapshot/snapshot.h"

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
    kin__commands_rewind(buffer);
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
        kin__commands_rewind(buffer);
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

static void resolve_value(kin__command_buffer *buffer, kin__command *command)
{
    const kin_component_info *info = kin__command_component(buffer, command->op);
    uint32_t kind = command->op % KIN__COMMAND_KINDS;
    if (info != NULL && (kind == KIN__COMMAND_ADD || kind == KIN__COMMAND_REPLACE) && kin__has_references(info))
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

// Playing: finds the commands to call in order of recording, and the entities that they name.
//
// A command about an entity that was alive when the playback began, and died in it, is dropped (CMD-05). So before the
// first command a careful playback marks each command whose entity is alive. A playback is careful if entities can die
// or are made meanwhile: if a command destroys or makes one, or if anything watches the context, which may call
// listeners.
//
// Cost: in a careful playback each command is looked at twice; otherwise the library finds blocks alone.

#include "commands/commands.h"

#include "base/assertion.h"
#include "core/sharing.h"
#include "merge/reference.h"
#include "report/error.h"

enum { WAS_ALIVE = 1 }; // a flag of a command's size

static kin_status refuse(kin_context *context, const char *reason)
{
    return kin__report_error(context, KIN_ERROR_INVALID, &(kin__attempt){.verb = "play commands", .reason = reason});
}

// ---- beginning

// Whether a listener may be called, which may do anything, unlike a collector.
static bool is_watched(const kin_context *context)
{
    const kin__events *events = &context->core->events;
    for (uint32_t id = 0; id <= context->info->component_count; id++)
        if (context->core->watches[id].listened > 0)
            return true;
    return events->subscribers.first != NULL || events->destroy_subscribers > 0 || events->change_subscribers > 0;
}

static void mark_alive(const kin_context *context, kin__command_block *blocks)
{
    for (kin__command_block *block = blocks; block != NULL; block = block->next)
        for (size_t at = 0; at < block->used;) {
            kin__command *command = (kin__command *)(void *)(block->bytes + at);
            at += command->size;
            command->size |= kin__chunk_of(context, command->entity) != NULL ? WAS_ALIVE : 0;
        }
}

// Takes what was recorded from the buffer, and leaves it empty.
static void take(kin__playback *playback, kin__command_buffer *buffer)
{
    kin__array former = buffer->made;
    if (buffer->current != NULL)
        buffer->current->used = (size_t)(buffer->head.next - buffer->current->bytes);
    playback->block = buffer->playing = buffer->blocks;
    buffer->made = buffer->coming;
    buffer->made_number = buffer->first_number;
    buffer->made_count = buffer->dropped = 0;
    buffer->coming = former;
    buffer->blocks = NULL;
    kin__commands_rewind(buffer);
    buffer->is_playing = true;
}

static void enter_block(kin__playback *playback)
{
    playback->at = playback->block->bytes;
    playback->end = playback->at + playback->block->used;
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
    *playback = (kin__playback){.context = context, .commands = commands, .first = check(context, buffer)};
    if (playback->first == KIN_OK && buffer->is_shared) {
        kin__commands_rewind(buffer);
        playback->first = refuse(context, "several threads recorded into the buffer; give each thread one of its own");
    }
    if (playback->first != KIN_OK)
        return false;
    playback->is_careful = commands->is_careful || is_watched(context);
    take(playback, buffer);
    if (playback->is_careful)
        mark_alive(context, playback->block);
    if (playback->block != NULL)
        enter_block(playback);
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

static void resolve_value(const kin__playback *playback, kin__command *command)
{
    const kin_component_info *info = kin__command_component(playback->context, command->op);
    uint32_t kind = command->op % KIN__COMMAND_KINDS;
    if (info != NULL && (kind == KIN__COMMAND_ADD || kind == KIN__COMMAND_REPLACE) && kin__has_references(info))
        kin__references_visit(info, command + 1, resolve_reference, kin__buffer_of(playback->commands));
}

// Resolves the entities that a command names. False if it is dropped, as its entity has died in this playback or was
// never made.
static bool resolve(const kin__playback *playback, kin__command *command)
{
    const kin__command_buffer *buffer = kin__buffer_of(playback->commands);
    kin_entity entity = entity_of(buffer, command->entity);
    bool was_alive = (command->size & WAS_ALIVE) != 0 || entity != command->entity;
    command->entity = entity;
    if (was_alive && kin__chunk_of(playback->context, entity) == NULL)
        return false;
    if (buffer->made_count > 0)
        resolve_value(playback, command);
    return true;
}

kin_status kin__playback_make(kin__playback *playback, kin_entity made)
{
    kin__command_buffer *buffer = kin__buffer_of(playback->commands);
    KIN_ASSERT(buffer->made_count < buffer->made.capacity);
    ((kin_entity *)buffer->made.elements)[buffer->made_count++] = made;
    return made == 0 ? playback->context->core->last_status : KIN_OK;
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
        if (resolve(playback, command))
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

kin_status kin__playback_end(kin__playback *playback)
{
    kin__command_buffer *buffer = kin__buffer_of(playback->commands);
    uint32_t trims = playback->context->core->trims;
    KIN_ASSERT(buffer->is_playing);
    give_back(buffer);
    buffer->is_playing = false;
    if (buffer->trims != trims && buffer->head.count == 0)
        kin__commands_release(buffer);
    buffer->trims = trims;
    return playback->first;
}

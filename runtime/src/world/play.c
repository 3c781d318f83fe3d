// Playback: runs the commands that parallel systems recorded, after the last system of a node.
//
//   first   each command whose entity is dead before any has run is marked: it is refused and reported as any call
//   then    each command is a call. Its entity is dropped silently if it died since: an earlier command overtook it
//
// Entities to come stand for what their spawns made, as targets and in entity fields of values and messages.
#include "change/component.h"
#include "create/entity.h"
#include "destroy/end.h"
#include "world/jobs.h"

#include <kin/generated/blueprint.h>
#include <kin/generated/storage.h>
#include <stdio.h>
#include <string.h>

// The playback of one job.
typedef struct player {
    kin__world *world;
    kin__commands *commands;
    kin_entity *made; // by number of the entity to come, from 1 on: made[0] is for 1; NULL: no memory for it
    uint32_t made_count;
    kin_parallel *last;
} player;

// ---- entities to come

static bool is_to_come(const player *player, kin_entity entity)
{
    return entity != 0 && entity <= player->commands->to_come;
}

// Returns the entity that a handle stands for; 0 for one to come that was not made.
static kin_entity resolve(const player *player, kin_entity entity)
{
    if (!is_to_come(player, entity))
        return entity;
    return entity <= player->made_count ? player->made[entity - 1] : 0;
}

static void resolve_fields(const player *player, const kin_field_info *fields, uint32_t count, char *value);

static void resolve_element(const player *player, const kin_field_info *field, char *element)
{
    if (field->type == KIN_TYPE_STRUCT) {
        resolve_fields(player, field->of->fields, field->of->field_count, element);
        return;
    }
    kin_entity entity;
    memcpy(&entity, element, sizeof entity);
    entity = resolve(player, entity);
    memcpy(element, &entity, sizeof entity);
}

// Recursive over nested structs, whose depth the schema limits.
static void resolve_fields(const player *player, const kin_field_info *fields, uint32_t count, char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        char *at = value + field->offset;
        uint32_t elements = field->count == 0 ? 1 : field->count;
        size_t size = field->size / elements;
        if (field->type != KIN_TYPE_ENTITY && field->type != KIN_TYPE_STRUCT)
            continue;
        if (field->is_list) {
            memcpy(&elements, at + sizeof(void *), sizeof elements);
            memcpy(&at, at, sizeof at);
            size = field->element_size;
        }
        for (uint32_t k = 0; at != NULL && k < elements; k++)
            resolve_element(player, field, at + k * size);
    }
}

// ---- one command

static kin_entity spawn(kin_context *context, const kin__command *command)
{
    if (command->kind == KIN__COMMAND_SPAWN_TREE)
        return kin__spawn_tree(context, command->id, NULL, NULL);
    return kin__spawn(context, command->id);
}

static void run_spawn(player *player, kin_context *context, const kin__command *command)
{
    kin_entity entity = spawn(context, command);
    KIN_ASSERT(command->entity == (kin_entity)player->made_count + 1 || player->made == NULL);
    if (player->made != NULL)
        player->made[player->made_count++] = entity;
    player->last->refused += entity == 0;
}

static void run_publish(const player *player, const kin__command *command, char *value)
{
    const kin_world_info *shown = player->world->info->shown;
    if (player->commands->to_come > 0 && shown != NULL)
        resolve_fields(player, shown->messages[command->id].fields, shown->messages[command->id].field_count, value);
    kin__world_publish(player->world, command->id, value);
}

static kin_status set_flag(kin_context *context, kin_entity entity, const kin__command *command)
{
    kin_component_id id = (kin_component_id)command->id;
    bool on = command->kind == KIN__COMMAND_SET;
    if (kin_entity_is_alive(context, entity) && kin_has(context, entity, id) == on)
        return KIN_OK;
    return on ? kin__component_add(context, entity, id, NULL) : kin__component_remove(context, entity, id);
}

static kin_status change(kin_context *context, kin_entity entity, const kin__command *command, const void *value)
{
    kin_component_id id = (kin_component_id)command->id;
    switch ((kin__command_kind)command->kind) {
    case KIN__COMMAND_ADD:
        return kin__component_add_fast(context, entity, id, value);
    case KIN__COMMAND_REPLACE:
        return kin__component_replace_fast(context, entity, id, value);
    case KIN__COMMAND_REMOVE:
        return kin__component_remove_fast(context, entity, id);
    case KIN__COMMAND_DESTROY:
        return kin__entity_destroy_fast(context, entity);
    default:
        return set_flag(context, entity, command);
    }
}

// Runs a command about an entity, unless the entity died since the playback began or was not made.
static void run_change(const player *player, kin_context *context, const kin__command *command, char *value)
{
    kin_entity entity = resolve(player, command->entity);
    if (!command->is_late && !kin_entity_is_alive(context, entity)) {
        player->last->dropped++;
        return;
    }
    bool has_value = command->kind == KIN__COMMAND_ADD || command->kind == KIN__COMMAND_REPLACE;
    const kin_component_info *component = &context->info->components[command->id];
    if (has_value && player->commands->to_come > 0)
        resolve_fields(player, component->fields, component->field_count, value);
    player->last->refused += change(context, entity, command, value) != KIN_OK;
}

static void run_command(player *player, kin__command *command)
{
    kin_context *context = player->world->contexts[command->context];
    char *value = (char *)(command + 1);
    switch ((kin__command_kind)command->kind) {
    case KIN__COMMAND_SPAWN:
    case KIN__COMMAND_SPAWN_TREE:
        run_spawn(player, context, command);
        break;
    case KIN__COMMAND_PUBLISH:
        run_publish(player, command, value);
        break;
    default:
        run_change(player, context, command, value);
    }
}

// ---- jobs and systems

// Without memory for the entities to come, commands about them are dropped.
static kin_entity *reserve_made(kin__world *world, const kin__job *job, const char *name)
{
    kin__array *made = &world->jobs->made;
    if (job->commands.to_come == 0)
        return NULL;
    if (kin__array_reserve(&world->memory, made, job->commands.to_come, sizeof(kin_entity)))
        return made->elements;
    kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "keep the entities that spawn for", name, NULL);
    return NULL;
}

static void play_job(kin__schema_system *schema_system, kin__job *job)
{
    kin__world *world = schema_system->world;
    player player = {.world = world, .commands = &job->commands, .last = &schema_system->parallel->last};
    player.made = reserve_made(world, job, schema_system->info->name);
    kin__command_place place;
    for (kin__command *command = kin__commands_begin(&job->commands, &place); command != NULL;
         command = kin__commands_next(&job->commands, &place))
        run_command(&player, command);
}

static void mark_late(const kin__world *world, const kin__commands *commands)
{
    kin__command_place place;
    for (kin__command *command = kin__commands_begin(commands, &place); command != NULL;
         command = kin__commands_next(commands, &place))
        if (command->entity > commands->to_come)
            command->is_late = !kin_entity_is_alive(world->contexts[command->context], command->entity);
}

// Sets who is to blame in messages about refused calls.
static void set_culprit(const kin__world *world, const char *culprit)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        world->contexts[i]->core->culprit = culprit;
}

static void play_system(kin__schema_system *schema_system)
{
    struct kin__parallel *parallel = schema_system->parallel;
    char culprit[96];
    snprintf(culprit, sizeof culprit, "system '%s' ", schema_system->info->name);
    set_culprit(schema_system->world, culprit);
    for (uint32_t i = 0; i < parallel->count; i++)
        play_job(schema_system, kin__parallel_job(parallel, i));
    set_culprit(schema_system->world, NULL);
    for (uint32_t i = 0; i < parallel->count; i++)
        kin__commands_clear(&kin__parallel_job(parallel, i)->commands);
}

static void mark_system(const kin__schema_system *schema_system)
{
    for (uint32_t i = 0; i < schema_system->parallel->count; i++)
        mark_late(schema_system->world, &kin__parallel_job(schema_system->parallel, i)->commands);
}

// Systems that are NULL were destroyed while the commands of others ran.
void kin__world_play(kin__world *world)
{
    kin__jobs *jobs = world->jobs;
    if (jobs->is_playing || jobs->pending_count == 0)
        return;
    jobs->is_playing = true;
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        if (jobs->pending[i] != NULL)
            mark_system(jobs->pending[i]);
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        if (jobs->pending[i] != NULL)
            play_system(jobs->pending[i]);
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        if (jobs->pending[i] != NULL)
            jobs->pending[i]->parallel->is_pending = false;
    jobs->pending_count = 0;
    jobs->is_playing = false;
}

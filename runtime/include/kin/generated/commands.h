/// Command buffers, for generated code only. Changes with the interface version.
///
/// A command is a call that is made later. A buffer keeps commands in the order of recording, in blocks that do not
/// move:
///
///     block   [ command | value | command | command | value | strings | … | room ]
///     command [ op | size | entity ]
///
/// `size` is that of the command with its value, a multiple of eight; its low bits are flags. An op is the number of a
/// context of the buffer and what is done there: for component `id`, id * KIN__COMMAND_KINDS + kind; creating and
/// destroying follow the last component, then one op for each blueprint, with KIN__COMMAND_BY_LIBRARY for spawns with
/// values or with all their entities. Messages have ops of their own.
///
/// A buffer of a program has one context. The buffer of a job (kin/generated/job.h) has those of its world.
///
/// An entity to come is a handle with creation index 0, so it is alive nowhere. Its slot is its number: numbers go on
/// from playback to playback, so that a handle of an earlier one names nothing.
///
/// Recording is inlined while the block has room; the library makes all other steps. Playing is a loop of generated
/// code over runs of commands: a block, or one command where the library has to resolve the entities first.
///
///     for (run = kin__playback_next(&playback); run.first != NULL; run = kin__playback_next(&playback))
///         for (command = run.first; command != run.end; command = after)
///             kin__playback_check(&playback, a switch over command->op, which also sets `after`);
///
/// Where the type of the command says how many bytes follow, the switch computes `after` without reading `size`: the
/// next command then need not wait for a load, which took a quarter of the time of playing.
#ifndef KIN_INTERNAL_COMMANDS_H
#define KIN_INTERNAL_COMMANDS_H

#include <kin/generated/storage.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__command {
    uint32_t op, size;
    kin_entity entity; // resolved when it is played
} kin__command;

// The kinds of commands about a component, and the commands of the context.
enum {
    KIN__COMMAND_ADD,
    KIN__COMMAND_REPLACE,
    KIN__COMMAND_REMOVE,
    KIN__COMMAND_TOUCH,
    KIN__COMMAND_STASH,
    KIN__COMMAND_RESTORE,
    KIN__COMMAND_SET,
    KIN__COMMAND_CLEAR,
    KIN__COMMAND_KINDS,
    KIN__COMMAND_CREATE = 0,
    KIN__COMMAND_DESTROY,
    KIN__COMMAND_SPAWN,        // the first blueprint
    KIN__COMMAND_ALIGNMENT = 8 // of commands and values
};

// A bit of the op of a spawn that the library makes: with values, if the command has a table of them, or else with all
// entities below, each of which is an entity to come.
enum { KIN__COMMAND_BY_LIBRARY = 1 << 20, KIN__COMMAND_SPAWN_MORE = KIN__COMMAND_BY_LIBRARY + KIN__COMMAND_SPAWN };

enum { KIN__COMMAND_CONTEXT_SHIFT = 21 }; // of the number of a context, below 1024

#define KIN__COMMAND_OP(context, id, kind)                                                                             \
    ((uint32_t)(context) << KIN__COMMAND_CONTEXT_SHIFT |                                                               \
     ((uint32_t)(id) * (uint32_t)KIN__COMMAND_KINDS + (uint32_t)(kind)))
#define KIN__COMMAND_MESSAGE(number) ((uint32_t)1 << 31 | (uint32_t)(number))

typedef struct kin__commands {
    unsigned char *next; // where the next command begins
    size_t room;         // bytes of the block from there on; 0 in checked builds, where the library records all
    uint32_t count;      // recorded commands
    bool is_careful;     // a command creates or destroys
} kin__commands;

KIN_API kin__commands *kin__commands_create(kin_context *context);
KIN_API void kin__commands_destroy(kin__commands *commands);
KIN_API void kin__commands_clear(kin__commands *commands);
KIN_API uint32_t kin__commands_dropped(const kin__commands *commands);
KIN_API kin_entity kin__commands_made(const kin__commands *commands, kin_entity to_come);

// Record a command, with room for a value of `size` bytes, and return where the value goes; NULL when out of memory.
KIN_API void *kin__command_append(kin__commands *commands, uint32_t op, kin_entity entity, uint32_t size);

// Records a value with its strings and lists.
KIN_API kin_status kin__command_append_owned(kin__commands *commands, uint32_t op, kin_entity entity,
                                             const void *value);

// Records that an entity is created, and returns the entity to come; 0 when out of memory.
KIN_API kin_entity kin__command_append_making(kin__commands *commands, uint32_t op);

// Record that a blueprint is spawned. The first copies values with all that they own: one for each part, NULL for that
// of the blueprint. The second writes all entities to come, depth first, to `entities`, or zeros; NULL is allowed. They
// return the entity of the blueprint; 0 when out of memory, and for a list that an add refuses.
KIN_API kin_entity kin__command_append_spawn(kin__commands *commands, uint32_t op, const void *const *values);
KIN_API kin_entity kin__command_append_tree(kin__commands *commands, uint32_t op, kin_entity *entities);

static inline void *kin__command_put(kin__commands *commands, uint32_t op, kin_entity entity, uint32_t size)
{
    uint32_t needed = (uint32_t)sizeof(kin__command) +
                      (size + KIN__COMMAND_ALIGNMENT - 1) / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT;
    if (commands->room < needed)
        return kin__command_append(commands, op, entity, size);
    kin__command *command = (kin__command *)(void *)commands->next;
    command->op = op;
    command->size = needed;
    command->entity = entity;
    commands->next += needed;
    commands->room -= needed;
    commands->count++;
    return command + 1;
}

// Records a value that owns nothing.
static inline kin_status kin__command_put_value(kin__commands *commands, uint32_t op, kin_entity entity,
                                                const void *value, uint32_t size)
{
    void *place = kin__command_put(commands, op, entity, size);
    if (place == NULL)
        return KIN_ERROR_NO_MEMORY;
    memcpy(place, value, size);
    return KIN_OK;
}

static inline kin_status kin__command_put_plain(kin__commands *commands, uint32_t op, kin_entity entity)
{
    return kin__command_put(commands, op, entity, 0) == NULL ? KIN_ERROR_NO_MEMORY : KIN_OK;
}

static inline kin_status kin__command_put_destroy(kin__commands *commands, uint32_t op, kin_entity entity)
{
    kin_status status = kin__command_put_plain(commands, op, entity);
    commands->is_careful |= status == KIN_OK;
    return status;
}

typedef struct kin__playback {
    kin_context *context; // of the buffer; NULL: that of a job
    kin__commands *commands;
    unsigned char *at, *end; // the next command, and the end of its block
    struct kin__command_block *block;
    kin_status first; // the first refusal
    uint32_t refused; // calls
    bool is_careful;  // entities are made or may die: the library resolves each command
} kin__playback;

// Commands in a row, from `first` to before `end`.
typedef struct kin__command_run {
    const kin__command *first, *end;
} kin__command_run;

// Begins to play. False, with the status in `first`, when that is refused; then there is nothing to end.
KIN_API bool kin__playback_begin(kin__playback *playback, kin__commands *commands);
// Returns the next commands that are to be called; `first` is NULL after the last one.
KIN_API kin__command_run kin__playback_next(kin__playback *playback);
KIN_API kin_status kin__playback_end(kin__playback *playback);

// Notes the entity that the command created, and returns the status; 0: it was refused.
KIN_API kin_status kin__playback_make(kin__playback *playback, const kin__command *command, kin_entity made);

// Makes the call of a command with KIN__COMMAND_BY_LIBRARY.
KIN_API kin_status kin__playback_spawn(kin__playback *playback, const kin__command *command);

// Returns what follows a command with `size` bytes of value.
static inline const kin__command *kin__command_skip(const kin__command *command, size_t size)
{
    size_t bytes = (size + KIN__COMMAND_ALIGNMENT - 1) / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT;
    return (const kin__command *)(const void *)((const unsigned char *)(command + 1) + bytes);
}

// The same for one whose value may have any size.
static inline const kin__command *kin__command_after(const kin__command *command)
{
    uint32_t size = command->size / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT; // without flags
    return (const kin__command *)(const void *)((const unsigned char *)command + size);
}

static inline void kin__playback_check(kin__playback *playback, kin_status status)
{
    if (status == KIN_OK)
        return;
    playback->refused++;
    if (playback->first == KIN_OK)
        playback->first = status;
}

KIN_END_DECLARATIONS

#endif

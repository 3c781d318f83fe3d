#include "play.h"

#include "model/token.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kinds[] = {"OPERATION", "status", "error",  "call",   "event",     "asked", "executed",
                                    "visited",   "answer", "entity", "member", "collected", "found", "count"};
static const char *const codes[MODEL_CODE_COUNT] = {
    [MODEL_CREATE] = "create",
    [MODEL_CLONE] = "clone",
    [MODEL_SET_UNIQUE] = "set_unique",
    [MODEL_REPLACE_UNIQUE] = "replace_unique",
    [MODEL_SPAWN] = "spawn",
    [MODEL_SPAWN_MANY] = "spawn_many",
    [MODEL_APPLY] = "apply",
    [MODEL_DESTROY] = "destroy",
    [MODEL_ADD] = "add",
    [MODEL_REPLACE] = "replace",
    [MODEL_REMOVE] = "remove",
    [MODEL_READD] = "readd",
    [MODEL_STASH] = "stash",
    [MODEL_RESTORE] = "restore",
    [MODEL_TOUCH] = "touch",
    [MODEL_EDIT] = "edit",
    [MODEL_SET] = "set",
    [MODEL_REMOVE_ALL] = "remove_all",
    [MODEL_REMOVE_SOME] = "remove_some",
    [MODEL_COPY] = "copy",
    [MODEL_ENSURE] = "ensure",
    [MODEL_RESTORE_OR_ADD] = "restore_or_add",
    [MODEL_REMOVE_UNIQUE] = "remove_unique",
    [MODEL_SET_UNIQUE_FLAG] = "set_unique_flag",
    [MODEL_RETAIN] = "retain",
    [MODEL_RELEASE] = "release",
    [MODEL_DESTROY_ALL] = "destroy_all",
    [MODEL_RESET] = "reset",
    [MODEL_MAKE_GROUP] = "make_group",
    [MODEL_DESTROY_GROUP] = "destroy_group",
    [MODEL_ASK_WRONGLY] = "ask_wrongly",
    [MODEL_SINGLE] = "single",
    [MODEL_WALK] = "walk",
    [MODEL_ASK] = "ask",
    [MODEL_DESCRIBE] = "describe",
    [MODEL_TRIM] = "trim",
    [MODEL_SUBSCRIBE] = "subscribe",
    [MODEL_SUBSCRIBE_ENTITY] = "subscribe_entity",
    [MODEL_SUBSCRIBE_CONTEXT] = "subscribe_context",
    [MODEL_UNSUBSCRIBE] = "unsubscribe",
    [MODEL_MAKE_COLLECTOR] = "make_collector",
    [MODEL_END_COLLECTOR] = "end_collector",
    [MODEL_ACTIVATE] = "activate",
    [MODEL_DEACTIVATE] = "deactivate",
    [MODEL_CLEAR] = "clear",
    [MODEL_ADD_SYSTEM] = "add_system",
    [MODEL_REMOVE_SYSTEM] = "remove_system",
    [MODEL_ENABLE_SYSTEM] = "enable_system",
    [MODEL_EXECUTE] = "execute",
    [MODEL_CLEANUP] = "cleanup",
    [MODEL_ACTIVATE_ALL] = "activate_all",
    [MODEL_DEACTIVATE_ALL] = "deactivate_all",
    [MODEL_CLEAR_ALL] = "clear_all",
    [MODEL_LISTEN] = "listen",
    [MODEL_UNLISTEN] = "unlisten",
    [MODEL_MAKE_EVENTS] = "make_events",
    [MODEL_END_EVENTS] = "end_events",
    [MODEL_DELIVER] = "deliver",
    [MODEL_ENABLE_EVENT] = "enable_event",
    [MODEL_ACTIVATE_EVENTS] = "activate_events",
    [MODEL_DEACTIVATE_EVENTS] = "deactivate_events",
    [MODEL_CLEAR_EVENTS] = "clear_events",
    [MODEL_SPREAD] = "spread",
    [MODEL_SAVE] = "save",
    [MODEL_REWIND] = "rewind",
    [MODEL_END_SNAPSHOT] = "end_snapshot",
    [MODEL_REPLAY] = "replay",
};

// ---- printing

static void print_number(const char *name, int32_t number)
{
    if (number == MODEL_BROKEN)
        fprintf(stderr, " %s BROKEN", name);
    else if (number != MODEL_NO_VALUE && number != 0)
        fprintf(stderr, " %s %d", name, number);
}

static void print_record(const char *world, const model_record *record)
{
    bool names_part = record->kind != MODEL_STATUS && record->kind != MODEL_VISITED && record->kind != MODEL_EXECUTED &&
                      record->kind != MODEL_COUNT;
    bool has_part = names_part && record->part >= 0 && record->part < MODEL_PARTS;
    fprintf(stderr, "  %s %s", world, kinds[record->kind]);
    if (record->kind == MODEL_OPERATION)
        fprintf(stderr, " %s", codes[record->place]);
    if (record->kind == MODEL_STATUS || record->kind == MODEL_ERROR)
        fprintf(stderr, " %s", kin_status_name((kin_status)record->number));
    if (record->entity != 0)
        fprintf(stderr, " entity %" PRIu64 "/%u", kin_entity_creation_index(record->entity),
                kin_entity_slot(record->entity));
    if (has_part)
        fprintf(stderr, " %s", model_traits[record->part].name);
    else
        print_number("part", record->part);
    print_number("number", record->number);
    print_number("previous", record->previous);
    print_number("value", record->value);
    if (record->kind != MODEL_OPERATION)
        print_number("place", record->place);
    print_number("event", record->event);
    fputc('\n', stderr);
}

static void print_turn(const model_side *side, uint64_t turn)
{
    fprintf(stderr, "turn %" PRIu64 "\n", turn);
    for (uint32_t i = 0; i < side->log_count && i < 600; i++)
        if (side->log[i].kind < MODEL_ENTITY)
            print_record("", &side->log[i]);
}

static void print_difference(const model_side *real, const model_side *naive, int64_t place)
{
    fprintf(stderr, "the worlds differ:\n");
    for (int64_t i = place > 40 ? place - 40 : 0; i < place; i++)
        print_record("both ", &real->log[i]);
    for (int64_t i = place; i < place + 8; i++) {
        if (i < real->log_count)
            print_record("real ", &real->log[i]);
        if (i < naive->log_count)
            print_record("naive", &naive->log[i]);
    }
}

// ---- comparing

// The place of the first difference; -1 when there is none.
static int64_t compare(const model_side *real, const model_side *naive)
{
    uint32_t count = real->log_count < naive->log_count ? real->log_count : naive->log_count;
    for (uint32_t i = 0; i < count; i++)
        if (side_differs(&real->log[i], &naive->log[i]))
            return i;
    return real->log_count == naive->log_count ? -1 : (int64_t)count;
}

// ---- turns

static model_side real, naive;

static bool take_turn(const model_game *game, uint64_t turn, model_voice voice)
{
    uint32_t every = game->mix->show_every;
    bool all = game->show_always || (turn * UINT64_C(0x9E3779B97F4A7C15) >> 33) % every == 0;
    uint32_t inner = turn + 1 == game->turns ? game->last_inner : 0;
    side_turn(&real, game->seed, turn, inner);
    if (voice == VOICE_ALL)
        print_turn(&real, turn);
    side_turn(&naive, game->seed, turn, inner);
    side_show(&real, all);
    side_show(&naive, all);
    int64_t place = compare(&real, &naive);
    if (place >= 0 && voice != VOICE_QUIET)
        print_difference(&real, &naive, place);
    return place < 0;
}

static void give_game(model_side *side, const model_game *game)
{
    side->moment_percent = game->moment_percent;
    side->bytes = game->bytes;
    side->byte_count = game->byte_count;
}

void play_here(const model_game *game, model_voice voice, volatile model_outcome *outcome)
{
    model_tokens_begin();
    side_begin(&real, &model_real, game->package, game->mix);
    side_begin(&naive, &model_naive, game->package, game->mix);
    give_game(&real, game);
    give_game(&naive, game);
    for (uint64_t turn = 0; real.operation_count < game->operations; turn++) {
        if (game->turns > 0 && turn >= game->turns)
            break;
        if (game->bytes != NULL && real.byte_count == 0)
            break;
        outcome->turns = turn + 1;
        if (game->left_out != NULL && game->left_out[turn])
            continue;
        outcome->different = !take_turn(game, turn, voice);
        outcome->operations = real.operation_count;
        if (outcome->different)
            return;
    }
    side_end(&real);
    side_end(&naive);
    outcome->different = model_tokens_count() != 0 || model_tokens_faults() != 0;
    if (outcome->different && voice != VOICE_QUIET)
        fprintf(stderr, "%u tokens are left, %u were dropped twice\n", model_tokens_count(), model_tokens_faults());
}

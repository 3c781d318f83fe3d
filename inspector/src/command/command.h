// command: the terminal's side: kin-inspect
//
//   arguments → command → session (the game) → client: requests → show: answers as text
//
// Invariants:
//   1. a function that returns no answer, or a status other than DONE, has said why
//   2. what a game sends reaches a terminal only with its control characters escaped
//   3. the token of a game is never shown
#ifndef KIN_SRC_INSPECT_COMMAND_H
#define KIN_SRC_INSPECT_COMMAND_H

#include "text/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// ---- the command line

// The command line of kin-inspect.

enum { MOST_WORDS = 8, DONE = 0, REFUSED = 1, USAGE = 2, NO_GAME = 3, NOTHING = 4 };

typedef struct arguments {
    const char *words[MOST_WORDS + 1]; // the command and what follows, without options; NULL behind the last one
    int count;
    const char *context, *fields, *limit, *expect, *explain, *url, *name, *output; // or NULL
    const char *component, *entity, *system, *kind, *to;                           // or NULL
    long pid;                                                                      // or 0
    bool is_json, is_forced, wants_help;
    bool is_none, is_of_systems; // of until; of step and until
    bool is_watched;             // asks again and again
    bool waits, waits_not;       // of pause, hold and until; of until
} arguments;

// Returns false, and says what is wrong, when the command line is none.
bool arguments_parse(arguments *arguments, int count, char **values);

void arguments_print_usage(void);

// The word that is nearest to the one that was typed; `word` is NULL if none is near. Begin with zeros.
typedef struct guess {
    const char *word;
    uint32_t distance;
} guess;

void guess_offer(guess *guess, const char *typed, const char *word);

// Says that `what`, such as an unknown option, was typed, and which word may be meant.
void guess_say(const guess *guess, const char *what, const char *typed);

// ---- commands

// What kin-inspect can ask for by a word, and the parameters that the command line gives.

// A command: a method, what its words are, and what is shown of the result.
typedef struct command {
    const char *name, *method;
    const char *words[3];    // the parameters that follow; `?` in front: may be left out; `=`: a value of JSON
    const char *rows;        // the member that is shown as a table; NULL for the whole result
    const char *columns[10]; // of the table
    bool has_context;
} command;

// Returns the command of a name, or NULL.
const command *commands_find(const char *name);

// Offers the names of all commands.
void commands_offer(guess *guess, const char *typed);

// The command `get` with the option --explain.
extern const command commands_explain;

// Reads words and options of the command line. Returns false, and says so, when there are too few words or too many.
bool commands_read(const arguments *arguments, const command *command, json_t *parameters);

// ---- games

// Games that run, found by the files that their inspectors wrote.

enum { MOST_GAMES = 64 };

typedef struct game {
    long pid; // or 0 if it is not known
    char name[64];
    char url[256]; // without the token
    char token[129];
    bool is_read_only;
} game;

// Finds the games of this user that run. Files of others are passed over, those of processes that have ended removed.
size_t games_find(game *games, size_t capacity);

// Says that no game was found, or why none can be.
void games_say_none(void);

// Chooses the game of the command line, or the only one. Returns false, and says why, when there is none.
bool game_choose(const arguments *arguments, game *chosen);

// A command line, and the game that it is about.

typedef struct session {
    const arguments *arguments;
    game game;
} session;

// ---- requests

// Requests to a game.

// Asks a method. `parameters` is taken over. Returns the answer, an object with `result` or `error`; NULL, and says
// why, when there is none, such as that the game has ended.
json_t *client_ask(const game *game, const char *method, json_t *parameters);

// Takes an event, whose `result` or `error` it may change. Returns false to end the stream.
typedef bool client_take(json_t *event, void *user);

// Asks a method again and again, and gives each event to `take`. `parameters` is taken over. Returns a request that was
// refused, an object with `error`, which the caller releases; otherwise NULL, when `take` or the game has ended it, or
// it never began. Of the last two it says why.
json_t *client_stream(const game *game, const char *method, json_t *parameters, client_take *take, void *user);

// Gets a path of the game. Returns the text, which the caller frees; NULL, and says why, without one.
char *client_get(const game *game, const char *path);

// Errors of a game after which a command does something else than refuse.

enum { NOT_UPDATING = -33101, ENDED = -33105 };

// ---- names

// What words of the command line stand for, as the game says: components, systems, collectors.
//
// Each changes the parameters of a request, which is made after it. Returns DONE, or the status of the program when
// that cannot be, and says why.

// Refuses the path of a value that has no component or no field, with one that has.
int names_check_path(const session *session, json_t *parameters);

// `place` may be the name of a system.
int names_find_place(const session *session, json_t *parameters);

// `collector` may be a number.
int names_find_collector(const session *session, json_t *parameters);

// Returns the string of a member, or "".
const char *text_in(const json_t *object, const char *key);

// ---- results that change

// Results that are shown again whenever they change. A stream sends the first one whole, then what differs.

// Shows a result. It may change it.
typedef int follow_show(const arguments *arguments, json_t *result, const void *user);

// Shows the result of a method until the game ends, or for ever; of records those that are new. `parameters` is taken
// over. Returns the status of the program: NO_GAME when the game ends.
int follow_run(const session *session, const char *method, json_t *parameters, follow_show *show, const void *user);

// ---- holds

// Pauses that a person reads in. A game goes on when no viewer has asked for anything for ten seconds, so these
// commands keep asking.

// Asks time.pause, time.hold or time.until, and shows the answer. `parameters` is taken over. Returns the status of the
// program.
//
// Of time.until waits until it holds, and shows the entities that match then; with --no-wait it does not. With --wait
// stays until it is interrupted, and then resumes the game, or until another command has resumed it.
int hold_run(const session *session, const char *method, json_t *parameters);

// ---- records

// Messages, refused calls and journals of a game as they come.

typedef struct followed {
    const char *method;         // whose answers have `next` for `after`
    const char *rows;           // the member with the records
    const char *const *columns; // up to NULL
    int most;                   // records of an answer
} followed;

// Shows the records that are there. Where the game has only begun to record, those of one second; with the option
// --watch all that come until the game ends, whose status is NO_GAME, and says how many were lost. `parameters` is
// taken over.
int records_run(const session *session, const followed *followed, json_t *parameters);

// ---- systems by time

// The systems of a game by time, and files that are fetched from it.

// Shows the systems by their time in the last updates: on a terminal each second, else once.
int top_run(const arguments *arguments);

// Prints the metrics of the game.
int metrics_run(const arguments *arguments);

// Records the timeline for some seconds, and writes it to the file of the option --output.
int trace_run(const arguments *arguments);

// ---- values

// Values as JSON, with numbers as the game wrote them: jansson would give 135.5567 as 135.55670000000001.

// Writes a value as compact JSON. `flags` are those of jansson for strings, such as JSON_ENSURE_ASCII.
void value_write(FILE *file, const json_t *value, size_t flags);

// Returns the value as compact JSON, which the caller frees; or NULL without memory.
char *value_text(const json_t *value);

// ---- answers as text

// Answers as text: rows with tabs, in a terminal aligned. Control characters are shown as \x1b, marks of
// direction as \u202e.

// Writes an array of objects as a table, with a column for each name.
void show_table(const json_t *rows, const char *const *names, size_t count);

// Writes more rows of a table.
void show_rows(const json_t *rows, const char *const *names, size_t count);

// Writes a text, such as a message, with its ends of lines; nothing for NULL.
void show_text(FILE *file, const char *text);

// Ends a message about a word that does not exist with the one that may be meant.
void show_meant(const char *word);

// Writes a value: an object one member a line.
void show_value(json_t *value);

// Writes a result as JSON.
void show_json(const json_t *value);

// Writes the result of content.status: lists, and a line for each error. Returns NOTHING, and says so, without content.
int show_content(const json_t *result);

// Shows the session of a world. Returns NOTHING without one.
int show_network(const json_t *result);

// Returns NO_GAME without an answer, and DONE for one without an error; otherwise shows the error as show_error does.
int show_refusal(const json_t *answer, const char *text);

// Prints an error of the game, and its place in `text`, unless that is NULL. Returns REFUSED, or NO_GAME when the world
// has ended.
int show_error(const json_t *error, const char *text);

#endif

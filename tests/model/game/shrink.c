#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "play.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 1200, REPLAY_SECONDS = 20, REPLAYS = 1000, SHRINK_SECONDS = 30 };

// ---- another process

static volatile model_outcome *share(void)
{
    void *place = mmap(NULL, sizeof(model_outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        ck_abort_msg("the outcome cannot be shared");
    return place;
}

static void be_quiet(void)
{
    if (freopen("/dev/null", "w", stderr) == NULL)
        _exit(3);
}

model_outcome play_apart(const model_game *game, model_voice voice)
{
    volatile model_outcome *outcome = share();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (voice == VOICE_QUIET)
            be_quiet();
        alarm(game->turns > 0 ? REPLAY_SECONDS : SECONDS);
        play_here(game, voice, outcome);
        _exit(outcome->different ? 1 : 0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        ck_abort_msg("no process for the game");
    model_outcome result = {outcome->turns, outcome->operations, !WIFEXITED(status) || WEXITSTATUS(status) != 0};
    if (voice != VOICE_QUIET && WIFSIGNALED(status))
        fprintf(stderr, "signal %d in turn %" PRIu64 "\n", WTERMSIG(status), result.turns - 1);
    munmap((void *)(uintptr_t)outcome, sizeof *outcome);
    return result;
}

// ---- shrinking

// Leaves out turns in ever smaller pieces, as long as the rest still differs (delta debugging; Zeller, 1999). A game
// that fails earlier than before is cut there.
static void spare_turns(model_game *game, bool *left_out)
{
    uint32_t replays = 0;
    time_t end = time(NULL) + SHRINK_SECONDS;
    for (uint64_t size = (game->turns + 1) / 2; size > 0 && replays < REPLAYS; size = size == 1 ? 0 : (size + 1) / 2)
        for (uint64_t start = 0; start < game->turns && replays < REPLAYS && time(NULL) < end; start += size) {
            bool *before = malloc(game->turns * sizeof *before);
            memcpy(before, left_out, game->turns * sizeof *before);
            bool any = false;
            for (uint64_t i = start; i < start + size && i + 1 < game->turns; i++) {
                any = any || !left_out[i];
                left_out[i] = true;
            }
            model_outcome outcome = {0};
            if (any) {
                outcome = play_apart(game, VOICE_QUIET);
                replays++;
            }
            if (outcome.different)
                game->turns = outcome.turns;
            else
                memcpy(left_out, before, game->turns * sizeof *before);
            free(before);
        }
}

// Limits the last turn to the operations that are needed.
static void spare_inner(model_game *game)
{
    for (uint32_t low = 0, high = 512; high - low > 1;) {
        model_game shorter = *game;
        shorter.last_inner = (low + high) / 2;
        if (play_apart(&shorter, VOICE_QUIET).different) {
            high = shorter.last_inner;
            game->last_inner = high;
        } else {
            low = shorter.last_inner;
        }
    }
}

static void print_turns(const model_game *game)
{
    uint64_t kept = 0;
    fprintf(stderr, "run again with CK_RUN_SUITE=%s CK_RUN_CASE=%s KIN_MODEL_PACKAGE=%s KIN_MODEL_SEED=%" PRIu64,
            game->suite, game->mix->name, game->package->name, game->seed);
    fprintf(stderr, " KIN_MODEL_INNER=%u KIN_MODEL_TURNS=", game->last_inner);
    for (uint64_t i = 0; i < game->turns; i++)
        if (!game->left_out[i])
            fprintf(stderr, "%s%" PRIu64, kept++ > 0 ? "," : "", i);
    fprintf(stderr, " make check\n");
}

static void print_game(const model_game *game, const char *what, const model_outcome *outcome)
{
    fprintf(stderr,
            "model: package %s, mix %s, seed %" PRIu64 ": %s at turn %" PRIu64 ", after %" PRIu64 " operations\n",
            game->package->name, game->mix->name, game->seed, what, outcome->turns - 1, outcome->operations);
}

bool model_play(const model_game *game)
{
    model_outcome outcome = play_apart(game, game->left_out != NULL ? VOICE_ALL : VOICE_DIFFERENCE);
    if (!outcome.different)
        return true;
    print_game(game, "different", &outcome);
    model_game shorter = *game;
    shorter.turns = outcome.turns;
    shorter.show_always = true;
    model_outcome again = play_apart(&shorter, VOICE_QUIET);
    shorter.show_always = again.different; // fewer queries can be needed for the difference
    if (again.different)
        shorter.turns = again.turns;
    bool *left_out = calloc(shorter.turns, sizeof *left_out);
    if (game->left_out != NULL)
        memcpy(left_out, game->left_out, shorter.turns * sizeof *left_out);
    shorter.left_out = left_out;
    print_game(&shorter, "the shortest prefix that fails ends", again.different ? &again : &outcome);
    spare_inner(&shorter);
    spare_turns(&shorter, left_out);
    spare_inner(&shorter);
    play_apart(&shorter, VOICE_ALL);
    print_turns(&shorter);
    free(left_out);
    return false;
}

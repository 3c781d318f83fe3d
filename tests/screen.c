// Xvfb keeps its screen in a file in the format of xwd: numbers with the highest byte first, then a map of colours,
// then the pixels.
#include "screen.h"

#include "shell.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIXELS = SCREEN_WIDTH * SCREEN_HEIGHT, LOOKS = 200, SAME_LOOKS = 4, BETWEEN_LOOKS = 50 }; // milliseconds
enum { WORD_OF_SIZE = 0, WORD_OF_COLOURS = 19, BYTES_OF_A_COLOUR = 12, HEADER_WORDS = 25 };

static pid_t server;
static char folder[256], display[32];
static uint32_t pixels[PIXELS], earlier[PIXELS];

const char *screen_missing(void)
{
    static const char *const programs[] = {"Xvfb", "xdotool", "xprop"};
    char command[64];
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        snprintf(command, sizeof command, "command -v %s > /dev/null", programs[i]);
        if (system(command) != 0)
            return programs[i];
    }
    return NULL;
}

// ---- the server

static void serve(int channel)
{
    char number[16], size[32];
    snprintf(number, sizeof number, "%d", channel);
    snprintf(size, sizeof size, "%dx%dx24", SCREEN_WIDTH, SCREEN_HEIGHT);
    freopen("/dev/null", "w", stderr);
    execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", size, "-fbdir", folder, "-nolisten", "tcp",
           (char *)NULL);
    _exit(EXIT_FAILURE);
}

// Reads the number of the display, which Xvfb prints when it is ready.
static void wait_for_server(int channel)
{
    char number[16] = "";
    for (size_t size = 0; strchr(number, '\n') == NULL && size < sizeof number - 1;) {
        ssize_t more = read(channel, number + size, sizeof number - 1 - size);
        ck_assert_msg(more > 0, "Xvfb does not begin");
        size += (size_t)more;
    }
    snprintf(display, sizeof display, ":%d", atoi(number));
    setenv("DISPLAY", display, 1);
}

void screen_open(void)
{
    int channel[2];
    snprintf(folder, sizeof folder, "%s/kin-test-screen-XXXXXX", shell_scratch());
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(pipe(channel), 0);
    server = fork();
    if (server == 0)
        serve(channel[1]);
    ck_assert_int_gt(server, 0);
    close(channel[1]);
    wait_for_server(channel[0]);
    close(channel[0]);
}

void screen_close(void)
{
    char path[300];
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    snprintf(path, sizeof path, "%s/Xvfb_screen0", folder);
    unlink(path);
    rmdir(folder);
}

// ---- its mouse and keys

const char *screen_do(arena *arena, const char *arguments)
{
    return shell_expect(arena, arena_format(arena, "xdotool %s", arguments));
}

screen_window screen_find(arena *arena, const char *title)
{
    screen_window found = {0};
    const char *said = screen_do(
        arena, arena_format(arena, "search --sync --onlyvisible --name '%s' getwindowgeometry --shell", title));
    const char *numbers = strstr(said, "X=");
    ck_assert_ptr_nonnull(numbers);
    int count = sscanf(numbers, "X=%d Y=%d WIDTH=%d HEIGHT=%d", &found.x, &found.y, &found.width, &found.height);
    ck_assert_int_eq(count, 4);
    return found;
}

// ---- what it shows

static size_t word(const unsigned char *bytes)
{
    return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

static void look(void)
{
    char path[300];
    unsigned char header[4 * HEADER_WORDS];
    snprintf(path, sizeof path, "%s/Xvfb_screen0", folder);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(header, 1, sizeof header, file), sizeof header);
    size_t start = word(header + 4 * WORD_OF_SIZE) + word(header + 4 * WORD_OF_COLOURS) * BYTES_OF_A_COLOUR;
    ck_assert_int_eq(fseek(file, (long)start, SEEK_SET), 0);
    ck_assert_uint_eq(fread(pixels, sizeof *pixels, PIXELS, file), PIXELS);
    fclose(file);
}

static bool is_empty(void)
{
    for (size_t i = 1; i < PIXELS; i++)
        if (pixels[i] != pixels[0])
            return false;
    return true;
}

int screen_wait_for_rest(void)
{
    int same = 0, changes = 0;
    for (int i = 0; i < LOOKS && same < SAME_LOOKS; i++) {
        memcpy(earlier, pixels, sizeof pixels);
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_LOOKS * 1000000L}, NULL);
        look();
        bool is_same = memcmp(earlier, pixels, sizeof pixels) == 0;
        same = is_same && !is_empty() ? same + 1 : 0;
        changes += !is_same;
    }
    ck_assert_msg(same == SAME_LOOKS, "the screen does not come to rest");
    return changes;
}

uint32_t screen_pixel(int x, int y)
{
    ck_assert_msg(x >= 0 && x < SCREEN_WIDTH && y >= 0 && y < SCREEN_HEIGHT, "%d, %d is not on the screen", x, y);
    return pixels[y * SCREEN_WIDTH + x] & 0xFFFFFF;
}

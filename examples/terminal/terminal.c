#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static struct termios before;
static volatile sig_atomic_t is_asked_to_end;

static void ask_to_end(int number)
{
    (void)number;
    is_asked_to_end = 1;
}

bool terminal_open(void)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    struct sigaction action = {.sa_handler = ask_to_end};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    fputs("\033[?1049h\033[?25l\033[2J", stdout);
    return true;
}

void terminal_close(void)
{
    fputs("\033[0m\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

// An arrow is sent as escape, a bracket and a letter.
static int read_key(void)
{
    static const int arrows[] = {KEY_UP, KEY_DOWN, KEY_RIGHT, KEY_LEFT};
    unsigned char keys[3];
    ssize_t count = read(STDIN_FILENO, keys, sizeof keys);
    if (count <= 0)
        return KEY_END;
    if (count < 3 || keys[0] != '\033')
        return keys[0];
    return keys[2] >= 'A' && keys[2] <= 'D' ? arrows[keys[2] - 'A'] : KEY_NONE;
}

double terminal_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int terminal_read(double until)
{
    struct pollfd waiting = {.fd = STDIN_FILENO, .events = POLLIN};
    double left = until - terminal_seconds();
    int milliseconds = left > 0 ? (int)(left * 1000) + 1 : 0;
    bool has_key = poll(&waiting, 1, milliseconds) > 0;
    int key = has_key ? read_key() : KEY_NONE;
    return is_asked_to_end ? KEY_END : key;
}

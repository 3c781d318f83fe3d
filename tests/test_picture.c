// Picture: the picture of Match-One that a window writes for README.
#include "../examples/match_one/window/png.h"
#include "shell.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static arena memory;

static void end(void)
{
    arena_release(&memory);
}

// Byte by byte, except with another SDL2 or arithmetic, which may mix colours slightly differently: then only the size.
START_TEST(the_picture_of_a_seed_is_always_the_same_and_the_one_in_readme)
{
    const char *program = arena_format(&memory, "%s/examples/match_one/match_one_window", shell_build());
    if (access(program, X_OK) != 0) {
        printf("skipped: what needs SDL2, as there is none\n");
        return;
    }
    const char *picture = arena_format(&memory, "%s/tests/window.png", shell_build());
    const char *command =
        arena_format(&memory,
                     "for n in 1 2; do ASAN_OPTIONS=detect_leaks=0 SDL_VIDEODRIVER=dummy "
                     "SDL_RENDER_DRIVER=software %s --seed 12 --screenshot %s.$n || exit; done; "
                     "cmp %s.1 %s.2 || exit; case $(uname -m) in x86_64) whole=docs/images/match_one.png;; esac; "
                     "case $(pkg-config --modversion sdl2) in 2.26.*) ;; *) whole= ;; esac; "
                     "cmp ${whole:--n 24 docs/images/match_one.png} %s.1",
                     program, picture, picture, picture, picture);
    shell_expect(&memory, command);
    ck_assert_ptr_nonnull(strstr(shell_read(&memory, "README.md"), "src=\"docs/images/match_one.png\""));
}
END_TEST

// The picture has a long run of equal pixels, short ones and none. The expected file was checked with other programs.
START_TEST(a_picture_is_written_as_png)
{
    enum { WIDTH = 300, HEIGHT = 3 };
    static uint8_t pixels[WIDTH * HEIGHT * 3];
    const char *path = arena_format(&memory, "%s/tests/small.png", shell_build());
    for (int i = 0; i < WIDTH * 3; i++) {
        pixels[i] = (uint8_t)(i * i / 7);
        pixels[WIDTH * 3 + i] = (uint8_t)(i < 40 ? i / 9 : 200);
        pixels[2 * WIDTH * 3 + i] = 200;
    }
    ck_assert(png_write(&(picture){pixels, WIDTH, HEIGHT}, path));
    shell_expect(&memory, arena_format(&memory, "cmp %s tests/golden/small.png", path));
    ck_assert(!png_write(&(picture){pixels, WIDTH, HEIGHT}, "no_such_folder/small.png"));
}
END_TEST

Suite *picture_suite(void)
{
    Suite *suite = suite_create("picture");
    TCase *tests = tcase_create("picture");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, end);
    tcase_add_test(tests, a_picture_is_written_as_png);
    tcase_add_test(tests, the_picture_of_a_seed_is_always_the_same_and_the_one_in_readme);
    suite_add_tcase(suite, tests);
    return suite;
}

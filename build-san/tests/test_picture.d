build-san/tests/test_picture.o: tests/test_picture.c \
 tests/../examples/match_one/window/png.h tests/shell.h \
 generator/base/arena.h tests/suites.h
tests/../examples/match_one/window/png.h:
tests/shell.h:
generator/base/arena.h:
tests/suites.h:

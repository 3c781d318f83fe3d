build-san/tests/test_play.o: tests/test_play.c tests/shell.h \
 generator/base/arena.h tests/suites.h
tests/shell.h:
generator/base/arena.h:
tests/suites.h:

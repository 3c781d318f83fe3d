build-san/tests/test_habits.o: tests/test_habits.c \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

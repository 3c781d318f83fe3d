build-san/tests/test_completion.o: tests/test_completion.c \
 tests/generator/program.h tests/generator/scratch.h \
 generator/base/arena.h tests/shell.h tests/suites.h
tests/generator/program.h:
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

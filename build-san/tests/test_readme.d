build-san/tests/test_readme.o: tests/test_readme.c \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

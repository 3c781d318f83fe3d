build-san/tests/test_makefile.o: tests/test_makefile.c \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

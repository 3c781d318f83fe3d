build-san/tests/test_recompile.o: tests/test_recompile.c \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

build-san/tests/test_subjects.o: tests/test_subjects.c \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

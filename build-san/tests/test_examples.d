build-san/tests/test_examples.o: tests/test_examples.c tests/shell.h \
 generator/base/arena.h tests/suites.h
tests/shell.h:
generator/base/arena.h:
tests/suites.h:

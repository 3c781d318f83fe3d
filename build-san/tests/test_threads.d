build-san/tests/test_threads.o: tests/test_threads.c tests/shell.h \
 generator/base/arena.h tests/suites.h
tests/shell.h:
generator/base/arena.h:
tests/suites.h:

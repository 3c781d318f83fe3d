build-san/tests/test_sweep.o: tests/test_sweep.c tests/shell.h \
 generator/base/arena.h tests/suites.h
tests/shell.h:
generator/base/arena.h:
tests/suites.h:

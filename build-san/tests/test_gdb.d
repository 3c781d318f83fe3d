build-san/tests/test_gdb.o: tests/test_gdb.c tests/generator/program.h \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/program.h:
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

build-san/tests/generator/base/test_terminal.o: \
 tests/generator/base/test_terminal.c generator/base/text.h \
 generator/base/arena.h tests/generator/program.h \
 tests/generator/scratch.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/generator/program.h:
tests/generator/scratch.h:
tests/suites.h:

build-san/tests/generator/read/test_scale.o: \
 tests/generator/read/test_scale.c generator/base/text.h \
 generator/base/arena.h tests/generator/program.h \
 tests/generator/scratch.h tests/shell.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/generator/program.h:
tests/generator/scratch.h:
tests/shell.h:
tests/suites.h:

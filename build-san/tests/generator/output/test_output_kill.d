build-san/tests/generator/output/test_output_kill.o: \
 tests/generator/output/test_output_kill.c generator/base/text.h \
 generator/base/arena.h tests/generator/program.h \
 tests/generator/scratch.h tests/shell.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/generator/program.h:
tests/generator/scratch.h:
tests/shell.h:
tests/suites.h:

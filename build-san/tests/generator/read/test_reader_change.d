build-san/tests/generator/read/test_reader_change.o: \
 tests/generator/read/test_reader_change.c generator/base/text.h \
 generator/base/arena.h tests/generator/scratch.h tests/generator/trial.h \
 tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/generator/scratch.h:
tests/generator/trial.h:
tests/suites.h:

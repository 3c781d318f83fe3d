build-san/tests/generator/output/test_diff.o: \
 tests/generator/output/test_diff.c generator/output/private/diff.h \
 generator/base/text.h generator/base/arena.h tests/generator/scratch.h \
 tests/suites.h
generator/output/private/diff.h:
generator/base/text.h:
generator/base/arena.h:
tests/generator/scratch.h:
tests/suites.h:

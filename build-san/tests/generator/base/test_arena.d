build-san/tests/generator/base/test_arena.o: \
 tests/generator/base/test_arena.c generator/base/arena.h tests/suites.h
generator/base/arena.h:
tests/suites.h:

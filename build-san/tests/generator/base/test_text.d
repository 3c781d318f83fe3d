build-san/tests/generator/base/test_text.o: \
 tests/generator/base/test_text.c generator/base/text.h \
 generator/base/arena.h tests/suites.h
generator/base/text.h:
generator/base/arena.h:
tests/suites.h:

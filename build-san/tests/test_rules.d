build-san/tests/test_rules.o: tests/test_rules.c tests/shell.h \
 generator/base/arena.h tests/suites.h
tests/shell.h:
generator/base/arena.h:
tests/suites.h:

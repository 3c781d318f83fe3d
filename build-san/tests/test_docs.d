build-san/tests/test_docs.o: tests/test_docs.c tests/generator/scratch.h \
 generator/base/arena.h tests/shell.h tests/suites.h
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

build-san/tests/generator/describe/test_doc.o: \
 tests/generator/describe/test_doc.c tests/generator/program.h \
 tests/generator/scratch.h generator/base/arena.h tests/shell.h \
 tests/suites.h
tests/generator/program.h:
tests/generator/scratch.h:
generator/base/arena.h:
tests/shell.h:
tests/suites.h:

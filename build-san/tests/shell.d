build-san/tests/shell.o: tests/shell.c tests/shell.h \
 generator/base/arena.h generator/base/text.h
tests/shell.h:
generator/base/arena.h:
generator/base/text.h:

build-san/tests/screen.o: tests/screen.c tests/screen.h \
 generator/base/arena.h tests/shell.h
tests/screen.h:
generator/base/arena.h:
tests/shell.h:

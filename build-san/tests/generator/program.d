build-san/tests/generator/program.o: tests/generator/program.c \
 tests/generator/program.h tests/generator/scratch.h \
 generator/base/arena.h
tests/generator/program.h:
tests/generator/scratch.h:
generator/base/arena.h:

build-san/tests/generator/scratch.o: tests/generator/scratch.c \
 tests/generator/scratch.h generator/base/arena.h
tests/generator/scratch.h:
generator/base/arena.h:

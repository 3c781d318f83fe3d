build-san/tests/random_schema.o: tests/random_schema.c \
 tests/random_schema.h generator/base/arena.h generator/base/text.h
tests/random_schema.h:
generator/base/arena.h:
generator/base/text.h:

build-san/generator/base/arena.o: generator/base/arena.c \
 generator/base/arena.h
generator/base/arena.h:

build-san/generator/output/path.o: generator/output/path.c \
 generator/output/path.h generator/base/arena.h
generator/output/path.h:
generator/base/arena.h:

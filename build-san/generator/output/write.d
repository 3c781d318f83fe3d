build-san/generator/output/write.o: generator/output/write.c \
 generator/output/write.h generator/base/arena.h generator/output/path.h
generator/output/write.h:
generator/base/arena.h:
generator/output/path.h:

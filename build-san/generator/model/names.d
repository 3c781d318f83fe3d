build-san/generator/model/names.o: generator/model/names.c \
 generator/model/names.h generator/base/arena.h
generator/model/names.h:
generator/base/arena.h:

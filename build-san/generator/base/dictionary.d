build-san/generator/base/dictionary.o: generator/base/dictionary.c \
 generator/base/dictionary.h generator/base/arena.h
generator/base/dictionary.h:
generator/base/arena.h:

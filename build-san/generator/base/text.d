build-san/generator/base/text.o: generator/base/text.c \
 generator/base/text.h generator/base/arena.h generator/base/utf8.h
generator/base/text.h:
generator/base/arena.h:
generator/base/utf8.h:

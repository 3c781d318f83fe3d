build-san/generator/diagnostic/source.o: generator/diagnostic/source.c \
 generator/diagnostic/source.h generator/base/arena.h \
 generator/base/text.h generator/base/utf8.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h
generator/diagnostic/source.h:
generator/base/arena.h:
generator/base/text.h:
generator/base/utf8.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:

build-san/generator/diagnostic/print.o: generator/diagnostic/print.c \
 generator/diagnostic/private/print.h generator/base/text.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h
generator/diagnostic/private/print.h:
generator/base/text.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:

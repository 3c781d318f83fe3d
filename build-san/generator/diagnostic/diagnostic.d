build-san/generator/diagnostic/diagnostic.o: \
 generator/diagnostic/diagnostic.c generator/diagnostic/diagnostic.h \
 generator/base/arena.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h
generator/diagnostic/diagnostic.h:
generator/base/arena.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:

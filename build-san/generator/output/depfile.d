build-san/generator/output/depfile.o: generator/output/depfile.c \
 generator/output/depfile.h generator/base/arena.h generator/base/text.h \
 generator/diagnostic/source.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h
generator/output/depfile.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/source.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:

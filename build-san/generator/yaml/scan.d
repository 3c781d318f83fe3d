build-san/generator/yaml/scan.o: generator/yaml/scan.c \
 generator/yaml/private/scan.h generator/diagnostic/diagnostic.h \
 generator/base/arena.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/base/utf8.h
generator/yaml/private/scan.h:
generator/diagnostic/diagnostic.h:
generator/base/arena.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/base/utf8.h:

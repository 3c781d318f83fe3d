build-san/generator/yaml/find.o: generator/yaml/find.c \
 generator/yaml/tree.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h
generator/yaml/tree.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:

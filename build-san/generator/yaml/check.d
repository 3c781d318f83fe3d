build-san/generator/yaml/check.o: generator/yaml/check.c \
 generator/yaml/private/check.h generator/base/dictionary.h \
 generator/base/arena.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/yaml/tree.h generator/base/utf8.h
generator/yaml/private/check.h:
generator/base/dictionary.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/yaml/tree.h:
generator/base/utf8.h:

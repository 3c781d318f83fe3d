build-san/generator/yaml/tree.o: generator/yaml/tree.c \
 generator/yaml/tree.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/base/dictionary.h \
 generator/yaml/private/check.h generator/yaml/private/fault.h \
 generator/yaml/private/scan.h
generator/yaml/tree.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/base/dictionary.h:
generator/yaml/private/check.h:
generator/yaml/private/fault.h:
generator/yaml/private/scan.h:

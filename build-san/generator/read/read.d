build-san/generator/read/read.o: generator/read/read.c \
 generator/read/read.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/language/language.h \
 generator/read/private/reader.h generator/base/dictionary.h \
 generator/model/names.h generator/yaml/tree.h
generator/read/read.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/language/language.h:
generator/read/private/reader.h:
generator/base/dictionary.h:
generator/model/names.h:
generator/yaml/tree.h:

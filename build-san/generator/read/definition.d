build-san/generator/read/definition.o: generator/read/definition.c \
 generator/language/language.h generator/read/private/reader.h \
 generator/base/arena.h generator/base/dictionary.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/names.h \
 generator/model/schema.h generator/model/constant.h \
 generator/read/read.h generator/yaml/tree.h
generator/language/language.h:
generator/read/private/reader.h:
generator/base/arena.h:
generator/base/dictionary.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/names.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
generator/yaml/tree.h:

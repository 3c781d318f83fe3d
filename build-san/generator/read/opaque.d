build-san/generator/read/opaque.o: generator/read/opaque.c \
 generator/model/opaque_spelling.h generator/base/arena.h \
 generator/read/private/reader.h generator/base/dictionary.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/language/language.h \
 generator/model/names.h generator/model/schema.h \
 generator/model/constant.h generator/read/read.h generator/yaml/tree.h
generator/model/opaque_spelling.h:
generator/base/arena.h:
generator/read/private/reader.h:
generator/base/dictionary.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/language/language.h:
generator/model/names.h:
generator/model/schema.h:
generator/model/constant.h:
generator/read/read.h:
generator/yaml/tree.h:

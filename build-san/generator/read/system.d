build-san/generator/read/system.o: generator/read/system.c \
 generator/read/private/system.h generator/model/world.h \
 generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/read/private/reader.h generator/base/dictionary.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/language/language.h generator/model/names.h \
 generator/read/read.h generator/yaml/tree.h generator/base/text.h
generator/read/private/system.h:
generator/model/world.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/read/private/reader.h:
generator/base/dictionary.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/language/language.h:
generator/model/names.h:
generator/read/read.h:
generator/yaml/tree.h:
generator/base/text.h:

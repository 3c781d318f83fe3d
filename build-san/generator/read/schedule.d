build-san/generator/read/schedule.o: generator/read/schedule.c \
 generator/language/language.h generator/model/type.h \
 generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/world.h generator/read/private/reader.h \
 generator/base/dictionary.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/model/names.h \
 generator/read/read.h generator/yaml/tree.h
generator/language/language.h:
generator/model/type.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/world.h:
generator/read/private/reader.h:
generator/base/dictionary.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/model/names.h:
generator/read/read.h:
generator/yaml/tree.h:

build-san/generator/language/scalars.o: generator/language/scalars.c \
 generator/language/language.h generator/model/schema.h \
 generator/base/arena.h generator/diagnostic/source.h \
 generator/model/constant.h
generator/language/language.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:

build-san/generator/language/language.o: generator/language/language.c \
 generator/language/private/make.h generator/language/language.h \
 generator/model/schema.h generator/base/arena.h \
 generator/diagnostic/source.h generator/model/constant.h
generator/language/private/make.h:
generator/language/language.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:

build-san/generator/language/world.o: generator/language/world.c \
 generator/language/private/make.h generator/language/language.h \
 generator/model/schema.h generator/base/arena.h \
 generator/diagnostic/source.h generator/model/constant.h
generator/language/private/make.h:
generator/language/language.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:

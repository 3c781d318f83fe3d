build-san/generator/language/component.o: generator/language/component.c \
 generator/language/private/make.h generator/language/language.h \
 generator/model/schema.h generator/base/arena.h \
 generator/diagnostic/source.h generator/model/constant.h
generator/language/private/make.h:
generator/language/language.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:

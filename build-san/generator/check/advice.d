build-san/generator/check/advice.o: generator/check/advice.c \
 generator/check/advice.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/base/dictionary.h \
 generator/model/world.h
generator/check/advice.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/base/dictionary.h:
generator/model/world.h:

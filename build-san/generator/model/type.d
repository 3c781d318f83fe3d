build-san/generator/model/type.o: generator/model/type.c \
 generator/model/type.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h
generator/model/type.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:

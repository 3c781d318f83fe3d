build-san/generator/model/schema.o: generator/model/schema.c \
 generator/model/schema.h generator/base/arena.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/names.h generator/model/type.h
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/names.h:
generator/model/type.h:

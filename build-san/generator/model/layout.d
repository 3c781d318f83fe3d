build-san/generator/model/layout.o: generator/model/layout.c \
 generator/model/layout.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/type.h
generator/model/layout.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/type.h:

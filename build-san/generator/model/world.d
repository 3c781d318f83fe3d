build-san/generator/model/world.o: generator/model/world.c \
 generator/model/world.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h
generator/model/world.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:

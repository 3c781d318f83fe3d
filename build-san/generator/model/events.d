build-san/generator/model/events.o: generator/model/events.c \
 generator/model/events.h generator/model/schema.h generator/base/arena.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/names.h
generator/model/events.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/names.h:

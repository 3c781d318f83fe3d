build-san/generator/model/names_reserved.o: \
 generator/model/names_reserved.c generator/model/names.h \
 generator/base/arena.h
generator/model/names.h:
generator/base/arena.h:

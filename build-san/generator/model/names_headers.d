build-san/generator/model/names_headers.o: \
 generator/model/names_headers.c generator/model/names.h \
 generator/base/arena.h
generator/model/names.h:
generator/base/arena.h:

build-san/generator/model/opaque_spelling.o: \
 generator/model/opaque_spelling.c generator/model/opaque_spelling.h \
 generator/base/arena.h generator/model/names.h
generator/model/opaque_spelling.h:
generator/base/arena.h:
generator/model/names.h:

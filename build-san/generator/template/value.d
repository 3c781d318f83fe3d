build-san/generator/template/value.o: generator/template/value.c \
 generator/template/value.h generator/base/arena.h
generator/template/value.h:
generator/base/arena.h:

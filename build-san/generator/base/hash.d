build-san/generator/base/hash.o: generator/base/hash.c \
 generator/base/hash.h
generator/base/hash.h:

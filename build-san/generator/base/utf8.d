build-san/generator/base/utf8.o: generator/base/utf8.c \
 generator/base/utf8.h
generator/base/utf8.h:

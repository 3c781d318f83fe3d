build-san/generator/render/wrap.o: generator/render/wrap.c \
 generator/render/private/wrap.h generator/base/text.h \
 generator/base/arena.h
generator/render/private/wrap.h:
generator/base/text.h:
generator/base/arena.h:

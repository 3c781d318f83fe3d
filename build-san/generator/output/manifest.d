build-san/generator/output/manifest.o: generator/output/manifest.c \
 generator/output/private/manifest.h generator/base/arena.h \
 generator/base/text.h generator/base/hash.h
generator/output/private/manifest.h:
generator/base/arena.h:
generator/base/text.h:
generator/base/hash.h:

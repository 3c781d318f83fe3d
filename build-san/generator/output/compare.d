build-san/generator/output/compare.o: generator/output/compare.c \
 generator/output/private/compare.h generator/base/arena.h \
 generator/output/private/manifest.h generator/base/text.h \
 generator/base/hash.h generator/render/generated_file.h
generator/output/private/compare.h:
generator/base/arena.h:
generator/output/private/manifest.h:
generator/base/text.h:
generator/base/hash.h:
generator/render/generated_file.h:

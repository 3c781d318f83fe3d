build-san/generator/output/folder.o: generator/output/folder.c \
 generator/output/private/folder.h generator/base/arena.h \
 generator/output/path.h generator/output/write.h
generator/output/private/folder.h:
generator/base/arena.h:
generator/output/path.h:
generator/output/write.h:

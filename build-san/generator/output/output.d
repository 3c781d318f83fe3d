build-san/generator/output/output.o: generator/output/output.c \
 generator/output/output.h generator/base/arena.h generator/base/text.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/render/generated_file.h \
 generator/base/status.h generator/output/private/run.h \
 generator/output/private/compare.h generator/output/private/manifest.h \
 generator/output/private/folder.h generator/output/write.h
generator/output/output.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/render/generated_file.h:
generator/base/status.h:
generator/output/private/run.h:
generator/output/private/compare.h:
generator/output/private/manifest.h:
generator/output/private/folder.h:
generator/output/write.h:

build-san/generator/output/plan.o: generator/output/plan.c \
 generator/output/path.h generator/base/arena.h \
 generator/output/private/run.h generator/output/output.h \
 generator/base/text.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h \
 generator/render/generated_file.h generator/output/private/compare.h \
 generator/output/private/manifest.h generator/output/private/folder.h \
 generator/output/write.h generator/base/hash.h \
 generator/output/depfile.h generator/output/private/diff.h
generator/output/path.h:
generator/base/arena.h:
generator/output/private/run.h:
generator/output/output.h:
generator/base/text.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/render/generated_file.h:
generator/output/private/compare.h:
generator/output/private/manifest.h:
generator/output/private/folder.h:
generator/output/write.h:
generator/base/hash.h:
generator/output/depfile.h:
generator/output/private/diff.h:

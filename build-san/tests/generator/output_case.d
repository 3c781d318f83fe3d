build-san/tests/generator/output_case.o: tests/generator/output_case.c \
 tests/generator/output_case.h generator/output/output.h \
 generator/base/arena.h generator/base/text.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/render/generated_file.h \
 tests/generator/reading.h generator/model/schema.h \
 generator/model/constant.h generator/yaml/tree.h \
 tests/generator/scratch.h
tests/generator/output_case.h:
generator/output/output.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/render/generated_file.h:
tests/generator/reading.h:
generator/model/schema.h:
generator/model/constant.h:
generator/yaml/tree.h:
tests/generator/scratch.h:

build-san/tests/generator/output/test_output_recall.o: \
 tests/generator/output/test_output_recall.c \
 tests/generator/output_case.h generator/output/output.h \
 generator/base/arena.h generator/base/text.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/render/generated_file.h \
 tests/generator/program.h tests/generator/scratch.h \
 generator/output/private/manifest.h tests/shell.h tests/suites.h
tests/generator/output_case.h:
generator/output/output.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/render/generated_file.h:
tests/generator/program.h:
tests/generator/scratch.h:
generator/output/private/manifest.h:
tests/shell.h:
tests/suites.h:

build-san/tests/generator/output/test_output_refusal.o: \
 tests/generator/output/test_output_refusal.c generator/base/hash.h \
 tests/generator/output_case.h generator/output/output.h \
 generator/base/arena.h generator/base/text.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/render/generated_file.h \
 tests/generator/scratch.h generator/output/private/manifest.h \
 tests/suites.h
generator/base/hash.h:
tests/generator/output_case.h:
generator/output/output.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/render/generated_file.h:
tests/generator/scratch.h:
generator/output/private/manifest.h:
tests/suites.h:

build-san/generator/render/generated_file.o: \
 generator/render/generated_file.c generator/render/generated_file.h
generator/render/generated_file.h:

build-san/generator/tools/embed.o: generator/tools/embed.c

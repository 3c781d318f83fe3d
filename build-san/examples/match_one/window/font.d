build-san/examples/match_one/window/font.o: \
 examples/match_one/window/font.c examples/match_one/window/font.h
examples/match_one/window/font.h:

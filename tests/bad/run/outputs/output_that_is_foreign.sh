mkdir -p generated/tiny/tiny_game.c
echo '// mine' > generated/tiny/tiny.h
echo 'all:' > Makefile
$KIN generate tiny.yaml || $KIN generate -o other --depfile Makefile tiny.yaml

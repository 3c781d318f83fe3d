mkdir -p generated/tiny/tiny.c
echo '// mine' > generated/tiny/tiny.h
echo 'all:' > Makefile
$KIN generate tiny.yaml || $KIN generate -o other --depfile Makefile tiny.yaml

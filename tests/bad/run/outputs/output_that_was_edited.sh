$KIN generate -q tiny.yaml
echo '// mine' >> generated/tiny/tiny.h
$KIN generate tiny.yaml

$KIN generate -q tiny.yaml
rm generated/tiny/.kin-manifest
echo '// mine' >> generated/tiny/tiny.h
$KIN generate tiny.yaml

$KIN generate -q tiny.yaml
echo mine >> generated/tiny/.kin-manifest
$KIN generate tiny.yaml

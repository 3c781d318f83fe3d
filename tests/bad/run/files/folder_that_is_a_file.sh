touch generated
$KIN generate tiny.yaml

printf '' > names
$KIN generate --template tiny.c=names tiny.yaml

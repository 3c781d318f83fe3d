touch file
$KIN generate --depfile file/deps tiny.yaml

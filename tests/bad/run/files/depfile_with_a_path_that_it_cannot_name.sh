cp tiny.yaml 'a;b.yaml'
$KIN generate --depfile deps 'a;b.yaml'

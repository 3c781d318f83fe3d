mkdir client server
sed 's/Cell/Wall/' tiny.yaml > client/tiny.yaml
mv tiny.yaml server
$KIN generate -q client/tiny.yaml
$KIN generate server/tiny.yaml

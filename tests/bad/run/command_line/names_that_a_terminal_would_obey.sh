# Names of files and folders with escape sequences, line breaks and bytes that are no UTF-8.
red=$(printf '\033[31m') broken=$(printf '\233\377') line='
kin: error: forged'
$KIN check "a$red.yaml"
$KIN check "a$line.yaml" "$broken"
$KIN list "$red/tiny.yaml"
mkdir "$red" "t$red"
{ cat tiny.yaml; printf 'include: [missing.yaml]\n'; } > "$red/root.yaml"
$KIN check "$red/root.yaml"
touch "file$red"
$KIN generate -o "file$red" tiny.yaml
$KIN generate -o out --depfile "file$red/x.d" tiny.yaml
$KIN generate -o "$red" --depfile out.d tiny.yaml
$KIN generate -o out --templates "none$red" tiny.yaml
printf '{{> stamp}}\n' > "t$red/odd$red.mustache"
$KIN generate -o out --templates "t$red" tiny.yaml
printf 'not mine\n' > "page$red"
$KIN doc -o "page$red" tiny.yaml

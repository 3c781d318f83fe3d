printf '{{> mark}}\n{{> stamp}}\n{{> more}}\n' > templates/package.h.mustache
printf '// {{> more}}\n' > templates/more.mustache
$KIN generate --templates templates tiny.yaml

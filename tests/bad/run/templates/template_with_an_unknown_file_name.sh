cp templates/whole templates/pakage.h.mustache
$KIN generate --templates templates tiny.yaml

cat > templates/package.h.mustache << END
{{> mark}}
{{> stamp}}
{{#types}}
{{#enums}}{{nmae}} and {{type.naem}}{{/enums}}
{{#is_alwyas}}{{> opaqe}}{{/is_alwyas}}
{{/types}}
END
$KIN generate --templates templates tiny.yaml

$KIN generate --chekc --diagnostics json tiny.yaml

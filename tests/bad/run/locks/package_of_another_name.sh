sed 's/package: tiny/package: other/' tiny.yaml | $KIN breaking - tiny.yaml

$KIN generate --depfile generated/tiny/tiny.h tiny.yaml

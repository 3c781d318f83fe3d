$KIN check tyni.yaml

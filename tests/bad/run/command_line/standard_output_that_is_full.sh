$KIN list tiny.yaml > /dev/full

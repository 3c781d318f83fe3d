mkdir .tiny.lock.kin-new
$KIN lock tiny.yaml

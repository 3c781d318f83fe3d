# A schema.
printf 'kin: 1\012package: town\012' > bad.kin
$KIN dump bad.kin

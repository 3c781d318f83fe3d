# A bit of the first block is another one.
printf '\211KIN\015\012\032\012HEAD\035\000\000\000\372\350Wd\200\324D\300\001\000\001\000\000\000\000\000\000\000\000\000\000\000\000\000\004\000town\005\000kin 0' > bad.kin
$KIN dump bad.kin

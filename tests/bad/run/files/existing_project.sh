mkdir walk
touch walk/main.c walk/Makefile
$KIN init walk

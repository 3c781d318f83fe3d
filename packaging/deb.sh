#!/usr/bin/env bash
# Makes a Debian package of the files of `make install`: deb.sh MAKE CC BUILD VERSION. The same bytes for the same
# commit.
set -euo pipefail
make=$1 compiler=$2 build=$3 version=$4
umask 022

architecture=$(dpkg --print-architecture)
multiarch=$($compiler -print-multiarch)
root=$build/deb
package=${build}/kin_${version}_$architecture.deb
maintainer=$(git log -1 --format='%an <%ae>')
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

rm -rf "$root"
$make -s install BUILD="$build" DESTDIR="$root" PREFIX=/usr LIBDIR="lib/$multiarch" > /dev/null
strip --strip-unneeded "$root"/usr/bin/kin "$root"/usr/lib/*/libkin.so.*
strip --strip-debug --enable-deterministic-archives "$root"/usr/lib/*/libkin.a
install -D -m 644 LICENSE "$root/usr/share/doc/kin/copyright"

# Where Debian differs: the folder of zsh's completions, compressed manuals, libraries that are not executable.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip -9n "$root"/usr/share/man/man*/*
gzip -9nc CHANGELOG.md > "$root/usr/share/doc/kin/NEWS.gz"
printf 'kin (%s) unstable; urgency=medium\n\n  * NEWS.gz has what is new.\n\n -- %s  %s\n' "$version" "$maintainer" \
    "$(date -uRd "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$root/usr/share/doc/kin/changelog.gz"
chmod 644 "$root"/usr/lib/*/libkin.so.*

# The newest glibc version that any of its symbols needs.
libc=$(objdump -T "$root"/usr/bin/kin "$root"/usr/lib/*/libkin.so.* | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -1)
mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" << END
Package: kin
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: libc6 (>= $libc), libyaml-0-2
Section: devel
Priority: optional
Description: schema-first, reactive entity-component-system toolchain for C
 Components, contexts and groups are described in YAML; kin checks them and
 writes typed C for them, which stands on a small runtime, libkin.
 .
 The package has the generator, the runtime's headers, its static and shared
 library, and what GNU make, pkg-config and CMake need.
END
echo 'activate-noawait ldconfig' > "$root/DEBIAN/triggers"
soname=$(basename "$root"/usr/lib/*/libkin.so.*)
echo "libkin ${soname##*.} kin (>= $version)" > "$root/DEBIAN/shlibs"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
echo "wrote $package"

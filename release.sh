#!/usr/bin/env bash
# Makes the release archive: dist/lianzi-VERSION-TARGET.tar.gz, with the program, its documents and the licences, and its SHA-256 beside it.
# The page, the books and the weights are inside the program. It needs nothing but the system's C library, which it cannot
# contain: strategies are shared libraries, and a wholly static program can load none.
set -euo pipefail
cd "$(dirname "$0")"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
target=$(rustc -vV | sed -n 's/^host: //p')
name=lianzi-$version-$target

cargo build --release --locked --bin lianzi
rm -rf "dist/$name"
mkdir -p "dist/$name"
cp "${CARGO_TARGET_DIR:-target}/release/lianzi" "dist/$name/"
strip "dist/$name/lianzi"
cp -r README.md README.zh-CN.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE docs "dist/$name/"
tar -C dist -czf "dist/$name.tar.gz" "$name"
rm -r "dist/${name:?}"
(cd dist && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")

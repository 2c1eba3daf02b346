#!/usr/bin/env bash
# Builds the module with which a page needs no server, web/lianzi.wasm. The next build of the program has it inside; without
# it the program works as well, and its page offers the server's engines only.
# It uses rustup's target wasm32-unknown-unknown where that can be had, else Debian's rustc-web with the sources of the
# standard library, and says which. What is built once is kept in target/page.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly TARGET=wasm32-unknown-unknown
readonly OUT=web/lianzi.wasm
have() { command -v "$1" >/dev/null 2>&1; }
has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$TARGET/lib" ]; }

flags=(--locked --profile page --package lianzi-wasm --lib --target "$TARGET" --target-dir target/page)
# The stack is small on purpose: searches keep theirs in tables, and each thread of a page has one.
export RUSTFLAGS="-C target-feature=+simd128,+bulk-memory -C link-arg=-zstack-size=1048576"

if has_target || { have rustup && timeout 60 rustup target add "$TARGET" >/dev/null 2>&1 && has_target; }; then
    echo "building the module with $(rustc --version), whose target $TARGET is installed"
elif [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library/std ]; then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    flags+=(-Z build-std=std,panic_abort)
    have wasm-ld || { echo "web/build.sh: install lld, which links the module" >&2; exit 1; }
    echo "building the module and its standard library with Debian's $($RUSTC --version)"
else
    echo "web/build.sh: there is no compiler for $TARGET: install one with 'rustup target add $TARGET', or with" >&2
    echo "web/build.sh: 'apt-get install rustc-web rust-web-src lld' on Debian" >&2
    exit 1
fi

cargo build "${flags[@]}"
built=target/page/$TARGET/page/lianzi_wasm.wasm
# Only a new module makes the program build anew.
if ! cmp -s "$built" "$OUT" || [ ! -f "$OUT.gz" ]; then
    cp "$built" "$OUT"
    gzip -9nc "$OUT" >"$OUT.gz"
fi
printf '%s: %d kB, %d kB compressed\n' "$OUT" $(($(stat -c %s "$OUT") / 1000)) $(($(stat -c %s "$OUT.gz") / 1000))

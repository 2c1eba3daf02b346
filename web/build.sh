#!/usr/bin/env bash
# Builds the modules with which a page needs no server: web/lianzi.wasm, which thinks on one thread, and, where the
# sources of the standard library can be had, web/lianzi-threads.wasm, whose workers share memory. The next build of the
# program has them inside; without them the program works as well, and its page offers the server's engines only.
# It uses rustup's target wasm32-unknown-unknown where that can be had, else Debian's rustc-web with the sources of the
# standard library, and says which; DEBIAN=1 uses Debian's whatever else there is. What is built once is kept in target.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly TARGET=wasm32-unknown-unknown
# Where cargo puts a module in its folder.
readonly MODULE=$TARGET/page/lianzi_wasm.wasm
have() { command -v "$1" >/dev/null 2>&1; }
has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$TARGET/lib" ]; }
has_sources() { [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library/std" ]; }
rustup_adds() { [ -z "${DEBIAN:-}" ] && have rustup && timeout 60 rustup "$1" add "$2" >/dev/null 2>&1; }
has_debian() { [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library/std ]; }

# The stack is small on purpose: searches keep theirs in tables, and each thread of a page has one.
plain="-C target-feature=+simd128,+bulk-memory -C link-arg=-zstack-size=1048576"
# web/js/local/module.js makes the memory, of this size, and a place in it for each worker.
shared="-C target-feature=+simd128,+bulk-memory,+atomics,+mutable-globals -C link-arg=-zstack-size=1048576"
for arg in shared-memory import-memory initial-memory=16777216 max-memory=1073741824 export=__wasm_init_tls \
    export=__tls_size export=__stack_pointer; do
    shared+=" -C link-arg=--$arg"
done

# The standard library is built too: Debian has none for pages, and nobody has one for threads.
readonly WITH_STD=(-Z build-std=std,panic_abort)
std=()
threads=yes
if [ -z "${DEBIAN:-}" ] && { has_target || { rustup_adds target "$TARGET" && has_target; }; }; then
    echo "building the module with $(rustc --version), whose target $TARGET is installed"
    has_sources || rustup_adds component rust-src || true
    has_sources || threads=
elif has_debian; then
    export RUSTC=/usr/bin/rustc
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld
    std=("${WITH_STD[@]}")
    have wasm-ld || { echo "web/build.sh: install lld, which links the module" >&2; exit 1; }
    echo "building the module and its standard library with Debian's $($RUSTC --version)"
else
    echo "web/build.sh: there is no compiler for $TARGET: install one with 'rustup target add $TARGET', or with" >&2
    echo "web/build.sh: 'apt-get install rustc-web rust-web-src lld' on Debian" >&2
    exit 1
fi

# build FOLDER FLAGS [ARGUMENTS…]: builds the module into a folder of target.
build() {
    local folder=$1 flags=$2
    shift 2
    # Cargo builds the standard library for those only who say that they know what they do.
    [ $# -eq 0 ] || export RUSTC_BOOTSTRAP=1
    RUSTFLAGS=$flags cargo build --locked --profile page --package lianzi-wasm --lib \
        --target "$TARGET" --target-dir "target/$folder" "$@"
}

# put FILE NAME: lays a file beside the page. Only a new one makes the program build anew.
put() {
    local built=$1 out=web/$2
    if ! cmp -s "$built" "$out" || [ ! -f "$out.gz" ]; then
        cp "$built" "$out"
        gzip -9nc "$out" >"$out.gz"
        rm -f "$out.br"
    fi
    # A quarter less to download, for browsers that take it.
    [ -f "$out.br" ] || ! have brotli || brotli -q 11 -o "$out.br" "$out"
    for file in "$out" "$out.gz" "$out.br"; do
        [ ! -f "$file" ] || printf '%s: %d kB\n' "$file" $(($(stat -c %s "$file") / 1000))
    done
}

if [ -n "$threads" ]; then
    # Most of a build is one thread's work: both at once.
    build page-threads "$shared" "${WITH_STD[@]}" &
    second=$!
fi
(build page "$plain" "${std[@]}")
put "target/page/$MODULE" lianzi.wasm
put crates/engine/data/gomoku/free.network gomoku.network
put crates/engine/data/gomoku/standard.network standard.network
put crates/engine/data/gomoku/renju.network renju.network
put crates/engine/data/connect6.network connect6.network
put crates/engine/data/connect4.book connect4.book
cat crates/train/data/*.puzzles >target/all.puzzles
put target/all.puzzles all.puzzles
if [ -n "$threads" ]; then
    wait "$second"
    put "target/page-threads/$MODULE" lianzi-threads.wasm
else
    rm -f web/lianzi-threads.wasm*
    echo "no threads: 'rustup component add rust-src' gives the sources of the standard library, which they need"
fi

#!/usr/bin/env bash
# Checks everything: format, lints, tests, documentation, the page in a real browser, and the front door: what the READMEs
# tell a new user to type, typed in a fresh clone. Run it from anywhere.
# It needs Rust, a C compiler and git; what else the tests need it installs itself, by apt and npm.
set -euo pipefail
cd "$(dirname "$0")"

# What is built for the first time is built sooner without notes for the next time.
[ -d target ] || export CARGO_INCREMENTAL=0

readonly STEPS=9
n=0
step() {
    n=$((n + 1))
    printf '\n== [%d/%d, %d:%02d] %s\n' "$n" "$STEPS" $((SECONDS / 60)) $((SECONDS % 60)) "$*"
}
have() { command -v "$1" >/dev/null 2>&1; }

# Installs Debian packages, as root or by sudo.
apt_install() {
    have apt-get || { echo "test.sh: install these by hand: $*" >&2; exit 1; }
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Something that compiles the page's module: rustup's target, or Debian's compiler for pages.
module_compiler() {
    local target=wasm32-unknown-unknown
    [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ] || return 0
    if have rustup && timeout 60 rustup target add "$target" >/dev/null 2>&1; then return 0; fi
    [ -d /usr/lib/rustlib/src/rust/library/std ] && have wasm-ld || apt_install rustc-web rust-web-src lld
}

# The commands in a README's first block of them, without their comments.
commands_of() {
    awk '/^```sh$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$1" | sed 's/ *#.*//'
}

# Runs a command beside the steps, with what processor time they leave; `finish NAME` waits for it and shows its words.
declare -A beside=()
scratch=$(mktemp -d)
trap 'for pid in "${beside[@]}"; do kill -- "-$pid" 2>/dev/null || true; done; rm -rf "$scratch"' EXIT
start() {
    local name=$1
    shift
    # A group that can be killed as a whole, but no session of its own: the kernel shares time between sessions first.
    set -m
    nice -n 19 "$@" >"$scratch/$name.log" 2>&1 &
    beside[$name]=$!
    set +m
}
finish() {
    local failed=0
    wait "${beside[$1]}" || failed=1
    unset "beside[$1]"
    if [ $failed = 1 ]; then cat "$scratch/$1.log"; else tail -n 3 "$scratch/$1.log"; fi
    return $failed
}

# The package for Python, in an environment of its own, with the library that was built with the tests.
python_package() {
    local env=target/python site
    [ -x "$env/bin/pip" ] || python3 -m venv "$env"
    "$env/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.8,<2' numpy gymnasium pettingzoo mypy pytest
    site=$("$env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    rm -rf "$site/lianzi"
    cp -r python/lianzi "$site/lianzi"
    cp target/debug/deps/lib_lianzi.so "$site/lianzi/_lianzi.abi3.so"
    (cd python/tests && "../../$env/bin/python" -m pytest --quiet -p no:cacheprovider)
}

step "what the tests need"
missing=()
have make || missing+=(make)
have cc && have gcc || missing+=(gcc libc6-dev)
have g++ || missing+=(g++)
have python3 || missing+=(python3)
have node || missing+=(nodejs)
have npm || missing+=(npm)
have tmux || missing+=(tmux)
have pgrep || missing+=(procps)
have chromium || missing+=(chromium)
have faketime || missing+=(faketime)
have brotli || missing+=(brotli)
have openssl || missing+=(openssl)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || have initdb || missing+=(postgresql)
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
[ ${#missing[@]} -eq 0 ] || { echo "installing ${missing[*]}"; apt_install "${missing[@]}"; }
module_compiler
(cd web && npm install --no-audit --no-fund --no-package-lock --silent)
mapfile -t commands < <(commands_of README.md)
[ "$(commands_of README.md)" = "$(commands_of README.zh-CN.md)" ] && [ "${#commands[@]}" = 2 ] &&
    [ "${commands[1]}" = ./test.sh ] || { echo "test.sh: the READMEs begin with other commands than these" >&2; exit 1; }

step "format"
cargo fmt --all --check

step "the page's module"
./web/build.sh

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

step "tests and documentation: build"
# The same random cases each time; a plain `cargo test` tries new ones. Many tests wait for other programs: more at once.
export PROPTEST_RNG_SEED=1 RUST_TEST_THREADS=$((2 * $(nproc)))
cargo test --workspace --locked --no-run

step "tests and documentation"
# What a new user types first, as the README prints it, in a clone of what is committed: it builds everything anew, while
# tests wait for other programs.
git clone --quiet --no-local . "$scratch/clone"
git diff --quiet HEAD || echo "uncommitted changes are not part of the clone"
start door node web/tests/door.mjs "$scratch/clone" "${commands[0]}"
# Cargo builds one thing at a time: the tests, which are built, begin first.
start documentation env RUSTDOCFLAGS="-D warnings" sh -c \
    'sleep 5; exec cargo doc --workspace --no-deps --locked --document-private-items'
cargo test --workspace --locked --no-fail-fast
finish documentation

step "Python"
python_package

step "page"
(cd web && npm run check && npm test)

step "the front door: ${commands[0]}"
finish door

printf '\n== all is well after %d min %d s\n' $((SECONDS / 60)) $((SECONDS % 60))

#!/usr/bin/env bash
# Checks everything: format, lints, tests, documentation, the page in a real browser. Run it from anywhere.
# It needs Rust, a C compiler and git; what else the tests need it installs itself, by apt and npm.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

# Installs Debian packages, as root or by sudo.
apt_install() {
    have apt-get || { echo "test.sh: install these by hand: $*" >&2; exit 1; }
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
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
[ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
(cd web && npm install --no-audit --no-fund --no-package-lock --silent)

step "format"
cargo fmt --all --check

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

step "tests"
# The same random cases each time; a plain `cargo test` tries new ones.
export PROPTEST_RNG_SEED=1
cargo test --workspace --locked

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --document-private-items

step "page"
(cd web && npm run check && npm test)

step "all is well"

#!/usr/bin/env bash
# Checks everything: format, lints, tests, documentation. Run it from anywhere; it needs Rust and a C compiler.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

step "tests"
cargo test --workspace --locked

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --document-private-items

step "all is well"

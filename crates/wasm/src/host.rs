//! What the page lends: random numbers and the date.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod lent {
    #[link(wasm_import_module = "lianzi")]
    #[allow(unsafe_code)]
    // SAFETY: whoever loads the module gives functions of these types, which take nothing and have no effect.
    unsafe extern "C" {
        /// From 0 to 1, and nobody can guess it.
        pub safe fn random() -> f64;
        /// Milliseconds since 1970.
        pub safe fn date() -> f64;
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod lent {
    use std::hash::{BuildHasher, Hasher, RandomState};
    use std::time::{SystemTime, UNIX_EPOCH};

    pub fn random() -> f64 {
        (RandomState::new().build_hasher().finish() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn date() -> f64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_millis() as f64)
    }
}

/// A random number that a page can read: 53 bits.
pub fn random() -> u64 {
    (lent::random() * (1_u64 << 53) as f64) as u64
}

/// Milliseconds since 1970.
pub fn date() -> i64 {
    lent::date() as i64
}

/// A name for a game of this browser, which no game of a server has: those are hexadecimal.
pub fn new_id() -> String {
    format!("my{:014x}", random() | 1)
}

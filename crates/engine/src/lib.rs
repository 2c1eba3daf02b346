//! Who thinks.

//! The natural logarithm of a number from 1 on, by additions, multiplications and divisions only: these give the same
//! bits on every machine, which a system's own logarithm need not.

/// ln n for 1 ≤ n, to about nine digits.
pub(crate) fn ln(mut n: f64) -> f64 {
    let mut exponent = 0.0;
    while n >= 2.0 {
        n /= 2.0;
        exponent += 1.0;
    }
    // n is now below 2, and ln n = 2 · (z + z³/3 + z⁵/5 + …) with z = (n − 1) / (n + 1) < 1/3.
    let z = (n - 1.0) / (n + 1.0);
    let square = z * z;
    let series = (0..8).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    exponent * std::f64::consts::LN_2 + 2.0 * z * series
}

#[cfg(test)]
mod tests {
    use super::ln;

    #[test]
    fn it_is_near_the_systems_own() {
        for n in (1..200_000u32).chain([1 << 31, u32::MAX]).map(f64::from) {
            assert!((ln(n) - n.ln()).abs() <= 1e-8 * n.ln().max(0.1), "{n}: {} {}", ln(n), n.ln());
        }
    }
}

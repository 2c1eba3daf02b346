//! Solving and inverting with a symmetric positive definite matrix.

/// The lower triangle L of a matrix that is L times its transpose.
pub(super) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix given row by row; rounding that would make it singular is evened out.
    pub fn new(matrix: &[f64], size: usize) -> Cholesky {
        let mut lower = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| lower[row * size + k] * lower[column * size + k]).sum();
                let rest = matrix[row * size + column] - known;
                lower[row * size + column] = if row == column {
                    rest.max(1e-14 * matrix[row * size + row].abs()).max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / lower[column * size + column]
                };
            }
        }
        Cholesky { size, lower }
    }

    /// The vector that the matrix takes to this one.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (size, at) = (self.size, |row: usize, column: usize| self.lower[row * self.size + column]);
        let mut x = right.to_vec();
        for row in 0..size {
            let known: f64 = (0..row).map(|k| at(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / at(row, row);
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| at(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / at(row, row);
        }
        x
    }

    /// The inverse of the matrix, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let mut inverse = Vec::with_capacity(self.size * self.size);
        for row in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[row] = 1.0;
            inverse.extend(self.solve(&unit));
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_matrix_is_inverted() {
        // (4 2; 2 3) has determinant 8 and inverse (3 −2; −2 4)/8.
        let factor = Cholesky::new(&[4.0, 2.0, 2.0, 3.0], 2);
        for (found, expected) in factor.inverse().iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((found - expected).abs() < 1e-15);
        }
        let solved = factor.solve(&[8.0, 8.0]);
        assert!((solved[0] - 1.0).abs() < 1e-14 && (solved[1] - 2.0).abs() < 1e-14);
    }
}

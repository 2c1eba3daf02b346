//! Steps of Adam over many weights that count very differently often.

/// Weights and what is remembered of their gradients.
pub(crate) struct Adam {
    /// The weights.
    pub weights: Vec<f32>,
    /// The gradients of the samples since the last step, added up.
    pub gradients: Vec<f32>,
    /// The mean square of how often each weight counts in a sample: the more often, the smaller the steps.
    pub usage: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// From here on weights are held back.
    restrained: usize,
    steps: i32,
}

impl Adam {
    /// So many weights, all nought, of which those from `restrained` on are to be kept small.
    pub(crate) fn new(count: usize, restrained: usize) -> Adam {
        let zeros = || vec![0.0; count];
        Adam {
            weights: zeros(),
            gradients: zeros(),
            usage: zeros(),
            means: zeros(),
            squares: zeros(),
            restrained,
            steps: 0,
        }
    }

    /// One step by the gradients of a batch of samples.
    pub(crate) fn step(&mut self, batch: usize, rate: f32, restraint: f32) {
        const FORGET: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let [first, second] = FORGET.map(|forget| 1.0 - forget.powi(self.steps));
        for n in 0..self.weights.len() {
            let held = if n >= self.restrained { restraint * self.weights[n] } else { 0.0 };
            let gradient = self.gradients[n] / batch as f32 + held;
            self.gradients[n] = 0.0;
            self.means[n] += (1.0 - FORGET[0]) * (gradient - self.means[n]);
            self.squares[n] += (1.0 - FORGET[1]) * (gradient * gradient - self.squares[n]);
            let size = rate / self.usage[n].sqrt().max(1.0);
            self.weights[n] -= size * (self.means[n] / first) / ((self.squares[n] / second).sqrt() + 1e-7);
        }
    }
}

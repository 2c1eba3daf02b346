//! Lines out of a stream of bytes, whatever ends them.

/// How much of a line is kept; the rest is cut.
pub const MAX_LINE: usize = 64 * 1024;

/// Bytes that have come and were not taken yet. CR, LF and CR LF all end a line; empty lines do not exist.
#[derive(Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
    /// Where the bytes that were not taken yet begin.
    start: usize,
    /// Where the search for the end of the line goes on.
    seen: usize,
    /// The rest of an overlong line is dropped as it comes.
    cutting: bool,
}

impl Lines {
    /// Adds what has come.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start == self.bytes.len() {
            self.clear();
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// How many bytes wait.
    pub fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// Forgets everything that waits.
    pub fn clear(&mut self) {
        self.bytes.clear();
        (self.start, self.seen) = (0, 0);
    }

    /// Takes everything that waits.
    pub fn take(&mut self) -> Vec<u8> {
        let bytes = self.bytes.split_off(self.start);
        self.clear();
        bytes
    }

    /// The next whole line.
    pub fn line(&mut self) -> Option<String> {
        loop {
            let rest = &self.bytes[self.seen..];
            let Some(length) = rest.iter().position(|b| matches!(b, b'\r' | b'\n')) else {
                self.seen = self.bytes.len();
                return self.cut();
            };
            let end = self.seen + length;
            let line = self.start..end.min(self.start + MAX_LINE);
            let wanted = !std::mem::take(&mut self.cutting) && !line.is_empty();
            (self.start, self.seen) = (end + 1, end + 1);
            if wanted {
                return Some(String::from_utf8_lossy(&self.bytes[line]).into_owned());
            }
        }
    }

    /// The beginning of a line that is longer than all bounds; its rest will be dropped.
    fn cut(&mut self) -> Option<String> {
        if self.cutting {
            self.clear();
        }
        if self.len() <= MAX_LINE {
            return None;
        }
        let line = String::from_utf8_lossy(&self.bytes[self.start..self.start + MAX_LINE]).into_owned();
        self.clear();
        self.cutting = true;
        Some(line)
    }

    /// What has come of the next line so far.
    pub fn partial(&self) -> String {
        String::from_utf8_lossy(&self.bytes[self.start..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut read = Vec::new();
        for chunk in chunks {
            lines.push(chunk);
            read.extend(std::iter::from_fn(|| lines.line()));
        }
        read
    }

    #[test]
    fn every_end_of_a_line() {
        assert_eq!(read(&[b"a\r\nb\rc\n\n\r\nd"]), ["a", "b", "c"]);
        assert_eq!(read(&[b"a", b"b\r", b"\nc", b"\n"]), ["ab", "c"]);
        assert_eq!(read(&[b"\xff\n"]), ["\u{fffd}"]);
    }

    #[test]
    fn overlong_lines_are_cut_once() {
        let long = vec![b'x'; MAX_LINE + 10];
        let lines = read(&[&long, &long, b"\n", b"next\n"]);
        assert_eq!((lines.len(), lines[0].len(), lines[1].as_str()), (2, MAX_LINE, "next"));
        let whole = [long.as_slice(), b"\nnext\n"].concat();
        let lines = read(&[&whole]);
        assert_eq!((lines.len(), lines[0].len(), lines[1].as_str()), (2, MAX_LINE, "next"));
    }

    #[test]
    fn raw_bytes_can_be_taken_between_lines() {
        let mut lines = Lines::default();
        lines.push(b"one\ntwo");
        assert_eq!((lines.line().as_deref(), lines.partial().as_str()), (Some("one"), "two"));
        assert_eq!((lines.take(), lines.len()), (b"two".to_vec(), 0));
    }
}

//! Lines as other programs send them: ended by LF, CR or both, of any length, in any encoding.

use std::io::BufRead;

/// How much of a line is kept. The longest command anybody sends is a fraction of this.
const KEPT: usize = 4096;

/// The next line that is not blank, without its end; `None` when there are no more.
///
/// CR LF gives a blank line after the CR, so either sign may end a line without waiting for the other.
pub(super) fn next_line(input: &mut impl BufRead) -> Option<String> {
    loop {
        let (line, more) = read_line(input);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
        if !text.is_empty() {
            return Some(text.to_string());
        }
        if !more {
            return None;
        }
    }
}

/// The bytes up to the next line end, and whether there may be more. What is too long is read and forgotten.
fn read_line(input: &mut impl BufRead) -> (Vec<u8>, bool) {
    let mut line = Vec::new();
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Ok([]) | Err(_) => return (line, false),
            Ok(chunk) => chunk,
        };
        let end = chunk.iter().position(|&b| b == b'\n' || b == b'\r');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(KEPT - line.len())]);
        let read = part.len() + usize::from(end.is_some());
        input.consume(read);
        if end.is_some() {
            return (line, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<String> {
        std::iter::from_fn(|| next_line(&mut bytes)).collect()
    }

    #[test]
    fn any_line_end_will_do() {
        assert_eq!(lines(b"a\r\nb\rc\n\n\r\n d \nlast"), ["a", "b", "c", "d", "last"]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\r\n \t\r\n"), [""; 0]);
    }

    #[test]
    fn long_lines_are_cut_and_odd_bytes_replaced() {
        let mut long = vec![b'x'; 3 * KEPT];
        long.extend_from_slice(b"\nnext\xff\n");
        assert_eq!(lines(&long), ["x".repeat(KEPT), "next\u{fffd}".into()]);
    }
}

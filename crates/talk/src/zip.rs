//! Archives of a few small files, stored without compression: for games whose form is two files.
//!
//! ```text
//! (header name bytes)… (directory entry name)… end      all numbers little-endian
//! ```

const FILE: u32 = 0x0403_4b50;
const ENTRY: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;

/// An archive of these files.
pub fn write(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let start = archive.len() as u32;
        let about = about(name, bytes);
        archive.extend(FILE.to_le_bytes());
        archive.extend(&about);
        archive.extend(name.as_bytes());
        archive.extend(*bytes);
        directory.extend(ENTRY.to_le_bytes());
        directory.extend([20, 0]);
        directory.extend(&about);
        // No comment, first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, start, length) = (files.len() as u16, archive.len() as u32, directory.len() as u32);
    archive.extend(directory);
    archive.extend(END.to_le_bytes());
    archive.extend([0; 4]);
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(length.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0; 2]);
    archive
}

/// What header and directory entry say alike: version, flags, method, time, check sum, sizes, lengths of names.
fn about(name: &str, bytes: &[u8]) -> Vec<u8> {
    // Version 2.0, names in UTF-8, stored; the first of January 1980.
    let mut about = vec![20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0];
    about.extend(checksum(bytes).to_le_bytes());
    about.extend((bytes.len() as u32).to_le_bytes());
    about.extend((bytes.len() as u32).to_le_bytes());
    about.extend((name.len() as u16).to_le_bytes());
    about.extend([0; 2]);
    about
}

/// Whether the bytes are an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&FILE.to_le_bytes())
}

/// The files of an archive that was stored without compression; `None` if it is damaged or compressed.
pub fn read(archive: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let (mut files, mut at) = (Vec::new(), 0usize);
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = archive.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    };
    while number(at, 4)? == FILE as usize {
        let streamed = number(at + 6, 2)? & 8 != 0;
        let (method, packed, size) = (number(at + 8, 2)?, number(at + 18, 4)?, number(at + 22, 4)?);
        if streamed || method != 0 || packed != size || files.len() == 16 {
            return None;
        }
        let name_at = at + 30;
        let bytes_at = name_at + number(at + 26, 2)? + number(at + 28, 2)?;
        let name = archive.get(name_at..name_at + number(at + 26, 2)?)?;
        let end = bytes_at.checked_add(size)?;
        files.push((String::from_utf8_lossy(name).into_owned(), archive.get(bytes_at..end)?.to_vec()));
        at = end;
    }
    Some(files)
}

/// CRC-32.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let archive = write(&[("black.csv", b"1,2"), ("white.csv", b"")]);
        assert!(is_archive(&archive));
        let files = read(&archive).unwrap();
        assert_eq!(files, [("black.csv".to_string(), b"1,2".to_vec()), ("white.csv".into(), Vec::new())]);
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn damage_is_no_panic() {
        let archive = write(&[("black.csv", b"1,2"), ("white.csv", b"3")]);
        for end in 0..archive.len() {
            read(&archive[..end]);
            let mut flipped = archive.clone();
            flipped[end] ^= 0xff;
            read(&flipped);
        }
    }
}

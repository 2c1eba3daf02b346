//! Names and secrets that nobody can guess, and who holds which.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use lianzi_core::Stone;
use lianzi_store::{Hash, Keys, hash};
use lianzi_talk::Refusal;

use crate::words::broken;

/// A name for a game or a contest: 64 random bits.
pub fn new_id() -> Result<String, Refusal> {
    random::<8>()
}

/// A secret: 192 random bits.
pub fn new_token() -> Result<String, Refusal> {
    random::<24>()
}

fn random<const N: usize>() -> Result<String, Refusal> {
    random_text::<N>().map_err(broken)
}

fn random_text<const N: usize>() -> io::Result<String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The secret in this file, which is made if it is not there. Nobody but its owner can read it.
pub fn kept(file: &Path) -> io::Result<String> {
    if let Ok(secret) = std::fs::read_to_string(file) {
        return Ok(secret.trim().into());
    }
    let secret = random_text::<24>()?;
    let mut made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    made.write_all(format!("{secret}\n").as_bytes())?;
    Ok(secret)
}

/// Whether a text from an address can be the name of a game or a contest, before it reaches a database or a path.
pub fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The secrets that a connection has shown.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    tokens: Vec<Hash>,
    owner: Option<Hash>,
}

impl Credentials {
    /// What was given in an address: seats' tokens with commas between them, and the owner's.
    pub fn new(tokens: &str, owner: &str) -> Credentials {
        // Nobody has more than two seats; the rest of a long list is noise.
        let tokens = tokens.split(',').filter(|token| !token.is_empty()).take(2).map(hash).collect();
        Credentials { tokens, owner: Some(owner).filter(|owner| !owner.is_empty()).map(hash) }
    }

    /// Whether they open the seat of this side.
    pub fn may_move(&self, stone: Stone, keys: &Keys) -> bool {
        keys.seats[stone.index()].is_some_and(|key| self.tokens.contains(&key))
    }

    /// The sides they open the seats of.
    pub fn stones(&self, keys: &Keys) -> Vec<Stone> {
        Stone::BOTH.into_iter().filter(|&stone| self.may_move(stone, keys)).collect()
    }

    /// Whether they are the owner's.
    pub fn own(&self, keys: &Keys) -> bool {
        keys.owner.is_some() && keys.owner == self.owner
    }
}

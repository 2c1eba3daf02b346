//! Requests by their names: `{"do": "solve", "game": …}` is the variant `solve` of whichever sort of request has one.
//!
//! Serde can read such a text by itself (`tag`, `untagged`), but then it makes a reader of every type for what it has put
//! aside, which was a twentieth of the code of a page's module.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A request whose sort is not known yet.
pub struct Asked {
    /// The name, and with it all other fields, as serde writes a variant.
    named: Value,
}

impl Asked {
    /// Reads a request; nothing if it is no object with a name.
    pub fn read(text: &str) -> serde_json::Result<Asked> {
        let mut fields: Map<String, Value> = serde_json::from_str(text)?;
        let name = match fields.remove("do") {
            Some(Value::String(name)) => name,
            _ => return Err(serde::de::Error::missing_field("do")),
        };
        Ok(Asked { named: Value::Object(Map::from_iter([(name, Value::Object(fields))])) })
    }

    /// The request, if it is one of this sort.
    pub fn sort<R: DeserializeOwned>(&self) -> serde_json::Result<R> {
        R::deserialize(&self.named)
    }

    /// What goes with requests of every name.
    pub fn beside<R: DeserializeOwned>(&self) -> serde_json::Result<R> {
        R::deserialize(self.named.as_object().and_then(|named| named.values().next()).unwrap_or(&Value::Null))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Sort {
        Plain {},
        WithMore { n: u8 },
    }

    #[derive(Deserialize)]
    struct Beside {
        threads: Option<u8>,
    }

    #[test]
    fn a_request_is_the_variant_of_its_name() {
        let read = |text| Asked::read(text).and_then(|asked| asked.sort::<Sort>());
        assert_eq!(read(r#"{"do": "plain"}"#).unwrap(), Sort::Plain {});
        assert_eq!(read(r#"{"n": 3, "do": "with_more", "threads": 2}"#).unwrap(), Sort::WithMore { n: 3 });
        for bad in [r#"{"do": "nothing"}"#, r#"{"n": 3}"#, r#"{"do": "with_more"}"#, r#"{"do": 1}"#, "[]", "x"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let asked = Asked::read(r#"{"do": "plain", "threads": 2}"#).unwrap();
        assert_eq!(asked.beside::<Beside>().unwrap().threads, Some(2));
    }
}

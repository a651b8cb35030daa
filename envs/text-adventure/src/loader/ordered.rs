//! Maps of a story file in the order in which they are written, without doubles.

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use std::{fmt, marker::PhantomData};

/// Keys with their values, in the order of the file.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ordered<T>(pub(super) Vec<(String, T)>);

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Ordered<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        self.0.iter().position(|(k, _)| k == key)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
            type Value = Ordered<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Ordered::default();
                while let Some(key) = map.next_key::<String>()? {
                    if pairs.position(&key).is_some() {
                        return Err(A::Error::custom(format!("\"{key}\" occurs twice in this map")));
                    }
                    pairs.0.push((key, map.next_value()?));
                }
                Ok(pairs)
            }
        }

        from.deserialize_map(Pairs(PhantomData))
    }
}

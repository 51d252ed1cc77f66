//! Conversions from and into the types of other crates, each behind a feature of its name.
//!
//! Comes in: values of theirs, or of ours. Goes out: the other. No signature of this crate knows those types: what takes a
//! point or a vector takes anything that is `Into<Vec2>`.

/// Both ways between [`crate::geometry::Vec2`] and a type that has an x and a y.
#[cfg(any(feature = "mint", feature = "glam"))]
macro_rules! both_ways {
    ($($other:ty),*) => {
        $(
            impl From<$other> for crate::geometry::Vec2 {
                fn from(v: $other) -> crate::geometry::Vec2 {
                    crate::geometry::Vec2 { x: v.x, y: v.y }
                }
            }

            impl From<crate::geometry::Vec2> for $other {
                fn from(v: crate::geometry::Vec2) -> $other {
                    [v.x, v.y].into()
                }
            }
        )*
    };
}

#[cfg(feature = "mint")]
both_ways!(mint::Vector2<f32>, mint::Point2<f32>);

#[cfg(feature = "mint")]
impl mint::IntoMint for crate::geometry::Vec2 {
    type MintType = mint::Vector2<f32>;
}

#[cfg(feature = "glam")]
both_ways!(glam::Vec2);

#[cfg(feature = "serde")]
mod names {
    use crate::geometry::Feature;
    use crate::narrow_phase::SegmentClass;
    use crate::query::TargetKind;
    use serde::de::{Error, Unexpected, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::fmt;

    /// What reads like an enum is written like one: by its name.
    macro_rules! by_name {
        ($type:ident, $expected:literal, $($name:literal => $value:ident),*) => {
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.name())
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                    struct Name;
                    impl Visitor<'_> for Name {
                        type Value = $type;

                        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                            f.write_str($expected)
                        }

                        fn visit_str<E: Error>(self, name: &str) -> Result<$type, E> {
                            match name {
                                $($name => Ok($type::$value),)*
                                _ => Err(E::invalid_value(Unexpected::Str(name), &self)),
                            }
                        }
                    }
                    deserializer.deserialize_str(Name)
                }
            }
        };
    }

    by_name!(
        Feature, "\"interior\", \"start\" or \"end\"",
        "interior" => Interior, "start" => Start, "end" => End
    );
    by_name!(
        TargetKind, "\"nothing\", \"circle\" or \"segment\"",
        "nothing" => Nothing, "circle" => Circle, "segment" => Segment
    );
    by_name!(
        SegmentClass, "\"cross\", \"touch\", \"overlap\" or \"near\"",
        "cross" => Cross, "touch" => Touch, "overlap" => Overlap, "near" => Near
    );
}

#[cfg(feature = "serde")]
mod worlds {
    use crate::world::World;
    use serde::de::{Error, SeqAccess, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::fmt;

    /// As the bytes of [`World::save`].
    impl Serialize for World {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.save())
        }
    }

    /// As by [`World::from_snapshot`]: with the default backend and threads.
    impl<'de> Deserialize<'de> for World {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<World, D::Error> {
            struct Bytes;
            impl<'de> Visitor<'de> for Bytes {
                type Value = World;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("the bytes of a saved world")
                }

                fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<World, E> {
                    World::from_snapshot(bytes).map_err(E::custom)
                }

                /// For formats that have no bytes.
                fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<World, A::Error> {
                    let mut bytes = Vec::new();
                    while let Some(byte) = numbers.next_element::<u8>()? {
                        bytes.push(byte);
                    }
                    self.visit_bytes(&bytes)
                }
            }
            deserializer.deserialize_bytes(Bytes)
        }
    }
}

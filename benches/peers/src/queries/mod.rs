//! stub
use crate::input::Input; use crate::measure::Limits; use crate::report::Row;
pub(crate) fn all(_:&[Input],_:Limits,_:impl Fn(&str)->bool)->Vec<Row>{vec![]}

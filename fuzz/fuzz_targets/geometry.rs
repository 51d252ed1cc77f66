//! Every function of `gridlane::geometry` against exact arithmetic.
#![no_main]

use gridlane_fuzz::choices::Choices;
use gridlane_fuzz::draw::Draw;
use gridlane_fuzz::{lines, motions, pairs};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut draw = Draw::new(bytes);
    match draw.script.below(9) {
        0 => pairs::circles(&mut draw),
        1 => pairs::circle_and_segment(&mut draw),
        2 => pairs::segments(&mut draw),
        3 => lines::line(&mut draw),
        4 => lines::two_lines(&mut draw),
        5 => lines::mirror(&mut draw),
        6 => motions::sweep(&mut draw),
        7 => motions::sweep_of_circles(&mut draw),
        _ => motions::ray(&mut draw),
    }
});

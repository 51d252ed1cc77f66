//! Letters as strokes, for pictures without fonts.
//!
//! Comes in: a character. Goes out: polylines on a grid 4 wide, 6 high above the line it stands on, 2 deep below.
//! Capitals are shown small; a character that is not here is a box.

/// For each stroke, its points: how far right, how far up.
pub(super) fn strokes(letter: char) -> impl Iterator<Item = impl Iterator<Item = [f64; 2]>> {
    shape(letter).split_ascii_whitespace().map(|stroke| {
        let number = |digit: u8| f64::from(digit - b'0');
        stroke.as_bytes().chunks_exact(2).map(move |point| [number(point[0]), number(point[1]) - 2.0])
    })
}

/// Pairs of digits: across, and up from the depth of `g`.
const fn shape(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        ' ' => "",
        '0' => "120307183847433212",
        '1' => "172822 1232",
        '2' => "07183847460242",
        '3' => "0718384746354443321203 3515",
        '4' => "32380444",
        '5' => "480805354443321203",
        '6' => "4738180703123243443505",
        '7' => "084812",
        '8' => "1506071838474635150403123243443515",
        '9' => "0312324347381807061545",
        'a' => "4642 4536160503123243",
        'b' => "0802 0516364543321203",
        'c' => "4536160503123243",
        'd' => "4842 4536160503123243",
        'e' => "04444536160503123243",
        'f' => "4738281712 0636",
        'g' => "4641301001 4536160503123243",
        'h' => "0802 0516364542",
        'i' => "2622 2829",
        'j' => "36312010 3839",
        'k' => "0802 3603 1432",
        'l' => "182822 1232",
        'm' => "0602 05162522 25364542",
        'n' => "0602 0516364542",
        'o' => "120305163645433212",
        'p' => "0600 0516364543321203",
        'q' => "4640 4536160503123243",
        'r' => "0602 05163645",
        's' => "4616051434433202",
        't' => "1813223243 0636",
        'u' => "0603123243 4642",
        'v' => "062246",
        'w' => "0612253246",
        'x' => "0642 0246",
        'y' => "0622 462210",
        'z' => "06460242",
        '.' => "2223",
        ',' => "232211",
        ':' => "2223 2526",
        '-' => "1434",
        '_' => "0141",
        '/' => "0148",
        '(' => "38272332",
        ')' => "18272312",
        '+' => "0444 2622",
        '=' => "0545 0343",
        _ => "0208484202",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_lies_on_its_grid() {
        for letter in ' '..='~' {
            for stroke in strokes(letter) {
                let points: Vec<_> = stroke.collect();
                assert!(points.len() >= 2, "{letter}");
                assert!(points.iter().all(|[x, y]| (0.0..=4.0).contains(x) && (-2.0..=7.0).contains(y)), "{letter}");
            }
        }
        assert_eq!(shape('7').len() % 2, 0);
        assert_eq!(strokes(' ').count(), 0);
        assert_eq!(strokes('ß').count(), 1, "a box");
    }
}

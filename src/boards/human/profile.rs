//! Seven kinds of players, as data.
//!
//! Every field is the probability of one behaviour (in thousandths) or its duration (in ms). `docs/simulator.md`
//! contains the same values as a table; a test compares the two.
//!
//! Source: in *casual*, pieces are lifted and placed in the same orders as in 198 half-moves recorded from real boards
//! (156 quiet moves, 35 captures, 6 castlings, 1 en passant). The DGT notes list these orders under "Scan behaviour".
//! All durations, and everything in *clumsy* and *hostile*, are our own guesses from watching club players; they were
//! not measured.

use super::coils::Coils;
use super::dice::{PerMille, Span};

/// How one kind of player moves pieces, and how reliable the board is.
///
/// All fields are public, so that a test can take one of [`Profile::ALL`] and change single fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    /// The name of the profile on the command line.
    pub name: &'static str,

    /// How long a piece is in the air.
    pub carry: Span,
    /// The probability of a quick move: the piece is in the air only for the time `quick_carry`. The board may then
    /// report the piece on its new square before it reports the lift from the old square.
    pub quick: PerMille,
    /// How long a quickly moved piece is in the air.
    pub quick_carry: Span,

    /// The time from the last touch of a piece to the press.
    pub press_after: Span,
    /// The probability that the player presses so soon after the last touch that the board has not reported the last
    /// change yet.
    pub overtake: PerMille,
    /// The time from the last touch of a piece to the press, for a press that comes before the board has reported the
    /// last change.
    pub overtake_after: Span,
    /// The probability that a player replies at once, whatever thinking time the task specifies.
    pub bullet: PerMille,
    /// The time from the opponent's press to the first touch, when the player replies at once.
    pub bullet_after: Span,

    /// The probability that the opponent begins the reply before the press. Only for a task after which the opponent's
    /// task follows.
    pub early_reply: PerMille,
    /// How long before the press such a reply begins. It never begins before the last touch of the action.
    pub early_reply_by: Span,

    /// The probability, for moves in a straight line, that the piece is not lifted but pushed over the squares between.
    pub slide: PerMille,
    /// How long a pushed piece is on each square.
    pub slide_step: Span,
    /// The probability, on each square of a slide, that the hand stops for `hesitate_for`.
    pub hesitate: PerMille,
    /// How long the hand stops on a square of a slide.
    pub hesitate_for: Span,
    /// The probability that one of the mover's other pieces is lifted and put back before the move (j'adoube).
    pub adjust: PerMille,
    /// How long the adjusted piece is in the air.
    pub adjust_for: Span,
    /// The probability that the player first sets the moving piece down near its old or its new square, and lifts it
    /// again before the press.
    pub rethink: PerMille,
    /// How long the piece stands on the square where it is set down first.
    pub rethink_for: Span,
    /// The probability that the player first makes another legal move (the task's `slip`), and takes it back before the
    /// press.
    pub take_back: PerMille,
    /// How long that other move stands on the board.
    pub take_back_for: Span,
    /// For players who do not press the clock: the longest pause, in ms, at a point where an unfinished action looks
    /// finished. Without presses, the only sign that an action is finished is that the board no longer changes.
    pub auto_stop: u64,

    /// The probability, for captures, that the captured piece leaves before the capturing piece is touched.
    pub victim_first: PerMille,
    /// The probability, for captures, that the capturing piece is lifted first and the captured piece clearly later. If
    /// a capture is neither `victim_first` nor `attacker_first`, one hand exchanges the two pieces within the time
    /// `swap`, so that the board hardly ever sees the square empty.
    pub attacker_first: PerMille,
    /// The time from removing the captured piece to placing the capturing piece, when one hand exchanges the two.
    pub swap: Span,
    /// The probability, for captures, that the captured piece is lifted, put back, and then taken after all.
    pub put_back: PerMille,
    /// The probability, for captures, that the captured piece brushes over other squares on its way off the board.
    pub brush: PerMille,
    /// How long the captured piece is over each square that it brushes.
    pub brush_for: Span,

    /// The probability, for castling, that the rook moves first.
    pub rook_first: PerMille,
    /// The probability, for castling, that king and rook are in the air together.
    pub both_in_air: PerMille,
    /// The time between placing the first piece of a castling and lifting the second.
    pub castle_gap: Span,
    /// The probability, for captures en passant, that the captured pawn leaves before the capturing pawn moves.
    pub en_passant_first: PerMille,
    /// How long the captured pawn stays on the board after the capturing pawn has arrived, if it leaves last.
    pub en_passant_late: Span,
    /// The probability, for promotions, that the player first puts the pawn on the last rank and leaves it there for
    /// the time `pawn_stands_for`. Otherwise the player puts the new piece there at once.
    pub pawn_stands: PerMille,
    /// How long the pawn stands on the last rank before it is replaced.
    pub pawn_stands_for: Span,

    /// The probability that two pieces that do not take part in the action are knocked over and put back.
    pub knock: PerMille,
    /// How long a knocked piece lies before it is put back.
    pub knock_for: Span,
    /// The probability that a knocked piece is first put on a wrong square.
    pub knock_wrong: PerMille,

    /// The probability that the side to move presses the clock by mistake while thinking. The opponent then also
    /// presses, which undoes the mistaken press.
    pub mistaken_press: PerMille,
    /// The time from the mistaken press to the opponent's press.
    pub pressed_back_after: Span,
    /// The probability that a player forgets to press the clock after an action. Two presses in a row are never
    /// forgotten.
    pub forget: PerMille,
    /// The probability that the piece is set on a wrong square and is corrected only after the press.
    pub correct: PerMille,
    /// The time from the press to the correction of a piece on a wrong square.
    pub correct_after: Span,

    /// The probability, for each turn, that the board loses and regains contact with the piece on one square while the
    /// player thinks (worn coil, piece off the centre).
    pub flicker: PerMille,
    /// The probability that an update is lost on the link.
    pub drop: PerMille,
    /// The time from the loss of an update to the next report of all squares, which repairs the loss.
    pub cure_after: Span,
    /// The probability that an update is sent twice.
    pub duplicate: PerMille,
    /// The duration of one pass of the board over its squares.
    pub scan: Span,
    /// The probability that the board reports nothing of an action until the hand has rested for `late_picture_after`,
    /// and then all squares at once. The press comes after that.
    pub late_picture: PerMille,
    /// The time from the last touch of a piece to the late picture.
    pub late_picture_after: Span,
    /// The probability that the board reports nothing of an action until after its press, and then all squares at once.
    /// Two actions in a row are never unseen.
    pub unseen: PerMille,
    /// The probability that the board is unplugged for a moment.
    pub unplug: PerMille,
    /// How long the board is unplugged.
    pub unplug_for: Span,
}

impl Profile {
    /// The easiest players: each action is a lift, a place and a press, with time between them.
    pub const CLEAN: Self = Self {
        name: "clean",
        carry: Span::new(400, 700),
        quick: PerMille::NEVER,
        quick_carry: Span::new(0, 0),
        press_after: Span::new(350, 700),
        overtake: PerMille::NEVER,
        overtake_after: Span::new(0, 0),
        bullet: PerMille::NEVER,
        bullet_after: Span::new(0, 0),
        early_reply: PerMille::NEVER,
        early_reply_by: Span::new(0, 0),
        slide: PerMille::NEVER,
        slide_step: Span::new(0, 0),
        hesitate: PerMille::NEVER,
        hesitate_for: Span::new(0, 0),
        adjust: PerMille::NEVER,
        adjust_for: Span::new(0, 0),
        rethink: PerMille::NEVER,
        rethink_for: Span::new(0, 0),
        take_back: PerMille::NEVER,
        take_back_for: Span::new(0, 0),
        auto_stop: 90,
        victim_first: PerMille::ALWAYS,
        attacker_first: PerMille::NEVER,
        swap: Span::new(0, 0),
        put_back: PerMille::NEVER,
        brush: PerMille::NEVER,
        brush_for: Span::new(0, 0),
        rook_first: PerMille::NEVER,
        both_in_air: PerMille::NEVER,
        castle_gap: Span::new(300, 600),
        en_passant_first: PerMille::NEVER,
        en_passant_late: Span::new(300, 600),
        pawn_stands: PerMille::NEVER,
        pawn_stands_for: Span::new(0, 0),
        knock: PerMille::NEVER,
        knock_for: Span::new(0, 0),
        knock_wrong: PerMille::NEVER,
        mistaken_press: PerMille::NEVER,
        pressed_back_after: Span::new(0, 0),
        forget: PerMille::NEVER,
        correct: PerMille::NEVER,
        correct_after: Span::new(0, 0),
        flicker: PerMille::NEVER,
        drop: PerMille::NEVER,
        cure_after: Span::new(0, 0),
        duplicate: PerMille::NEVER,
        scan: Coils::SCAN,
        late_picture: PerMille::NEVER,
        late_picture_after: Span::new(0, 0),
        unseen: PerMille::NEVER,
        unplug: PerMille::NEVER,
        unplug_for: Span::new(0, 0),
    };

    /// Typical players of a club evening. The proportions are those of the recorded games.
    pub const CASUAL: Self = Self {
        name: "casual",
        carry: Span::new(250, 700),
        // 12 % of pieces are in the air for only 80-160 ms, and a scan takes about 225 ms. So the board reports the
        // place before the lift in 1.3 % of quiet moves. In the recorded games, it did so in 2 of 156 quiet moves.
        quick: PerMille(120),
        quick_carry: Span::new(80, 160),
        press_after: Span::new(120, 700),
        overtake: PerMille(80),
        overtake_after: Span::new(10, 60),
        bullet: PerMille(30),
        bullet_after: Span::new(10, 80),
        // A third of all moves go along a line, and only these can be slides. An event is extra if it is more than one
        // lift and one placement per move. Slides, adjusting and rethinking together add extra events to about 5 % of
        // all moves. In the recorded games, 8 of 156 quiet moves had extra events.
        slide: PerMille(100),
        slide_step: Span::new(50, 160),
        hesitate: PerMille(50),
        hesitate_for: Span::new(100, 330),
        adjust: PerMille(12),
        adjust_for: Span::new(200, 700),
        rethink: PerMille(8),
        rethink_for: Span::new(250, 900),
        victim_first: PerMille(210),
        attacker_first: PerMille(40),
        swap: Span::new(0, 40),
        put_back: PerMille(4),
        brush: PerMille(60),
        brush_for: Span::new(40, 140),
        rook_first: PerMille(20),
        both_in_air: PerMille(30),
        castle_gap: Span::new(150, 900),
        en_passant_first: PerMille(100),
        en_passant_late: Span::new(200, 900),
        pawn_stands: PerMille(500),
        pawn_stands_for: Span::new(400, 2_000),
        knock: PerMille(2),
        knock_for: Span::new(300, 900),
        knock_wrong: PerMille(100),
        mistaken_press: PerMille(3),
        pressed_back_after: Span::new(700, 1_500),
        forget: PerMille(3),
        duplicate: PerMille(2),
        flicker: PerMille(2),
        ..Self::CLEAN
    };

    /// Players with large hands in little light: mistakes of every kind, all of them corrected before the press.
    pub const CLUMSY: Self = Self {
        name: "clumsy",
        carry: Span::new(150, 1_500),
        quick: PerMille(200),
        quick_carry: Span::new(60, 160),
        press_after: Span::new(100, 1_200),
        overtake: PerMille(150),
        overtake_after: Span::new(5, 60),
        bullet: PerMille(80),
        bullet_after: Span::new(10, 80),
        slide: PerMille(400),
        slide_step: Span::new(40, 250),
        hesitate: PerMille(150),
        hesitate_for: Span::new(200, 900),
        adjust: PerMille(100),
        adjust_for: Span::new(150, 1_200),
        rethink: PerMille(80),
        rethink_for: Span::new(200, 1_500),
        victim_first: PerMille(300),
        attacker_first: PerMille(150),
        swap: Span::new(0, 90),
        put_back: PerMille(40),
        brush: PerMille(250),
        brush_for: Span::new(40, 260),
        rook_first: PerMille(150),
        both_in_air: PerMille(150),
        castle_gap: Span::new(100, 2_000),
        en_passant_first: PerMille(200),
        en_passant_late: Span::new(200, 2_500),
        pawn_stands: PerMille(700),
        pawn_stands_for: Span::new(300, 3_500),
        knock: PerMille(40),
        knock_for: Span::new(300, 1_500),
        knock_wrong: PerMille(400),
        mistaken_press: PerMille(15),
        pressed_back_after: Span::new(700, 2_000),
        forget: PerMille(15),
        flicker: PerMille(20),
        drop: PerMille(2),
        cure_after: Span::new(100, 150),
        duplicate: PerMille(10),
        ..Self::CASUAL
    };

    /// The worst case: pieces corrected after the press, updates lost for seconds, boards unplugged.
    pub const HOSTILE: Self = Self {
        name: "hostile",
        carry: Span::new(60, 2_500),
        quick: PerMille(300),
        quick_carry: Span::new(20, 160),
        press_after: Span::new(0, 1_500),
        overtake: PerMille(300),
        overtake_after: Span::new(0, 40),
        bullet: PerMille(200),
        bullet_after: Span::new(5, 60),
        slide: PerMille(600),
        slide_step: Span::new(20, 400),
        hesitate: PerMille(300),
        hesitate_for: Span::new(300, 2_000),
        adjust: PerMille(200),
        rethink: PerMille(200),
        rethink_for: Span::new(200, 2_500),
        auto_stop: 2_500,
        put_back: PerMille(100),
        brush: PerMille(400),
        rook_first: PerMille(300),
        both_in_air: PerMille(300),
        castle_gap: Span::new(50, 3_000),
        en_passant_first: PerMille(300),
        en_passant_late: Span::new(50, 4_000),
        pawn_stands: PerMille(800),
        pawn_stands_for: Span::new(200, 5_000),
        knock: PerMille(100),
        knock_for: Span::new(200, 3_000),
        knock_wrong: PerMille(600),
        mistaken_press: PerMille(30),
        forget: PerMille(30),
        correct: PerMille(50),
        correct_after: Span::new(300, 1_500),
        flicker: PerMille(60),
        drop: PerMille(20),
        cure_after: Span::new(500, 6_000),
        duplicate: PerMille(50),
        unplug: PerMille(10),
        unplug_for: Span::new(500, 4_000),
        ..Self::CLUMSY
    };

    /// Somebody who learns the game: touches, thinks, sets down, takes back, and forgets the clock.
    pub const BEGINNER: Self = Self {
        name: "beginner",
        carry: Span::new(500, 4_000),
        quick: PerMille(20),
        press_after: Span::new(400, 4_000),
        overtake: PerMille::NEVER,
        bullet: PerMille::NEVER,
        slide: PerMille(250),
        slide_step: Span::new(100, 500),
        hesitate: PerMille(200),
        hesitate_for: Span::new(300, 2_500),
        adjust: PerMille(150),
        adjust_for: Span::new(300, 3_000),
        rethink: PerMille(150),
        rethink_for: Span::new(400, 5_000),
        take_back: PerMille(60),
        take_back_for: Span::new(500, 6_000),
        put_back: PerMille(60),
        castle_gap: Span::new(400, 3_000),
        pawn_stands: PerMille(900),
        pawn_stands_for: Span::new(1_000, 6_000),
        knock: PerMille(20),
        mistaken_press: PerMille(15),
        forget: PerMille(80),
        ..Self::CASUAL
    };

    /// Fast players with seconds left: pieces are pushed, presses overtake the board, replies begin before the press.
    pub const BLITZ: Self = Self {
        name: "blitz",
        carry: Span::new(100, 450),
        quick: PerMille(250),
        press_after: Span::new(40, 300),
        overtake: PerMille(300),
        overtake_after: Span::new(5, 60),
        bullet: PerMille(250),
        bullet_after: Span::new(10, 120),
        early_reply: PerMille(100),
        early_reply_by: Span::new(10, 150),
        slide: PerMille(350),
        slide_step: Span::new(20, 120),
        hesitate: PerMille(30),
        adjust: PerMille(20),
        rethink: PerMille(10),
        knock: PerMille(10),
        forget: PerMille(10),
        ..Self::CASUAL
    };

    /// Bullet on a board that reports at once: the press follows the last update, and the reply follows the press.
    pub const BULLET: Self = Self {
        name: "bullet",
        carry: Span::new(20, 280),
        quick: PerMille::NEVER,
        press_after: Span::new(5, 100),
        overtake: PerMille::NEVER,
        bullet: PerMille::ALWAYS,
        bullet_after: Span::new(15, 120),
        slide: PerMille(300),
        slide_step: Span::new(15, 130),
        hesitate: PerMille::NEVER,
        adjust: PerMille::NEVER,
        rethink: PerMille(30),
        rethink_for: Span::new(150, 2_000),
        victim_first: PerMille(250),
        attacker_first: PerMille(250),
        swap: Span::new(0, 40),
        put_back: PerMille::NEVER,
        brush: PerMille::NEVER,
        castle_gap: Span::new(50, 300),
        en_passant_late: Span::new(30, 900),
        pawn_stands_for: Span::new(50, 1_500),
        knock: PerMille::NEVER,
        mistaken_press: PerMille::NEVER,
        forget: PerMille::NEVER,
        flicker: PerMille::NEVER,
        duplicate: PerMille::NEVER,
        scan: Span::new(2, 4),
        late_picture: PerMille(40),
        late_picture_after: Span::new(100, 2_000),
        unseen: PerMille(20),
        ..Self::CASUAL
    };

    /// All profiles, the gentlest first.
    pub const ALL: [Self; 7] =
        [Self::CLEAN, Self::CASUAL, Self::CLUMSY, Self::BEGINNER, Self::BLITZ, Self::BULLET, Self::HOSTILE];

    /// Returns the profile with this name, or `None`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats a probability as in the table: `10 %`, `0.3 %`, or a dash for zero.
    fn chance(likely: PerMille) -> String {
        match likely.0 {
            0 => "–".to_owned(),
            whole if whole % 10 == 0 => format!("{} %", whole / 10),
            parts => format!("{}.{} %", parts / 10, parts % 10),
        }
    }

    /// Formats a range as in the table: `50–160`, or a dash if both ends are zero.
    fn span(span: Span) -> String {
        if span == Span::default() { "–".to_owned() } else { format!("{}–{}", span.least, span.most) }
    }

    type Column = fn(&Profile) -> String;

    /// All fields except `name`, in the order of their declaration, with the function that formats each.
    const FIELDS: [(&str, Column); 52] = [
        ("carry", |p| span(p.carry)),
        ("quick", |p| chance(p.quick)),
        ("quick_carry", |p| span(p.quick_carry)),
        ("press_after", |p| span(p.press_after)),
        ("overtake", |p| chance(p.overtake)),
        ("overtake_after", |p| span(p.overtake_after)),
        ("bullet", |p| chance(p.bullet)),
        ("bullet_after", |p| span(p.bullet_after)),
        ("early_reply", |p| chance(p.early_reply)),
        ("early_reply_by", |p| span(p.early_reply_by)),
        ("slide", |p| chance(p.slide)),
        ("slide_step", |p| span(p.slide_step)),
        ("hesitate", |p| chance(p.hesitate)),
        ("hesitate_for", |p| span(p.hesitate_for)),
        ("adjust", |p| chance(p.adjust)),
        ("adjust_for", |p| span(p.adjust_for)),
        ("rethink", |p| chance(p.rethink)),
        ("rethink_for", |p| span(p.rethink_for)),
        ("take_back", |p| chance(p.take_back)),
        ("take_back_for", |p| span(p.take_back_for)),
        ("auto_stop", |p| p.auto_stop.to_string()),
        ("victim_first", |p| chance(p.victim_first)),
        ("attacker_first", |p| chance(p.attacker_first)),
        ("swap", |p| span(p.swap)),
        ("put_back", |p| chance(p.put_back)),
        ("brush", |p| chance(p.brush)),
        ("brush_for", |p| span(p.brush_for)),
        ("rook_first", |p| chance(p.rook_first)),
        ("both_in_air", |p| chance(p.both_in_air)),
        ("castle_gap", |p| span(p.castle_gap)),
        ("en_passant_first", |p| chance(p.en_passant_first)),
        ("en_passant_late", |p| span(p.en_passant_late)),
        ("pawn_stands", |p| chance(p.pawn_stands)),
        ("pawn_stands_for", |p| span(p.pawn_stands_for)),
        ("knock", |p| chance(p.knock)),
        ("knock_for", |p| span(p.knock_for)),
        ("knock_wrong", |p| chance(p.knock_wrong)),
        ("mistaken_press", |p| chance(p.mistaken_press)),
        ("pressed_back_after", |p| span(p.pressed_back_after)),
        ("forget", |p| chance(p.forget)),
        ("correct", |p| chance(p.correct)),
        ("correct_after", |p| span(p.correct_after)),
        ("flicker", |p| chance(p.flicker)),
        ("drop", |p| chance(p.drop)),
        ("cure_after", |p| span(p.cure_after)),
        ("duplicate", |p| chance(p.duplicate)),
        ("scan", |p| span(p.scan)),
        ("late_picture", |p| chance(p.late_picture)),
        ("late_picture_after", |p| span(p.late_picture_after)),
        ("unseen", |p| chance(p.unseen)),
        ("unplug", |p| chance(p.unplug)),
        ("unplug_for", |p| span(p.unplug_for)),
    ];

    #[test]
    fn the_document_has_the_figures_of_this_file() {
        let document = include_str!("../../../docs/simulator.md");
        for (name, column) in FIELDS {
            let columns: Vec<String> = Profile::ALL.iter().map(column).collect();
            let row = format!("| `{name}` | {} |", columns.join(" | "));
            assert!(document.contains(&row), "docs/simulator.md wants the row\n{row}");
        }
    }
}

//! What an unwritten card did: its steps are said on the board, one after the other, and the opponent confirms them.

use egui::{DragValue, RichText, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{
    CardStep, Code, JokerAction, JokerOffer, JokerSight, MOST_ELO, Masquerade, PlayCard,
};
use tabiya_types::{Board, Color, Piece, Role, Square};

use super::words::{enter, mask_words, offers, use_words};
use crate::board::{CardMark, StepMeaning, Touch};
use crate::cx::Cx;
use crate::widgets::{because, button, field, hint, main_button};

/// What a click on the board says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StepKind {
    /// A piece goes from one square to another one.
    Goes,
    /// A piece is added.
    Adds,
    /// A piece is taken off.
    Takes,
    /// A piece becomes another one.
    Becomes,
    /// Two pieces change places.
    Swaps,
}

/// What an unwritten card did, as far as it was said.
#[derive(Clone, Debug)]
pub(in crate::table) struct Declaring {
    steps: Vec<CardStep>,
    kind: StepKind,
    /// The piece that is added, or that another one becomes.
    piece: Piece,
    /// The points, where the draw did not tell them.
    elo: u32,
    /// The code, where the draw did not tell it; it may stay empty.
    code: String,
    /// The piece that the card prints, and what the player puts in its place.
    mask: Option<(Role, Role)>,
}

impl Declaring {
    pub(super) fn new(by: Color) -> Self {
        let piece = Piece { color: by, role: Role::Queen };
        Self { steps: Vec::new(), kind: StepKind::Goes, piece, elo: 0, code: String::new(), mask: None }
    }

    /// The table's board after the steps, as far as they can be done.
    pub(super) fn board(&self, board: &Board) -> Board {
        self.steps.iter().fold(*board, |board, step| step.on(&board))
    }

    pub(super) fn marks(&self) -> Vec<CardMark> {
        CardMark::all(self.steps.iter().copied(), StepMeaning::Chosen)
    }

    /// Takes a click or drag on the board as a step of the chosen kind.
    pub(super) fn touched(&mut self, board: &Board, touch: Touch, chosen: &mut Option<Square>) {
        let stands = self.board(board);
        let pair = |from: Square, to: Square| match self.kind {
            StepKind::Swaps => CardStep::Swaps(from, to),
            _ => CardStep::Goes(from, to),
        };
        let step = match (touch, self.kind) {
            (Touch::Drag(from, to), _) => Some(pair(from, to)),
            (Touch::Click(at), StepKind::Adds) => Some(CardStep::Adds(self.piece, at)),
            (Touch::Click(at), StepKind::Takes) => stands[at].map(|_| CardStep::Takes(at)),
            (Touch::Click(at), StepKind::Becomes) => {
                stands[at].map(|_| CardStep::Becomes(at, self.piece.role))
            }
            (Touch::Click(at), StepKind::Goes | StepKind::Swaps) => match chosen.take() {
                Some(from) if from != at => Some(pair(from, at)),
                Some(_) => None,
                None => {
                    *chosen = Some(at).filter(|at| stands[*at].is_some());
                    None
                }
            },
        };
        self.steps.extend(step);
    }

    /// The line that says it; `None` while a code is typed that is none.
    fn play(&self, by: Color, needs_elo: bool) -> Option<PlayCard> {
        let mask = match self.mask {
            None => Masquerade::NONE,
            Some((role, with)) => Masquerade::NONE.with(role, with),
        };
        let code = self.code.trim().to_uppercase();
        let card: Option<Code> = if code.is_empty() { None } else { Some(code.parse().ok()?) };
        let elo = (needs_elo && mask.is_none()).then_some(self.elo);
        Some(PlayCard { by, steps: self.steps.clone(), mask, card, elo })
    }
}

/// Whose unwritten card may be used now.
pub(super) fn owner(view: &TableView) -> Option<Color> {
    offers(view).find_map(|offer| match offer {
        JokerOffer::Unwritten(by) => Some(*by),
        JokerOffer::Draw(_) | JokerOffer::Uses { .. } => None,
    })
}

/// Draws the button that says the steps so far, and the choice of the next one. A declaration that is refused stays to be
/// put right.
pub(super) fn declare_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    (sight, by): (&JokerSight, Color),
    declared: &mut Option<Declaring>,
) {
    let Some(card) = &sight.cards[by] else { return };
    let Some(declaring) = declared else { return };
    let said = declaring.play(by, card.elo.is_none());
    let mask = said.as_ref().map_or(Masquerade::NONE, |play| play.mask);
    let mut leave = false;
    ui.horizontal_wrapped(|ui| {
        let off = cx.why_off(&[(said.is_some(), "off-declare")]);
        let declare = main_button(ui, cx.theme, &cx.t("declare-this"), off.is_none());
        if because(declare, off.as_ref()).clicked()
            && let Some(play) = said
        {
            enter(cx, JokerAction::Play(play));
        }
        if button(ui, &cx.t("card-back"), true).clicked() {
            leave = declaring.steps.pop().is_none();
        }
    });
    ui.label(RichText::new(use_words(cx, mask, &declaring.steps)).font(cx.bold(15.0)));
    ui.horizontal_wrapped(|ui| {
        if card.code.is_none() {
            field(ui, &cx.t("card-code"), &mut declaring.code, cx.sizes.px(48.0));
        }
        if card.elo.is_none() && declaring.mask.is_none() {
            let named = ui.label(cx.t("card-elo"));
            ui.add(DragValue::new(&mut declaring.elo).range(0..=MOST_ELO)).labelled_by(named.id);
        }
        mask_ui(ui, cx, view, by, declaring);
    });
    kinds_ui(ui, cx, declaring);
    if leave {
        *declared = None;
    }
}

/// Draws the choice of what a click on the board says.
fn kinds_ui(ui: &mut Ui, cx: &Cx<'_>, declaring: &mut Declaring) {
    hint(ui, &cx.t("declare-hint"));
    let kinds = [
        (StepKind::Goes, "step-goes"),
        (StepKind::Adds, "step-adds"),
        (StepKind::Takes, "step-takes"),
        (StepKind::Becomes, "step-becomes"),
        (StepKind::Swaps, "step-swaps"),
    ];
    ui.horizontal_wrapped(|ui| {
        for (kind, id) in kinds {
            ui.radio_value(&mut declaring.kind, kind, cx.t(id));
        }
    });
    if !matches!(declaring.kind, StepKind::Adds | StepKind::Becomes) {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for role in Role::ALL.into_iter().filter(|role| *role != Role::King) {
            ui.radio_value(&mut declaring.piece.role, role, cx.words.role(role));
        }
        if declaring.kind == StepKind::Adds {
            ui.separator();
            for color in Color::ALL {
                ui.radio_value(&mut declaring.piece.color, color, cx.words.color(color));
            }
        }
    });
}

/// Draws the masquerade: which kind of piece, of which the player has none, is replaced by which other one.
fn mask_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, by: Color, declaring: &mut Declaring) {
    let has = |role: Role| view.board.pieces().any(|(_, piece)| piece == Piece { color: by, role });
    let missing: Vec<Role> = Role::ALL.into_iter().filter(|role| !has(*role)).collect();
    if missing.is_empty() {
        return;
    }
    let text = match declaring.mask {
        None => cx.t("as-printed"),
        Some((role, with)) => mask_words(cx, Masquerade::NONE.with(role, with)),
    };
    ui.menu_button(text, |ui| {
        if ui.button(cx.t("as-printed")).clicked() {
            declaring.mask = None;
            ui.close();
        }
        for role in missing {
            for with in Role::ALL.into_iter().filter(|with| *with != role) {
                let text = mask_words(cx, Masquerade::NONE.with(role, with));
                if ui.button(text).clicked() {
                    declaring.mask = Some((role, with));
                    ui.close();
                }
            }
        }
    });
}

//! The controls for betting: fold, check or call, all-in, and a raise by slider or typed amount. Each of these bets has
//! a key.

use egui::{Slider, TextEdit, Ui};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, Bet, BetDue, Chips};

use crate::cx::Cx;
use crate::keys::Command;
use crate::widgets::{button, grave_button, main_button};

/// The amount of a raise while it is being chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RaiseDraft {
    /// The bet that was due, and the number of inputs in the record, when the choice of the amount began. When either
    /// of the two changes, the amount starts at the minimum again.
    due: Option<(BetDue, usize)>,
    to: u32,
    /// The amount as typed.
    typed: String,
}

impl RaiseDraft {
    fn follow(&mut self, due: BetDue, acts: usize) {
        if self.due != Some((due, acts)) {
            self.due = Some((due, acts));
            self.set(due.raise.map_or(0, |range| range.least.0));
        }
    }

    fn set(&mut self, to: u32) {
        self.to = to;
        self.typed = to.to_string();
    }
}

/// Draws the controls for betting, and enters the chosen bet.
pub(super) fn betting_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, draft: &mut RaiseDraft) {
    let Some(due) = view.bet else { return };
    draft.follow(due, view.acts);
    ui.horizontal_wrapped(|ui| {
        let fold = cx.t("fold") + &cx.hint(Command::Fold);
        if grave_button(ui, cx.theme, &fold, true).clicked() {
            bet(cx, due, Bet::Fold);
        }
        // A single key is pressed by accident more easily than a button, so it always asks first.
        if cx.takes(Command::Fold) {
            cx.wish(Wish::DoIfSure(Action::Bet { by: due.by, bet: Bet::Fold }.into()));
        }
        let (text, stay) = if due.call == Chips::ZERO {
            (cx.t("check"), Bet::Check)
        } else {
            (cx.words.with("call", &[("count", due.call.0.into())]), Bet::Call)
        };
        let text = text + &cx.hint(Command::Call);
        if main_button(ui, cx.theme, &text, true).clicked() || cx.takes(Command::Call) {
            bet(cx, due, stay);
        }
        if view.accepts(&Action::Bet { by: due.by, bet: Bet::AllIn }) {
            let text = cx.t("all-in") + &cx.hint(Command::AllIn);
            if button(ui, &text, true).clicked() || cx.takes(Command::AllIn) {
                bet(cx, due, Bet::AllIn);
            }
        }
    });
    raise_ui(ui, cx, due, draft);
}

fn raise_ui(ui: &mut Ui, cx: &mut Cx<'_>, due: BetDue, draft: &mut RaiseDraft) {
    let Some(range) = due.raise else { return };
    let (least, most) = (range.least.0, range.most.0);
    ui.horizontal_wrapped(|ui| {
        let text = cx.words.with("raise-to", &[("count", draft.to.into())]) + &cx.hint(Command::Raise);
        let fits = (least..=most).contains(&draft.to);
        if main_button(ui, cx.theme, &text, fits).clicked() || (cx.takes(Command::Raise) && fits) {
            bet(cx, due, Bet::Raise(Chips(draft.to)));
        }
        let label = ui.label(cx.t("amount"));
        let edit = TextEdit::singleline(&mut draft.typed).desired_width(56.0);
        if ui.add(edit).labelled_by(label.id).changed() {
            draft.to = draft.typed.trim().parse().unwrap_or(0);
        }
        if let Some(pot) = due.pot_raise {
            let text = cx.t("pot") + &cx.hint(Command::Pot);
            if button(ui, &text, true).clicked() || cx.takes(Command::Pot) {
                draft.set(pot.0);
            }
        }
    });
    ui.horizontal(|ui| {
        let mut to = draft.to.clamp(least, most);
        ui.spacing_mut().slider_width = (ui.available_width() - 110.0).clamp(80.0, 420.0);
        let slider =
            Slider::new(&mut to, least..=most).show_value(false).logarithmic(most > 50 * least.max(1));
        let response = ui.add(slider);
        let label = cx.t("raise-slider");
        response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(to), &label));
        if response.changed() {
            draft.set(to);
        }
        let legal = cx.words.with("raise-range", &[("least", least.into()), ("most", most.into())]);
        crate::widgets::hint(ui, &legal);
    });
}

fn bet(cx: &mut Cx<'_>, due: BetDue, bet: Bet) {
    cx.enter(Action::Bet { by: due.by, bet });
}

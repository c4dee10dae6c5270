//! The course of a game of poker hands: who leads and by how many hands, and the hands of the turns.

use egui::{
    Align2, FontId, Pos2, Rect, RichText, ScrollArea, Sense, Shape, Stroke, Ui, UiBuilder, pos2, vec2,
};
use tabiya_app::snapshot::{PokerView, TableView};
use tabiya_types::Color;

use super::sizes::GAP;
use crate::cx::Cx;
use crate::kit::{cut_top, write};
use crate::widgets::{capital, label, name};

/// The height of the plot of the lead, at a rem of 16 points.
const PLOT: f32 = 32.0;
/// With more hands than this to lead by, the line has no dot for each of them.
const MOST_DOTS: u32 = 10;
/// A line that is narrower than this, at a rem of 16 points, has no word before it.
const NARROW: f32 = 400.0;

/// Who leads in the hand as it stands, in words.
pub(super) fn now_in_words(cx: &Cx<'_>, poker: &PokerView) -> String {
    let kind = |color: Color| cx.say(&poker.now.hands[color].kind);
    let Some(winner) = poker.now.winner else {
        return cx.words.with("hand-level", &[("both", kind(Color::White).into())]);
    };
    let (better, worse) = (kind(winner), kind(winner.other()));
    let id = if better == worse { "hand-leads-same" } else { "hand-leads" };
    let facts = [("name", cx.who(winner).into()), ("better", better.into()), ("worse", worse.into())];
    cx.words.with(id, &facts)
}

/// Draws by how many hands a player leads, as a dot on the way from one win to the other: the near player's is to the right.
pub(super) fn lead_ui(ui: &Ui, cx: &Cx<'_>, poker: &PokerView, body: &mut Rect) {
    let Some(most) = poker.lead else { return };
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let (near, far) = (cx.below(), cx.below().other());
    let lead = i64::from(poker.points[near]) - i64::from(poker.points[far]);
    let mut line = cut_top(body, px(20.0), px(2.0));
    let below = cut_top(body, px(18.0), px(GAP));
    let small = FontId::proportional(cx.sizes.small());
    let text = match lead {
        0 => cx.words.with("lead-level", &[("lead", most.into())]),
        some => {
            let who = if some > 0 { near } else { far };
            let count = u32::try_from(some.unsigned_abs()).unwrap_or(u32::MAX);
            let facts = [("name", cx.who(who).into()), ("count", count.into()), ("lead", most.into())];
            cx.words.with("lead-is", &facts)
        }
    };
    let word = (small.clone(), cx.theme.muted);
    if line.width() > px(NARROW) {
        let at = line.left_center();
        let end = write(ui.painter(), at, Align2::LEFT_CENTER, &cx.t("hands-won"), word.clone(), px(150.0));
        line.min.x = end.right() + px(26.0);
        line.max.x -= px(26.0);
    }
    dots(ui, cx, line.shrink2(vec2(px(6.0), 0.0)), (most, lead));
    let middle = write(
        ui.painter(),
        pos2(line.center().x, below.center().y),
        Align2::CENTER_CENTER,
        &text,
        word.clone(),
        below.width(),
    );
    let wins = |color: Color| cx.words.with("hands-win", &[("name", cx.who(color).into())]);
    for (color, align, at) in
        [(far, Align2::CENTER_CENTER, line.left()), (near, Align2::CENTER_CENTER, line.right())]
    {
        let words = wins(color);
        let width = ui.painter().layout_no_wrap(words.clone(), small.clone(), cx.theme.muted).size().x;
        let center = at.clamp(below.left() + width / 2.0, (below.right() - width / 2.0).max(below.left()));
        let place = Rect::from_center_size(pos2(center, below.center().y), vec2(width, 1.0));
        // Where there is no room beside the words in the middle, those say it.
        if !place.expand(px(6.0)).intersects(middle) {
            write(ui.painter(), place.center(), align, &words, word.clone(), width + 1.0);
        }
    }
    let score = [("white", poker.points.white.into()), ("black", poker.points.black.into())];
    let said = format!("{}: {text}", cx.words.with("hands-score", &score));
    label(ui, line.union(below), "lead", &said);
}

/// Draws the way from one win to the other, with a ring for each lead and a dot at the present one.
fn dots(ui: &Ui, cx: &Cx<'_>, line: Rect, (most, lead): (u32, i64)) {
    let painter = ui.painter();
    let radius = cx.sizes.px(5.5);
    let half = i64::from(most);
    #[expect(clippy::cast_precision_loss, reason = "at most a thousand hands")]
    let at = |step: i64| {
        let share = (step.clamp(-half, half) + half) as f32 / (2 * half).max(1) as f32;
        pos2(line.left() + share * line.width(), line.center().y)
    };
    if most > MOST_DOTS {
        painter.hline(line.x_range(), line.center().y, Stroke::new(1.0, cx.theme.edge));
        painter.vline(
            line.center().x,
            line.center().y - radius..=line.center().y + radius,
            Stroke::new(1.0, cx.theme.edge),
        );
    } else {
        for step in -half..=half {
            let passed = (step > 0) == (lead > 0) && step.abs() < lead.abs() && step != 0;
            let fill = if passed { cx.theme.hover } else { egui::Color32::TRANSPARENT };
            painter.circle(at(step), radius, fill, Stroke::new(1.0, cx.theme.edge));
        }
    }
    painter.circle_filled(at(lead), radius + 0.5, cx.theme.ivory);
}

/// Draws the hands of the turns, the newest at the top, below the lead after each of them.
pub(super) fn course_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, mut area: Rect) {
    let Some(poker) = &view.poker else { return };
    if poker.decided.len() > 1 && area.height() > cx.sizes.px(2.0 * PLOT) {
        let place = cut_top(&mut area, cx.sizes.px(PLOT), cx.sizes.px(GAP));
        plot_ui(ui, cx, poker, place);
    }
    let mut inner = ui.new_child(UiBuilder::new().max_rect(area));
    inner.shrink_clip_rect(area);
    let scroll = ScrollArea::vertical().id_salt("hand-log").auto_shrink(false).min_scrolled_height(0.0);
    scroll.show(&mut inner, |ui| {
        if poker.decided.is_empty() {
            ui.label(RichText::new(cx.t("no-hands-yet")).color(cx.theme.muted));
        }
        for turn in poker.decided.iter().rev() {
            let won = turn.winner.map_or_else(|| "=".to_owned(), |by| cx.who(by));
            let facts = [
                ("number", turn.turn.into()),
                ("white", cx.say(&turn.hands.white.sentence()).into()),
                ("black", cx.say(&turn.hands.black.sentence()).into()),
                ("won", won.into()),
            ];
            ui.label(RichText::new(capital(&cx.words.with("hand-line", &facts))).color(cx.theme.muted));
        }
    });
}

/// Draws the lead after each turn as a line: above the middle White leads, below it Black.
fn plot_ui(ui: &Ui, cx: &Cx<'_>, poker: &PokerView, place: Rect) {
    let leads = leads(poker);
    let Some(most) = leads.iter().map(|lead| lead.unsigned_abs()).max().filter(|_| leads.len() > 1) else {
        return;
    };
    let response = ui.interact(place, ui.scope_id().with("lead-plot"), Sense::hover());
    let told = leads.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let text = cx.words.with("lead-plot", &[("leads", told.into())]);
    name(&response, egui::Role::Image, true, &text);
    response.on_hover_text(text);
    #[expect(clippy::cast_precision_loss, reason = "a game has some hundred turns, and a lead is smaller")]
    let at = |(nth, lead): (usize, &i32)| {
        let (part, height) = (nth as f32 / (leads.len() - 1) as f32, *lead as f32 / most.max(1) as f32);
        pos2(place.left() + part * place.width(), place.center().y - height * place.height() / 2.0)
    };
    let points: Vec<Pos2> = leads.iter().enumerate().map(at).collect();
    let painter = ui.painter();
    painter.hline(place.x_range(), place.center().y, Stroke::new(1.0, cx.theme.edge));
    painter.add(Shape::line(points, Stroke::new(2.0, cx.theme.text)));
}

/// White's lead before the first hand and after each one.
fn leads(poker: &PokerView) -> Vec<i32> {
    let won = poker.decided.iter().map(|turn| match turn.winner {
        Some(Color::White) => 1,
        Some(Color::Black) => -1,
        None => 0,
    });
    let sums = won.scan(0, |lead, won| {
        *lead += won;
        Some(*lead)
    });
    std::iter::once(0).chain(sums).collect()
}

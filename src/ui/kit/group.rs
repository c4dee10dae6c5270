//! A group of buttons that is one stop of the Tab key: the arrow keys lead from one to the next, as among radio buttons.

use egui::{EventFilter, Id, Key, Response, Ui};

/// A group while it is drawn. Ask [`stops`](Self::stops) for each button before it is drawn, and give its response to
/// [`add`](Self::add).
pub(crate) struct TabGroup {
    id: Id,
    /// The number of the button at which the Tab key stops.
    stop: usize,
    buttons: Vec<Id>,
    focused: Option<usize>,
}

impl TabGroup {
    /// Begins a group. The Tab key stops at the button that had the focus last, or else at the chosen one.
    pub(crate) fn new(ui: &Ui, name: &str, chosen: Option<usize>) -> Self {
        let id = ui.scope_id().with(("group", name));
        let held: Option<(usize, Id)> = ui.data(|data| data.get_temp(id));
        let focused = ui.memory(egui::Memory::focused);
        let held = held.filter(|(_, button)| focused == Some(*button)).map(|(nth, _)| nth);
        Self { id, stop: held.or(chosen).unwrap_or(0), buttons: Vec::new(), focused: None }
    }

    /// Whether the Tab key stops at the button that is drawn next.
    pub(crate) fn stops(&self) -> bool {
        self.buttons.len() == self.stop
    }

    /// Adds the button that was drawn.
    pub(crate) fn add(&mut self, button: Response) -> Response {
        if button.has_focus() {
            self.focused = Some(self.buttons.len());
        }
        self.buttons.push(button.id);
        button
    }

    /// Ends the group: an arrow key moves the focus within it.
    pub(crate) fn end(self, ui: &Ui) {
        let Some(nth) = self.focused else { return };
        let count = self.buttons.len();
        let next = ui.input(|input| {
            let pressed = |keys: [Key; 2]| keys.into_iter().any(|key| input.key_pressed(key));
            let forth = usize::from(pressed([Key::ArrowRight, Key::ArrowDown]));
            let back = usize::from(pressed([Key::ArrowLeft, Key::ArrowUp]));
            (nth + count + forth - back) % count.max(1)
        });
        let Some((here, there)) = self.buttons.get(nth).zip(self.buttons.get(next)) else { return };
        ui.memory_mut(|memory| {
            let arrows =
                EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            memory.set_focus_lock_filter(*here, arrows);
            if next != nth {
                memory.request_focus(*there);
            }
        });
        ui.data_mut(|data| data.insert_temp(self.id, (next, *there)));
    }
}

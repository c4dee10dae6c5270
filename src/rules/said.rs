//! Reads the plain terms of a header as they are declared: takes each value once, checks its range, and notes the line of
//! the match sheet.
//!
//! What is wrong with a value is told in the sentences of [`Fields`].

use super::datum::Group;
use super::fields::{Fields, FormError};
use super::sheet_line::SheetLine;
use super::term::{OneNumber, OneWord, TermSpec, WholeNumber, YesNo};

/// Reads one term after the other. The lines of the match sheet come in the order of reading.
#[derive(Debug)]
pub struct TermReader<'terms> {
    fields: &'terms mut Fields,
    /// All terms of the header that were left when the reading began.
    said: Group,
    sheet: Vec<SheetLine>,
}

impl<'terms> TermReader<'terms> {
    /// A reader for these terms.
    pub fn new(fields: &'terms mut Fields) -> Self {
        Self { said: fields.left().clone(), fields, sheet: Vec::new() }
    }

    /// The terms, for values that a game reads itself.
    pub fn fields(&mut self) -> &mut Fields {
        self.fields
    }

    /// Adds a line to the match sheet.
    pub fn say(&mut self, line: impl Into<SheetLine>) {
        self.sheet.push(line.into());
    }

    /// The lines of the match sheet.
    pub fn sheet(self) -> Vec<SheetLine> {
        self.sheet
    }

    /// Takes a term that is `true` or `false`.
    pub fn flag(&mut self, spec: &TermSpec<YesNo>) -> Result<bool, FormError> {
        let flag = self.fields.flag(spec.name)?.unwrap_or(spec.kind.usual);
        self.sheet.extend(spec.kind.line.map(|line| line(flag).into()));
        Ok(flag)
    }

    /// Takes a whole number. `Err` if it is out of its range.
    pub fn number(&mut self, spec: &TermSpec<WholeNumber>) -> Result<u32, FormError> {
        let WholeNumber { least, most, usual, line } = spec.kind;
        let number = match self.fields.number_from(spec.name, least.into(), most.into())? {
            Some(number) => u32::try_from(number).unwrap_or(most),
            None => usual.among(&self.said),
        };
        self.sheet.extend(line.map(|line| line(number).into()));
        Ok(number)
    }

    /// Takes one of few numbers. `Err` for any other number.
    pub fn one_number(&mut self, spec: &TermSpec<OneNumber>) -> Result<u32, FormError> {
        let OneNumber { numbers, line } = spec.kind;
        let wanted = || either(numbers.iter().map(ToString::to_string));
        let known = |said: u64| numbers.iter().any(|number| u64::from(*number) == said);
        let said = self.fields.number_if(spec.name, wanted, known)?;
        let said = said.and_then(|said| u32::try_from(said).ok());
        let number = said.or(numbers.first().copied()).unwrap_or_default();
        self.sheet.extend(line.map(|line| line(number).into()));
        Ok(number)
    }

    /// Takes one of few words. `Err` for any other word.
    pub fn word(&mut self, spec: &TermSpec<OneWord>) -> Result<&'static str, FormError> {
        let OneWord(words) = spec.kind;
        let wanted = either(words.iter().map(|known| format!("`{}`", known.word)));
        let known = |said: &str| words.iter().find(|known| known.word == said);
        let said = self.fields.parsed(spec.name, &wanted, known)?.or(words.first());
        self.sheet.extend(said.and_then(|said| said.line).map(|line| line().into()));
        Ok(said.map_or("", |said| said.word))
    }
}

/// The words as a sentence lists them: `a, b or c`.
fn either(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

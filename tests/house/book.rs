//! The documents and the book that `packaging/book/build` makes of them: every link leads somewhere, every picture is there,
//! and the book has every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Markdown pages in this folder and below it, as paths from the repository's root.
fn below(folder: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            pages.extend(below(&name));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(name);
        }
    }
    pages.sort();
    pages
}

/// All pages that people read.
fn pages() -> Vec<String> {
    let single = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "fuzz/README.md", "src/boards/README.md"];
    let mut pages = single.map(str::to_owned).to_vec();
    for folder in ["docs", "firmware-protocol", "fixtures", "packaging/book"] {
        pages.extend(below(folder));
    }
    pages
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// A page without its code: code in the text, and blocks of code between fences.
fn without_code(page: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let outside: Vec<&str> = line.split('`').step_by(2).collect();
            text.push_str(&outside.join("`"));
            text.push('\n');
        }
    }
    text
}

/// The targets of the links and pictures of a page that are in the repository: path and anchor.
fn links(page: &str) -> Vec<(String, Option<String>)> {
    let text = without_code(page);
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let inside = targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
    let parts = inside.map(|target| match target.split_once('#') {
        Some((path, anchor)) => (path.to_owned(), Some(anchor.to_owned())),
        None => (target.to_owned(), None),
    });
    parts.collect()
}

/// A path without `.` and `..`, as far as these can be resolved.
fn resolved(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part.as_os_str().to_str() {
            Some("..") => assert!(clean.pop(), "{} leaves the repository", path.display()),
            Some(".") => {}
            _ => clean.push(part),
        }
    }
    clean
}

/// Where a link of a page leads, from the repository's root.
fn target(page: &str, link: &str) -> String {
    if link.is_empty() {
        return page.to_owned();
    }
    resolved(&Path::new(page).parent().unwrap().join(link)).to_str().unwrap().to_owned()
}

/// The anchors of a page's headings, as both GitHub and mdBook make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in read(page).lines() {
        fenced ^= line.starts_with("```");
        if let Some(heading) = line.strip_prefix('#').filter(|_| !fenced) {
            let letters = heading.trim_start_matches('#').trim().chars();
            let kept = letters.filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
            found.insert(kept.collect::<String>().to_lowercase().replace(' ', "-"));
        }
    }
    found
}

#[test]
fn every_link_and_every_picture_of_the_documents_leads_somewhere() {
    let (mut followed, mut pictures) = (0, 0);
    for page in pages() {
        for (link, anchor) in links(&read(&page)) {
            let target = target(&page, &link);
            assert!(root().join(&target).exists(), "{page}: {link} is not there");
            if let Some(anchor) = anchor {
                assert!(anchors(&target).contains(&anchor), "{page}: {target} has no heading for #{anchor}");
            }
            followed += 1;
            pictures += u32::from(Path::new(&target).extension().is_some_and(|ending| ending == "png"));
        }
    }
    assert!(followed > 200 && pictures > 20, "{followed} links, {pictures} pictures");
}

/// The pages of the book, from the repository's root.
fn book() -> BTreeSet<String> {
    let summary = "packaging/book/SUMMARY.md";
    links(&read(summary)).into_iter().map(|(link, _)| target(summary, &link)).collect()
}

#[test]
fn the_book_has_every_document_and_every_page_that_it_links_to() {
    let book = book();
    for page in below("docs") {
        assert!(book.contains(&page), "{page} is not in packaging/book/SUMMARY.md");
    }
    for page in &book {
        for (link, _) in links(&read(page)) {
            let target = target(page, &link);
            assert!(root().join(&target).is_file(), "{page}: {link} is no file, so the book cannot show it");
            let is_page = Path::new(&target).extension().is_some_and(|ending| ending == "md");
            assert!(!is_page || book.contains(&target), "{page}: {target} is not in the book");
        }
    }
}

/// The book's own pages move to the top of it, so that `../../` falls away there.
#[test]
fn the_books_own_pages_name_every_target_from_the_repositorys_root() {
    for page in ["packaging/book/SUMMARY.md", "packaging/book/index.md"] {
        for (link, _) in links(&read(page)) {
            assert!(link.starts_with("../../") || link == "index.md", "{page}: {link}");
        }
    }
}

#[test]
fn the_home_page_leads_all_readers_on() {
    let page = read("packaging/book/index.md");
    let guides =
        ["first-evening", "players-guide", "arbiters-guide", "organisers-guide", "board-makers-guide"];
    for guide in guides {
        assert!(page.contains(&format!("(../../docs/{guide}.md)")), "{guide}");
    }
    assert!(page.contains("(../../CONTRIBUTING.md)"));
    let readme = read("README.md");
    for guide in guides {
        assert!(readme.contains(&format!("(docs/{guide}.md)")), "README.md does not lead to {guide}");
    }
}

#[test]
fn the_addresses_in_the_description_for_shops_are_pages_and_pictures_of_the_book() {
    let shop = read("src/ui/assets/desktop/org.tabiya.Tabiya.metainfo.xml");
    let addresses: Vec<&str> = shop
        .split("https://tabiya.org/")
        .skip(1)
        .map(|rest| rest.split(['<', '"', '#']).next().expect("an address"))
        .filter(|address| !address.is_empty())
        .collect();
    assert!(addresses.len() >= 3, "{addresses:?}");
    let pages = pages().iter().map(|page| read(page)).collect::<String>();
    for address in addresses {
        let file = address.strip_suffix(".html").map_or(address.to_owned(), |page| format!("{page}.md"));
        assert!(root().join(&file).is_file(), "{file} is not there");
        // A picture is in the book if a page shows it.
        assert!(pages.contains(file.rsplit('/').next().expect("a name")), "no page leads to {file}");
    }
}

//! The changelog can be read: each version has parts for its readers, and no list in it is long.

const PAGE: &str = include_str!("../../CHANGELOG.md");
const READERS: [&str; 5] = ["players", "arbiters", "organisers", "board makers", "developers"];
/// The most points of a list that somebody still reads.
const MOST_POINTS: usize = 15;

#[test]
fn each_version_tells_its_readers_apart() {
    let versions: Vec<&str> = PAGE.split("\n## ").skip(1).collect();
    assert!(versions[0].starts_with("Unreleased"), "what comes next stands first");
    for version in &versions[1..] {
        let parts: Vec<&str> = version.lines().filter_map(|line| line.strip_prefix("### For ")).collect();
        assert_eq!(parts, READERS, "{}", version.lines().next().unwrap());
    }
}

#[test]
fn no_list_of_changes_is_too_long_to_read() {
    let mut points = 0;
    for line in PAGE.lines() {
        points = if line.starts_with('#') { 0 } else { points + usize::from(line.starts_with("- ")) };
        assert!(points <= MOST_POINTS, "more than {MOST_POINTS} points before `{line}`");
    }
}

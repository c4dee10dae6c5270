//! `tabiya key`: prints the public key with which this computer's table signs its records. The first call makes the key.

use tabiya_store::keys::Keyring;

use super::output::{ExitFailure, print_line, unusable};

/// Prints 64 digits. Everybody may have them: `tabiya verify FILE --signed-by KEY` checks a record with them.
pub(super) fn run() -> Result<(), ExitFailure> {
    let key = Keyring::usual().table_key().map_err(unusable)?;
    print_line(&key.public().to_string())
}

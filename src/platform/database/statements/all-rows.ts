/** The limit of a statement that skips the first rows and takes all others: SQLite allows no offset without a limit. */
export const ALL_ROWS = 1_000_000_000

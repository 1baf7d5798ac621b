/** Shown in place of a secret. Sending it back changes nothing. */
export const HIDDEN_SECRET = '********'

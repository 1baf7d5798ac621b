/**
 * Whether a link may lead there: to a web page, a mail address, or a path or comment of this server. Addresses that a browser runs as
 * code are none of these. Browsers ignore tabs and line breaks and read a backslash as a slash, so these are not allowed.
 */
export function isAllowedAddress(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\s\\\u0000-\u001f\u007f-\u009f]/.test(address)) return false
  return /^(?:https?:\/\/[^/]|mailto:[^/]|\/(?!\/)|#c\d{1,10}$)/i.test(address)
}

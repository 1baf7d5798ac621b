import { dictionary } from '../../text/dictionary.ts'

/** Text for an element or an attribute. Characters that XML does not allow are removed. */
export function xmlText(text: string): string {
  return text.replace(NOT_ALLOWED, '').replace(/[&<>"'\r]/g, (character) => ESCAPES[character] as string)
}

const NOT_ALLOWED = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu

const ESCAPES: Readonly<Record<string, string>> = dictionary({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
})

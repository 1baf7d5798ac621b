import type { Json } from '../rest-client/rest-server.ts'

/** What Bugzilla and Lacewing write into comments, and a word that stands for both. */
const SENTENCES: readonly (readonly [form: RegExp, word: string])[] = [
  [/^(?:Created attachment |Created an attachment \(id=|New attachment )(\d+)\)?(?=\n|$)/, '#new $1'],
  [/^(?:Comment on attachment |\(From update of attachment |About attachment )(\d+)\)?(?=\n|$)/, '#about $1'],
  [/\s*\*\*\* This bug has been marked as a duplicate of (?:bug )?(\d+)\.? \*\*\*\s*$/, '#duplicate $1'],
  [/(?:^|\n\n)Duplicate of bug (\d+)\.$/, '#duplicate $1'],
  [/(?:^|\n\n)Duplicate of another bug\.$/, '#duplicate hidden'],
  [/\s*\*\*\* Bug (\d+) has been marked as a duplicate of this bug\. \*\*\*\s*$/, '#has $1'],
  [/(?:^|\n\n)Bug (\d+) is a duplicate of this bug\.$/, '#has $1'],
  [
    /\s*(?:\*\*\* This bug has been confirmed by popular vote\. \*\*\*|Confirmed by votes\.|This bug was confirmed by popular vote\.)\s*$/,
    '#votes',
  ],
]

/** The text of a comment with one word for each sentence that the tracker has added. */
export function withoutSentences(text: Json | undefined): string {
  if (typeof text !== 'string') return ''
  return SENTENCES.reduce((rest, [form, word]) => rest.replace(form, word), text)
}

/** The same without the line below the number of an attachment, which is its summary. */
export function withoutSummaryOf(text: Json | undefined): string {
  return withoutSentences(text).replace(/^(#(?:new|about) \d+)\n[^\n]*/, '$1')
}

/** The number in the address of a bug. */
export function bugNumberIn(url: string): string | undefined {
  return /^https?:\/\/\S+\/show_bug\.cgi\?id=(\d+)$/.exec(url)?.[1]
}

/** Whether two lists of addresses name the same bugs on different hosts, and otherwise the same. */
export function isSameUrl(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const withoutHosts = (text: string) =>
    text
      .split(', ')
      .map((url) => bugNumberIn(url) ?? url)
      .join()
  return withoutHosts(one) === withoutHosts(other)
}

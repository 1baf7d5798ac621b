import { escaped } from '../page-shell.ts'

/** HTML that is safe to send: every text in it was escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | readonly Part[]

/** A template of HTML. Values are escaped unless they are HTML already; undefined is nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(texts.reduce((written, text, place) => `${written}${textOf(values[place - 1])}${text}`))
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined) return ''
  return Array.isArray(part) ? part.map(textOf).join('') : escaped(String(part))
}

/** A time of the REST API as people read it without a script that knows their time zone. */
export function timeOf(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`
}

const LONGEST_DESCRIPTION = 200

/** Text on one line, cut at the end of a word. */
export function shortened(text: string): string {
  const line = text
    .slice(0, 2 * LONGEST_DESCRIPTION)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= LONGEST_DESCRIPTION) return line
  return `${line.slice(0, LONGEST_DESCRIPTION).replace(/ \S*$/, '')} …`
}

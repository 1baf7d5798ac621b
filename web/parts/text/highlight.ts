// The pieces of code in a known language, each with what it is.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const LANGUAGES = { bash, cpp, css, diff, go, java, javascript, json, python, rust, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** What a piece of code is. The style sheet has a colour for each. */
export type CodeKind = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'added' | 'removed'

export interface CodePiece {
  text: string
  kind: CodeKind | undefined
}

const KINDS: ReadonlyMap<string, CodeKind> = new Map([
  ['keyword', 'keyword'],
  ['literal', 'keyword'],
  ['built_in', 'keyword'],
  ['type', 'keyword'],
  ['string', 'string'],
  ['regexp', 'string'],
  ['char.escape', 'string'],
  ['number', 'number'],
  ['symbol', 'number'],
  ['comment', 'comment'],
  ['meta', 'comment'],
  ['doctag', 'comment'],
  ['title', 'name'],
  ['title.function', 'name'],
  ['title.class', 'name'],
  ['attr', 'name'],
  ['attribute', 'name'],
  ['name', 'name'],
  ['tag', 'name'],
  ['section', 'name'],
  ['selector-class', 'name'],
  ['selector-tag', 'name'],
  ['addition', 'added'],
  ['deletion', 'removed'],
])

const LONGEST_HIGHLIGHTED = 20_000

/** The pieces of a code; undefined if its language is not known or it is too long. Together they are the code. */
export function highlighted(text: string, language: string): CodePiece[] | undefined {
  if (text.length > LONGEST_HIGHLIGHTED || hljs.getLanguage(language) === undefined) return undefined
  const { _emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  const pieces: CodePiece[] = []
  collect((_emitter as unknown as { rootNode: Scope }).rootNode, undefined, pieces)
  return pieces
}

interface Scope {
  scope?: string
  children: (Scope | string)[]
}

function collect({ scope, children }: Scope, around: CodeKind | undefined, pieces: CodePiece[]) {
  const kind = KINDS.get(scope ?? '') ?? around
  for (const child of children) {
    if (typeof child !== 'string') collect(child, kind, pieces)
    else {
      const last = pieces.at(-1)
      if (last !== undefined && last.kind === kind) last.text += child
      else pieces.push({ text: child, kind })
    }
  }
}

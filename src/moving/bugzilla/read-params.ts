import { readFileSync } from 'node:fs'
import { Refusal } from '../../platform/refusal.ts'

/** The parameters of Bugzilla: params.json, or the file params of releases before 5.0. */
export function readParams(file: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (fault) {
    throw new Refusal(`The parameters in ${file} cannot be read: ${(fault as Error).message}.`)
  }
  return PERL.test(text) ? perlParams(text, file) : jsonParams(text, file)
}

function jsonParams(text: string, file: string): Record<string, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (fault) {
    throw new Refusal(`The parameters in ${file} cannot be read: ${(fault as Error).message}.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Refusal(`${file} is not the params.json of Bugzilla: it must be one JSON object.`)
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value ?? '')]))
}

/** `%param = ( 'name' => 'value', … );`, as Perl writes it. */
const PERL = /^\s*%param\s*=\s*\(/

const ENTRY =
  /\s*'([^'\\]*)'\s*=>\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|undef)\s*(?:,|(?=\)))/suy

function perlParams(text: string, file: string): Record<string, string> {
  const params: Record<string, string> = {}
  ENTRY.lastIndex = PERL.exec(text)?.[0].length ?? 0
  for (;;) {
    const at = ENTRY.lastIndex
    const match = ENTRY.exec(text)
    if (match === null) {
      if (/^\s*\)\s*;/.test(text.slice(at))) return params
      throw new Refusal(`The parameters in ${file} cannot be read: it is damaged at character ${at}.`)
    }
    const [, name = '', single, double, number] = match
    params[name] = single?.replaceAll(/\\(['\\])/g, '$1') ?? (double === undefined ? (number ?? '') : unescaped(double))
  }
}

/** In double quotes, Perl writes characters beyond ASCII as `\x{fc}`. */
function unescaped(text: string) {
  return text.replaceAll(/\\(?:x\{([0-9a-f]{1,6})\}|(.))/gis, (_, code: string | undefined, character: string) =>
    code === undefined ? (LINE_ENDS.get(character) ?? character) : characterOf(Number.parseInt(code, 16)),
  )
}

function characterOf(code: number) {
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}

const LINE_ENDS = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dictionary } from '../src/platform/text/dictionary.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))

/** The lines of the source that break a rule, with their locations. */
function linesThat(isWrong: (line: string, text: string) => boolean): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return text
      .split('\n')
      .flatMap((line, number) => (isWrong(line, text) ? `${file}:${number + 1}: ${line.trim()}` : []))
  })
}

describe('an object that is indexed by names from outside', () => {
  it('has no prototype', () => {
    const table = dictionary({ one: 1 }) as Record<string, unknown>
    assert.deepEqual(Object.keys(table), ['one'])
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])
      assert.equal(table[name], undefined)
  })

  it('is made by dictionary everywhere in the source', () => {
    const plain = /^(?:export )?const \w+: (?:Readonly<)?Record<string, .*> = \{/
    assert.deepEqual(
      linesThat((line) => plain.test(line)),
      [],
    )
  })

  it('is made by dictionary, or checked with hasOwn, if its keys have types', () => {
    assert.deepEqual(
      linesThat((line, text) => {
        const table = /\b([A-Z][A-Z_]+)\[\w+ as /.exec(line)?.[1]
        return table !== undefined && !line.includes('Object.hasOwn(') && !text.includes(`const ${table} = dictionary(`)
      }),
      [],
    )
  })

  it('is not a literal that is indexed directly', () => {
    assert.deepEqual(
      linesThat((line) => /[\w'"\])] \}\)?\[[a-zA-Z(]/.test(line)),
      [],
    )
  })

  it('is never checked with the operator in, which finds names of the prototype', () => {
    assert.deepEqual(
      linesThat((line) => /[(!]\w+ in [A-Z][A-Z_]+\)/.test(line) && !/\bfor \(/.test(line)),
      [],
    )
  })
})

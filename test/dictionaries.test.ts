import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dictionary } from '../src/platform/text/dictionary.ts'

const source = fileURLToPath(new URL('../src', import.meta.url))
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))

/** Each line of the source that breaks a rule, with where it stands. */
function linesThat(isWrong: (line: string, text: string) => boolean): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return text
      .split('\n')
      .flatMap((line, number) => (isWrong(line, text) ? `${file}:${number + 1}: ${line.trim()}` : []))
  })
}

describe('a table that is looked into by name', () => {
  it('has no prototype', () => {
    const table = dictionary({ one: 1 }) as Record<string, unknown>
    assert.deepEqual(Object.keys(table), ['one'])
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])
      assert.equal(table[name], undefined)
  })

  it('is made by dictionary, wherever it stands in the source', () => {
    const plain = /^(?:export )?const \w+: (?:Readonly<)?Record<string, .*> = \{/
    assert.deepEqual(
      linesThat((line) => plain.test(line)),
      [],
    )
  })

  it('is made by dictionary, or asked whether it has the name, where its keys have types', () => {
    assert.deepEqual(
      linesThat((line, text) => {
        const table = /\b([A-Z][A-Z_]+)\[\w+ as /.exec(line)?.[1]
        return table !== undefined && !line.includes('Object.hasOwn(') && !text.includes(`const ${table} = dictionary(`)
      }),
      [],
    )
  })

  it('is not written where it is looked into', () => {
    assert.deepEqual(
      linesThat((line) => /[\w'"\])] \}\)?\[[a-zA-Z(]/.test(line)),
      [],
    )
  })

  it('is never asked with the operator in, which finds names of the prototype', () => {
    assert.deepEqual(
      linesThat((line) => /[(!]\w+ in [A-Z][A-Z_]+\)/.test(line) && !/\bfor \(/.test(line)),
      [],
    )
  })
})

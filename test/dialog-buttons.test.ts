import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

it('dialogs have the way out before what they do', () => {
  const files = globSync('web/**/*.tsx', { cwd: root })
  const sources = files.map((file) => ({ file, text: readFileSync(`${root}/${file}`, 'utf8') }))
  const dialogs = sources.filter(({ text }) => text.includes('<Dialog\n') || text.includes('<Dialog '))
  assert(dialogs.length > 40)
  const wrong = dialogs.filter(({ text }) => text.includes('<FormEnd') || isAfter(text))
  assert.deepEqual(
    wrong.map(({ file }) => file),
    [],
  )
})

/** Whether a button that leaves everything as it is comes after the one that acts. */
function isAfter(text: string) {
  return /<Button\s+kind="(?:primary|danger)"(?:(?!<Button)[\s\S])*?<\/Button>\s*<Button onClick=\{(?:onClose|close)\}>/.test(
    text,
  )
}

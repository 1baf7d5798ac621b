import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { settingPlaces } from '../src/platform/config/setting-groups.ts'
import { definitionOf, settingNames } from '../src/platform/config/settings.ts'

/** The import names parameters to take their values over, and a comparison to explain them, which is not an effect. */
const NOT_EFFECTS = [
  'src/platform/config/settings.ts',
  'src/platform/config/setting-groups.ts',
  'src/moving/bugzilla/import-parameters.ts',
  'src/moving/verify/known-differences.ts',
]

const code = globSync(['src/**/*.ts', 'shared/**/*.ts', 'web/**/*.{ts,tsx}'])
  .filter((file) => !file.endsWith('.test.ts') && !NOT_EFFECTS.includes(file))
  .map((file) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  .join('\n')

const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(code)

describe('every parameter', () => {
  for (const name of settingNames) {
    const about = definitionOf(name)?.about ?? ''
    it(`${name} has the effect that its description promises`, () => {
      assert.equal(isNamed(name), !about.startsWith('Has no effect'), about)
    })
  }

  it('has a title and stands in one group', () => {
    assert.deepEqual(settingPlaces.map(({ name }) => name).sort(), [...settingNames].sort())
  })

  it('has a default that it accepts', () => {
    for (const name of settingNames) {
      const definition = definitionOf(name)
      assert.equal(definition?.faultIn(definition.defaultText), undefined, name)
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accentStyle, colorOf, contrast } from './accent.ts'

/** Surfaces in web/style/tokens.css that text in the accent colour stands on. */
const LIGHT = ['ffffff', 'f6f8f8', 'eff2f2']
const DARK = ['0e1314', '141a1b', '1c2425', '263031']

describe('an accent colour', () => {
  it('can be read in both themes, whatever is chosen', () => {
    for (const chosen of ['000000', 'ffffff', 'ffff00', '0000ff', 'ff0000', '0b6a7d', '808080', 'f0e68c']) {
      const style = accentStyle(chosen)
      const found = [...style.matchAll(/--(.+): light-dark\(#(.{6}), #(.{6})\)/g)]
      const tokens = new Map(found.map(([, name, light, dark]) => [name, { light: String(light), dark: String(dark) }]))
      assert.equal(tokens.size, 6, style)
      const { light, dark } = tokens.get('accent') ?? { light: '', dark: '' }
      for (const surface of LIGHT)
        assert.ok(contrast(colorOf(light), colorOf(surface)) >= 4.5, `${chosen} on ${surface}`)
      for (const surface of DARK) assert.ok(contrast(colorOf(dark), colorOf(surface)) >= 4.5, `${chosen} on ${surface}`)
      const { light: solid, dark: darkSolid } = tokens.get('accent-solid') ?? { light: '', dark: '' }
      assert.ok(contrast(colorOf(solid), colorOf('ffffff')) >= 4.5)
      assert.ok(contrast(colorOf(darkSolid), colorOf('0b1213')) >= 4.5)
      const { light: tint, dark: darkTint } = tokens.get('accent-tint') ?? { light: '', dark: '' }
      assert.ok(contrast(colorOf(light), colorOf(tint)) >= 4.5, `${chosen} on its tint`)
      assert.ok(contrast(colorOf(dark), colorOf(darkTint)) >= 4.5, `${chosen} on its dark tint`)
    }
  })

  it('stays as chosen if it can be read', () => {
    assert.match(accentStyle('0b6a7d'), /--accent: light-dark\(#0b6a7d,/)
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

/** What is read on these surfaces, and where else each ink stands. Axe checks the pages in light; dark has the same pairs in other colours. */
const SURFACES = ['canvas', 'surface', 'raised', 'sunken', 'hover']
const INKS = ['text', 'text-2', 'text-3', 'accent', 'danger', 'warn', 'good', 'secret']
const OTHER_PAIRS = [
  ...['danger', 'warn', 'good', 'secret', 'accent'].map((ink) => [ink, `${ink}-tint`]),
  ...['text', 'text-2'].flatMap((ink) =>
    ['accent-tint', 'danger-tint', 'warn-tint', 'good-tint'].map((it) => [ink, it]),
  ),
  ...['accent-solid', 'accent-solid-hover', 'danger-solid'].map((it) => ['text-on-solid', it]),
] as [ink: string, surface: string][]
/** The least contrast of text, by WCAG 2 (AA). */
const LEAST = 4.5

const tokens = new Map(
  [...readFileSync('web/style/tokens.css', 'utf8').matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name, light, dark]) => [name, { light, dark }],
  ),
)

describe('the colours of both themes', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`can be read on each other (${theme})`, () => {
      const colour = (name: string) => tokens.get(name)?.[theme] ?? assert.fail(`There is no colour ${name}`)
      const pairs = [...INKS.flatMap((ink) => SURFACES.map((it) => [ink, it] as const)), ...OTHER_PAIRS]
      const faint = pairs.flatMap(([ink, surface]) => {
        const found = contrast(colour(ink), colour(surface))
        return found < LEAST ? [`${ink} on ${surface}: ${found.toFixed(2)}`] : []
      })
      assert.deepEqual(faint, [])
    })
})

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// The style sheet of a chosen accent colour. Whatever is chosen, text stays readable: the colour is mixed with black or white until it does.

type Color = readonly [red: number, green: number, blue: number]

const WHITE: Color = [255, 255, 255]
const BLACK: Color = [0, 0, 0]
/** What one reads on, see web/style/tokens.css: the lightest tint on a light surface, and a raised dark surface. */
const LIGHT_SURFACE: Color = [0xef, 0xf2, 0xf2]
const DARK_SURFACE: Color = [0x26, 0x30, 0x31]
const DARK_CANVAS: Color = [0x0e, 0x13, 0x14]
/** WCAG 2.2, AA. */
const LEAST_CONTRAST = 4.5
const STEP = 0.04

/** `hex` is six digits, such as 0b6a7d. */
export function accentStyle(hex: string): string {
  const chosen = colorOf(hex)
  const light = readable(chosen, LIGHT_SURFACE, BLACK)
  const dark = readable(chosen, DARK_SURFACE, WHITE)
  const tokens: Record<string, readonly [light: Color, dark: Color]> = {
    accent: [light, dark],
    'accent-solid': [light, dark],
    'accent-solid-hover': [mixed(light, BLACK, 0.2), mixed(dark, WHITE, 0.2)],
    'accent-tint': [mixed(light, WHITE, 0.9), mixed(dark, DARK_CANVAS, 0.9)],
    'accent-tint-2': [mixed(light, WHITE, 0.82), mixed(dark, DARK_CANVAS, 0.8)],
    'accent-line': [mixed(light, WHITE, 0.55), mixed(dark, DARK_CANVAS, 0.55)],
  }
  const lines = Object.entries(tokens).map(
    ([name, [one, other]]) => `  --${name}: light-dark(${hexOf(one)}, ${hexOf(other)});`,
  )
  return `:root {\n${lines.join('\n')}\n}\n`
}

/** The color, mixed with black or white until text in it can be read on the surface. */
function readable(color: Color, surface: Color, towards: Color): Color {
  for (let part = 0; part < 1; part += STEP) {
    const mix = mixed(color, towards, part)
    if (contrast(mix, surface) >= LEAST_CONTRAST) return mix
  }
  return towards
}

export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Relative luminance as WCAG defines it. */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mixed(color: Color, other: Color, part: number): Color {
  const mix = (place: 0 | 1 | 2) => Math.round(color[place] * (1 - part) + other[place] * part)
  return [mix(0), mix(1), mix(2)]
}

export function colorOf(hex: string): Color {
  const part = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [part(0), part(2), part(4)]
}

function hexOf(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

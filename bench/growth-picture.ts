/** The times of one call, by the number of bugs. */
export interface Curve {
  name: string
  milliseconds: readonly number[]
}

const [WIDTH, HEIGHT] = [860, 440]
const FRAME = { left: 60, right: 620, top: 20, bottom: 400 }
/** Distinguishable on light and dark ground, also without colour by their dashes. */
const COLOURS = ['#3b6fd4', '#b3541e', '#2f8f5b', '#9a4fb5', '#a8862a', '#c23f6b']
const DASHES = ['', '7 3', '2 3']
const LABEL_HEIGHT = 16

/** Lines on logarithmic axes, with their names at the end: a level line means that a call does not depend on the number of bugs. */
export function growthPicture(sizes: readonly number[], curves: readonly Curve[]): string {
  const times = curves.flatMap(({ milliseconds }) => milliseconds)
  const x = scale(Math.min(...sizes), Math.max(...sizes), FRAME.left, FRAME.right)
  const [lowest, highest] = [
    10 ** Math.floor(Math.log10(Math.min(...times))),
    10 ** Math.ceil(Math.log10(Math.max(...times))),
  ]
  const y = scale(lowest, highest, FRAME.bottom, FRAME.top)
  const labels = labelPlaces(curves.map(({ milliseconds }) => y(milliseconds.at(-1) ?? lowest)))
  const lines = curves.map(({ name, milliseconds }, number) => {
    const colour = COLOURS[number % COLOURS.length]
    const dash = DASHES[Math.floor(number / COLOURS.length) % DASHES.length]
    const points = milliseconds.map((time, place) => `${x(sizes[place] ?? 1).toFixed(1)},${y(time).toFixed(1)}`)
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}" points="${points.join(' ')}"/>
<text x="${FRAME.right + 8}" y="${((labels[number] ?? 0) + 4).toFixed(1)}" fill="${colour}">${escaped(name)}, ${milliseconds.at(-1)?.toFixed(2)} ms</text>`
  })
  const columns = sizes.map(
    (size) =>
      `<path d="M${x(size).toFixed(1)} ${FRAME.top}V${FRAME.bottom}" stroke="#8888" stroke-width="1"/>
<text x="${x(size).toFixed(1)}" y="${FRAME.bottom + 18}" text-anchor="middle" fill="#888">${size.toLocaleString('en')}</text>`,
  )
  const rows = powersBetween(lowest, highest).map(
    (time) =>
      `<path d="M${FRAME.left} ${y(time).toFixed(1)}H${FRAME.right}" stroke="#8888" stroke-width="1"/>
<text x="${FRAME.left - 6}" y="${(y(time) + 4).toFixed(1)}" text-anchor="end" fill="#888">${time} ms</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="Milliseconds until a response by the number of bugs">
${[...columns, ...rows, ...lines].join('\n')}
<text x="${(FRAME.left + FRAME.right) / 2}" y="${HEIGHT - 4}" text-anchor="middle" fill="#888">bugs</text>
</svg>
`
}

function scale(from: number, to: number, first: number, last: number) {
  const [low, high] = [Math.log(from), Math.log(to)]
  return (value: number) => (high === low ? first : first + ((Math.log(value) - low) / (high - low)) * (last - first))
}

function powersBetween(lowest: number, highest: number): number[] {
  const count = Math.round(Math.log10(highest / lowest))
  return Array.from({ length: count + 1 }, (_, power) => Number((lowest * 10 ** power).toPrecision(1)))
}

/** Moves labels apart that would lie over each other, from top to bottom. */
function labelPlaces(wanted: readonly number[]): number[] {
  const placed = wanted.slice()
  let free = 0
  for (const { place, number } of wanted
    .map((place, number) => ({ place, number }))
    .sort((a, b) => a.place - b.place)) {
    placed[number] = Math.max(place, free)
    free = (placed[number] ?? 0) + LABEL_HEIGHT
  }
  return placed
}

function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

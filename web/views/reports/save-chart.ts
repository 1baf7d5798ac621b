// Charts as files. The styles of the page do not go along with an SVG file, so that those in use are written into it.
import { saveBlob } from '../../core/server/files.ts'
import { csvOf } from './chart-csv.ts'
import type { ChartData } from './chart-data.ts'

const COPIED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
]

export function saveCsv(data: ChartData, title?: string) {
  saveBlob(new Blob([csvOf(data)], { type: 'text/csv' }), `${fileNameOf(title)}.csv`)
}

export function saveSvg(chart: SVGSVGElement, title?: string) {
  saveBlob(new Blob([textOf(chart)], { type: 'image/svg+xml' }), `${fileNameOf(title)}.svg`)
}

export async function savePng(chart: SVGSVGElement, title?: string) {
  const url = URL.createObjectURL(new Blob([textOf(chart)], { type: 'image/svg+xml' }))
  try {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    const { width, height } = chart.viewBox.baseVal
    const canvas = Object.assign(document.createElement('canvas'), { width: width * 2, height: height * 2 })
    canvas.getContext('2d')?.drawImage(picture, 0, 0, width * 2, height * 2)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    if (blob !== null) saveBlob(blob, `${fileNameOf(title)}.png`)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** The title with nothing that the name of a file cannot have. */
function fileNameOf(title = '') {
  return (
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'report'
  )
}

function textOf(chart: SVGSVGElement): string {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const { width, height } = chart.viewBox.baseVal
  const copies = [...copy.querySelectorAll<SVGElement>('*')]
  for (const [at, original] of [...chart.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(original)
    for (const name of COPIED) {
      const isMarked = name === 'fill' && original.getAttribute('fill')?.startsWith('url(')
      if (!isMarked) copies[at]?.setAttribute(name, style.getPropertyValue(name))
    }
  }
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  for (const [name, value] of Object.entries({ width, height, fill: getComputedStyle(document.body).backgroundColor }))
    ground.setAttribute(name, String(value))
  copy.prepend(ground)
  return new XMLSerializer().serializeToString(copy)
}

export type Form = 'json' | 'javascript' | 'html'

const FORMS = new Map<string, Form>([
  ['application/json', 'json'],
  ['application/javascript', 'javascript'],
  ['text/javascript', 'javascript'],
  ['text/html', 'html'],
])

/** The form that an Accept header likes best; JSON when it likes none of ours, or all the same. */
export function formFor(accept: string | undefined): Form {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'json'
  let best: { form: Form; quality: number; precision: number } | undefined
  for (const range of accept.split(',')) {
    const [type = '', ...options] = range.split(';').map((part) => part.trim().toLowerCase())
    const form =
      FORMS.get(type) ?? (type === '*/*' || type === 'application/*' ? 'json' : type === 'text/*' ? 'html' : undefined)
    const quality = qualityOf(options)
    const precision = FORMS.has(type) ? 1 : 0
    if (form === undefined || quality <= 0) continue
    if (!best || quality > best.quality || (quality === best.quality && precision > best.precision))
      best = { form, quality, precision }
  }
  return best?.form ?? 'json'
}

function qualityOf(options: string[]) {
  const option = options.find((it) => it.startsWith('q='))
  if (option === undefined) return 1
  const quality = Number(option.slice(2))
  return Number.isNaN(quality) ? 0 : Math.min(quality, 1)
}

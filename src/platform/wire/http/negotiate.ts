export type ResponseForm = 'json' | 'javascript' | 'html'

const FORMS = new Map<string, ResponseForm>([
  ['application/json', 'json'],
  ['application/javascript', 'javascript'],
  ['text/javascript', 'javascript'],
  ['text/html', 'html'],
])

const RANGES = new Map<string, ResponseForm>([
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['text/*', 'html'],
])

/** Formats that only some calls have, by media type. */
export type OtherForms<Other extends string = string> = ReadonlyMap<string, Other>

/** The format that an Accept header prefers; JSON if it accepts none of ours, or all equally. */
export function formFor<Other extends string = never>(
  accept: string | undefined,
  others?: OtherForms<Other>,
): ResponseForm | Other {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'json'
  let best: { form: ResponseForm | Other; quality: number; precision: number } | undefined
  for (const range of accept.split(',')) {
    const [type = '', ...options] = range.split(';').map((part) => part.trim().toLowerCase())
    const named = FORMS.get(type) ?? others?.get(type)
    const form = named ?? RANGES.get(type)
    const quality = qualityOf(options)
    const precision = named === undefined ? 0 : 1
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

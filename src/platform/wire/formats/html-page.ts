import { hash } from 'node:crypto'

/**
 * A response as an HTML page: readable JSON with links to related resources. `root` is the path of the base address.
 */
export function htmlPage(title: string, value: unknown, root = '', notice = ''): string {
  const { before, after } = pageAround(title, root, notice)
  return before + rendered(value, root, '', '') + after
}

/** The parts of the page before and after the JSON. */
export function pageAround(title: string, root: string, notice = '') {
  const above = notice.trim() === '' ? '' : `<p>${escaped(notice.trim())}</p>\n`
  const body = `${above}<h1>${escaped(title)}</h1>\n<pre>\0</pre>`
  const [before, after] = page(title, body, root).split('\0') as [string, string]
  return { before, after }
}

export function page(title: string, body: string, root: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><nav><a href="${escaped(root)}/rest/docs">The REST API</a></nav>
<main>
${body}
</main></body></html>
`
}

/** All text on a page is escaped here, so that it cannot end a text or an attribute. */
export function escaped(text: string) {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 0 1rem 3rem }
nav { padding: .7rem 0; border-bottom: 1px solid #8885 }
h1 { font-size: 1.2rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin-top: 2rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: 1rem; border-radius: 4px }
table { border-collapse: collapse; margin: .5rem 0 } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0 }
b { font-weight: 600 } code { background: #8882; padding: 0 .2em; border-radius: 3px }
`

/** Nothing on a page may run or load: there is no script, and the only style is the one above. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** A value as it is shown in a field of that name. */
export function rendered(value: unknown, root: string, key: string, parent: string, indent = ''): string {
  const deeper = indent + INDENT
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => deeper + rendered(item, root, key, parent, deeper)).join(',\n')}\n${indent}]`
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.keys(value).sort()
    if (fields.length === 0) return '{}'
    const lines = fields.map((name) => {
      const part = (value as Record<string, unknown>)[name]
      return `${deeper}${renderedName(name)}: ${rendered(part, root, name, key, deeper)}`
    })
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  const shown = escaped(JSON.stringify(value) ?? 'null')
  const address = addressOf(value, root, key, parent)
  return address === undefined ? shown : `<a href="${escaped(address)}" rel="noopener noreferrer">${shown}</a>`
}

export const INDENT = '   '

export function renderedName(name: string) {
  return `<b>${escaped(JSON.stringify(name))}</b>`
}

/** The link of a value: by the name of its field, or because it is a URL itself. */
function addressOf(value: unknown, root: string, key: string, parent: string): string | undefined {
  if (value === null || value === '' || typeof value === 'object' || typeof value === 'boolean') return undefined
  const within = RESOURCES.get(key) ?? (key === 'id' || key === 'name' ? RESOURCES.get(parent) : undefined)
  if (within !== undefined) return `${root}/rest/${within}/${encodeURIComponent(String(value).toWellFormed())}`
  return typeof value === 'string' && /^https?:\/\/[^\s]+$/i.test(value) ? value : undefined
}

/** Fields whose value names a resource, and lists whose items have an id or a name. */
const RESOURCES = new Map(
  Object.entries({
    users: 'user',
    membership: 'user',
    groups: 'group',
    products: 'product',
    classifications: 'classification',
    bugs: 'bug',
    keywords: 'keyword',
    product: 'product',
    classification: 'classification',
    creator: 'user',
    assigned_to: 'user',
    qa_contact: 'user',
    setter: 'user',
    requestee: 'user',
    who: 'user',
    cc: 'user',
    maintainer: 'user',
    default_assigned_to: 'user',
    default_qa_contact: 'user',
    bug_id: 'bug',
    depends_on: 'bug',
    blocks: 'bug',
    dupe_of: 'bug',
  }),
)

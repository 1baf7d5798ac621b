import { errorKinds, meanings } from '../../errors.ts'
import type { Call } from '../call.ts'
import { escaped, page } from '../formats/html-page.ts'

type AnyCall = Call<never>

/** The documentation as one self-contained page. `root` is the path of the base address. */
export function docsPage(calls: readonly AnyCall[], root: string): string {
  const resources = [...new Set(calls.map((call) => call.resource))]
  const contents = resources.map((resource) => `<a href="#${escaped(resource)}">${escaped(resource)}</a>`).join(' · ')
  return page(
    'Lacewing: the REST API',
    `<h1>The REST API</h1>
<p>Every address begins with <code>${escaped(root)}/rest</code>. Answers are JSON; with <code>Accept: text/html</code> they are pages like this one.
A write needs <code>Content-Type: application/json</code>. Send an API key as the header <code>X-TRACKER-API-KEY</code>, as
<code>Authorization: Bearer</code>, or as the parameter <code>api_key</code>.
See also the <a href="${escaped(root)}/rest/docs/errors">error numbers</a> and the <a href="${escaped(root)}/rest/openapi.json">OpenAPI document</a>.</p>
<p>${contents}</p>
${resources.map((resource) => section(resource, calls)).join('\n')}`,
    root,
  )
}

function section(resource: string, calls: readonly AnyCall[]) {
  const own = calls.filter((call) => call.resource === resource)
  return `<h2 id="${escaped(resource)}">${escaped(resource)}</h2>\n${own.map(described).join('\n')}`
}

function described(call: AnyCall) {
  const path = Object.entries(call.pathParams ?? {}).map(([name, about]) => row(`(${name})`, about, false))
  const params = Object.entries(call.params).map(([name, param]) => row(name, param.about, param.isRequired))
  const selection = call.selectsFields
    ? [row('include_fields, exclude_fields', 'Which fields are returned.', false)]
    : []
  const rows = [...path, ...params, ...selection].join('')
  return `<h3><code>${call.method} /rest${escaped(call.path.replace(/:(\w+)/g, '($1)'))}</code></h3>
<p>${escaped(call.summary)} ${escaped(call.about ?? '')}</p>
${rows === '' ? '' : `<table>${rows}</table>`}
<p>Answers ${call.status ?? 200}:</p>
<pre>${escaped(JSON.stringify(sketch(call.answers as Schema), null, 2))}</pre>`
}

function row(name: string, about: string, isRequired: boolean) {
  return `<tr><td><code>${escaped(name)}</code></td><td>${escaped(about)}${isRequired ? ' <b>Required.</b>' : ''}</td></tr>`
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
  format?: string
}

/** A schema as an example of its shape, which is easier to read. */
function sketch(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return schema.anyOf.map((option) => sketch(option)).join(' or ')
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, sketch(part)]))
  if (schema.patternProperties) return { '(name)': sketch(Object.values(schema.patternProperties)[0] ?? {}) }
  if (schema.items) return [sketch(schema.items)]
  return schema.format ?? schema.type ?? 'anything'
}

/** The page that the `documentation` of every error links to. */
export function errorsPage(root: string): string {
  const numbers = [...new Set(errorKinds.map(({ code }) => code))].sort((a, b) => a - b)
  const reasons = Map.groupBy(errorKinds, ({ code }) => code)
  const rows = numbers.map(
    (code) =>
      `<tr id="error-${code}"><td><b>${code}</b></td><td>${escaped(meanings[code] ?? '')}<br>${reasonsShown(reasons.get(code) ?? [])}</td></tr>`,
  )
  return page(
    'Lacewing: error numbers',
    `<h1>Error numbers</h1>
<p>A call that fails returns <code>{"error": true, "code": …, "message": …, "documentation": …, "reason": …}</code>. The number and the
reason, which is a name below the meaning of its number, never change; the message is for humans and may change. Where the error is about one, the body also has <code>field</code>
(of a bug, or of the object that is changed) or <code>parameter</code> (of the call), and <code>values</code> has the data of the message.</p>
<table>${rows.join('\n')}</table>`,
    root,
  )
}

function reasonsShown(kinds: readonly { name: string }[]) {
  return kinds.map(({ name }) => `<code>${name}</code>`).join(' ')
}

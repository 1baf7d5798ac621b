import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { AnyBody, JsonSchema } from './body-types.ts'
import type { Reply } from './world.ts'

/** Checks responses against the OpenAPI document of the server. */
export interface ResponseChecker {
  check(method: string, path: string, reply: Pick<Reply<AnyBody>, 'status' | 'body'>): void
}

const byEnvironment = new Map<string, Promise<ResponseChecker>>()
const byDocument = new Map<string, ResponseChecker>()

/** Worlds with the same environment have the same document, so one of them reads it. */
export function checkerFor(environment: string, readDocument: () => Promise<string>): Promise<ResponseChecker> {
  const checker = byEnvironment.get(environment) ?? readDocument().then(checkerOf)
  byEnvironment.set(environment, checker)
  return checker
}

/** Compiling a document takes longer than most files use it, so those that differ only in the address of the server are compiled once. */
function checkerOf(text: string): ResponseChecker {
  const { servers: _, ...document } = JSON.parse(text)
  const key = JSON.stringify(document)
  const checker = byDocument.get(key) ?? compiled(document)
  byDocument.set(key, checker)
  return checker
}

function compiled(document: JsonSchema): ResponseChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
  ;(addFormats as unknown as { default: (ajv: Ajv2020) => void }).default?.(ajv)
  if (!ajv.formats['date-time']) (addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema({ $id: 'openapi', ...document }, 'openapi')
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: patternOf(path),
    fixed: path.replace(/\{\w+\}/g, '').length,
  }))
  paths.sort((a, b) => b.fixed - a.fixed)
  const known = new Map<string, (typeof paths)[number] | undefined>()
  const validators = new Map<string, ValidateFunction>()

  return {
    check(method, url, { status, body }) {
      const [path = '', query = ''] = url.split('?')
      const isNarrowed = /(^|&)(include|exclude)_fields=/.test(query)
      const found = pathOf(method.toLowerCase(), path.replace(/(.)\/$/, '$1'))
      const responses = found && document.paths[found.path][method.toLowerCase()].responses
      if (!found || !responses?.[status]) return assertError(method, url, status, body)
      const pointer = `openapi#/paths/${found.path.replaceAll('~', '~0').replaceAll('/', '~1').replace(/[{}]/g, encodeURIComponent)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
      const validate = validatorAt(pointer)
      if (validate(body)) return
      // Requests that choose their fields do not get the others.
      if (isNarrowed && validate.errors?.every(({ keyword }) => keyword === 'required')) return
      const said = `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)?.slice(0, 500)}`
      assert.fail(`${method} ${url} answers what its document does not say: ${said}`)
    },
  }

  function validatorAt(reference: string) {
    const validate = validators.get(reference) ?? ajv.compile({ $ref: reference })
    validators.set(reference, validate)
    return validate
  }

  function pathOf(method: string, path: string) {
    const key = `${method} ${path}`
    if (!known.has(key))
      known.set(
        key,
        paths.find((it) => it.pattern.test(path) && document.paths[it.path][method]),
      )
    return known.get(key)
  }

  /** A response that is not a documented success must be the documented error. */
  function assertError(method: string, url: string, status: number, body: AnyBody) {
    if (!url.startsWith('/rest/') || url.startsWith('/rest/openapi') || method === 'OPTIONS') return
    const validate = validatorAt('openapi#/components/schemas/Error')
    if (status >= 400 && validate(body)) return
    assert.fail(
      `${method} ${url} answers ${status}, which its document does not say: ${JSON.stringify(body)?.slice(0, 500)}`,
    )
  }
}

function patternOf(path: string) {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)
}

// Addresses of REST calls: the path of the call with its variables filled in, then the other parameters.

/**
 * An address whose type has the name of its call, such as `GET /bug/:ref`, and the fields that it requests of the objects in the response,
 * separated by commas (empty: all). Who reads it gets the type of the response from these.
 */
export type Address<Name extends string = string, Fields extends string = string> = string & {
  readonly call?: Name
  readonly fields?: Fields
}

export type Parameters = Readonly<Record<string, unknown>>

/** The requested fields in parameters: an empty text if they request none. */
export type FieldsIn<Given> = Given extends { include_fields: infer Fields extends string } ? Fields : ''

/** Fills the variables of a path such as `/bug/:ref`; `rest` has the parameters that are none. */
export function fillPath(path: string, parameters: Parameters): { address: string; rest: Parameters } {
  const rest: Record<string, unknown> = { ...parameters }
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return segmentOf(String(parameters[name] ?? ''))
  })
  return { address: `/rest${address}`, rest }
}

/** Browsers and Node take a segment of one or two dots out of a path, also if it is escaped: so that one is escaped twice, and names nothing. */
function segmentOf(text: string) {
  return /^\.\.?$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text)
}

/** The address of a call that reads. Items of a list are sent as repeated parameters, and undefined is left out. */
export function addressOf<const Path extends string, const Given extends Parameters = Record<never, never>>(
  path: Path,
  parameters?: Given,
): Address<`GET ${Path}`, FieldsIn<Given>> {
  const { address, rest } = fillPath(path, parameters ?? {})
  return withQuery(address, queryOf(rest))
}

/** The same with a query that exists already, such as that of a list, and may request any fields. */
export function addressWith<const Path extends string>(path: Path, query: URLSearchParams): Address<`GET ${Path}`, ''> {
  return withQuery(fillPath(path, {}).address, query)
}

function withQuery(address: string, query: URLSearchParams) {
  // Commas separate the names of fields. They need no escape, and logs are easier to read without one.
  const text = query.toString().replaceAll('%2C', ',')
  return text === '' ? address : `${address}?${text}`
}

function queryOf(parameters: Parameters) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null)
        query.append(name, typeof item === 'boolean' ? (item ? '1' : '0') : String(item))
  return query
}

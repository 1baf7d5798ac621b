import type { Param, ParamValues, RequestParams, Shape } from './params.ts'

/** Parses each parameter of the shape, in its order. A missing parameter is undefined, and so is null, except for a flag. */
export function readParams<Params extends Shape>(shape: Params, value: RequestParams): ParamValues<Params> {
  const { places, makeMissing, alwaysRead } = parsedShapeOf(shape)
  const names = [...alwaysRead]
  for (const name in value) if (places.has(name) && !alwaysRead.includes(name)) names.push(name)
  if (names.length > 1) names.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  const values = makeMissing()
  for (const name of names) values[name] = (shape[name] as Param<unknown>).read(name, value[name])
  return values as ParamValues<Params>
}

/** Most requests have few of many parameters: making all of them at once is many times faster than reading each. */
interface ParsedShape {
  /** The order of the parameters, by name. */
  places: ReadonlyMap<string, number>
  /** An object in which all are undefined. */
  makeMissing(): Record<string, unknown>
  /** Parameters that mean something, or are refused, if they are missing. */
  alwaysRead: readonly string[]
}

const parsedShapes = new WeakMap<Shape, ParsedShape>()

function parsedShapeOf(shape: Shape): ParsedShape {
  const known = parsedShapes.get(shape)
  if (known !== undefined) return known
  const names: string[] = []
  for (const name in shape) names.push(name)
  const parsed = {
    places: new Map(names.map((name, place) => [name, place])),
    makeMissing: makerOf(names),
    alwaysRead: names.filter((name) => !isUndefinedIfMissing(shape[name] as Param<unknown>)),
  }
  parsedShapes.set(shape, parsed)
  return parsed
}

/** Generates a function, because only an object that was written with its names has fixed fields, and is made at once. */
function makerOf(names: readonly string[]): ParsedShape['makeMissing'] {
  const fields = names.map((name) => `${JSON.stringify(name)}: undefined`)
  return new Function(`return { ${fields.join(', ')} }`) as ParsedShape['makeMissing']
}

function isUndefinedIfMissing(param: Param<unknown>): boolean {
  try {
    return param.read('', undefined) === undefined
  } catch {
    return false
  }
}

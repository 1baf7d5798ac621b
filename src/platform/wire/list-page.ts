import { errors } from '../errors.ts'

/** A part of a list. */
export interface ListPage {
  limit: number
  offset: number
}

interface PageLimits {
  /** Without a limit in the request. */
  usual: number
  most: number
}

/** The part that the parameters `limit` and `offset` name. A limit of 0 means as many as allowed. */
export function readListPage(
  params: Partial<Record<keyof ListPage, number | undefined>>,
  limits: PageLimits,
): ListPage {
  const { limit = limits.usual, offset = 0 } = params
  requireNotNegative({ limit, offset })
  return { limit: Math.min(limit || limits.most, limits.most), offset }
}

/** Refuses negative values of parameters, by their names. */
export function requireNotNegative(values: Readonly<Record<string, number | undefined>>) {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value < 0) throw errors.not_a_number({ name, value })
}

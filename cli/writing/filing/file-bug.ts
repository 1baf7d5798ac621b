import type { ParamsOf } from '../../../client/index.ts'
import type { Connection } from '../../servers/connection.ts'
import { acknowledged } from '../acknowledged.ts'
import type { Fields } from '../field-options.ts'

export async function fileBug(connection: Connection, fields: Fields) {
  // Bugzilla files a bug twice if the request is sent twice.
  const once = await connection.isLacewing()
  const bug = (await complete(connection, fields, once)) as ParamsOf<'POST /bug'>
  return acknowledged(await connection.client.post('/bug', bug, { once }))
}

/** Bugzilla wants values for these fields, and takes these unless its administrator has renamed them. */
async function complete({ client }: Connection, fields: Fields, isLacewing: boolean) {
  if (isLacewing) return fields
  const version = fields.version ?? (await firstVersion(client, String(fields.product)))
  return { op_sys: 'All', platform: 'All', ...fields, version }
}

async function firstVersion(client: Connection['client'], product: string): Promise<string | undefined> {
  const { products } = await client.get('/product', { names: [product], include_fields: 'versions' })
  const names = (products[0]?.versions ?? []).map(({ name }) => name)
  return names.includes('unspecified') ? 'unspecified' : names.at(-1)
}

import type { Connection } from '../../servers/connection.ts'

const MOST_NAMES = 60

/** For who files a bug in the editor: the products, or the components of the one that is chosen. A server that does not say has none. */
export async function placesToFile({ client }: Connection, product: unknown): Promise<string[]> {
  try {
    if (typeof product === 'string' && product !== '') {
      const { products } = await client.get('/product', { names: [product], include_fields: 'name,components' })
      const components = (products[0]?.components ?? []).filter((it) => it.is_active !== false)
      return listLine(`Components of ${product}`, components)
    }
    const { products } = await client.get('/product', { type: 'enterable', include_fields: 'name' })
    return listLine('Products', products)
  } catch {
    return []
  }
}

function listLine(title: string, places: readonly { readonly name: string }[]): string[] {
  if (places.length === 0) return []
  const names = places.map(({ name }) => name).sort()
  return [`${title}: ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`]
}

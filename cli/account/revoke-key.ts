import { clientFor } from '../servers/connection.ts'
import type { SavedServer } from '../servers/servers-file.ts'

/** Revokes a key that `login` made. A server that is away, or refuses, does not keep anybody from signing out. */
export async function isKeyRevoked(server: SavedServer): Promise<boolean> {
  const client = clientFor({ ...server, ...server.kind })
  try {
    const { id } = await client.get('/whoami')
    await client.delete('/user/:user/api_key/:id', { user: id, id: server.keyId ?? 0 })
    return true
  } catch {
    return false
  }
}

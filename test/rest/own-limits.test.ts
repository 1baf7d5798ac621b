import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OWN_LIMITS } from '../../src/people/own-limits.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine } from '../support/world.ts'

describeOnEachEngine('what one account can have', (world) => {
  const { savedSearches, savedCharacters, apiKeys } = OWN_LIMITS
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
  const fillSearches = (userId: number, count: number, query: string) =>
    world.db.query((q) =>
      q.insertInto('saved_searches').values(
        numbers(count).map((number) => ({
          user_id: userId,
          kind: 'search' as const,
          name: `old ${number}`,
          name_key: `old ${number}`,
          query,
          group_id: null,
          sort_key: 0,
        })),
      ),
    )
  const LIMITS = {
    'saved searches': [
      '/rest/saved_search',
      (userId: number) => fillSearches(userId, savedSearches - 1, 'product=x'),
      (number: number) => ({ name: `new ${number}`, query: 'product=x' }),
    ],
    'characters of saved searches': [
      '/rest/saved_search',
      (userId: number) => fillSearches(userId, 1, `short_desc=${'x'.repeat(savedCharacters - 31)}`),
      (number: number) => ({ name: `new ${number}`, query: 'product=1234567890' }),
    ],
    'API keys': [
      '/rest/user/:user/api_key',
      (userId: number) =>
        world.db.query((q) =>
          q.insertInto('api_keys').values(
            numbers(apiKeys - 2).map((number) => ({
              user_id: userId,
              digest: `${userId} ${number}`,
              description: '',
              scopes: 'read',
              created_at: '2026-01-01T00:00:00Z',
            })) as never,
          ),
        ),
      (number: number) => ({ description: `new ${number}` }),
    ],
  } as const

  for (const [what, [path, fill, bodyOf]] of Object.entries(LIMITS))
    it(`is limited: ${what}`, async () => {
      const { client, id } = await world.newUser()
      await fill(id)
      const replies = await Promise.all(
        numbers(2).map((number) => client.post(path.replace(':user', String(id)), bodyOf(number))),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400], replies.map(({ text }) => text).join())
      assertRefused(replies.find(({ status }) => status === 400) as never, 400, 32000)
    })
})

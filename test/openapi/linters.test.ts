import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { describeInSoak } from '../support/sample.ts'

describeInSoak('linters of OpenAPI', () => {
  let text: string
  // Loaded here, because `npm test` runs none of these tests.
  before(async () => {
    const { default: apiReference } = await import('../../src/api-reference.json', { with: { type: 'json' } })
    const { openApiOf } = await import('../../src/platform/wire/openapi/openapi.ts')
    const { calls } = await import('../../src/routes.ts')
    text = JSON.stringify(openApiOf(calls, 'https://bugs.example.org', apiReference))
  })

  // generated-client.test.ts checks the document too, with those rules of Redocly that make a document valid.
  it('of Spectral find no errors with the recommended rules', async () => {
    const { Spectral } = await import('@stoplight/spectral-core')
    const { oas } = await import('@stoplight/spectral-rulesets')
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [[oas as never, 'recommended']] })
    const found = await spectral.run(JSON.parse(text))
    assert.deepEqual(
      found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`),
      [],
    )
  })

  it('of Redocly find no errors with the recommended rules except paths that are ambiguous in Bugzilla', async () => {
    const { createConfig, lintFromString } = await import('@redocly/openapi-core')
    const config = await createConfig({ extends: ['recommended'] })
    const found = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
    // Bugzilla has both /bug/{ref}/… and /bug/comment/{id}, and likewise for attachments and field values; the fixed word wins.
    const isBugzillas = (path: string) => /^\/rest\/(bug|field\/bug)\//.test(path)
    const unexplained = found.filter(
      ({ ruleId, message }) =>
        ruleId !== 'no-ambiguous-paths' ||
        !(message.match(/`([^`]+)`/g) ?? []).map((it) => it.slice(1, -1)).every(isBugzillas),
    )
    assert.deepEqual(
      unexplained.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
      [],
    )
  })
})

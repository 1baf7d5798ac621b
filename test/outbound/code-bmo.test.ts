import assert from 'node:assert/strict'
import { it } from 'node:test'
import { headersOf, newSource, pullRequest, push } from '../support/code-deliveries.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeDeliveryOnOneEngine } from '../support/world.ts'

describeDeliveryOnOneEngine('BMO’s paths for webhooks of GitHub', (world) => {
  const send = (
    source: Awaited<ReturnType<typeof newSource>>,
    path: '/rest/github/pull_request' | '/rest/github/push_comment',
    event: string,
    payload: object,
  ) => {
    const text = JSON.stringify(payload)
    return world.nobody.send('POST', path, text, headersOf(source, event, text))
  }

  it('attach a pull request to the bug of its title', async () => {
    const hidden = await newHiddenProduct(world)
    const secret = await fileBug(world.ada, { product: hidden.name, component: 'Core', version: '1.0' })
    const [bug, other] = [await fileBug(world.edna), await fileBug(world.edna)]
    await newSource(world, 'github')
    const source = await newSource(world, 'github')
    const post = (payload: object, event = 'pull_request') => send(source, '/rest/github/pull_request', event, payload)
    assert.deepEqual((await post({ zen: 'ping' }, 'ping')).body, { error: 0 })
    const made = await post(pullRequest({ title: `Bug ${bug} - mend` }, { action: 'opened' }))
    assert.equal(made.status, 200, made.text)
    assert.equal(made.body.error, 0)
    const { body } = await world.nobody.get(`/rest/bug/attachment/${made.body.id}?exclude_fields=data`)
    const attachment = body.attachments[`${made.body.id}`]
    assert.deepEqual(
      [attachment?.content_type, attachment?.bug_id, attachment?.summary],
      ['text/x-github-pull-request', bug, `[acme/kettle] Bug ${bug} - mend (#7)`],
    )
    const messages = new Set<string>()
    for (const [place, title] of [`Bug ${secret}`, 'Bug 999999', `Bug ${bug} again`].entries()) {
      const number = place === 2 ? 7 : 10 + place
      const reply = await post(pullRequest({ number, title }, { action: 'opened' }))
      assert.deepEqual([reply.status, reply.body.error], [200, 1])
      messages.add(reply.text)
    }
    assert.equal(messages.size, 1)
    assert.deepEqual((await world.ada.get(`/rest/bug/${secret}/attachment`)).body.bugs[secret], [])
    // With another bug in its title it moves there.
    const moved = await post(pullRequest({ title: `Bug ${other} - mend` }))
    assert.equal(moved.body.error, 0, moved.text)
    const before = await world.nobody.get(`/rest/bug/attachment/${made.body.id}?include_fields=is_obsolete`)
    assert.equal(before.body.attachments[`${made.body.id}`]?.is_obsolete, true)
    const { pull_requests: pulls } = (await world.nobody.get(`/rest/githubpr/bug_pull_requests/${other}`)).body
    assert.deepEqual(
      pulls.map(({ number, state }) => [number, state]),
      [[7, 'open']],
    )
    assertRefused(
      await send({ ...source, secret: 'a secret of nobody' }, '/rest/github/pull_request', 'pull_request', {}),
      401,
      32000,
    )
  })

  it('comment once on each bug of a push, and resolve it', async () => {
    const [one, two] = [await fileBug(world.edna), await fileBug(world.edna)]
    const source = await newSource(world, 'github', { resolves: 'always' })
    const first = push(`Bug ${one} - lid`)
    const payload = {
      ...first,
      commits: [
        ...first.commits,
        { ...first.commits[0], id: 'c4'.repeat(20), message: `Bug ${one}, bug ${two}, bug 999999` },
      ],
    }
    const { body, text } = await send(source, '/rest/github/push_comment', 'push', payload)
    assert.equal(body.error, 0, text)
    assert.deepEqual(Object.keys(body.bugs ?? {}), [`${one}`, `${two}`])
    const comments = (await world.nobody.get(`/rest/bug/${one}/comment`)).body.bugs[one]?.comments ?? []
    assert.deepEqual(
      [comments.length, comments.at(-1)?.id, comments.at(-1)?.text],
      [2, body.bugs?.[`${one}`]?.id, body.bugs?.[`${one}`]?.text],
    )
    assert.match(
      comments.at(-1)?.text ?? '',
      /^Authored by Olga Octo\nhttps:\/\/github\.com\/acme\/kettle\/commit\/b2b2\w+\n\[main\] Bug \d+ - lid\n\nAuthored/,
    )
    assert.deepEqual(
      [(await readBug(world.ada, one)).status, (await readBug(world.ada, two)).status],
      ['RESOLVED', 'RESOLVED'],
    )
    assertRefused(await send(source, '/rest/github/push_comment', 'push', payload), 409, 32000)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { requireMaildir } from './platform/maildir.ts'
import { withoutPassword } from './prepare.ts'

describe('a server that cannot use its settings', () => {
  it('shows no password of the database, wherever it is in the URL', () => {
    for (const url of [
      'postgres://root:tops3cret@127.0.0.1:1/x',
      'postgres://root:top@s3cret@127.0.0.1:1/x',
      'postgres://127.0.0.1:1/x?user=root&password=tops3cret',
    ])
      assert.equal(withoutPassword(url), 'postgres://127.0.0.1:1/x')
  })

  it('refuses a Maildir that is not a folder', () => {
    const wrong = { message: /^LACEWING_MAILDIR is "\/no\/such\/folder", which is not a folder/ }
    assert.throws(() => requireMaildir('/no/such/folder'), wrong)
  })
})

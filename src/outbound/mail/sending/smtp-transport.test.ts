import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeOf } from './smtp-transport.ts'

describe('a message that was not sent', () => {
  it('says in words why no mail server was reached', () => {
    const reasonOf = (message: string) => outcomeOf(new Error(message))
    assert.deepEqual(reasonOf('getaddrinfo ENOTFOUND mail.invalid'), {
      retry: 'there is no host of this name (ENOTFOUND mail.invalid)',
      isAboutMessage: false,
    })
    assert.deepEqual(reasonOf('getaddrinfo EAI_AGAIN mail.invalid'), {
      retry: 'the name of the host cannot be looked up now (EAI_AGAIN mail.invalid)',
      isAboutMessage: false,
    })
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainsOf, mailboxKey } from './mailbox.ts'

describe('the key of a mailbox', () => {
  it('is the same for the spellings that lead to one mailbox', () => {
    for (const [key, ...spellings] of [
      ['jo.x@example.com', ' Jo.X@Example.COM ', 'jo.x+tag@example.com', 'jo.x+a+b@example.com', 'jo.x@example.com..'],
      ['jox@gmail.com', 'j.o.x@gmail.com', 'JoX+tag@googlemail.com', 'jo.x@googlemail.com.', 'jo.x+\n@gmail.com'],
      ['jox', 'jox+tag', ' JOX'],
    ] as const)
      for (const spelling of [key, ...spellings]) assert.equal(mailboxKey(spelling), key, spelling)
  })

  it('is another one for another mailbox', () => {
    const keys = ['jo.x@example.com', 'jox@example.com', 'jo.x@sub.example.com', '+jo@example.com', '+ox@example.com']
    assert.deepEqual(keys.map(mailboxKey), keys)
    assert.equal(mailboxKey('a+b@c@example.com'), 'a@example.com')
    assert.equal(mailboxKey('j.x@mygmail.com'), 'j.x@mygmail.com')
  })

  it('stands for all domains of the mailbox', () => {
    assert.deepEqual(domainsOf('gmail.com'), ['gmail.com', 'googlemail.com'])
    assert.deepEqual(domainsOf('example.com'), ['example.com'])
  })
})

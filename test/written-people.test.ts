import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personIn, splitPeople } from '../shared/text/written-people.ts'

describe('People in a pasted text', () => {
  it('stand on lines, or with commas, semicolons or spaces between them', () => {
    assert.deepEqual(splitPeople('a@x.test, b@x.test;c@x.test\r\n\n d@x.test  e@x.test ,,'), [
      'a@x.test',
      'b@x.test',
      'c@x.test',
      'd@x.test',
      'e@x.test',
    ])
    assert.deepEqual(splitPeople(' \n ,;'), [])
  })

  it('have names with spaces, and with commas in quotes', () => {
    const text = 'Nina Novak <n@x.test>\n"Doe, Jane" <j@x.test>, "open quote <o@x.test>\nz@x.test'
    assert.deepEqual(splitPeople(text).map(personIn), [
      { name: 'Nina Novak', address: 'n@x.test' },
      { name: 'Doe, Jane', address: 'j@x.test' },
      { name: '"open quote', address: 'o@x.test' },
      { name: '', address: 'z@x.test' },
    ])
  })

  it('are read in time that grows with the text, up to a length', () => {
    for (const sign of ['"', '<', ',', ' ', '@', '>']) assert.ok(splitPeople(sign.repeat(200_000)).length <= 50_001)
    assert.deepEqual(personIn('<<a@x.test>'), { name: '<', address: 'a@x.test' })
  })
})

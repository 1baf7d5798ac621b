import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { settingsFrom } from '../../platform/config/settings.ts'
import { ApiError } from '../../platform/errors.ts'
import { RateLimit } from './rate-limit.ts'

const settings = settingsFrom(
  new Map([
    ['rate_limit_anonymous', '2'],
    ['rate_limit_signed_in', '3'],
  ]),
)
const anonymousCaller = { id: null, address: '203.0.113.5' }
const refusedFor = (seconds: number) => (fault: unknown) =>
  fault instanceof ApiError && fault.status === 429 && fault.headers['Retry-After'] === String(seconds)

describe('the rate limit', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  it('limits the requests of an anonymous caller per minute, and then says how long to wait', () => {
    const limit = new RateLimit()
    limit.count(anonymousCaller, settings)
    limit.count(anonymousCaller, settings)
    assert.throws(() => limit.count(anonymousCaller, settings), refusedFor(60))
    mock.timers.tick(45_500)
    assert.throws(() => limit.count(anonymousCaller, settings), refusedFor(15))
    mock.timers.tick(14_499)
    assert.throws(() => limit.count(anonymousCaller, settings), refusedFor(1))
    mock.timers.tick(1)
    limit.count(anonymousCaller, settings)
  })

  it('counts every address and every account separately', () => {
    const limit = new RateLimit()
    for (const address of ['203.0.113.5', '203.0.113.6', '2001:db8::1'])
      for (let count = 0; count < 2; count++) limit.count({ id: null, address }, settings)
    for (let count = 0; count < 3; count++) limit.count({ ...anonymousCaller, id: 1 }, settings)
    assert.throws(() => limit.count({ ...anonymousCaller, id: 1 }, settings), refusedFor(60))
    limit.count({ ...anonymousCaller, id: 2 }, settings)
  })

  it('counts the addresses of one IPv6 /64 network together', () => {
    const limit = new RateLimit()
    for (const address of ['2001:db8::1', '2001:db8::2']) limit.count({ id: null, address }, settings)
    assert.throws(() => limit.count({ id: null, address: '2001:db8::3' }, settings), refusedFor(60))
    limit.count({ id: null, address: '2001:db8:0:1::3' }, settings)
  })

  it('forgets only the oldest when there are too many', () => {
    const limit = new RateLimit()
    for (let id = 1; id <= 50_000; id++)
      for (let count = 0; count < 3; count++) limit.count({ ...anonymousCaller, id }, settings)
    limit.count({ ...anonymousCaller, id: 50_001 }, settings)
    assert.throws(() => limit.count({ ...anonymousCaller, id: 2 }, settings), refusedFor(60))
    limit.count({ ...anonymousCaller, id: 1 }, settings)
  })

  it('does not limit anonymous callers on this machine, or any caller when it is 0', () => {
    const limit = new RateLimit()
    const off = settingsFrom(new Map([['rate_limit_anonymous', '0']]))
    for (let count = 0; count < 1000; count++) {
      limit.count({ id: null, address: '127.0.0.1' }, settings)
      limit.count(anonymousCaller, off)
      limit.count({ ...anonymousCaller, id: 1 }, off)
    }
  })

  it('can be checked without counting', () => {
    const limit = new RateLimit()
    for (let count = 0; count < 10; count++) limit.requireRoom(anonymousCaller.address, settings)
    limit.count(anonymousCaller, settings)
    limit.requireRoom(anonymousCaller.address, settings)
    limit.count(anonymousCaller, settings)
    assert.throws(() => limit.requireRoom(anonymousCaller.address, settings), refusedFor(60))
  })

  it('is in the headers of every response, with what is left of it', () => {
    const limit = new RateLimit()
    const headersOf = (who: { id: number | null; address: string }) => limit.headersFor(who, settings)
    limit.count(anonymousCaller, settings)
    assert.deepEqual(headersOf(anonymousCaller), {
      'RateLimit-Policy': '"address";q=2;w=60',
      RateLimit: '"address";r=1;t=60',
    })
    limit.count(anonymousCaller, settings)
    assert.throws(() => limit.count(anonymousCaller, settings))
    mock.timers.tick(20_000)
    assert.equal(headersOf(anonymousCaller).RateLimit, '"address";r=0;t=40')
    assert.equal(headersOf({ ...anonymousCaller, id: 1 }).RateLimit, '"account";r=3;t=40')
  })

  it('is in no header where there is none, and leaves room there', () => {
    const limit = new RateLimit()
    assert.deepEqual({ ...limit.headersFor({ id: null, address: '::1' }, settings) }, {})
    limit.requireRoom('::1', settings)
  })

  it('does not remember more addresses than it can hold', () => {
    const limit = new RateLimit()
    for (let count = 0; count < 60_000; count++) limit.count({ id: null, address: `a${count}` }, settings)
    limit.count(anonymousCaller, settings)
  })
})

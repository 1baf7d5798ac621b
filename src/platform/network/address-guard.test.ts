import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPublic, isReachable } from './address-guard.ts'

const INSIDE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:c0a8::',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::7f00:1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]

const OUTSIDE = [
  '1.1.1.1',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:1.1.1.1',
  '::ffff:101:101',
]

describe('isPublic', () => {
  for (const address of INSIDE) it(`rejects ${address}`, () => assert.equal(isPublic(address), false))
  for (const address of OUTSIDE) it(`accepts ${address}`, () => assert.equal(isPublic(address), true))
})

describe('isReachable', () => {
  it('accepts the networks that an administrator has allowed, and no others', () => {
    const networks = ' 10.0.0.0/8, 192.168.7.7 ,fd00::/8,'
    for (const address of ['10.9.9.9', '192.168.7.7', 'fd12::1', '::ffff:10.0.0.1', '1.1.1.1'])
      assert.equal(isReachable(address, networks), true, address)
    for (const address of ['192.168.7.8', '11.0.0.1', 'fc00::1', '127.0.0.1', '::1'])
      assert.equal(isReachable(address, networks), isPublic(address), address)
    assert.equal(isReachable('127.0.0.1', '*'), true)
    assert.equal(isReachable('127.0.0.1', ''), false)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLoopback, networkOf, realAddress, widerNetworkOf } from './real-address.ts'

describe('the real address of a request', () => {
  const cases: [title: string, peer: string, forwarded: string | undefined, proxies: string, address: string][] = [
    ['is the peer', '203.0.113.5', undefined, '', '203.0.113.5'],
    ['is plain for an IPv4 peer on an IPv6 socket', '::ffff:203.0.113.5', undefined, '', '203.0.113.5'],
    ['does not include the interface of a link-local address', 'fe80::1%eth0', undefined, '', 'fe80::1'],
    ['ignores the header when no proxy is trusted', '203.0.113.5', '10.0.0.1', '', '203.0.113.5'],
    ['ignores the header of a peer that is not a proxy', '203.0.113.5', '10.0.0.1', '192.0.2.1', '203.0.113.5'],
    ['trusts a proxy', '192.0.2.1', '203.0.113.5', '192.0.2.1', '203.0.113.5'],
    ['trusts a proxy on an IPv6 socket', '::ffff:192.0.2.1', '203.0.113.5', '192.0.2.1', '203.0.113.5'],
    ['trusts a proxy of a network', '192.0.2.77', '203.0.113.5', '10.0.0.0/8, 192.0.2.0/24', '203.0.113.5'],
    ['trusts a network of one address', '192.0.2.7', '203.0.113.5', '192.0.2.7/32', '203.0.113.5'],
    ['trusts an IPv6 network of one address', '2001:db8::1', '203.0.113.5', '2001:db8::1/128', '203.0.113.5'],
    ['trusts only the last hop of a proxy', '192.0.2.1', '1.1.1.1, 203.0.113.5', '192.0.2.1', '203.0.113.5'],
    ['follows a chain of proxies', '192.0.2.1', '1.1.1.1, 203.0.113.5, 192.0.2.2', '192.0.2.0/24', '203.0.113.5'],
    ['is the proxy if the header is not an address', '192.0.2.1', 'unknown', '192.0.2.1', '192.0.2.1'],
    [
      'stops at the first hop that is not an address',
      '192.0.2.1',
      '1.1.1.1, evil, 192.0.2.2',
      '192.0.2.0/24',
      '192.0.2.2',
    ],
    ['is the proxy if it sends no header', '192.0.2.1', undefined, '192.0.2.1', '192.0.2.1'],
    ['is the proxy for an empty header', '192.0.2.1', '', '192.0.2.1', '192.0.2.1'],
    ['supports IPv6', '2001:db8::1', '2001:db8:1::9', '2001:db8::/64', '2001:db8:1::9'],
    ['supports IPv6 with an interface in the header', '192.0.2.1', 'fe80::9%en0', '192.0.2.1', 'fe80::9'],
    ['ignores an invalid network', '192.0.2.1', '203.0.113.5', '192.0.2.0/99, nonsense', '192.0.2.1'],
    ['is the first hop when every address is a trusted proxy', '9.9.9.9', '203.0.113.5, 8.8.8.8', '*', '203.0.113.5'],
    [
      'is the first hop if every address is trusted beside some',
      '9.9.9.9',
      '203.0.113.5',
      '10.0.0.1, *',
      '203.0.113.5',
    ],
  ]
  for (const [title, peer, forwarded, proxies, address] of cases)
    it(title, () => assert.equal(realAddress(peer, forwarded, proxies), address))

  it('is the same for an IPv4 address, however it is written', () => {
    const notations = [
      '::ffff:c000:206',
      '::FFFF:192.0.2.6',
      '0:0:0:0:0:ffff:c000:206',
      '0::0:ffff:c000:0206',
      '192.0.2.6',
    ]
    for (const hop of notations) {
      assert.equal(realAddress('10.0.0.1', hop, '10.0.0.1'), '192.0.2.6', hop)
      assert.equal(realAddress(hop, '203.0.113.5', hop), '203.0.113.5', hop)
    }
    assert.equal(realAddress('10.0.0.1', '::ffff:c000:206:1', '10.0.0.1'), '::ffff:c000:206:1')
  })

  it('is of this machine for loopback addresses only', () => {
    for (const own of ['127.0.0.1', '127.8.9.1', '::1']) assert.equal(isLoopback(own), true)
    for (const other of ['128.0.0.1', '10.127.0.1', '::2', '1270.0.0.1']) assert.equal(isLoopback(other), false)
  })

  it('is counted by its /64 network for IPv6, however it is written', () => {
    assert.equal(networkOf('203.0.113.5'), '203.0.113.5')
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
    for (const same of ['2001:db8::1', '2001:0DB8:0:0::77', '2001:db8::', '2001:db8:0:0:f::', '2001:db8::1.2.3.4'])
      assert.equal(networkOf(same), '2001:db8:0:0::/64')
    for (const same of ['2001:db8::7:3:4:5:6', '2001:db8:0:7:1::', '2001:db8::7:3:4:192.0.2.17'])
      assert.equal(networkOf(same), '2001:db8:0:7::/64')
    assert.equal(networkOf('2001:db8:1:2:3:4:192.0.2.17'), '2001:db8:1:2::/64')
    assert.equal(networkOf('::1'), '0:0:0:0::/64')
    assert.equal(networkOf('::'), '0:0:0:0::/64')
    assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8::1'))
  })

  it('is in the /24 or /48 network of its site', () => {
    assert.equal(widerNetworkOf('203.0.113.5'), '203.0.113.0/24')
    for (const same of ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', networkOf('2001:db8:1:ffff::1')])
      assert.equal(widerNetworkOf(same), '2001:db8:1::/48')
    assert.equal(widerNetworkOf('::1'), '0:0:0::/48')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceOf } from './device.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the device of a session', () => {
  const BROWSERS: Record<string, string> = {
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`]:
      'Edge on Windows',
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/130.0.0.0 Mobile Safari/537.36 EdgA/130.0.0.0`]:
      'Edge on Android',
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 OPR/116.0.0.0`]: 'Opera on Linux',
    [`Mozilla/5.0 (Linux; Android 13; SM-S9) ${WEBKIT} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`]:
      'Samsung Internet on Android',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 FxiOS/130.0 Mobile/15E148 Safari/605.1.15':
      'Firefox on iOS',
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/130.0 Mobile/15E148 Safari/604.1':
      'Chrome on iOS',
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`]: 'Chrome on ChromeOS',
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/130.0.0.0 Safari/537.36`]: 'Chrome on Linux',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15':
      'Safari on macOS',
    'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Safari/604.1':
      'Safari on iOS',
  }
  for (const [userAgent, device] of Object.entries(BROWSERS))
    it(`is a browser and a system: ${device}`, () => assert.equal(deviceOf(userAgent), device))

  it('is the name of a program that is not a browser', () => {
    assert.equal(deviceOf('curl/8.5.0'), 'curl')
    assert.equal(deviceOf('python-requests 2.31'), 'python-requests')
    assert.equal(deviceOf('Sync/2.0 (Macintosh)'), 'Sync on macOS')
    assert.equal(deviceOf('Sync/2.0 (Mac OS X 14)'), 'Sync on macOS')
    assert.equal(deviceOf('Firefoxy Chromes Safaris Windowsill'), 'Firefoxy')
  })

  it('is short, in plain characters, and empty if nothing is known', () => {
    assert.equal(deviceOf(`${'x'.repeat(100)}/1`), 'x'.repeat(60))
    assert.equal(deviceOf('\u202e\u00fc evil\u0007tool/1'), 'evil')
    assert.equal(deviceOf(undefined), '')
    assert.equal(deviceOf(''), '')
  })
})

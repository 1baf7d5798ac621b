import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toTime } from '../../../platform/time/clock.ts'
import { zoneNamed } from '../../../platform/time/zone-time.ts'
import { AT_ONCE, digestTime, type MailTimes, sendTime } from './send-time.ts'

const berlin: MailTimes = { ...AT_ONCE, zone: 'Europe/Berlin' }
const night: MailTimes = { ...berlin, quietFrom: 19 * 60, quietTo: 7 * 60 + 30 }
const sent = (times: MailTimes, at: string, now = at) => toTime(sendTime(times, Date.parse(at), Date.parse(now)))
const digest = (times: MailTimes, at: string) => toTime(digestTime(times, Date.parse(at)))

describe('when mail is sent', () => {
  it('is at once for users who chose nothing', () => {
    assert.equal(sent(AT_ONCE, '2026-11-18T23:00:00Z'), '2026-11-18T23:00:00Z')
  })

  it('is the end of quiet hours, over midnight and within a day', () => {
    assert.equal(sent(night, '2026-11-18T18:00:00Z'), '2026-11-19T06:30:00Z')
    assert.equal(sent(night, '2026-11-19T06:29:59Z'), '2026-11-19T06:30:00Z')
    assert.equal(sent(night, '2026-11-19T06:30:00Z'), '2026-11-19T06:30:00Z')
    const noon = { ...berlin, quietFrom: 720, quietTo: 780 }
    assert.equal(sent(noon, '2026-11-18T11:30:00Z'), '2026-11-18T12:00:00Z')
    assert.equal(sent(noon, '2026-11-18T12:00:00Z'), '2026-11-18T12:00:00Z')
  })

  it('is Monday after a quiet weekend, and after its quiet hours', () => {
    const weekend = { ...night, areWeekendsQuiet: true }
    assert.equal(sent(weekend, '2026-11-20T19:00:00Z'), '2026-11-23T06:30:00Z')
    assert.equal(sent({ ...berlin, areWeekendsQuiet: true }, '2026-11-21T10:00:00Z'), '2026-11-22T23:00:00Z')
  })

  it('follows the clocks of the zone, also where they skip or repeat an hour', () => {
    assert.equal(sent(night, '2026-03-28T20:00:00Z'), '2026-03-29T05:30:00Z')
    assert.equal(sent(night, '2026-10-24T20:00:00Z'), '2026-10-25T06:30:00Z')
    const skipped = { ...berlin, digestAt: 150 }
    assert.equal(digest(skipped, '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00Z')
    assert.equal(digest(skipped, '2026-10-24T12:00:00Z'), '2026-10-25T00:30:00Z')
    assert.equal(digest(skipped, '2026-10-25T00:45:00Z'), '2026-10-26T01:30:00Z')
  })

  it('is the next hour of the digest', () => {
    const daily = { ...berlin, digestAt: 8 * 60 + 30 }
    assert.equal(digest(daily, '2026-11-18T07:29:00Z'), '2026-11-18T07:30:00Z')
    assert.equal(digest(daily, '2026-11-18T07:30:00Z'), '2026-11-19T07:30:00Z')
    assert.equal(digest({ ...daily, areWeekendsQuiet: true }, '2026-11-20T09:00:00Z'), '2026-11-22T23:00:00Z')
  })

  it('is some minutes after the change, where the user wants only what they have not seen', () => {
    const later = { ...berlin, unseenMinutes: 15 }
    assert.equal(sent(later, '2026-11-18T12:00:00Z'), '2026-11-18T12:15:00Z')
    assert.equal(sent(later, '2026-11-18T12:00:00Z', '2026-11-18T13:00:00Z'), '2026-11-18T13:00:00Z')
  })

  it('knows the names of zones, and nothing else', () => {
    for (const name of ['Europe/Berlin', 'America/Argentina/Ushuaia', 'UTC', 'Etc/GMT+5'])
      assert.equal(zoneNamed(name), name)
    for (const name of ['', 'Berlin', 'Europe/Nowhere', '+01:00', 'Europe/Berlin\r\nX: y', '../x', 'A/'.repeat(99)])
      assert.equal(zoneNamed(name), undefined, name)
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventsIn } from './mail-events.ts'

const nothing = { kind: 'changed', fields: [], hasComment: false, hasNewAttachment: false } as const

for (const [fields, events] of [
  ['priority', 'progress'],
  ['status', 'progress'],
  ['severity', 'progress'],
  ['target_milestone', 'progress'],
  ['resolution', 'resolution'],
  ['status,resolution', 'progress,resolution'],
  ['keywords', 'keywords'],
  ['cc', 'cc'],
  ['depends_on', 'dependencies'],
  ['blocks', 'dependencies'],
  ['product', 'component'],
  ['component', 'component'],
  ['attachments.description', 'attachment_data'],
  ['attachments.mimetype', 'attachment_data'],
  ['attachments.ispatch', 'attachment_data'],
  ['attachments.isobsolete', 'other'],
  ['flagtypes.name', 'other'],
  ['assigned_to', 'other'],
  ['summary', 'other'],
  ['cf_anything', 'other'],
] as const)
  it(`A change of ${fields} is ${events}`, () => {
    assert.deepEqual([...eventsIn({ ...nothing, fields: fields.split(',') })].join(), events)
  })

it('A comment and a new attachment are separate events', () => {
  assert.deepEqual([...eventsIn({ ...nothing, hasComment: true })], ['comment'])
  assert.deepEqual([...eventsIn({ ...nothing, hasNewAttachment: true })], ['attachment'])
})

it('A new bug is only the event created, whatever its comment says', () => {
  assert.deepEqual([...eventsIn({ ...nothing, kind: 'new', hasComment: true })], ['created'])
})

it('A change of a bug that this one depends on is the event dependencies', () => {
  assert.deepEqual([...eventsIn({ ...nothing, kind: 'dependency' })], ['dependencies'])
})

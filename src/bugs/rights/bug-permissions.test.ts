import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../platform/errors.ts'
import { type EditorRights, mayChange, requireMayChange } from './bug-permissions.ts'

const NONE: EditorRights = {
  hasEditbugs: false,
  hasCanconfirm: false,
  isTimeTracker: false,
  isInsider: false,
  restrictsComments: false,
  areCommentsRestricted: false,
  isAssignee: false,
  isQaContact: false,
  isReporter: false,
  reporterChoosesPriority: false,
}
/** A field of each kind. */
const FIELDS = [
  'comment',
  'cc.remove',
  'comment_is_private',
  'deadline',
  'is_confirmed',
  'assigned_to',
  'priority',
  'summary',
  'cf_own',
  'constructor',
]

describe('the fields that a user may change', () => {
  const cases: [title: string, rights: Partial<EditorRights>, allowed: string[]][] = [
    ['without rights', {}, ['comment']],
    ['without rights, where reporters choose the priority', { reporterChoosesPriority: true }, ['comment']],
    ['as an insider', { isInsider: true }, ['comment', 'comment_is_private']],
    ['as a time tracker', { isTimeTracker: true }, ['comment', 'deadline']],
    ['with canconfirm', { hasCanconfirm: true }, ['comment', 'is_confirmed']],
    ['as the reporter', { isReporter: true }, ['comment', 'summary', 'cf_own', 'constructor']],
    [
      'as the reporter who chooses the priority',
      { isReporter: true, reporterChoosesPriority: true },
      ['comment', 'priority', 'summary', 'cf_own', 'constructor'],
    ],
    ...(['isAssignee', 'isQaContact'] as const).map((role): [string, Partial<EditorRights>, string[]] => [
      `by ${role}`,
      { [role]: true },
      ['comment', 'cc.remove', 'assigned_to', 'priority', 'summary', 'cf_own', 'constructor'],
    ]),
    [
      'with editbugs',
      { hasEditbugs: true },
      ['comment', 'cc.remove', 'is_confirmed', 'assigned_to', 'priority', 'summary', 'cf_own', 'constructor'],
    ],
  ]
  for (const [title, rights, allowed] of cases)
    it(title, () => {
      const own = { ...NONE, ...rights }
      assert.deepEqual(
        FIELDS.filter((field) => mayChange(own, field)),
        allowed,
      )
      for (const field of FIELDS)
        if (allowed.includes(field)) requireMayChange(own, field)
        else
          assert.throws(
            () => requireMayChange(own, field),
            (fault) =>
              fault instanceof ApiError && fault.code === 115 && fault.message.includes(`change ${field}: it needs`),
          )
    })
})

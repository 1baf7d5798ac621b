import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_MATRIX, MAIL_PRESETS, MAIL_ROLES, PRESET_MATRIX } from '../../shared/mail-preferences.ts'
import { differences, nearestPreset, sentencesOf, withBox } from '../../web/views/settings/mail/mail-choices.ts'

describe('the choice of mail in words', () => {
  it('says what a preset, the default and a changed box mean', () => {
    const said = (matrix: typeof DEFAULT_MATRIX) => sentencesOf(matrix, MAIL_ROLES).join(' ')
    assert.match(said(PRESET_MATRIX.nothing), /^You get no mail about bugs\./)
    assert.equal(
      said(PRESET_MATRIX.requests),
      'You get a mail when somebody asks you for something or answers a request of yours.',
    )
    assert.match(
      said(DEFAULT_MATRIX),
      /have you on their CC list or you vote for: every change but the CC list\. From bugs that you reported: every change\..* Not about your own changes\.$/,
    )
    assert.match(said(PRESET_MATRIX.everything), /: every change\. Your own changes, too\.$/)
    const silent = withBox(PRESET_MATRIX.concerns_me, { role: 'cc', what: 'unconfirmed' }, false)
    assert.match(said(silent), /Nothing while a bug is unconfirmed in bugs that have you on their CC list\.$/)
  })

  it('belongs to the nearest preset, and each preset to itself', () => {
    for (const preset of MAIL_PRESETS) assert.equal(nearestPreset(PRESET_MATRIX[preset], MAIL_ROLES), preset)
    assert.equal(nearestPreset(DEFAULT_MATRIX, MAIL_ROLES), 'everything')
    assert.equal(differences(DEFAULT_MATRIX, PRESET_MATRIX.everything, MAIL_ROLES).length, 12)
  })
})

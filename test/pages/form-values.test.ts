import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FormContext, valuesOnceFiled } from '../../web/views/file/values-once-filed.ts'

describe('the values of a new bug, on which other fields depend', () => {
  const fieldOf = (name: string, type: number) => ({ name, type, is_custom: true }) as FormContext['fields'][number]
  const context = {
    fields: [fieldOf('cf_one', 2), fieldOf('cf_several', 3), fieldOf('cf_text', 1)],
    product: { classification: 'Devices' },
  }

  it('are the usual ones where nothing is chosen', () => {
    const filed = valuesOnceFiled({ severity: '', cf_text: '' }, context, { defaultseverity: 'normal' })
    assert.deepEqual(
      [filed.severity, filed.cf_one, filed.cf_several, filed.cf_text, filed.classification],
      ['normal', '---', [], undefined, 'Devices'],
    )
  })

  it('are what was chosen, and of a list each item', () => {
    const values = { severity: 'minor', cf_one: 'A', cf_several: 'A, B' }
    const filed = valuesOnceFiled(values, { ...context, product: undefined }, { defaultseverity: 'normal' })
    assert.deepEqual(
      [filed.severity, filed.cf_one, filed.cf_several, filed.classification],
      ['minor', 'A', ['A', 'B'], undefined],
    )
  })
})

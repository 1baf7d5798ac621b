import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isMeant } from '../soak/mutants/equivalent-mutant.ts'
import { EQUIVALENT_MUTANTS } from '../soak/mutants/equivalent-mutants.ts'
import { instrument } from '../soak/mutants/instrumented-copy.ts'

describe('the list of mutants that no test can catch', () => {
  it('has only mutants that are in the code, each in one place', async () => {
    const { mutants } = await instrument([...new Set(EQUIVALENT_MUTANTS.map(({ file }) => file))])
    for (const listed of EQUIVALENT_MUTANTS) {
      const lines = new Set(mutants.filter((mutant) => isMeant(listed, mutant)).map(({ line }) => line))
      assert.equal(lines.size, 1, `${listed.file}: ${listed.from} → ${listed.to}`)
    }
  })
})

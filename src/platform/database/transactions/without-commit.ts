/**
 * Returns what a transaction would do. `transaction` opens it and calls `finish` with the result as its last step, which rolls
 * everything back.
 */
export async function withoutCommit<Result>(
  transaction: (finish: (result: Result) => never) => Promise<unknown>,
): Promise<Result> {
  const rollback = new Rollback<Result>()
  try {
    await transaction((result) => {
      rollback.result = { value: result }
      throw rollback
    })
  } catch (fault) {
    if (fault === rollback && rollback.result !== undefined) return rollback.result.value
    throw fault
  }
  throw new Error('The transaction has not been finished')
}

class Rollback<Result> extends Error {
  result: { value: Result } | undefined
}

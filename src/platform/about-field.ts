import { ApiError } from './errors.ts'

/** Runs a step that reads or changes a field. An error of the step is about this field, unless it names one itself. */
export function aboutField<Result>(field: string, step: () => Result): Result {
  try {
    const result = step()
    return result instanceof Promise ? (result.catch((fault) => fail(field, fault)) as Result) : result
  } catch (fault) {
    return fail(field, fault)
  }
}

/** What a server cannot do at the moment, or an account not today, is about no field. */
function fail(field: string, fault: unknown): never {
  if (fault instanceof ApiError && fault.status < TOO_MANY_REQUESTS) fault.setField(field)
  throw fault
}

const TOO_MANY_REQUESTS = 429

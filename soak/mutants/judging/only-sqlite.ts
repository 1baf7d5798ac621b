import { syncBuiltinESMExports } from 'node:module'
import test from 'node:test'
import { isMainThread } from 'node:worker_threads'

/** Loaded before test files: leaves out what they repeat on PostgreSQL. See world.ts for the titles. */
if (isMainThread) {
  const original = test.describe
  const onSqlite = (...given: unknown[]) =>
    String(given[0]).endsWith('(postgres)') ? undefined : Reflect.apply(original, test, given)
  test.describe = Object.assign(onSqlite as typeof original, original)
  syncBuiltinESMExports()
}

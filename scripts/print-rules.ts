// Writes docs/rules.md and the schemas for agents from the code, and adds new error numbers to the snapshot. A recorded number never changes.
import { readFileSync, writeFileSync } from 'node:fs'
import { errorNumbers } from '../src/platform/errors.ts'
import { CALL_SCHEMAS, callSchemas } from './call-schemas.ts'
import { rulesPage } from './rules-page.ts'

const page = new URL('../docs/rules.md', import.meta.url)
const snapshot = new URL('../test/error-numbers.json', import.meta.url)

const noted: Record<string, number> = JSON.parse(readFileSync(snapshot, 'utf8'))
writeFileSync(snapshot, `${JSON.stringify({ ...errorNumbers, ...noted }, null, 2)}\n`)
writeFileSync(page, await rulesPage())
writeFileSync(CALL_SCHEMAS, callSchemas())

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiNameOf, OWN_LIMITS, type OwnLimitName } from '../src/access/own-limits.ts'
import { TABLE_BOUNDS } from '../src/access/table-bounds.ts'
import { CREDENTIAL_KINDS, ENDINGS, UNLISTED } from '../src/people/credentials/credential-kinds.ts'
import { type Audience, definitionOf, type SettingName, settingNames } from '../src/platform/config/settings.ts'
import { errorKinds, meanings } from '../src/platform/errors.ts'
import type { Rule } from '../src/platform/rule.ts'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** docs/rules.md: the rules, errors and parameters as the code defines them. */
export async function rulesPage(): Promise<string> {
  return `# Rules, errors and parameters

Generated from the code by \`npm run docs\`. Do not edit it: change the code and run the command again.

## Rules

Each sentence is a value in the code. Creating or changing an object checks its rules in this order; the client gets the error of the first
rule that is broken.

${(await ruleLists()).join('\n\n')}

## Errors

A number never changes its meaning, nor does a name. The name is the \`reason\` in the body of an error: it says which case happened.

| code | meaning | status: reasons |
|---|---|---|
${errorRows().join('\n')}

## What acts or listens for a user

What each of these can do, and what ends it. [\`GET /rest/user/(user)/credential\`](api/credential.md) lists those of a user. The last rows are not
listed: they end by themselves, or open nothing. A disabled account does nothing; what it has works again when the account is enabled, except
sessions, links and requested changes.

| what | can | ends with: ${Object.values(ENDINGS).join(' | ')} | also ends by |
|---|---|${'---|'.repeat(Object.keys(ENDINGS).length)}---|
${actingRows().join('\n')}

## What can pile up

What one account can have. An import keeps more, which its owner can still change and delete. A refusal is the error
\`own_limit\` (32000), whose \`values\` have the name of the limit (\`limit\`) and how much it is (\`most\`).

| what | in the \`values\` of the error | at most | then |
|---|---|---|---|
${limitRows().join('\n')}

Every table of the database: who can make rows in it, and what bounds their number. The rate limits are parameters (\`rate_limit_…\`).

| table | rows are made by | bounded by |
|---|---|---|
${tableRows().join('\n')}

## Parameters

Members of \`tweakparams\` change these while the server runs, with [\`PUT /rest/parameters\`](api/admin.md). Those with “admin” in the
column “changed by” amount to more rights or to fewer checks, so that only members of \`admin\` change them. A parameter whose value is a group is changed by
members of that group.

| parameter | default | read by | changed by | about |
|---|---|---|---|---|
${parameterRows().join('\n')}
`
}

function limitRows(): string[] {
  return Object.entries(OWN_LIMITS).map(([name, { most, what, ...limit }]) =>
    row(
      what,
      `\`${apiNameOf(name as OwnLimitName)}\``,
      most.toLocaleString('en'),
      'remedy' in limit ? `refused: ${limit.remedy}` : `removed: ${limit.removedFirst}`,
    ),
  )
}

function tableRows(): string[] {
  return Object.entries(TABLE_BOUNDS).map(([table, { by, bound }]) => {
    const limits = typeof bound === 'string' ? bound : bound.map((name) => OWN_LIMITS[name].what).join(', ')
    return row(`\`${table}\``, by, typeof bound === 'string' ? limits : `at most so many a user: ${limits}`)
  })
}

function actingRows(): string[] {
  return [...Object.values(CREDENTIAL_KINDS), ...UNLISTED].map(({ title, does, endedBy, also }) => {
    const ends = Object.keys(ENDINGS).map((ending) => ((endedBy as readonly string[]).includes(ending) ? 'yes' : 'no'))
    return row(title, does, ...ends, also)
  })
}

async function ruleLists(): Promise<string[]> {
  const files = await ruleFiles()
  return files.map(({ file, rules }) => `\`src/${file}\`\n\n${rules.map((rule) => `- ${rule.says}`).join('\n')}`)
}

interface RuleFile {
  file: string
  /** In the order of the file. */
  rules: Rule<never>[]
  /** The lists of rules that are enforced together, in the order they are checked. */
  lists: Rule<never>[][]
}

export async function ruleFiles(): Promise<RuleFile[]> {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => rulesIn(file).length > 0)
  return Promise.all(files.sort().map(rulesOf))
}

async function rulesOf(file: string): Promise<RuleFile> {
  const exported: Record<string, Rule<never> | Rule<never>[]> = await import(source + file)
  const rules = rulesIn(file).map((name) => (exported[name] ?? unexported(file, name)) as Rule<never>)
  return { file, rules, lists: Object.values(exported).filter((it) => Array.isArray(it)) }
}

function rulesIn(file: string): string[] {
  const text = readFileSync(source + file, 'utf8')
  return [...text.matchAll(/^(?:export )?const (\w+): Rule</gm)].map((match) => match[1] as string)
}

function unexported(file: string, name: string): never {
  throw new Error(`The rule ${name} in src/${file} is not exported, so it cannot be printed`)
}

function errorRows(): string[] {
  const codes = [...new Set(errorKinds.map(({ code }) => code))].sort((a, b) => a - b)
  return codes.map((code) => {
    const kinds = errorKinds.filter((kind) => kind.code === code)
    const statuses = [...new Set(kinds.map(({ status }) => status))].sort((a, b) => a - b)
    const named = statuses.map((status) => {
      const names = kinds.filter((kind) => kind.status === status).map(({ name }) => `\`${name}\``)
      return `${status}: ${names.join(', ')}`
    })
    return row(String(code), meanings[code] ?? '', named.join('; '))
  })
}

const AUDIENCES: Record<Audience, string> = {
  anyone: 'all',
  'anyone-by-name': 'anyone, by its name',
  'named-or-signed-in': 'logged in; others by its name',
  'signed-in': 'logged in',
  administrator: '`tweakparams`',
}

function changedBy(name: SettingName) {
  if (definitionOf(name)?.isForAdministrators) return '`admin`'
  return definitionOf(name)?.isGroup ? 'its members' : '`tweakparams`'
}

function parameterRows(): string[] {
  return settingNames.flatMap((name) => {
    const definition = definitionOf(name)
    if (!definition) return []
    const shipped = definition.defaultText === '' ? 'nothing' : `\`${definition.defaultText}\``
    return row(`\`${name}\``, shipped, AUDIENCES[definition.audience], changedBy(name), definition.about)
  })
}

function row(...cells: string[]) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Instrumenter } from '@stryker-mutator/instrumenter'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** One small fault in one file of src. It is in the instrumented copy, and active if the environment names its id. */
export interface Mutant {
  id: string
  file: string
  line: number
  column: number
  /** The line of the source in which it begins. */
  code: string
  kind: string
  original: string
  replacement: string
  /** A digest of the file without mutants. */
  source: string
}

export interface InstrumentedCopy {
  folder: string
  mutants: Mutant[]
}

/**
 * Texts are sentences of the documentation or names in SQL, which every request would miss. An empty object in place of one with fields
 * mostly fails the same way.
 */
const LEFT_OUT = ['StringLiteral', 'ObjectLiteral']

/** Copies the files of the repository to a new folder, with every mutant of these folders of src in them. */
export async function makeInstrumentedCopy(folders: readonly string[]): Promise<InstrumentedCopy> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file), { force: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const names = folders
    .flatMap((it) => globSync(`src/${it}/**/*.ts`, { cwd: ROOT }))
    .filter((name) => !name.endsWith('.test.ts'))
    .sort()
  const { files, mutants } = await instrument(names)
  for (const { name, content } of files) writeFileSync(join(folder, name), content)
  return { folder, mutants }
}

/** These files of the repository with every mutant in them. */
export async function instrument(
  names: readonly string[],
): Promise<{ files: { name: string; content: string }[]; mutants: Mutant[] }> {
  const sources = new Map(names.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]))
  const { files, mutants } = await new Instrumenter(SILENT).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: LEFT_OUT, ignorers: [] },
  )
  return {
    files: files.map(({ name, content }) => ({ name, content })),
    mutants: mutants
      .filter(({ status }) => status === undefined)
      .map(({ id, fileName, location, mutatorName, replacement }) => {
        const source = sources.get(fileName) ?? ''
        return {
          id,
          file: fileName,
          line: location.start.line + 1,
          column: location.start.column + 1,
          code: (source.split('\n')[location.start.line] ?? '').trim(),
          kind: mutatorName,
          original: textAt(source, location),
          replacement: replacement ?? '',
          source: createHash('sha256').update(source).digest('hex').slice(0, 16),
        }
      }),
  }
}

interface Position {
  line: number
  column: number
}

function textAt(source: string, { start, end }: { start: Position; end: Position }): string {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined))
    .join('\n')
}

const nothing = () => {}
const never = () => false
const SILENT = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
}

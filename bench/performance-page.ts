import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

/** Replaces a part of docs/performance.md, which begins and ends with comments that have its name. */
export function writePart(name: string, text: string) {
  const page = readFileSync(PAGE, 'utf8')
  const [first, last] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->\n`]
  const [from, to] = [page.indexOf(first), page.indexOf(last)]
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no part ${name}`)
  writeFileSync(PAGE, `${page.slice(0, from + first.length)}\n${text}\n\n${page.slice(to)}`)
  console.log(`docs/performance.md: ${name} written`)
}

/** What made the figures: the command, the day, the commit and the machine. */
export function originOf(args: readonly string[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const processors = cpus()
  const command = `npm run bench -- ${args.filter((arg) => arg !== 'write').join(' ')}`.replace(/ --\s*$/, '')
  const machine = `${processors.length} processors ${processors[0]?.model.trim() ?? ''}`.trim()
  return `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.version}, ${machine}.`
}

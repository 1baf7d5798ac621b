import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Reached {
  processorSeconds: number
  seconds: number
  mutants: string[]
  whileLoading: string[]
}

const FOLDER = fileURLToPath(new URL('../../.cache/mutants', import.meta.url))

/** What each test file reaches, kept for the next run as long as neither the file nor anything that it may load has changed. */
export class KeptCoverage {
  private readonly root: string
  private readonly shared: string

  /** Of the instrumented copy, in which the ids of the mutants are too. */
  constructor(root: string) {
    this.root = root
    const loaded = [
      ...globSync('{src,demo}/**/*.*', { cwd: root }),
      ...globSync('{test/support/*,soak/mutants/{note-coverage,run-with-mutants}}.ts', { cwd: root }),
      'package-lock.json',
    ]
    const digest = createHash('sha256')
    for (const file of loaded.filter((name) => !name.endsWith('.test.ts')).sort())
      digest.update(`${file}\0`).update(readFileSync(join(root, file)))
    this.shared = digest.digest('hex')
    mkdirSync(FOLDER, { recursive: true })
  }

  read(file: string): Reached | undefined {
    const kept = this.nameOf(file)
    return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : undefined
  }

  write(file: string, reached: Reached) {
    const kept = this.nameOf(file)
    writeFileSync(`${kept}.part`, JSON.stringify(reached))
    renameSync(`${kept}.part`, kept)
  }

  private nameOf(file: string) {
    const digest = createHash('sha256')
      .update(`${this.shared}\0${file}\0`)
      .update(readFileSync(join(this.root, file)))
    return join(FOLDER, `${digest.digest('hex').slice(0, 32)}.json`)
  }
}

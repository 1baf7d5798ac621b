import { toTime } from '../../src/platform/time/clock.ts'
import type { World } from './world.ts'

const TIMES = [
  ['bugs', 'created_at'],
  ['bugs', 'changed_at'],
  ['comments', 'at'],
  ['bug_changes', 'at'],
  ['attachments', 'created_at'],
  ['attachments', 'changed_at'],
  ['flags', 'created_at'],
  ['flags', 'modified_at'],
] as const

const NUMBERED = ['bugs', 'comments', 'attachments', 'flags', 'bug_see_also', 'changes'] as const

const BEGINNING = Date.parse('2001-01-01T00:00:00Z')
const ROOM = 50

/**
 * Two servers with the same data, times and ids, although more happens on one than on the other. Before each step the next ids are
 * set, and after it all new rows get the time of the step.
 */
export class Twins {
  readonly full: World
  readonly bare: World
  private step = 0

  constructor(full: World, bare: World) {
    this.full = full
    this.bare = bare
  }

  /** The time of the current or last step. */
  get now() {
    return toTime(BEGINNING + this.step * 60_000)
  }

  async happen(inFull: (world: World) => Promise<unknown>, inBare?: (world: World) => Promise<unknown>) {
    this.step += 1
    await this.inStep(this.full, inFull)
    if (inBare) await this.inStep(this.bare, inBare)
  }

  private async inStep(world: World, act: (world: World) => Promise<unknown>) {
    await world.db.script(NUMBERED.map((table) => numbering(world, table, 1000 + this.step * ROOM)).join(';\n'))
    await act(world)
    const dated = TIMES.map(
      ([table, column]) => `update ${table} set ${column} = '${this.now}' where ${column} > '2010'`,
    )
    await world.db.script(dated.join(';\n'))
  }
}

function numbering({ engine }: World, table: string, next: number) {
  // Not `alter table`, after which every connection plans all its statements again.
  if (engine === 'postgres') return `select setval(pg_get_serial_sequence('${table}', 'id'), ${next}, false)`
  return `delete from sqlite_sequence where name = '${table}';
    insert into sqlite_sequence (name, seq) values ('${table}', ${next - 1})`
}

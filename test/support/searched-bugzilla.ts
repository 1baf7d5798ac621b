import type { SourceDatabase, SourceTable, SourceValue } from './bugzilla-dump.ts'
import { smallBugzilla } from './small-bugzilla.ts'

/** Searches whose names or times differ here, with the bugs that they find. */
export const SEARCHES: readonly (readonly [name: string, query: string, found: number[]])[] = [
  ['by product', 'product=LAMP;query_format=advanced', []],
  ['by component', 'component=BULB;order=map_assigned_to.login_name%2Cbugs.bug_id%2Cbugs.votes', [15]],
  ['by keyword', 'f1=keywords&o1=anywords&v1=slow%2CCrash', [15]],
  ['by user', 'email1=EDNA%40example.com&emailtype1=exact&emailassigned_to1=1&email2=&emailcc2=1', [15]],
  ['by members', 'field0-0-0=assigned_to&type0-0-0=equals&value0-0-0=%25group.Secret%25', [15]],
  ['by me', 'f1=cc&o1=equals&v1=%25user%25', [10]],
  ['by an old change', 'chfield=bug_status&chfieldfrom=2020-01-31&chfieldto=2020-02-01&chfieldvalue=CONFIRMED', [10]],
  ['by an exact time', 'f1=delta_ts&o1=equals&v1=2021-07-01+12%3A00%3A00&bug_id=10', [10]],
  ['by a distance', 'f1=creation_ts&o1=lessthan&v1=-1y&f2=short_desc&o2=substring&v2=10', [10]],
  ['in Latin-1', 'quicksearch=gr%FC%DFe', [10]],
  ['of Edna', 'cmdtype=dorem&remaction=run&namedcmd=Open%20lamps&sharer_id=2', [10, 14]],
  ['With a login', 'buglist.cgi?bug_id=10&Bugzilla_login=insider%40example.com&Bugzilla_password=secret', [10]],
  ['with a login', '?bug_id=12&GoAheadAndLogIn=1', [12]],
]

const WHO = 'x_axis_field=assigned_to_realname;y_axis_field=bug_status;keywords=Crash;format=table;action=wrap'

/** The small database with names that differ only in case, and with searches and reports that use them. */
export function searchedBugzilla(): SourceDatabase {
  const database = smallBugzilla()
  const add = (name: string, ...rows: SourceValue[][]) => (database.get(name) as SourceTable).rows.push(...rows)
  add('groups', [15, 'Secret', 'Same name in another case', 1, '', 1, null])
  add('user_group_map', [5, 15, 0, 0], [6, 15, 0, 0], [6, 2, 0, 0])
  add('products', [9, 'LAMP', 1, 'Same name in another case', 1, '---', 1])
  add('components', [13, 'BULB', 3, 2, null, 'Same name in another case', 1])
  add('keyworddefs', [6, 'Crash', ''])
  add('keywords', [15, 6])
  add('namedqueries', ...SEARCHES.map(([name, query], index) => [20 + index, 6, name, query]))
  add('reports', [2, 6, 'Who', WHO], [3, 6, 'Odd axis', 'x_axis_field=votes'])
  const { columns, rows } = database.get('bugs') as SourceTable
  const column = (name: string) => columns.findIndex(([it]) => it === name)
  const bug = rows.find((row) => row[column('bug_id')] === 15) as SourceValue[]
  bug[column('assigned_to')] = 5
  bug[column('component_id')] = 13
  return database
}

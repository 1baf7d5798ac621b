import type { SourceDatabase, SourceTable, SourceValue } from './bugzilla-dump.ts'
import { smallBugzilla } from './small-bugzilla.ts'

type Values = Readonly<Record<string, SourceValue>>

/** The small database with what else twenty years leave behind: users and values without a number, cut texts. */
export function untidyBugzilla(): SourceDatabase {
  const database = smallBugzilla()
  const add = (name: string, values: Values, like?: number) => {
    const table = database.get(name) as SourceTable
    const model = like === undefined ? undefined : table.rows[like]
    const empty = (type: string) => (type.includes('text') ? '' : null)
    table.rows.push(
      table.columns.map(([column, type], index) => {
        const value = values[column]
        return value === undefined ? (model === undefined ? empty(type) : (model[index] as SourceValue)) : value
      }),
    )
  }
  const addBug = (values: Values) => {
    add('bugs', { cf_text: '', ...values }, 0)
    add('longdescs', { comment_id: 5000 + Number(values.bug_id), bug_id: values.bug_id as number, thetext: 'x' }, 0)
  }
  addPeople(add)
  addBug({ bug_id: 30, reporter: 0, assigned_to: null })
  addBug({ bug_id: 31, op_sys: '', priority: '', bug_severity: '', version: '', target_milestone: '' })
  addBug({ bug_id: 32, bug_status: 'WEIRD', resolution: 'ODD', cf_when: '2022-13-45 00:00:00', cf_count: 2147483647 })
  addBug({ bug_id: 33, short_desc: cut('grün ü'), status_whiteboard: SURROGATES, bug_file_loc: MIXED })
  addBug({ bug_id: 8388607, estimated_time: '99999.99', remaining_time: '0.33' })
  for (let number = 0; number < 300; number++) {
    const at = `2022-02-01 00:${String(number % 60).padStart(2, '0')}:00`
    const kind = { type: number % 8, extra_data: number % 3 === 0 ? null : String(number % 20) }
    add('longdescs', { comment_id: 10_000 + number, bug_id: 33, who: 2, bug_when: at, isprivate: number % 2, ...kind })
    add('cc', { bug_id: 33, who: 100 + number })
  }
  add('longdescs', { comment_id: 20_000, bug_id: 33, who: 0, bug_when: '2022-03-01 00:00:00', thetext: LONG })
  add('bugs_activity', { id: 90, bug_id: 33, attach_id: 9999, who: 0, bug_when: '2022-01-01 00:00:00', fieldid: 9 })
  add('attachments', { attach_id: 200, bug_id: 33, submitter_id: 0, isprivate: 1 })
  add('flags', { id: 300, type_id: 3, status: '?', bug_id: 33, attach_id: 200, setter_id: 0, requestee_id: 555 })
  for (const name of ['one', 'two']) add('keyworddefs', { id: null, name })
  add('series', { series_id: 0, category: 2, subcategory: 2, name: 'Without a number', frequency: 1 })
  add('series_data', { series_id: 0, series_date: '2022-01-01 00:00:00', series_value: 1 })
  add('bug_group_map', { bug_id: 30, group_id: 4040 })
  add('duplicates', { dupe: 30, dupe_of: 31 })
  add('audit_log', { user_id: 555, class: 'Bugzilla::Product', object_id: 3, field: 'name', at_time: NEVER })
  add('profiles_activity', { id: 80, userid: 2, who: 555, profiles_when: '2022-01-01 00:00:00' }, 0)
  add('user_api_keys', { id: 900, user_id: 2, api_key: 'x'.repeat(40), last_used: NEVER })
  add('classifications', { id: 10, name: '', sortkey: 0 })
  add('tag', { id: 700, name: 'unused', user_id: 2 })
  add('namedqueries', { id: 900, userid: 2, name: '(Default query)', query: 'product=Lamp' })
  addProducts(add)
  // Names that every object of JavaScript has, and numbers that are not whole.
  database.set('constructor', { columns: [['valueof', 'int(11)']], rows: [[1]] })
  addBug({ bug_id: 34, reporter: '0.5', component_id: '0.5' })
  return database
}

const NEVER = '0000-00-00 00:00:00'
const LONG = 'lamp '.repeat(30_000)
/** U+1F600 as two surrogates of three bytes each, between two letters. */
const SURROGATES = Buffer.from([0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x62])
/** A text of UTF-8 with a half of a character and with a byte of Latin-1. */
const MIXED = Buffer.concat([Buffer.from('ü😀'), Buffer.from([0xed, 0xa0, 0xbd]), Buffer.from([0xdf])])

function cut(text: string) {
  return Buffer.from(text).subarray(0, -1)
}

type AddRow = (table: string, values: Values, like?: number) => void

function addPeople(add: AddRow) {
  const logins = ['nobody', 'UPPER@EXAMPLE.COM', 'with space@x', '', 'x'.repeat(255)]
  for (const [index, login] of logins.entries())
    add('profiles', {
      userid: 20 + index,
      login_name: login,
      realname: '😀'.repeat(60),
      is_enabled: 1,
      extern_id: 'ldap-1',
      last_seen_date: index === 0 ? '0000-00-00' : null,
    })
  add('profiles', { userid: 401, login_name: 'off@x.test', is_enabled: 0, disabledtext: '' })
  for (let id = 100; id < 400; id++) add('profiles', { userid: id, login_name: `u${id}@x.test`, is_enabled: 1 })
}

function addProducts(add: AddRow) {
  add('classifications', { id: 9, name: 'Empty', sortkey: -5 })
  add('products', { id: 40, name: 'Sleeping', classification_id: 1, isactive: 0, defaultmilestone: 'M1' })
  add('components', { id: 40, name: 'C', product_id: 40, initialowner: 0, isactive: 0 })
  add('milestones', { id: 90, product_id: 3, value: 'negative', sortkey: -32768, isactive: 0 })
  for (let control = 0; control < 16; control++) {
    const controls = {
      membercontrol: control >> 2,
      othercontrol: control & 3,
      entry: control & 1,
      canedit: control & 1,
    }
    add('groups', { id: 101 + control, name: `g${control}`, isbuggroup: 1, isactive: control & 1 })
    add('group_control_map', { group_id: 101 + control, product_id: 40, ...controls })
  }
  add('whine_events', { id: 50, owner_userid: 3, subject: null, body: null })
  for (const id of [60, 61]) add('whine_queries', { id, eventid: 50, query_name: 'Open lamps', sortkey: id })
  const times: [number, string | null, string | null][] = [
    [70, 'All', '15min'],
    [71, 'last', '0'],
    [72, '31', '23'],
    [73, null, null],
  ]
  for (const [id, day, time] of times)
    add('whine_schedules', { id, eventid: 50, run_day: day, run_time: time, mailto: 101, mailto_type: 1 })
  add('series', { series_id: 80, creator: 99, category: 2, subcategory: 2, name: 'Open', frequency: 0, is_public: 1 })
}

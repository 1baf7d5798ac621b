import { dictionary } from '../../../platform/text/dictionary.ts'

/** Columns as they were called in the SQL of older releases. */
const COLUMNS: Readonly<Record<string, string>> = dictionary({
  'map_assigned_to.login_name': 'assigned_to',
  'map_reporter.login_name': 'reporter',
  'map_qa_contact.login_name': 'qa_contact',
  'map_assigned_to.realname': 'assigned_to_realname',
  'map_reporter.realname': 'reporter_realname',
  'map_qa_contact.realname': 'qa_contact_realname',
  'map_product.name': 'product',
  'map_products.name': 'product',
  'map_component.name': 'component',
  'map_components.name': 'component',
  'map_classification.name': 'classification',
  'map_classifications.name': 'classification',
  'ms_order.value': 'target_milestone',
  'priority.value': 'priority',
  'bug_severity.value': 'bug_severity',
  'bug_status.value': 'bug_status',
  'resolution.value': 'resolution',
  'op_sys.value': 'op_sys',
  'rep_platform.value': 'rep_platform',
})

/** Sort keys of values come with the values, which are in that order here. Votes are not counted here. */
const WITHOUT_MEANING = /^(?:\w+\.sortkey|(?:bugs\.)?votes|reuse same sort as last time)$/i

/** An order of Bugzilla with the names of columns here. */
export function orderHere(order: string): string {
  const columns = order.split(',').flatMap((part) => {
    const [, column = '', direction = ''] = /^\s*(.*?)(\s+(?:asc|desc))?\s*$/is.exec(part) ?? []
    if (WITHOUT_MEANING.test(column)) return []
    const known = COLUMNS[column.toLowerCase()]
    return [known === undefined ? part : known + direction]
  })
  return columns.join(',')
}

// Parameters of Bugzilla's search form that mean something only together, as conditions that the builder can change.
import type { Bracket, Condition, Part } from './criteria.ts'

/** Names of these parameters. */
export const FORM_PARAMETERS =
  /^(email(type)?\d|email(assigned_to|reporter|qa_contact|cc|longdesc)\d|chfield|deadline(from|to)$)/
export const ROLES = ['assigned_to', 'reporter', 'qa_contact', 'cc', 'longdesc'] as const

const NUMBERS = ['1', '2', '3']

export function formConditions(query: URLSearchParams): Part[] {
  return [...peopleConditions(query), ...changeConditions(query), ...deadlineConditions(query)]
}

export function withoutForm(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !FORM_PARAMETERS.test(name)))
}

function where(field: string, operator: string, value: string): Condition {
  return { field, operator, value, isNegated: false }
}

/** One condition as it is, several in a bracket. */
function joined(join: Bracket['join'], parts: Part[]): Part[] {
  return parts.length < 2 ? parts : [{ join, isNegated: false, parts }]
}

function peopleConditions(query: URLSearchParams): Part[] {
  return NUMBERS.flatMap((number) => {
    const value = query.get(`email${number}`)
    if (!value) return []
    const type = query.get(`emailtype${number}`) ?? 'substring'
    const roles = ROLES.filter((role) => query.has(`email${role}${number}`))
    const fields = roles.map((role) => (role === 'longdesc' ? 'commenter' : role))
    return joined(
      'OR',
      fields.map((field) => where(field, type === 'exact' ? 'equals' : type, value)),
    )
  })
}

/** The field, the time and the value of one and the same change. */
function changeConditions(query: URLSearchParams): Part[] {
  const fields = query.getAll('chfield').flatMap((list) => list.split(','))
  const [from, to, value] = ['from', 'to', 'value'].map((end) => query.get(`chfield${end}`) ?? '')
  const alternatives = fields.flatMap((name) => {
    const field = name === '[Bug creation]' ? 'creation_ts' : name
    const [after, before] =
      field === 'creation_ts' ? ['greaterthaneq', 'lessthaneq'] : ['changedafter', 'changedbefore']
    const parts = [
      ...(from ? [where(field, after ?? '', from)] : []),
      ...(to && to.toLowerCase() !== 'now' ? [where(field, before ?? '', to)] : []),
      ...(value ? [where(field, 'changedto', value)] : []),
    ]
    return joined('AND_G', parts.length > 0 ? parts : [where(field, 'everchanged', '')])
  })
  return joined('OR', alternatives)
}

function deadlineConditions(query: URLSearchParams): Part[] {
  const [from, to] = ['deadlinefrom', 'deadlineto'].map((name) => query.get(name))
  return [
    ...(from ? [where('deadline', 'greaterthaneq', from)] : []),
    ...(to ? [where('deadline', 'lessthaneq', to)] : []),
  ]
}

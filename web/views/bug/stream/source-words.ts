import type { HistoryEntry } from '../../../core/server/types.ts'

type Source = HistoryEntry['source']

/** By what a change was made; nothing about pages, which are the usual case, and what is not known. */
export function sourceWords({ kind, name, proposer }: Source): string {
  switch (kind) {
    case 'key':
      return name === undefined ? 'with an API key' : `with the API key “${name}”`
    case 'login':
      return 'with a program'
    case 'mail':
      return 'by mail'
    case 'code':
      return name === undefined ? 'from code' : `from ${name}`
    case 'import':
      return 'imported'
    case 'proposal':
      return `proposed ${name === undefined ? 'with an API key' : `with the API key “${name}”`}${proposer === undefined ? '' : ` of ${proposer}`}`
    case 'server':
      return 'by the server'
    default:
      return ''
  }
}

import { isIP, isIPv6 } from 'node:net'
import { errors } from '../../../platform/errors.ts'
import type { Rule } from '../../../platform/rule.ts'
import { isOneLine } from '../../../platform/text/one-line.ts'
import { COMMENTING, RESOLVING, SOURCE_KINDS, type SourceEdit } from './code-source.ts'

const LONGEST_NAME = 64
const LONGEST_LINE = 255
const MOST_REPOSITORIES = 200
const MOST_WORDS = 20
const LONGEST_WORD = 32
const MOST_NETWORKS = 100

export const LEAST_SECRET = 16
export const MOST_SECRET = 500

export const sourcesHaveAName: Rule<SourceEdit> = {
  says: `A source of code has a name of 1 to ${LONGEST_NAME} letters, digits, dots, hyphens and underscores, because it is part of an address.`,
  brokenBy: ({ name }) => !/^[a-z0-9][a-z0-9._-]*$/i.test(name) || name.length > LONGEST_NAME,
  error: ({ name }) =>
    name === ''
      ? errors.parameter_required({ name: 'name' })
      : errors.bad_value({
          name: 'name',
          value: name,
          right: `it must have 1 to ${LONGEST_NAME} letters, digits, dots, hyphens and underscores`,
        }),
}

export const sourcesAreOfAKnownKind: Rule<SourceEdit> = {
  says: `A source of code is of one of the kinds ${SOURCE_KINDS.join(', ')}.`,
  brokenBy: ({ kind }) => !SOURCE_KINDS.includes(kind),
  error: ({ kind }) =>
    errors.bad_value({ name: 'kind', value: kind, right: `it must be one of ${SOURCE_KINDS.join(', ')}` }),
}

export const sourcesAreReadByHttp: Rule<SourceEdit> = {
  says: `The address of the API of a source is empty, or begins with https:// or http:// and contains no login, query or fragment.`,
  brokenBy: ({ api_address }) => api_address !== '' && !isPlainAddress(api_address),
  error: () =>
    errors.bad_value({
      name: 'api_address',
      value: '…',
      right: 'it must begin with https:// or http:// and contain no login, query or fragment',
    }),
}

export const repositoriesAreNamed: Rule<SourceEdit> = {
  says: `The repositories of a source are at most ${MOST_REPOSITORIES} names such as owner/name, or owner/* for all of one owner.`,
  brokenBy: ({ repositories }) =>
    repositories.length > MOST_REPOSITORIES || repositories.some((it) => !isRepositoryName(it)),
  error: ({ repositories }) =>
    errors.bad_value({
      name: 'repositories',
      value: repositories.find((it) => !isRepositoryName(it)) ?? `${repositories.length}`,
      right: `it must contain at most ${MOST_REPOSITORIES} names such as owner/name or owner/*`,
    }),
}

export const networksAreAddresses: Rule<SourceEdit> = {
  says: `The networks that a source sends from are at most ${MOST_NETWORKS} addresses or networks such as 192.0.2.0/24.`,
  brokenBy: ({ networks }) => networks.length > MOST_NETWORKS || networks.some((it) => !isNetwork(it)),
  error: ({ networks }) =>
    errors.bad_value({
      name: 'networks',
      value: networks.find((it) => !isNetwork(it)) ?? `${networks.length}`,
      right: 'it must be addresses or networks such as 192.0.2.0/24',
    }),
}

export const wordsAreShort: Rule<SourceEdit> = {
  says: `The words that link or resolve are at most ${MOST_WORDS} of each, of 1 to ${LONGEST_WORD} letters.`,
  brokenBy: ({ link_words, resolve_words }) => wrongWords(link_words) || wrongWords(resolve_words),
  error: ({ link_words, resolve_words }) =>
    errors.bad_value({
      name: wrongWords(link_words) ? 'link_words' : 'resolve_words',
      value: [...link_words, ...resolve_words].find((word) => !isWord(word)) ?? '…',
      right: `it must contain at most ${MOST_WORDS} words of 1 to ${LONGEST_WORD} letters`,
    }),
}

export const resolvingIsKnown: Rule<SourceEdit> = {
  says: `A merge resolves bugs never, if a word says so, or always.`,
  brokenBy: ({ resolves }) => !RESOLVING.includes(resolves),
  error: ({ resolves }) =>
    errors.bad_value({ name: 'resolves', value: resolves, right: `it must be one of ${RESOLVING.join(', ')}` }),
}

export const commentingIsKnown: Rule<SourceEdit> = {
  says: `A source comments never, on commits, or on all that is linked.`,
  brokenBy: ({ comments }) => !COMMENTING.includes(comments),
  error: ({ comments }) =>
    errors.bad_value({ name: 'comments', value: comments, right: `it must be one of ${COMMENTING.join(', ')}` }),
}

/** In the order they are checked: the first broken rule is the error that the client gets. */
export const codeSourceRules = [
  sourcesHaveAName,
  sourcesAreOfAKnownKind,
  sourcesAreReadByHttp,
  repositoriesAreNamed,
  networksAreAddresses,
  wordsAreShort,
  resolvingIsKnown,
  commentingIsKnown,
]

function isPlainAddress(address: string) {
  if (!/^https?:\/\/[!-~]+$/i.test(address) || address.length > LONGEST_LINE || !URL.canParse(address)) return false
  const { username, password, search, hash } = new URL(address)
  return `${username}${password}${search}${hash}` === ''
}

function isRepositoryName(name: string) {
  return name !== '' && name.length <= LONGEST_LINE && isOneLine(name) && /^[^\s*]+\*?$/.test(name)
}

function isNetwork(text: string) {
  const [address = '', bits, ...rest] = text.split('/')
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32))
}

function wrongWords(words: readonly string[]) {
  return words.length > MOST_WORDS || words.some((word) => !isWord(word))
}

function isWord(word: string) {
  return word.length <= LONGEST_WORD && /^\p{L}+$/u.test(word)
}

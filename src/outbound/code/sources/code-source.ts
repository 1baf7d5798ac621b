/** The kinds of sources. `git` is a repository whose hook runs the command `lacewing git-hook`. */
export const SOURCE_KINDS = ['github', 'gitlab', 'forgejo', 'gerrit', 'phabricator', 'git'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** Whether a merged change, or a commit on the default branch, resolves the bugs that it names. */
export const RESOLVING = ['never', 'words', 'always'] as const
export type Resolving = (typeof RESOLVING)[number]

/** What the account of the source comments on: nothing, new commits, or also new changes. */
export const COMMENTING = ['never', 'commits', 'all'] as const
export type Commenting = (typeof COMMENTING)[number]

/** What administrators decide about a source, besides its secret and token. */
export interface SourceEdit {
  name: string
  kind: SourceKind
  api_address: string
  user_id: number
  /** Login name, for the audit log. */
  user: string
  is_active: boolean
  repositories: readonly string[]
  products: readonly { id: number; name: string }[]
  networks: readonly string[]
  link_words: readonly string[]
  resolve_words: readonly string[]
  resolves: Resolving
  resolve_status: string
  resolve_resolution: string
  comments: Commenting
  attaches: boolean
  links_back: boolean
  is_private: boolean
}

export interface CodeSource extends SourceEdit {
  id: number
  /** Sealed. */
  secret: string
  /** Sealed; empty if there is none. */
  token: string
  isAccountDisabled: boolean
}

/** The words that the source looks for, and what they do. */
export type SourceWords = Pick<SourceEdit, 'link_words' | 'resolve_words' | 'resolves'>

export const NEW_SOURCE: Omit<SourceEdit, 'name' | 'kind' | 'user_id' | 'user'> = {
  api_address: '',
  is_active: true,
  repositories: [],
  products: [],
  networks: [],
  link_words: ['bug'],
  resolve_words: ['fixes', 'closes', 'resolves'],
  resolves: 'never',
  resolve_status: 'RESOLVED',
  resolve_resolution: 'FIXED',
  comments: 'never',
  attaches: false,
  links_back: false,
  is_private: false,
}

/** The edit as the audit log has it, one text for each field. */
export function writtenSource({ user_id: _, products, ...edit }: SourceEdit) {
  const { repositories, networks, link_words, resolve_words, ...plain } = edit
  const lists = { repositories, networks, link_words, resolve_words, products: products.map(({ name }) => name) }
  return { ...plain, ...mapped(lists) }
}

function mapped(lists: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.join(', ')]))
}

/** Whether the source may report about the repository: all may be, those of one owner (`owner/*`), or single ones. */
export function hasRepository({ repositories }: Pick<SourceEdit, 'repositories'>, repository: string): boolean {
  const name = repository.toLowerCase()
  return (
    repositories.length === 0 ||
    repositories.some((it) => {
      const wanted = it.toLowerCase()
      return wanted === name || (wanted.endsWith('*') && name.startsWith(wanted.slice(0, -1)))
    })
  )
}

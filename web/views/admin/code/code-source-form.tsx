import { useState } from 'preact/hooks'
import type { Answer } from '../../../../client/call-types.ts'
import { post, put } from '../../../core/server/rest.ts'
import { showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { SelectField, TextField } from '../../../parts/field.tsx'
import { FormFault } from '../../../parts/form-fault.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import type { NewSecret } from './source-set-up.tsx'

export type ListedSource = Answer<'GET /admin/code'>['sources'][number]

interface Props {
  /** Without one: a new source. */
  source?: ListedSource
  onSaved(secret?: NewSecret): void
  onClose(): void
}

const KINDS = [
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['forgejo', 'Forgejo or Gitea'],
  ['gerrit', 'Gerrit'],
  ['phabricator', 'Phabricator or Phorge'],
  ['git', 'A repository with our hook'],
].map(([value = '', name = '']) => ({ value, name }))
const RESOLVES = [
  { value: 'never', name: 'resolves nothing' },
  { value: 'words', name: 'resolves bugs after a word that says so' },
  { value: 'always', name: 'resolves every bug that it names' },
]
const COMMENTS = [
  { value: 'never', name: 'on nothing' },
  { value: 'commits', name: 'on pushed commits' },
  { value: 'all', name: 'on commits and on new changes' },
]

export function CodeSourceForm({ source, onSaved, onClose }: Props) {
  const [values, setValues] = useState({
    name: source?.name ?? '',
    kind: source?.kind ?? 'github',
    user: source?.user ?? '',
    api_address: source?.api_address ?? '',
    repositories: source?.repositories.join(', ') ?? '',
    products: source?.products.join(', ') ?? '',
    networks: source?.networks.join(', ') ?? '',
    link_words: source?.link_words.join(', ') ?? 'bug',
    resolve_words: source?.resolve_words.join(', ') ?? 'fixes, closes, resolves',
    resolves: source?.resolves ?? 'never',
    comments: source?.comments ?? 'never',
    attaches: source?.attaches ?? false,
    links_back: source?.links_back ?? false,
    is_private: source?.is_private ?? false,
  })
  const [secret, setSecret] = useState('')
  const [token, setToken] = useState('')
  const change = (part: Partial<typeof values>) => setValues((last) => ({ ...last, ...part }))
  const { submit, isBusy, fault } = useSubmit(async () => {
    const params = {
      ...values,
      ...listsIn(values),
      ...(secret !== '' && { secret }),
      ...(token !== '' && { api_token: token }),
    }
    if (source === undefined) {
      const made = await post('/admin/code', params)
      onSaved({ address: made.address, secret: made.secret })
    } else {
      await put('/admin/code/:source', { source: source.name, ...params })
      onSaved()
    }
    showToast({ kind: 'done', text: `“${values.name}” is saved.` })
    onClose()
  })
  const title = source === undefined ? 'New source of code' : `Change ${source.name}`
  const isGerrit = values.kind === 'gerrit'
  return (
    <form class="stack" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      <TextField
        label="Name"
        isNeeded
        isFocused
        value={values.name}
        onText={(name) => change({ name })}
        hint="Letters, digits and hyphens: it is part of the address."
      />
      <SelectField label="Kind" value={values.kind} options={KINDS} onChoice={(kind) => change({ kind })} />
      <TextField
        label="Acts as"
        isNeeded
        value={values.user}
        onText={(user) => change({ user })}
        hint="Login name of an account. What it may not see or change, the source does not touch."
      />
      <TextField
        label="Products"
        value={values.products}
        onText={(products) => change({ products })}
        hint="With commas; empty for all that the account may change."
      />
      <TextField
        label="Repositories"
        value={values.repositories}
        onText={(repositories) => change({ repositories })}
        hint="Such as owner/name, or owner/*; empty for all."
      />
      <TextField label="Words that link" value={values.link_words} onText={(link_words) => change({ link_words })} />
      <TextField
        label="Words that resolve"
        value={values.resolve_words}
        onText={(resolve_words) => change({ resolve_words })}
      />
      <SelectField
        label="A merge"
        value={values.resolves}
        options={RESOLVES}
        onChoice={(resolves) => change({ resolves })}
      />
      <SelectField
        label="It comments"
        value={values.comments}
        options={COMMENTS}
        onChoice={(comments) => change({ comments })}
      />
      <Choice
        label="Attach the address of a change to its bugs"
        isOn={values.attaches}
        onChoice={(attaches) => change({ attaches })}
      />
      <Choice
        label="The code is not public: store no titles and authors"
        isOn={values.is_private}
        onChoice={(is_private) => change({ is_private })}
      />
      <TextField
        label="Networks that it sends from"
        value={values.networks}
        onText={(networks) => change({ networks })}
        hint={isGerrit ? 'Gerrit cannot sign, so name its address.' : 'With commas; empty for any.'}
      />
      <TextField
        label="Secret"
        type="password"
        autocomplete="new-password"
        value={secret}
        onText={setSecret}
        hint={source === undefined ? 'Empty makes one, which is shown once.' : 'Empty keeps the present one.'}
      />
      <TextField
        label="Token of its API"
        type="password"
        autocomplete="new-password"
        value={token}
        onText={setToken}
        hint={
          source?.has_token
            ? 'Empty keeps the present one, which is never shown.'
            : 'Only to read states and to write back.'
        }
      />
      <TextField
        label="Address of its API"
        type="url"
        value={values.api_address}
        onText={(api_address) => change({ api_address })}
        hint="Empty for github.com, gitlab.com and codeberg.org."
      />
      <Choice
        label="Comment there with the address of public bugs (needs a token)"
        isOn={values.links_back}
        onChoice={(links_back) => change({ links_back })}
      />
      <FormFault text={fault?.message} />
      <div class="row wrap">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

const LISTS = ['repositories', 'products', 'networks', 'link_words', 'resolve_words'] as const

/** What is typed with commas, as lists. */
function listsIn(values: Readonly<Record<(typeof LISTS)[number], string>>) {
  const listOf = (text: string) => text.split(',').flatMap((it) => it.trim() || [])
  return {
    repositories: listOf(values.repositories),
    products: listOf(values.products),
    networks: listOf(values.networks),
    link_words: listOf(values.link_words),
    resolve_words: listOf(values.resolve_words),
  }
}

function Choice({ label, isOn, onChoice }: { label: string; isOn: boolean; onChoice(isOn: boolean): void }) {
  return (
    <label class="checkbox-label">
      <input
        class="checkbox"
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChoice(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

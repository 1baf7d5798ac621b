import { reasonWithoutFunction } from '../../../../shared/system-group-names.ts'
import { put } from '../../../core/server/rest.ts'
import { useData } from '../../../core/server/use-data.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Icon } from '../../../parts/icon.tsx'
import { GRANTED_GROUPS_CALL } from '../rights.tsx'
import { type Account, nameIn } from './account.ts'

interface Props {
  account: Account
  onChange(): void
}

const SOURCES = { direct: '', regexp: 'by its pattern', provider: 'by an identity provider', group: 'through a group' }

/** Saved at once. Inherited groups are dashed, and cannot be taken away here. */
export function PersonGroups({ account, onChange }: Props) {
  const all = useData(GRANTED_GROUPS_CALL).body?.groups ?? []
  const given = new Map(all.filter(({ may_grant }) => may_grant).map((it) => [it.name, it]))
  const has = new Set(account.groups.filter(({ source }) => source === 'direct').map(({ name }) => name))
  // The groups of the installation come first.
  const offered = [...given.values()]
    .filter(({ name }) => !has.has(name) && reasonWithoutFunction(name) === undefined)
    .sort((one, other) => Number(one.is_system) - Number(other.is_system))
  const change = async (operation: 'add' | 'remove', group: string, isUndo = false) => {
    try {
      await put('/user/:ref', { ref: account.id, groups: { [operation]: [group] } })
      const text = `${nameIn(account)} ${operation === 'add' ? 'is in' : 'is no longer in'} ${group}.`
      const action = { name: 'Undo', run: () => void change(operation === 'add' ? 'remove' : 'add', group, true) }
      showToast({ kind: 'done', text, ...(!isUndo && { action }) })
    } catch (fault) {
      showFault(fault)
    }
    onChange()
  }
  const inherited = account.groups.filter(({ source }) => source !== 'direct')
  return (
    <section class="person-part" aria-label="Groups">
      <h3>Groups</h3>
      <div class="row wrap">
        {[...has].map((name) => (
          <span key={name} class="chip">
            <span dir="auto">{name}</span>
            {given.has(name) && (
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove from ${name}`}
                onClick={() => void change('remove', name)}
              >
                <Icon name="x" size="tiny" />
              </button>
            )}
          </span>
        ))}
        {inherited.map(({ name, source }) => (
          <span key={name} class="chip chip-inherited" title={SOURCES[source]}>
            <Icon name="tree" size="small" />
            <span dir="auto">{name}</span>
            <span class="visually-hidden">{SOURCES[source]}</span>
          </span>
        ))}
        {account.groups.length === 0 && <span class="muted">none</span>}
      </div>
      {inherited.length > 0 && (
        <p class="faint small">Dashed groups come through another group, a pattern or a provider.</p>
      )}
      {offered.length > 0 && (
        <select
          class="input select person-add"
          aria-label="Add to a group"
          value=""
          onChange={({ currentTarget: { value } }) => value !== '' && void change('add', value)}
        >
          <option value="">Add to a group…</option>
          {offered.map(({ name, description }) => (
            <option key={name} value={name}>
              {name}: {description}
            </option>
          ))}
        </select>
      )}
    </section>
  )
}

import type { Product } from '../../core/server/types.ts'
import { FieldError } from '../../parts/field.tsx'
import type { NewBug } from './new-bug.ts'

type FilingGroup = NonNullable<Product['filing']>['groups'][number]

interface Props {
  bug: NewBug
  onBug(bug: NewBug): void
  product: Product | undefined
  error: string | undefined
}

/** The groups that the bug can be restricted to. Nothing is shown where there are none. */
export function WhoSees({ bug, onBug, product, error }: Props) {
  const groups = product?.filing?.groups ?? []
  if (groups.length === 0) return null
  const chosen = new Set(chosenGroups(bug, groups))
  const set = (names: readonly string[]) => onBug({ ...bug, groups: names })
  const [only] = groups
  return (
    <fieldset class="file-section">
      <legend class="label">Who can see this</legend>
      {groups.length === 1 && only !== undefined && only.use !== 'mandatory' ? (
        <OneGroup group={only} isChosen={chosen.has(only.name)} onChoice={(is) => set(is ? [only.name] : [])} />
      ) : (
        <Groups groups={groups} chosen={chosen} onChoice={set} />
      )}
      {error !== undefined && <FieldError error={error} />}
    </fieldset>
  )
}

function chosenGroups(bug: NewBug, groups: readonly FilingGroup[]): string[] {
  const isChosen = ({ name, use }: FilingGroup) =>
    use === 'mandatory' || (bug.groups === undefined ? use === 'default' : bug.groups.includes(name))
  return groups.filter(isChosen).map(({ name }) => name)
}

interface OneProps {
  group: FilingGroup
  isChosen: boolean
  onChoice(isChosen: boolean): void
}

function OneGroup({ group, isChosen, onChoice }: OneProps) {
  return (
    <>
      <label class="checkbox-label">
        <input class="checkbox" type="radio" name="groups" checked={!isChosen} onChange={() => onChoice(false)} />
        Everybody
      </label>
      <label class="checkbox-label">
        <input class="checkbox" type="radio" name="groups" checked={isChosen} onChange={() => onChoice(true)} />
        <span>
          Only the group <b dir="auto">{group.name}</b>, you, and those on CC{' '}
          <span class="faint" dir="auto">
            {group.description}
          </span>
        </span>
      </label>
    </>
  )
}

interface GroupsProps {
  groups: readonly FilingGroup[]
  chosen: ReadonlySet<string>
  onChoice(names: readonly string[]): void
}

function Groups({ groups, chosen, onChoice }: GroupsProps) {
  return (
    <>
      {groups.map(({ name, description, use }) => (
        <label key={name} class="checkbox-label">
          <input
            class="checkbox"
            type="checkbox"
            checked={chosen.has(name)}
            disabled={use === 'mandatory'}
            onChange={() => onChoice(chosen.has(name) ? [...chosen].filter((it) => it !== name) : [...chosen, name])}
          />
          <span>
            Only the group <b dir="auto">{name}</b>{' '}
            <span class="faint" dir="auto">
              {use === 'mandatory' ? 'always, in this product' : description}
            </span>
          </span>
        </label>
      ))}
      <div class="hint">
        {chosen.size === 0 ? 'If none is ticked, everybody can see it.' : 'You and those on CC can see it too.'}
      </div>
    </>
  )
}

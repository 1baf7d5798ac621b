import { Icon } from '../../../parts/icon.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { Group } from '../group.tsx'
import { changeList, saveValue } from '../properties/save.ts'
import { useBug, useBugStore } from '../use-bug.ts'

/** The groups that the bug is restricted to, and who sees it besides. */
export function WhoSees() {
  const store = useBugStore()
  const bug = useBug()
  const access = store.access.value
  if (access === undefined) return null
  const isSecret = bug.groups.length > 0
  const isNow = store.asOf.value === undefined
  const offered = isNow ? (access.addable_groups ?? []) : []
  const names = [...new Set([...bug.groups, ...offered])].sort()
  return (
    <Group
      title="Who can see this"
      count={
        isSecret && (
          <span class="secret">
            <Icon name="lock" size="small" />
          </span>
        )
      }
    >
      <div class="who-sees">
        {names.map((name) => {
          const isIn = bug.groups.includes(name)
          const rule = access.groups.find((group) => group.name === name)
          const can = isNow && (isIn ? (rule?.can_remove ?? false) : offered.includes(name))
          return (
            <label key={name} class="checkbox-label" title={can ? undefined : rule?.rule}>
              <input
                type="checkbox"
                class="checkbox"
                checked={isIn}
                disabled={!can}
                onChange={() =>
                  changeList(store, { name: 'groups', label: 'Groups' }, isIn ? { remove: [name] } : { add: [name] })
                }
              />
              {name}
            </label>
          )
        })}
        {isSecret && (
          <>
            <div class="hint">Users must be in every ticked group. These also see it:</div>
            <Toggle name="is_creator_accessible" label="Reporter" note={nameOf(bug.creator_detail)} />
            <Toggle name="is_cc_accessible" label="CC" note={`${bug.cc.length} people`} />
            <div class="hint">Assignee and QA contact always do.</div>
          </>
        )}
      </div>
    </Group>
  )
}

function Toggle({
  name,
  label,
  note,
}: {
  name: 'is_creator_accessible' | 'is_cc_accessible'
  label: string
  note: string
}) {
  const store = useBugStore()
  const isOn = useBug()[name]
  return (
    <label class="checkbox-label">
      <input
        type="checkbox"
        class="checkbox"
        checked={isOn}
        disabled={!store.may(name)}
        onChange={() => saveValue(store, { name, label: `Visible to ${label}` }, !isOn, isOn)}
      />
      {label} <span class="faint">{note}</span>
    </label>
  )
}

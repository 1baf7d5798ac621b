// Changes one value of a bug in a list, as its own page does: the same values, rights, conflicts and undo. Loaded when it is needed.
import { isNothing } from '../../../core/bugs/fields.ts'
import { personBy } from '../../../core/bugs/people.ts'
import type { Bug } from '../../../core/server/types.ts'
import { showToast } from '../../../core/toasts.ts'
import { matchingOptions, type Option } from '../../../parts/combobox.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { BugStore } from '../../bug/bug-store.ts'
import { valueIn, valuesFor } from '../../bug/properties/field-names.ts'
import { peopleLike } from '../../bug/properties/people-options.ts'
import { changeList, saveValue } from '../../bug/properties/save.ts'
import { saveStatus } from '../../bug/status/status-menu.tsx'
import { type Step, stepsFrom } from '../../bug/status/steps.ts'
import type { RowField } from './row-fields.ts'

export class RowEditing {
  private readonly store: BugStore
  private readonly field: RowField
  /** What the reader saw when they began. */
  private readonly seen: Bug
  private readonly ready: Promise<unknown>
  private steps: readonly Step[] = []

  constructor(bug: Bug, field: RowField) {
    this.store = new BugStore(String(bug.id))
    this.store.bug.value = bug
    this.field = field
    this.seen = bug
    this.ready = Promise.all([this.store.refreshFields(), this.store.loadAccess(), this.store.reloadFieldList()])
  }

  /** The values that can be chosen, or the reason why none can. */
  async optionsFor(text: string): Promise<readonly Option[]> {
    await this.ready
    const { store, field } = this
    const bug = store.bug.value ?? this.seen
    if (field.kind === 'status') {
      this.steps = stepsFrom(store, bug)
      const asOption = (step: Step, place: number): Option => ({
        value: String(place),
        name: step.name,
        ...refusal(step),
      })
      return matchingOptions(this.steps.map(asOption), text)
    }
    if (!store.may(field.name)) return [{ value: '', name: 'It stays as it is', refused: store.reason(field.name) }]
    if (field.kind === 'person') return peopleLike(store, text)
    const values = valuesFor(bug, store.field(field.field)).map(({ name }) => ({
      value: name ?? '',
      name: isNothing(field.name, name) ? 'None' : (name ?? ''),
      also: name ?? '',
    }))
    return matchingOptions(values, text)
  }

  async save(value: string): Promise<void> {
    await this.ready
    const { store, field, seen } = this
    const { name, label } = field
    const step = this.steps[Number(value)]
    if (field.kind === 'status') {
      if (step !== undefined)
        await saveStatus(store, step.change, step.name, { status: seen.status, resolution: seen.resolution })
    } else if (field.kind === 'list') await changeList(store, { name, label }, { add: [value] })
    else if (value !== valueIn(seen, name)) await saveValue(store, { name, label }, value, valueIn(seen, name))
    const conflict = store.conflicts.value.get(name)
    if (conflict === undefined) return
    const who = conflict.who === undefined ? 'Another user' : nameOf(personBy(conflict.who))
    showToast({
      kind: 'failed',
      text: `${who} set ${conflict.theirs}, you chose ${conflict.mine}.`,
      action: { name: `Set ${conflict.mine}`, run: conflict.setMine },
    })
  }
}

function refusal({ refused, needsComment, isDuplicate }: Step) {
  const reason = refused ?? (isDuplicate ? 'On its page' : needsComment ? 'With a comment, on its page' : undefined)
  return reason === undefined ? {} : { refused: reason }
}

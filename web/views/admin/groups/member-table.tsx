import { useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { hrefOf } from '../../../core/router.ts'
import { getOnce, put } from '../../../core/server/rest.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { peopleLike } from '../../../parts/options.ts'
import { Person } from '../../../parts/person.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { type GroupState, groupAddress, MEMBERS_AT_ONCE, type Member, type Members } from './group-state.ts'

interface Props {
  state: Pick<GroupState, 'group' | 'members'>
  reload(): Promise<unknown>
}

type Way = keyof Members['counts']
const WAYS: readonly (readonly [Way, string])[] = [
  ['direct', 'Direct'],
  ['matched', 'By pattern'],
  ['inherited', 'Inherited'],
]

const KINDS = { direct: 'direct', regexp: 'by pattern', provider: 'by provider' } as const

/** People are added and removed at once, with undo: it is a change of their account. */
export function MemberTable({ state, reload }: Props) {
  const { group, members } = state
  const [isAdding, setAdding] = useState(false)
  /** Another choice than all, with its members. */
  const [chosen, setChosen] = useState<{ way: Way; members: Members }>()
  const [further, setFurther] = useState<readonly Member[]>([])
  const button = useFocusBack(isAdding)
  const change = async (name: string, how: 'add' | 'remove') => {
    const back = how === 'add' ? 'remove' : 'add'
    try {
      await put('/group/:ref/members', { ref: group.id, [how]: [name] })
      setFurther([])
      await Promise.all([reload(), chosen && choose(chosen.way)])
      showToast({
        kind: 'done',
        text: how === 'add' ? `${name} is in ${group.name}.` : `${name} was taken out of ${group.name}.`,
        action: { name: 'Undo', run: () => void change(name, back) },
      })
    } catch (fault) {
      showFault(fault)
    }
  }
  const read = (offset: number, way: Way | undefined) => {
    const call = addressOf('/group/:ref/members', { ref: group.id, limit: MEMBERS_AT_ONCE, offset, way })
    return getOnce(call).catch(showFault)
  }
  const choose = async (way: Way | undefined) => {
    setFurther([])
    if (way === undefined) return setChosen(undefined)
    const found = await read(0, way)
    if (found !== undefined) setChosen({ way, members: found })
  }
  const { members: first, total } = chosen?.members ?? members
  const shown = [...first, ...further]
  const readMore = async () => {
    const next = await read(shown.length, chosen?.way)
    if (next !== undefined) setFurther([...further, ...next.members])
  }
  return (
    <section class="card" aria-label="Members">
      <div class="admin-head">
        <h2>Members</h2>
        <Ways members={members} chosen={chosen?.way} onChoice={(way) => void choose(way)} />
        <span class="align-end">
          {isAdding ? (
            <Combobox
              label="Person to add"
              value=""
              hasFocus
              options={(text) => peopleLike(text)}
              onChoice={({ value }) => {
                setAdding(false)
                void change(value, 'add')
              }}
              onCancel={() => setAdding(false)}
            />
          ) : (
            <button ref={button} type="button" class="button button-small" onClick={() => setAdding(true)}>
              Add a person
            </button>
          )}
        </span>
      </div>
      <div class="scroll-box">
        <table class="table admin-table member-table">
          <TableHead columns={['Person', 'Where from', { title: 'Actions', isHidden: true }]} />
          <tbody>
            {shown.map((member) => (
              <tr key={member.id}>
                <th scope="row">
                  <Person person={member} link /> <span class="faint small">{member.name}</span>
                  {!member.can_login && <span class="badge">disabled</span>}
                </th>
                <td>
                  {member.sources.map((source) => (
                    <div key={`${source.kind} ${source.group}`}>
                      {source.group === group.name ? (
                        <span class="badge">{KINDS[source.kind]}</span>
                      ) : (
                        <>
                          inherited through{' '}
                          <a class="link" dir="auto" href={hrefOf(groupAddress(source.group))}>
                            {source.group}
                          </a>
                        </>
                      )}
                    </div>
                  ))}
                  {member.sources.length === 0 && 'inherited through another group'}
                </td>
                <td>
                  {member.sources.some((it) => it.kind === 'direct' && it.group === group.name) && (
                    <Button size="small" kind="quiet" onClick={() => void change(member.name, 'remove')}>
                      Remove<span class="visually-hidden"> {member.name}</span>
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < total && (
        <div class="admin-note">
          <Button kind="quiet" size="small" icon="down" onClick={() => void readMore()}>
            {total - shown.length} more
          </Button>
        </div>
      )}
    </section>
  )
}

interface WaysProps {
  members: Members
  chosen: Way | undefined
  onChoice(way: Way | undefined): void
}

/** How many are in the group in which way; a click shows only them. */
function Ways({ members, chosen, onChoice }: WaysProps) {
  const { direct, matched, inherited } = members.counts
  return (
    <div class="segmented" role="group" aria-label="Which members">
      <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoice(undefined)}>
        All {direct + matched + inherited}
      </button>
      {WAYS.filter(([way]) => members.counts[way] > 0 || way === chosen).map(([way, title]) => (
        <button key={way} type="button" aria-pressed={way === chosen} onClick={() => onChoice(way)}>
          {title} {members.counts[way]}
        </button>
      ))}
    </div>
  )
}

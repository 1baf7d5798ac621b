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
import { type GroupState, groupAddress, MEMBERS_AT_ONCE, type Member } from './group-state.ts'

interface Props {
  state: Pick<GroupState, 'group' | 'members'>
  reload(): Promise<unknown>
}

const KINDS = { direct: 'direct', regexp: 'by pattern', provider: 'by provider' } as const

/** People are added and removed at once, with undo: it is a change of their account. */
export function MemberTable({ state, reload }: Props) {
  const { group, members } = state
  const [isAdding, setAdding] = useState(false)
  const [further, setFurther] = useState<readonly Member[]>([])
  const button = useFocusBack(isAdding)
  const change = async (name: string, how: 'add' | 'remove') => {
    const back = how === 'add' ? 'remove' : 'add'
    try {
      await put('/group/:ref/members', { ref: group.id, [how]: [name] })
      setFurther([])
      await reload()
      showToast({
        kind: 'done',
        text: how === 'add' ? `${name} is in ${group.name}.` : `${name} was taken out of ${group.name}.`,
        action: { name: 'Undo', run: () => void change(name, back) },
      })
    } catch (fault) {
      showFault(fault)
    }
  }
  const shown = [...members.members, ...further]
  const readMore = async () => {
    const call = addressOf('/group/:ref/members', { ref: group.id, limit: MEMBERS_AT_ONCE, offset: shown.length })
    const next = await getOnce(call).catch(showFault)
    if (next !== undefined) setFurther([...further, ...next.members])
  }
  return (
    <section class="card" aria-label="Members">
      <div class="admin-head">
        <h2>Members</h2>
        <span class="faint">{members.total}</span>
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
        <table class="table admin-table">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Where from</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
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
      {shown.length < members.total && (
        <div class="admin-note">
          <Button kind="quiet" size="small" icon="down" onClick={() => void readMore()}>
            {members.total - shown.length} more
          </Button>
        </div>
      )}
    </section>
  )
}
